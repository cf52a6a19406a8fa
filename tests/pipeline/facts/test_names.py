"""Names and acronyms: where they begin and end, and which capitals name nothing."""

import pytest

from pipeline.facts import facts_of


def named(text, language="ca"):
    return [text[fact.start : fact.end] for fact in facts_of(text, language) if fact.kind in ("name", "acronym")]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ca", "Hi va anar l'Anna Puig i Soler.", ["Anna Puig i Soler"]),
        ("ca", "Ho paga la Generalitat de Catalunya.", ["Generalitat de Catalunya"]),
        ("ca", "La Dra. Laia Font viu a l'Hospitalet de Llobregat.", ["Laia Font", "Hospitalet de Llobregat"]),
        ("ca", "Ho porta la Cooperativa d'Il·lustradors Traç.", ["Cooperativa d'Il·lustradors Traç"]),
        ("ca", "Ho diu la Fundació per a la Pesca.", ["Fundació per a la Pesca"]),
        ("ca", "Hi era Pau Roig, de la Fundació Àncora.", ["Pau Roig", "Fundació Àncora"]),
        ("ca", "Hi era Pau Roig de la Fundació Àncora.", ["Pau Roig", "Fundació Àncora"]),
        ("ca", "Ho fan l'Ajuntament de Vic i la Diputació de Girona.", ["Ajuntament de Vic", "Diputació de Girona"]),
        ("ca", "Van venir Pau Roig i Marta Sala.", ["Pau Roig", "Marta Sala"]),
        ("ca", "Entra al Programa ERASMUS aquest any.", ["Programa ERASMUS"]),
        ("en", "The agency (DRA) said so, and the DRA paid.", ["DRA", "DRA"]),
        ("ca", "Ho fan les ONGs i la UE.", ["ONGs", "UE"]),
        ("es", "En Barcelona se firmó.", ["Barcelona"]),
        ("es", "Lo paga el Ministerio de Ciencia e Innovación.", ["Ministerio de Ciencia e Innovación"]),
        ("es", "Según Nuria Olmedilla, sí.", ["Nuria Olmedilla"]),
        ("es", "Firmaron Nuria Olmedilla y el Banco de Alimentos.", ["Nuria Olmedilla", "Banco de Alimentos"]),
        ("en", "The Ministry of Health paid.", ["Ministry of Health"]),
        ("en", "It was Mr Arthur Cheever who asked the Harbourmen's Guild of Skarvoe.",
         ["Arthur Cheever", "Harbourmen's Guild of Skarvoe"]),
        ("en", "We met at Girona's market.", ["Girona"]),
        ("en", "Ulf von Ahlen of the Baltic Peat Institute came.", ["Ulf von Ahlen", "Baltic Peat Institute"]),
        ("es", "| Italia | 3 |\n| Calle Mayor | 4 |", ["Italia", "Calle Mayor"]),
        ("ca", "Hi va anar la Unió Europea.", ["Unió Europea"]),
        ("ca", "Ho va fer Gestió Blava del Segre.", ["Gestió Blava del Segre"]),
        ("ca", "Ho recull el padró de l'ABCDE (www.abcde.cat).", ["ABCDE"]),
        ("en", "We met J. M. Harrow and Loop & Line Recycling.", ["J. M. Harrow", "Loop & Line Recycling"]),
    ],
)  # fmt: skip
def test_a_name_is_taken_whole_without_title_and_article(language, text, expected):
    assert named(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ca", "Durant Març hem crescut. Després vam aturar. Gràcies."),
        ("ca", "- Obrir quatre biblioteques.\n- Renovar el fons.\n| Soci | Tasca |\n| --- | --- |\n| Taller | Feina |"),
        ("ca", "El Projecte i l'Annex 3, la Taula 2 i l'Objectiu 1 del Pla de Treball."),
        ("ca", "OBJECTIUS GENERALS DEL PROJECTE\n\nMarc Teòric Previ"),
        ("ca", "El segle XXI i la fase II."),
        ("es", "Coordinación: Gracias. Trabajamos mucho. ¿Cómo? Así."),
        ("en", "English and Spanish were spoken every Monday in May. I think so."),
        ("ca", "Ho diuen l'Eix 3 i el Bloc 12a."),
        ("en", "We write in WP1 (Lost fishing gear) and WP2, Beach surveys."),
    ],
)
def test_capitals_that_name_nothing(language, text):
    assert named(text, language) == []


def test_the_first_word_of_a_sentence_is_a_name_if_it_is_one_elsewhere():
    assert named("Alborny és lluny.") == []
    assert named("Alborny és lluny. Qui viu a Alborny ho sap.") == ["Alborny", "Alborny"]


def test_a_line_break_in_a_cell_begins_a_sentence():
    assert named("| Fer<br>- Obrir portes<br>Tancar | Dir |") == []


def test_a_verb_before_a_name_is_no_part_of_it():
    assert named("Participaron Nuria Olmedilla y otros.", "es") == ["Nuria Olmedilla"]


def test_names_compare_without_case_space_and_form_of_apostrophe():
    one, other = (facts_of(text, "ca") for text in ("Ve de l'Ajuntament d'Alborny.", "Ve de l'Ajuntament  d’Alborny."))
    assert one[0].key == "name:ajuntament d'alborny"
    assert facts_of("Ve de l’Ajuntament\u00a0d’Alborny.", "ca")[0].key == one[0].key
    assert other
