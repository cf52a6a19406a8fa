"""The renderer and its way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.records import Message, Window, WindowPart
from pipeline.windows import Brief, plan_of, render, render_report
from pipeline.windows.prompt import Told, told_by
from tests.small_reports import small_report

LINES = st.text(alphabet="ab 1.:-#|", max_size=20).map(str.strip)
LINE = LINES.filter(bool)


@given(
    language=st.sampled_from(["ca", "es", "en", "fr"]),
    titles=st.tuples(LINE, LINE),
    outline=st.lists(LINE.map("- {}".format), max_size=3).map("\n".join),
    texts=st.lists(st.lists(LINE, min_size=1, max_size=3).map("\n\n".join), max_size=3),
    facts=st.lists(LINE, max_size=3),
    guidance=st.lists(LINE, max_size=3).map("\n\n".join),
)
def test_what_was_rendered_is_read_again(language, titles, outline, texts, facts, guidance):
    parts = tuple(
        WindowPart(section="s", title=f"T{i}", level=1, spans=(), text=text, tokens=1, share_kept=1)
        for i, text in enumerate(texts)
    )
    window = Window(
        document="d", section="s", policy="select", tokenizer="t", budget_tokens=1, used_tokens=1,
        outline=outline, outline_tokens=1, parts=parts,
    )  # fmt: skip
    brief = Brief(
        report_title=titles[0], section_title=titles[1], language=language, guidance=guidance, facts=tuple(facts)
    )
    assert told_by(render(window, brief, "written")) == Told(
        report_title=titles[0],
        outline=outline,
        window="\n\n".join(f"# T{i}\n\n{text}" for i, text in enumerate(texts)),
        facts=tuple(facts),
        guidance=guidance.strip(),
        section_title=titles[1],
    )


def test_a_list_in_the_window_under_the_word_for_facts_is_no_fact():
    part = WindowPart(
        section="s", title="T", level=1, spans=(), text="Fets:\n- un\n- dos\n\nI més.", tokens=1, share_kept=1
    )
    window = Window(
        document="d", section="s", policy="select", tokenizer="t", budget_tokens=1, used_tokens=1,
        outline="", outline_tokens=0, parts=(part,),
    )  # fmt: skip
    told = told_by(render(window, Brief(report_title="M", section_title="S", language="ca")))
    assert told.facts == () and told.window == "# T\n\nFets:\n- un\n- dos\n\nI més."


def test_a_prompt_for_a_whole_report_has_a_title_and_an_outline():
    report = small_report("ca", 1)
    messages, _ = render_report(plan_of(report.sections, report.title, "ca"), report.sections)
    told = told_by(messages)
    assert (told.report_title, told.window, told.section_title) == (report.title, "", "")
    assert told.outline.splitlines() == [f"- {section.title}" for section in report.sections]


@pytest.mark.parametrize("content", ["", "Hello", "Memòria: M"])
def test_another_prompt_is_refused_without_a_word_of_it(content):
    with pytest.raises(UserError, match="not laid out by this version"):
        told_by([Message(role="system", content="Be kind."), Message(role="user", content=content)])
