"""What a writer was told comes back from its prompt, of a live draft and of an example alike."""

import pytest

from pipeline.faithfulness import Source, sources_of_draft, sources_of_example, trace
from pipeline.records import Example, Window, WindowPart
from pipeline.windows import Brief, render

PART = WindowPart(
    section="s", title="2 Context", level=2, spans=(), text="Hi viuen 9.874 persones.", tokens=9, share_kept=1
)
WINDOW = Window(
    document="d",
    section="t",
    policy="select",
    tokenizer="t",
    budget_tokens=100,
    used_tokens=20,
    outline="- 1 Resum\n- 4 Pressupost",
    outline_tokens=8,
    parts=(PART,),
)
BRIEF = Brief(
    report_title="Memòria 2024",
    section_title="4 Pressupost",
    language="ca",
    guidance="Esmenta els 1.900 € de l'auditoria.\n\nSigues breu.",
    facts=("Pressupost total: 86.400 €", "Coordinadora: Núria Casadevall"),
)


def test_a_drafts_sources_are_the_parts_of_its_prompt():
    facts = "- Pressupost total: 86.400 €\n- Coordinadora: Núria Casadevall"
    assert sources_of_draft(WINDOW, BRIEF) == [
        Source("facts", facts, "ca", ((0, 28),)),
        Source("guidance", BRIEF.guidance, "ca", ((0, len(BRIEF.guidance)),)),
        Source("outline", "Memòria 2024\n- 1 Resum\n- 4 Pressupost\n4 Pressupost", "ca"),
        Source("window", "## 2 Context\n\nHi viuen 9.874 persones.", "ca"),
    ]


def test_an_examples_sources_are_those_of_the_draft_and_empty_ones_are_none():
    def example(brief: Brief) -> Example:
        asked = render(WINDOW, brief)
        return Example(
            report="r", source_sha256="0", section="t", window="w", language="ca", messages=asked, target="Text."
        )

    assert sources_of_example(example(BRIEF)) == sources_of_draft(WINDOW, BRIEF)
    bare = BRIEF.model_copy(update={"facts": (), "guidance": ""})
    assert [source.name for source in sources_of_example(example(bare))] == ["outline", "window"]


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("El pressupost de 86.400 € inclou l'auditoria, 1.900 €.", []),
        ("El pressupost és de 86.400 €.", ["1.900 €"]),
        ("L'auditoria costa 1.900 €.", ["86.400 €"]),
    ],
)
def test_guidance_and_the_facts_on_the_heading_are_owed(text, unused):
    sources = sources_of_draft(WINDOW, BRIEF)
    by_name = {source.name: source.text for source in sources}
    assert [by_name[one.source][one.start : one.end] for one in trace(text, "ca", sources).unused] == unused
