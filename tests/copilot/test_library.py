"""The library: what was saved can always be found again, whoever else saves."""

import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from copilot.library import Conflict, Heading, Library, Project, format_outline, parse_outline
from copilot.library.text import blocks_of, inserts_only, merge_lines, words
from pipeline.errors import UserError
from pipeline.records import Block, Characters, Report, Section
from pipeline.storage import Workspace

OUTLINE = [Heading(1, "Summary"), Heading(1, "Context", "1"), Heading(2, "Partners", "1.1")]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(Workspace(tmp_path_factory.mktemp("workspace")))


@pytest.fixture
def project(library: Library) -> Project:
    return library.create_project("Final report", "en", OUTLINE)


def key_of(project: Project, place: int = 0) -> str:
    return project.outline()[place].key


def is_within(text: str, other: str) -> bool:
    """Can `text` be had from `other` by taking characters away?"""
    rest = iter(other)
    return all(character in rest for character in text)


@dataclass
class Tab:
    """A browser tab: the version that it saw, the text that it shows."""

    name: str
    version: int = 0
    text: str = ""


edits = st.tuples(
    st.sampled_from([0, 1]),  # the tab
    st.sampled_from(["type", "type", "cut", "replace", "reload", "accept"]),
    st.text("ab \n", min_size=1, max_size=6),
    st.integers(0, 40),
)


@settings(max_examples=40)
@given(st.lists(edits, max_size=16))
def test_no_sequence_of_saves_from_two_tabs_loses_text(library: Library, sequence: list) -> None:
    project = library.create_project("Two tabs", "en", OUTLINE[:1])
    key, tabs = key_of(project), [Tab("one"), Tab("two")]
    acknowledged: list[str] = []
    for which, act, added, at in sequence:
        tab = tabs[which]
        before = project.latest(key)
        if act == "reload":
            tab.version, tab.text = before.version, before.text
            continue
        text = changed(tab.text, act, added, at)
        try:
            if act == "accept":
                saved = project.accept(key, version=tab.version, sitting=tab.name)
            else:
                saved = project.save_text(key, text, version=tab.version, sitting=tab.name)
        except Conflict as conflict:
            assert project.latest(key) == before == conflict.latest
            # The person keeps both: theirs is put beside, and the tab shows the latest.
            saved = project.set_aside(key, text, sitting=tab.name)
            assert saved.text == before.text
            acknowledged.append(text)
        except UserError:
            assert act == "accept" and not before.text.strip()
            continue
        else:
            assert saved.text == (before.text if act == "accept" else text) == project.latest(key).text
            acknowledged.append(saved.text)
        tab.version, tab.text = saved.version, saved.text
    rows = [version.text for version in project.history(key)]
    for text in acknowledged:
        assert text == "" or any(is_within(text, row) for row in rows)


def changed(text: str, act: str, added: str, at: int) -> str:
    at = min(at, len(text))
    if act == "type":
        return text[:at] + added + text[at:]
    return {"cut": text[:at], "replace": added}.get(act, text)


def test_a_stale_save_is_refused_and_changes_nothing(project: Project) -> None:
    key = key_of(project)
    first = project.save_text(key, "Mine", version=0, sitting="one")
    with pytest.raises(Conflict) as raised:
        project.save_text(key, "Theirs", version=0, sitting="two")
    assert raised.value.latest.text == "Mine" and project.latest(key) == first
    seen = project.save_text(key, "Mine and theirs", version=first.version, sitting="two")
    with pytest.raises(Conflict):
        project.save_text(key, "Mine again", version=first.version, sitting="one")
    assert project.latest(key) == seen


def test_typing_grows_one_row_and_deleting_begins_another(project: Project) -> None:
    key = key_of(project)
    for text in ("T", "The unit", "The unit visits", "The blue unit visits"):
        project.save_text(key, text, version=0, sitting="one")
    assert [v.text for v in project.history(key)] == ["The blue unit visits"]
    project.save_text(key, "The unit visits", version=0, sitting="one")
    assert [v.text for v in project.history(key)] == ["The unit visits", "The blue unit visits"]


