"""The rules of tracing, each alone: a source, a text, and which of its claims are supported, and how."""

import time

import pytest

from pipeline.faithfulness import OWN_TEXT, Owed, Source, Traced, trace


def told(text: str, sources: str | list[Source], language: str = "ca") -> dict[str, str | None]:
    """How each claim of a text is supported."""
    given = [Source("s", sources, language)] if isinstance(sources, str) else sources
    claims = trace(text, language, given).claims
    return {text[c.start : c.end]: c.support.how if c.support else None for c in claims}


TABLE = """\
| Partida | Previst (€) | Gastat (€) | Hores |
| --- | --- | --- | --- |
| Personal | 60.000,00 | 58.500,50 | 120 |
| Viatges | 8.000,00 | 9.120,75 | 36 |
| Materials | 4.000,00 | 3.100,00 | 24 |
| Total | 72.000,00 | 70.721,25 | 180 |
"""


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("Va costar 1.234.567,89 €.", "Uns 1,2 milions d'euros.", {"1,2 milions d'euros": "rounded"}),
        ("Va costar 1.234.567,89 €.", "Va ser d'1,3 milions d'euros.", {"1,3 milions d'euros": None}),
        ("Va costar 1.234.567,89 €.", "Va ser d'1.234.568 €.", {"1.234.568 €": "rounded"}),
        ("Va costar 12.345 €.", "Són 12.345 dòlars o 12.345 euros.", {"12.345 dòlars": None, "12.345 euros": "said"}),
        ("Eren 1.187 persones.", "Eren més de 1.100 persones.", {"1.100": "rounded"}),
        ("Eren 1.187 persones.", "Eren més de 1.200 persones.", {"1.200": None}),
        ("Eren 1.187 persones.", "Eren gairebé 1.200 persones.", {"1.200": "rounded"}),
        ("Eren 1.187 persones.", "Eren 1.200 persones.", {"1.200": None}),
        ("Eren 340 persones.", "Eren més de 300 persones.", {"300": None}),
        ("Un 64,2 % hi va anar.", "El 64% i el 65%.", {"64%": "rounded", "65%": None}),
        ("Van ser 340 hores.", "Van ser 340 dies i 340 hores.", {"340": "said"}),
        ("Van ser 12 km.", "Són 12.000 metres, no 12 metres.", {"12.000": "said", "12": None}),
        ("Hi ha 60-70 % de dones.", "El 60 % i 60.", {"60 %": "said", "60": None}),
        ("Tres tallers i vint-i-tres sortides.", "3 tallers, 23 sortides.", {"3": "said", "23": None}),
        ("Va ser el 12 de març de 2024.", "El 2024, el març del 2024, el 2024-03-12, el 13/03/2024.",
         {"2024": "within", "març del 2024": "within", "2024-03-12": "said", "13/03/2024": None}),
        ("Va ser el març de 2024.", "Va ser el 12 de març de 2024.", {"12 de març de 2024": None}),
        ("El 2024 va anar bé: el 12 de març es va signar.", "El 12/03/2024 i el 12/03/2023.",
         {"12/03/2024": "said", "12/03/2023": None}),
        ("Ho porta l'Agència de Salut Pública.", "Ho porta l'ASP, no l'ASB.", {"ASP": "spelt out", "ASB": None}),
        ("Hi paga la UE.", "Hi paga la Unió Europea.", {"Unió Europea": "spelt out"}),
        ("Va venir l'Anna Puig i Soler.", "Hi era la Puig amb en Pere Puig i l'A. Puig.",
         {"Puig": "said", "Pere Puig": None, "A. Puig": "said"}),
        ("Signat: Puig Soler, Anna.", "Ho signa Anna Puig Soler.", {"Anna Puig Soler": "said"}),
        ("Hi col·labora la Fundació Àncora.", "Hi col·labora la Fundación Ancora i la Fundació Puig.",
         {"Fundación Ancora": "said", "Fundació Puig": None}),
        ("Cal esperança per viure.", "Ho va fer l'Esperança.", {"Esperança": None}),
        ("Del PT1-PT4, el D3.2.", "El WP2, el paquet de treball 3, el WP5, el D 3.2 i el D3.3.",
         {"WP2": "said", "3": "said", "WP5": None, "D 3.2": "said", "D3.3": None}),
        ("Vegeu https://www.exemple.cat/a.", "A exemple.cat, exemple.cat/a i exemple.cat/b.",
         {"exemple.cat": "said", "exemple.cat/a": "said", "exemple.cat/b": None}),
        ("Truqueu al 93 123 45 67.", "Truqueu al +34 931 234 567.", {"+34 931 234 567": "said"}),
        ("Hi ha 5.630 visites.", "Hi ha 5,630 visites.", {"5,630": "said"}),
        (TABLE, "Personal i viatges: 67.621,25 €.", {"67.621,25 €": "sum"}),
        (TABLE, "Personal i materials: 61.600,50 €.", {"61.600,50 €": None}),
        (TABLE, "En viatges, 1.120,75 € més.", {"1.120,75 €": "difference"}),
        (TABLE, "De personal s'ha gastat el 97,5 % del previst.", {"97,5 %": "share"}),
        (TABLE, "Les despeses van créixer un 97,5 %.", {"97,5 %": None}),
        (TABLE, "En total 180 hores; viatges i materials, 60 hores.", {"180": "said", "60": None}),
        ("- Vic: 12.000 €\n- Olot: 7.500 €\n- Berga: 1.250 €", "En total, 20.750 €.", {"20.750 €": "sum"}),
        ("- Vic: 12.000 €\n- Olot: 7.500 €\n\nText.\n\n- Berga: 1.250 €", "En total, 20.750 €.", {"20.750 €": None}),
        ("- Vic: 12.000 €\nI res més.\n- Olot: 7.500 €", "En total, 19.500 €.", {"19.500 €": None}),
        ("| A | € |\n| --- | --- |\n| X | 1.000 |\n[…]\n| Y | 2.500 |", "Fan 3.500 € i 2.500 €.",
         {"3.500 €": None, "2.500 €": "said"}),
        ("Hi eren l'Anna Puig i en Pere Soler.", "Hi era l'Anna Soler.", {"Anna Soler": None}),
        ("Eren 40 persones.", "De 40 persones, 15 van marxar i en queden 25.", {"40": "said", "15": None, "25": None}),
        ("Van gastar 30.000 € de 40.000 €.", "Dels 40.000 €, el 75 %.", {"40.000 €": "said", "75 %": "share"}),
    ],
)  # fmt: skip
def test_what_supports_a_claim(source, text, expected):
    assert told(text, source) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1. Fer\n2. Dir\n\n3.2 Resultats\n\nVegeu l'apartat 4.1, la taula 3, les figures 2 i 3 i la pàgina 14.",
        "| Núm. | Acció |\n| --- | --- |\n| 1 | Fer |\n| 2 | Dir |\n| 3 | Anar |",
        "L'IVA, el PDF i les ONG. Són kWh i MWh.",
    ],
)
def test_labels_and_common_nouns_are_no_claims(text):
    assert trace(text, "ca", []).claims == ()


