"""A window as people see it: every earlier section, what is kept of it in its place, and why."""

import io
import re
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.bases.tokens import Tokens
from pipeline.errors import UserError
from pipeline.records import Block, Section, Span, Window, WindowPart
from pipeline.settings import Windows
from pipeline.windows import POLICIES, plan_of, window_of
from pipeline.windows.picture import OTHER, REASONS, Picture, bar_of, lines_of, picture_of, rows_of
from pipeline.windows.picture_page import page_of
from pipeline.windows.picture_plot import png_of
from tests.pipeline.windows.sections import paragraph, reports, section

EVIL = "</pre></style><script>alert(1)</script>\"'><img src=x onerror=alert(1)> $x^{2$ & ${"


def part_of(of: Section, *spans: tuple[int, int, str], text: str = "", tokens: int = 10) -> WindowPart:
    return WindowPart(
        section=of.id,
        title=of.title,
        level=of.level,
        spans=tuple(Span(start=start, end=end, reason=reason) for start, end, reason in spans),
        text=text or " […] ".join(of.text[start:end] for start, end, _ in spans),
        tokens=tokens,
        share_kept=sum(end - start for start, end, _ in spans) / max(len(of.text), 1),
    )


def picture(sections: list[Section], *parts: WindowPart, outline: str = "", report: str = "Report") -> Picture:
    window = Window(
        document="d",
        section=sections[-1].id,
        policy="select",
        tokenizer="t",
        budget_tokens=100,
        used_tokens=sum(part.tokens for part in parts) + len(outline),
        outline=outline,
        outline_tokens=len(outline),
        parts=parts,
    )
    return picture_of(window, sections, report)


def built(sections: list[Section], policy: str, budget: int, tokens: Tokens) -> Picture:
    plan = plan_of(sections, "Report", "ca")
    chosen = Windows.model_validate({"policy": policy, "budget_tokens": budget})
    return picture_of(window_of(sections, plan, len(sections) - 1, tokens, chosen), sections, "Report")


