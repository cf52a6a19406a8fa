"""What the page shows: words in three languages, and nothing from outside as markup."""

import re
import string
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest

from copilot.app import views
from copilot.app.actions import Place
from copilot.app.check_panel import check_panel
from copilot.app.engine import Status
from copilot.app.words import language_of, words_of
from copilot.checking import Check, Missing, Traced, Unused
from copilot.drafting import DraftEvent
from copilot.library import Card, Entry, Version
from pipeline.faithfulness import OWN_TEXT, How
from pipeline.faithfulness.sources import FACTS, GUIDANCE, OUTLINE
from pipeline.records import Block, Section, Span, Window, WindowPart
from pipeline.windows.picture import REASONS

EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>${alert(1)}{{alert}}"
SAY = words_of("en")


class Tags(HTMLParser):
    """The tags and attributes of some HTML, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def entry(text: str) -> Entry:
    return Entry(text, 0, 1, text, text, text, "draft", text, None)


def section(position: int, text: str = "", heading: str = "Aims") -> Section:
    blocks = (Block(kind="paragraph", text=text),) if text else ()
    return Section(document="d", position=position, level=1, heading=heading, path=(heading,), blocks=blocks)


def window(*parts: WindowPart) -> Window:
    return Window(
        document="d",
        section="s",
        policy="decay",
        tokenizer="t",
        budget_tokens=10,
        used_tokens=3,
        outline="",
        outline_tokens=0,
        parts=parts,
    )


def part(of: Section, *spans: tuple[int, int, str]) -> WindowPart:
    return WindowPart(
        section=of.id,
        title=of.title,
        level=of.level,
        spans=tuple(Span(start=start, end=end, reason=reason) for start, end, reason in spans),
        text="".join(of.text[start:end] for start, end, _ in spans),
        tokens=3,
        share_kept=sum(end - start for start, end, _ in spans) / max(len(of.text), 1),
    )


def hostile_panel() -> str:
    earlier = section(0, EVIL, EVIL)
    return views.window_panel(SAY, window(part(earlier, (0, 9, "facts"))), [earlier])


def hostile_check() -> str:
    traced = (Traced(EVIL, "said", "facts", "", EVIL), Traced(EVIL, "sum", "report", EVIL, EVIL))
    return check_panel(SAY, Check(3, (Missing("name", EVIL, EVIL, EVIL),), (Unused(EVIL, ((1, 9),)),), traced))


SHOWN = {
    "brand": lambda: views.brand(SAY, [Card(EVIL, EVIL, "en", "", 1)], EVIL),
    "pill": lambda: views.pill(SAY, Status("ready", EVIL), EVIL),
    "outline": lambda: views.outline(SAY, [entry(EVIL)], EVIL, {EVIL}),
    "heading": lambda: views.heading(SAY, entry(EVIL), False),
    "note": lambda: views.note(SAY, Version(1, EVIL, "clipped", adapter=EVIL, instruction=EVIL), None),
    "failure": lambda: views.note(SAY, Version(1), DraftEvent("failed", EVIL, note=EVIL)),
    "window": hostile_panel,
    "problem": lambda: views.no_window(SAY, EVIL),
    "check": hostile_check,
    "preview": lambda: views.preview(SAY, f"# {EVIL}\n\n{EVIL}\n\n![a](//e.x/a) [b](javascript:alert(1))"),
    "toast": lambda: views.toast(EVIL),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_hostile_text_makes_no_tag_and_no_attribute(name: str) -> None:
    shown = Tags(SHOWN[name]())
    assert not shown.tags & {"script", "img", "a", "form", "iframe", "object", "svg"}
    assert not {n for n in shown.names if n.startswith("on")} | (shown.names & {"src", "href", "action"})
    assert "alert(1)" in shown.text


def test_every_sentence_has_the_same_gaps_in_all_languages() -> None:
    def gaps(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    spoken = [words_of(language) for language in ("en", "es", "ca")]
    for name in SAY:
        assert len({frozenset(gaps(say[name])) for say in spoken}) == 1, name
        assert all(say[name].strip() for say in spoken), name


def test_the_page_uses_no_word_that_is_not_there_and_has_none_that_it_does_not_use() -> None:
    folder = Path(views.__file__).parent
    code = "".join(
        (folder / name).read_text("utf-8") for name in ("views.py", "check_panel.py", "page.py", "dialog.py")
    )
    used = set(re.findall(r"""(?:say\[|i18n\()["'](\w+)["']""", code))
    assert used <= set(SAY)
    spelled = set(re.findall(r"""["'](\w+)["']""", code))
    families = ("state_", "keep_", "model_", "export_", "reason_", "source_", "how_")
    assert {name for name in SAY if name not in spelled and not name.startswith(families)} == set()


def test_a_check_says_what_is_missing_what_is_unused_and_where_the_rest_comes_from() -> None:
    traced = (
        Traced("€12,500", "said", "facts", "", "Staff 12.500,00"),
        Traced("36", "sum", "report", "3 Aims", "12 24"),
    )
    missing = (Missing("date", "3 May 2024", "It closed on ", "."),)
    panel = check_panel(SAY, Check(3, missing, (Unused("With 9 partners", ((5, 6),)),), traced))
    assert '<section id="checked" class="warn"' in panel and "<mark>3 May 2024</mark>." in panel
    assert "With <strong>9</strong> partners" in panel
    told = Tags(panel).text
    for words in (
        SAY["check_one"],
        "It closed on 3 May 2024.",
        "With 9 partners",
        "your facts",
        "3 Aims",
        "sum of 12 24",
    ):
        assert words in told
    assert "3 things are not" in check_panel(SAY, Check(3, missing * 3, (), ()))
    assert "and 2 more" in check_panel(SAY, Check(14, missing * 14, (), ()))
    assert (
        'class="good"' in check_panel(SAY, Check(2, (), (), traced))
        and SAY["check_all"].format(count=2) in Tags(check_panel(SAY, Check(2, (), (), traced))).text
    )
    assert SAY["check_none"] in check_panel(SAY, Check(0, (), (), ()))
    assert SAY["check_too_long"] in check_panel(SAY, None)


def test_every_way_to_support_a_claim_and_every_source_has_its_words() -> None:
    for how in get_args(How):
        for source in (FACTS, GUIDANCE, OUTLINE, OWN_TEXT):
            check_panel(SAY, Check(1, (), (), (Traced("1", how, source, "", "1"),)))


def test_the_panel_lists_every_earlier_section_and_fills_what_the_model_sees_in_its_place() -> None:
    earlier = [section(0, "x" * 100, "Seen"), section(1, "y" * 100, "Unseen"), section(2, heading="Bare")]
    seen = part(earlier[0], (10, 30, "facts"), (50, 100, "recent"))
    catalan = words_of("ca")
    panel = views.window_panel(catalan, window(seen, part(earlier[2])), earlier)
    lines = panel.split("<li")[1:]
    assert [Tags(f"<li{line}").text for line in lines] == ["Seen70%", "Unseen0%", f"Bare{catalan['no_text']}"]
    filled = re.findall(r'<b style="left:([\d.]+)%;width:([\d.]+)%" title="(\w+)">', lines[0])
    assert filled == [("10.0", "20.0", "dades"), ("50.0", "50.0", "recent")]
    assert "<b " not in lines[1] and "track" not in lines[2]


def test_every_reason_has_its_words() -> None:
    text = section(0, "x" * len(REASONS))
    kept = part(text, *((place, place + 1, reason) for place, reason in enumerate(REASONS)))
    titles = re.findall(r'<b [^>]*title="([^"]+)"', views.window_panel(SAY, window(kept), [text]))
    assert len(set(titles)) == len(REASONS)


def test_before_the_first_section_there_is_nothing_to_see() -> None:
    assert SAY["window_empty"] in views.window_panel(SAY, window(), [])


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("ca-ES,ca;q=0.9,en;q=0.8", "ca"),
        ("fr-FR, es-MX;q=0.7, en;q=0.3", "es"),
        ("en;q=0.1, ca;q=0.9", "ca"),
        ("de, ;q=x, *;q=0.5", "en"),
    ],
)
def test_the_browsers_wish_decides(header: str | None, language: str) -> None:
    assert language_of(header) == language


@pytest.mark.parametrize("text", [None, "", "nonsense", "[]", '{"version": "x"}', '{"project": 3, "other": 1}'])
def test_a_broken_place_is_a_place(text: str | None) -> None:
    assert isinstance(Place.read(text), Place)


def test_a_place_survives_the_page() -> None:
    place = Place("p", "s", "tab", 7, True, 3)
    assert Place.read(place.written()) == place