def test_a_total_counts_if_all_that_it_adds_up_is_supported():
    source = "Vic va rebre 1.250 €. Olot, 700 €."
    table = "| Lloc | € |\n| --- | --- |\n| Vic | 1.250 |\n| Olot | {olot} |\n| Total | {total} |"
    good = table.format(olot=700, total="1.950")
    assert [c.support for c in trace(good, "ca", [Source("s", source, "ca")]).unsupported] == []
    assert trace(good, "ca", [Source("s", source, "ca")]).claims[-1].support[0] == OWN_TEXT
    assert told(table.format(olot=700, total="1.960"), source)["1.960"] is None
    invented = told(table.format(olot=800, total="2.050"), source)
    assert invented["800"] is None and invented["2.050"] is None


def test_a_long_source_needs_a_word_in_common_for_small_numbers_alone():
    filler = "El projecte avança bé i tothom hi col·labora de bon grat. " * 60
    source = f"{filler}\n\nEs van plantar 12 arbres amb 340 alumnes."
    assert told("Hi ha 12 tallers.", source) == {"12": None}
    assert told("Hi ha 12 arbres.", source) == {"12": "said"}
    assert told("Hi ha 340 tallers.", source) == {"340": "said"}
    assert told("Hi ha 12 tallers.", "Es van plantar 12 arbres.") == {"12": "said"}
    assert told("There are 12 workshops.", [Source("s", source, "ca")], "en") == {"12": "said"}


def test_the_first_source_that_says_it_is_named_with_the_place():
    sources = [Source("facts", "- Cost: 1.200 €", "ca"), Source("window", "Text.\n\nVa costar 1.200 €.", "ca")]
    (claim,) = trace("Són 1.200 euros.", "ca", sources).claims
    assert claim.support is not None
    name, start, end, _ = claim.support
    assert (name, sources[0].text[start:end]) == ("facts", "1.200 €")
    (claim,) = trace("Són 1.200 euros.", "ca", sources[::-1]).claims
    assert claim.support is not None
    name, start, end, _ = claim.support
    assert (name, sources[1].text[start:end]) == ("window", "1.200 €")


def test_what_is_owed_and_not_said():
    owed = "Digues que Vic va rebre 1.234 € el 3 de maig de 2024, en 200 paraules."
    source = Source("guidance", owed, "ca", ((0, len(owed)),))
    traced = trace("Vic va rebre 1.234 euros el maig de 2024.", "ca", [source])
    assert traced.unused == ()
    said = trace("Vic va rebre ajut.", "ca", [source]).unused
    assert [(one.kind, owed[one.start : one.end]) for one in said] == [
        ("amount", "1.234 €"), ("date", "3 de maig de 2024"),
    ]  # fmt: skip
    assert trace("Res.", "ca", [Source("facts", owed, "ca", ((10, 20),))]).unused == (Owed("facts", "name", 11, 14),)
    assert trace("Res.", "ca", [Source("facts", owed, "ca")]).unused == ()


@pytest.mark.parametrize(
    "unit", ["1 € ", "12 % de 3 ", "| 1 | 2 € |\n", "més de 1.000 ", "WP1-WP9 ", "Anna Puig ", "1/1/2024 "]
)
def test_hostile_repetition_takes_linear_time(unit):
    text = (unit * 20_000)[:20_000]
    start = time.process_time()
    trace(text, "ca", [Source("s", text, "ca", ((0, len(text)),))])
    assert time.process_time() - start < 3  # what is quadratic takes minutes


def test_the_share_supported():
    traced = trace("Ara Vic té 1.234 habitants.", "ca", [Source("s", "Hi ha Vic.", "ca")])
    assert (len(traced.supported), len(traced.unsupported), traced.share_supported) == (1, 1, 0.5)
    assert Traced((), ()).share_supported is None