def test_of_two_that_save_at_the_same_time_one_is_told(library: Library, project: Project) -> None:
    key, barrier, told = key_of(project), threading.Barrier(8), []

    def save(name: str) -> None:
        mine = library.open(project.id)
        barrier.wait()
        try:
            mine.save_text(key, f"by {name}", version=0, sitting=name)
        except Conflict:
            told.append(name)

    threads = [threading.Thread(target=save, args=(f"tab {i}",)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 7 and len(project.history(key)) == 1


def test_states_follow_from_the_versions(project: Project) -> None:
    key = key_of(project)
    states = [project.entry(key).state]
    saved = project.save_text(key, "Text", version=0, sitting="one")
    states.append(project.entry(key).state)
    accepted = project.accept(key, version=saved.version, sitting="one")
    states.append(project.entry(key).state)
    changed = project.save_text(key, "Text, edited", version=accepted.version, sitting="one")
    states.append(project.entry(key).state)
    assert states == ["empty", "draft", "accepted", "changed"]
    assert project.entry(key).accepted == "Text"
    assert project.sections()[0].text == "Text"
    project.restore(key, accepted.version, version=changed.version, sitting="one")
    assert project.entry(key).state == "accepted"
    assert [d.finish for d in project.drafts(key)] == ["edited", "edited", "accepted", "edited"]


def test_accepting_elsewhere_does_not_stop_me_from_writing_on(project: Project) -> None:
    key = key_of(project)
    saved = project.save_text(key, "Text", version=0, sitting="one")
    project.accept(key, version=saved.version, sitting="two")
    assert project.save_text(key, "Text, more", version=saved.version, sitting="one").text == "Text, more"


def test_nothing_cannot_be_accepted_and_unknown_things_are_named(library: Library, project: Project) -> None:
    with pytest.raises(UserError, match="no text to accept"):
        project.accept(key_of(project), version=0, sitting="one")
    with pytest.raises(UserError, match="no such section"):
        project.latest("nowhere")
    with pytest.raises(UserError, match="no such project"):
        library.open("nowhere")
    with pytest.raises(UserError, match="no title"):
        library.create_project("  ", "en", OUTLINE)


def test_the_library_survives_being_closed(tmp_path: Path) -> None:
    library = Library(Workspace(tmp_path))
    project = library.create_project("Memòria", "ca", OUTLINE)
    project.save_text(key_of(project), "Un text amb NUL \0 i mig caràcter \ud800", version=0, sitting="one")
    project.save_facts("184.500 €\n\n 14 municipis ", base="")
    library.close()
    again = Library(Workspace(tmp_path)).open(project.id)
    assert again.latest(key_of(again)).text == "Un text amb NUL \0 i mig caràcter \ufffd"
    assert again.facts() == ("184.500 €", "14 municipis")


def test_facts_and_guidance_of_two_tabs_are_merged(project: Project) -> None:
    project.save_facts("a\nb", base="")
    project.save_facts("a\nb\nmine", base="a\nb")
    assert project.save_facts("b\ntheirs", base="a\nb") == ("b", "theirs", "mine")
    key = key_of(project)
    project.save_guidance(key, "Be brief.\n\nBe exact.", base="")
    assert project.save_guidance(key, "Name the partners.", base="") == "Name the partners.\nBe brief.\nBe exact."
    assert project.save_guidance(key, "", base=project.entry(key).guidance) == ""


lines = st.lists(st.sampled_from("abcdefg"), unique=True).map("\n".join)


@given(lines, lines, lines)
def test_merging_keeps_all_that_either_added(base: str, mine: str, now: str) -> None:
    merged = merge_lines(base, mine, now).split()
    added = set(mine.split()) | (set(now.split()) - set(base.split()))
    assert set(merged) == added and len(merged) == len(added)


@given(st.text("ab", max_size=6), st.text("ab", max_size=8))
def test_inserts_only_is_what_it_says(before: str, after: str) -> None:
    extra = len(after) - len(before)
    said = extra >= 0 and any(after[:i] + after[i + extra :] == before for i in range(len(before) + 1))
    assert inserts_only(before, after) == said


def test_blocks_of_markdown() -> None:
    text = "A line\nand another\n\n- one\n  more\n  - deep\n2) two\nAfter\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert [(b.kind, b.text) for b in blocks_of(text)] == [
        ("paragraph", "A line\nand another"),
        ("list_item", "- one\n  more"),
        ("list_item", "  - deep"),
        ("list_item", "2) two"),
        ("paragraph", "After"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ]


@given(st.lists(st.sampled_from(["word", "- item", "  - deep", "1. one", "| a |", "  hung", "", " \t"])).map("\n".join))
def test_blocks_of_loses_nothing_and_is_stable(text: str) -> None:
    blocks = blocks_of(text)
    section = Section(document="d", position=0, level=1, heading="h", path=("h",), blocks=blocks)
    assert section.text.split() == text.split()
    assert blocks_of(section.text) == blocks


def test_words_counts_what_a_person_counts() -> None:
    assert words("| a | 12 |\n|---|---|\nL'aigua – 3,5 %") == 4


def test_outlines_as_typed() -> None:
    typed = "Summary\n1. Context\n   1.1 Partners\n\t\tDeep\n2025 budget\n## Marked\n"
    assert parse_outline(typed) == [
        Heading(1, "Summary"),
        Heading(1, "Context", "1"),
        Heading(2, "Partners", "1.1"),
        Heading(3, "Deep"),
        Heading(1, "2025 budget"),
        Heading(2, "Marked"),
    ]
    with pytest.raises(UserError, match="no heading"):
        parse_outline(" \n\n")


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["Budget", "Risks", "Año 2"])), min_size=1))
def test_a_written_outline_reads_as_itself(typed: list[tuple[int, str]]) -> None:
    level, outline = 0, []
    for wanted, heading in typed:  # a level may be entered only from the one above
        level = min(wanted, level + 1)
        outline.append(Heading(level, heading))
    assert parse_outline(format_outline(outline)) == outline


def test_a_project_from_a_past_report_has_its_outline_and_none_of_its_text(library: Library) -> None:
    def section(position: int, level: int, heading: str, number: str | None = None) -> Section:
        block = Block(kind="paragraph", text="Old text")
        named = {"number": number, "heading": heading, "path": (heading,)}
        return Section(document="d", position=position, level=level, blocks=(block,), **named)

    sections = (section(0, 0, ""), section(1, 1, "Context", "1"), section(2, 2, "Partners", "1.1"))
    report = Report(
        file="a.docx", source_sha256="0", reader="r", title="Memoria 2024", language="es", sections=sections,
        characters=Characters(visible=1, read=1),
    )  # fmt: skip
    project = library.from_report(report)
    assert (project.title, project.language, project.source) == ("Memoria 2024", "es", report.id)
    made = project.sections()
    assert [(s.level, s.number, s.heading, s.path, s.text) for s in made] == [
        (1, "1", "Context", ("1 Context",), ""),
        (2, "1.1", "Partners", ("1 Context", "1.1 Partners"), ""),
    ]
    assert {s.document for s in made} == {project.id}
    assert project.id in [card.id for card in library.projects()]