class Page(HTMLParser):
    """The tags and attributes of a page, and what each of its texts of the model says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.pres: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self._open.append(tag)
        if tag == "pre":
            self.pres.append("")
        if tag == "mark":
            self.marks.append((dict(attrs)["title"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        while self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "pre" in self._open:
            self.pres[-1] += data
        if "mark" in self._open:
            self.marks[-1] = (self.marks[-1][0], self.marks[-1][1] + data)


@settings(max_examples=60)
@given(sections=reports, policy=st.sampled_from(sorted(POLICIES)), budget=st.integers(1, 300))
def test_every_earlier_section_has_its_row_and_the_tokens_add_up(
    sections: list[Section], policy: str, budget: int, tokens: Tokens
) -> None:
    shown = built(sections, policy, budget, tokens)
    assert [row.section for row in shown.rows] == sections[:-1]
    assert [row.distance for row in shown.rows] == list(range(len(sections) - 1, 0, -1))
    assert sum(row.tokens for row in shown.rows) == sum(shown.tokens_by_reason.values())
    assert shown.window.outline_tokens + sum(shown.tokens_by_reason.values()) == shown.window.used_tokens
    for row in shown.rows:
        assert sum(row.share_by_reason().values()) == pytest.approx(row.share_kept)
        assert set(row.share_by_reason()) <= set(REASONS), "each reason has its colour"
        assert (set(bar_of(row)) == {"█"}) == (row.share_kept == 1), "a bar is full where all is kept, and only there"


@settings(max_examples=40)
@given(sections=reports, policy=st.sampled_from(sorted(POLICIES)), budget=st.integers(1, 300))
def test_the_page_shows_what_the_model_sees_to_the_letter(
    sections: list[Section], policy: str, budget: int, tokens: Tokens
) -> None:
    shown = built(sections, policy, budget, tokens)
    page = Page(page_of(shown))
    outline = [shown.window.outline] if shown.window.outline else []
    assert page.pres == outline + [part.text for part in shown.window.parts if part.text]
    texts = {row.section.id: row.section.text for row in shown.rows}
    spans = [(span, texts[part.section]) for part in shown.window.parts if part.text for span in part.spans]
    assert page.marks == [(span.reason, text[span.start : span.end].rstrip()) for span, text in spans]


@pytest.mark.parametrize(
    ("characters", "spans", "bar"),
    [
        (0, [], " " * 30),
        (30, [], "░" * 30),
        (30, [(0, 30)], "█" * 30),
        (30, [(0, 15)], "█" * 15 + "░" * 15),
        (60, [(1, 60)], "▓" + "█" * 29),
        (90, [(89, 90)], "░" * 29 + "▒"),
        (90, [(0, 1), (1, 2), (2, 3)], "█" + "░" * 29),
        (10, [(1, 2)], "░" * 3 + "█" * 3 + "░" * 24),
        (20, [(0, 1)], "█▓" + "░" * 28),
        (7, [(0, 3), (3, 7)], "█" * 30),
    ],
)
def test_a_bar_shows_where_text_is_kept(characters: int, spans: list[tuple[int, int]], bar: str) -> None:
    earlier = section(0, [paragraph("x" * characters)] if characters else [])
    part = part_of(earlier, *((start, end, "recent") for start, end in spans))
    (row,) = picture([earlier, section(1)], part).rows
    assert bar_of(row) == bar


def test_the_lines_for_a_terminal_tell_each_section() -> None:
    sections = [
        section(0, [paragraph("x" * 60)], "Old"),
        section(1, [], "Bare"),
        section(2, [paragraph("x")], "Gone"),
        section(3, heading="Now"),
    ]
    first, old, bare, gone = lines_of(
        picture(sections, part_of(sections[0], (0, 15, "facts"), (45, 60, "topic"), tokens=1234))
    )
    assert "Now" in first and "1,234 of 100 tokens (select)" in first
    assert old.endswith(" 50%  1,234  Old  (facts, topic)")
    assert bare.endswith("Bare  (no text)") and "%" not in bare
    assert gone.endswith("  0%      0  Gone  (nothing kept)")


def test_a_parts_tokens_are_divided_among_its_reasons_older_text_first() -> None:
    earlier = [section(0, [paragraph("x" * 100)]), section(1, heading="Bare")]
    sections = [*earlier, section(2)]
    parts = (part_of(earlier[0], (0, 10, "recent"), (50, 70, "facts"), tokens=10), part_of(earlier[1], tokens=2))
    by_reason = picture(sections, *parts).tokens_by_reason
    assert list(by_reason.items()) == [("facts", 7), ("recent", 3), ("heading only", 2)]


def test_the_page_fills_a_track_in_its_place() -> None:
    sections = [
        section(0, [paragraph("x" * 200)]),
        section(1, [paragraph("y" * 100)]),
        section(2, [paragraph("z" * 50)]),
        section(3),
    ]
    page = page_of(picture(sections, part_of(sections[1], (50, 75, "facts"))))
    assert 'style="width:50.00%"><i class="facts" title="facts" style="left:50.000%;width:25.000%"></i></span>' in page
    assert [float(width) for width in re.findall(r'"track" style="width:([\d.]+)%', page)] == [100, 50, 25]
    assert page.count('class="row none"') == 2, "sections of which nothing is kept are shown as well"
    assert re.findall(r"height:([\d.]+)%", page.split("<main>")[0].split("columns")[-1]) == ["25.00"]


def test_the_page_refers_to_nothing_and_hostile_text_stays_text() -> None:
    earlier = section(0, [paragraph(EVIL)], EVIL)
    sections = [earlier, section(1, heading=EVIL)]
    text = page_of(picture(sections, part_of(earlier, (0, len(EVIL), EVIL)), outline=EVIL, report=EVIL))
    page = Page(text)
    assert not page.tags & {"script", "img", "link", "a", "iframe", "object"}
    assert not {name for name in page.names if name.startswith("on")} | (page.names & {"src", "href"})
    assert page.pres == [EVIL, EVIL] and "url(" not in text and "@import" not in text


def test_a_first_section_has_a_page_and_an_image() -> None:
    alone = picture([section(0)])
    assert "no earlier text" in page_of(alone)
    assert png_of(alone).startswith(b"\x89PNG")


def test_the_image_fills_the_tracks_in_their_place() -> None:
    import numpy as np
    from matplotlib.colors import to_rgb
    from matplotlib.image import imread

    sections = [section(i, [paragraph("x" * 100)], EVIL) for i in range(20)]
    parts = [part_of(s, (25, 50, "facts"), (50, 100, "recent")) for s in sections[:-1]]
    image = imread(io.BytesIO(png_of(picture(sections, *parts))))[:, :, :3]
    facts, recent = (np.abs(image - to_rgb(REASONS[reason].light)).max(axis=2) < 0.02 for reason in ("facts", "recent"))
    assert recent.sum() / facts.sum() == pytest.approx(2, rel=0.05)
    rows = facts.sum(axis=1) > facts.sum(axis=1).max() / 2  # those of tracks: not the legend's
    starts = np.flatnonzero(np.diff(rows.astype(int)) == 1)
    assert len(starts) == 19, "a track a section"
    assert np.flatnonzero(facts[rows].any(axis=0)).max() < np.flatnonzero(recent[rows].any(axis=0)).min()


def test_an_image_without_matplotlib_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UserError, match=r"memoria\[train\].*html"):
        png_of(picture([section(0)]))


def test_a_reason_without_a_colour_is_shown_in_the_neutral_one() -> None:
    earlier = section(0, [Block(kind="paragraph", text="text")])
    page = page_of(picture([earlier, section(1)], part_of(earlier, (0, 4, "whim"))))
    assert f".other{{--c:light-dark({OTHER.light},{OTHER.dark})}}" in page
    assert '<mark class="other" title="whim">text</mark>' in page


def test_rows_are_found_by_what_a_section_is_not_by_its_title() -> None:
    twins = [section(0, [paragraph("one")]), section(1, [paragraph("two")])]
    shown = picture([*twins, section(2)], part_of(twins[1], (0, 3, "recent")))
    assert [row.share_kept for row in rows_of(shown.window, twins)] == [0, 1]
