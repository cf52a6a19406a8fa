"""An answer as a page and as an image: its figures are there, nothing is markup or fetched, curves are true."""

import io
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from pipeline.errors import UserError
from pipeline.memory.account import account
from pipeline.planner import told
from pipeline.planner.answer import Answer, Question
from pipeline.planner.curve import LENGTHS, curves, highest_drawn, longest_drawn, ticks
from pipeline.planner.lengths import Lengths
from pipeline.planner.picture import fragment, page_of
from pipeline.planner.picture_charts import bar, curve, histogram
from pipeline.planner.picture_plot import png_of
from tests.pipeline.planner.answers import MINE, asked, fitting, hopeless, priced, too_large

EVIL = "</style><script>alert(1)</script>\"'><img src=x onerror=alert(1)> $x^{2$"


class Page(HTMLParser):
    """The tags, attributes and text of a page; it fails where what was opened is not closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}
        if tag != "meta":
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data + " "


def named(found: Answer, name: str) -> Answer:
    """The same, of a model and a card that are called something."""
    run, memory = found.plan.run, found.plan.memory
    plan = replace(
        found.plan,
        run=replace(run, shape=replace(run.shape, name=name)),
        memory=replace(memory, name=name, origin=(name,)),
    )
    return replace(found, plan=plan)


@pytest.mark.parametrize("found", [fitting, lambda: too_large(MINE), hopeless], ids=["fits", "too large", "hopeless"])
def test_the_page_is_whole_and_refers_to_nothing(found):
    page = Page(page_of(found()))
    assert {"html", "head", "style", "article", "svg"} <= set(page.tags)
    assert not set(page.tags) & {"script", "img", "a", "form", "iframe", "link"}
    assert not page.names & {"src", "href", "onclick", "onload"}
    assert "default-src 'none'" in page_of(found())


def test_hostile_names_are_text():
    found = named(too_large(MINE), EVIL)
    page = Page(page_of(found))
    assert not set(page.tags) & {"script", "img"} and "alert(1)" in page.text
    assert png_of(found).startswith(b"\x89PNG")


def test_the_verdict_stands_first_and_in_plain_words():
    for found, head in ((fitting(), "It fits."), (too_large(), "It does not fit."), (hopeless(), "It does not fit.")):
        shown = fragment(found)
        assert re.search("<h1>(.*?)</h1>", shown)[1] == head
        assert shown.startswith(f'<article class="memory-plan {"fits" if found.plan.fits else "too-large"}">')
    assert "It fits with one example at a time, " in fragment(too_large())
    assert "No combination fits" in fragment(hopeless())
    smaller = asked(Question("Qwen/Qwen3-8B", "4", 24_576))
    assert "It fits with tiles of 512 tokens, Qwen/Qwen3-1.7B: " in fragment(smaller), "the last model is the one"
    assert fragment(smaller).count("(above this picture)") == 1 and "(above this picture)" not in fragment(fitting())


def test_every_rung_is_shown_with_what_it_frees_and_why_it_is_not_taken():
    found = too_large()
    page = Page(fragment(found))
    for rung in found.plan.rungs:
        assert rung.step.change in page.text and (rung.step.not_taken or rung.step.why) in page.text
    assert fragment(found).count('class="rung ') == len(found.plan.rungs) + 1
    assert fragment(found).count('class="rung not-taken"') == 1 and fragment(found).count('class="rung fits"') == 1
    settings = re.search('<pre class="paste">(.*?)</pre>', fragment(found), re.S)[1].replace("&quot;", '"')
    assert settings.splitlines() == list(told.settings_lines(found.plan.settings)) != []
    assert 'class="rung' not in fragment(fitting())


def test_the_bar_adds_up_and_its_line_is_where_usable_memory_ends():
    for found in (fitting(), too_large()):
        plan = found.plan
        widths = [float(width) for width in re.findall(r"width:([\d.]+)%", bar(plan))]
        whole = max(plan.account.peak_bytes, plan.memory.usable_bytes)
        assert sum(widths) == pytest.approx(100 * plan.account.peak_bytes / whole, abs=0.01)
        line = float(re.search(r"left:([\d.]+)%", bar(plan))[1])
        assert line == pytest.approx(100 * plan.memory.usable_bytes / whole, abs=0.01)


def test_curves_go_through_what_is_asked():
    plan = fitting(context=20_000).plan
    whole, parts = curves(plan)
    assert (whole.name, parts.name) == ("computed whole", "computed in parts")
    for drawn in (whole, parts):
        assert len(drawn.points) == LENGTHS and drawn.points[-1][0] == longest_drawn(plan) == 40_000
    assert dict(parts.points)[20_000] == plan.account.peak_bytes
    assert dict(whole.points)[20_000] == account(replace(plan.run, schedule=None)).peak_bytes > plan.account.peak_bytes


def test_where_parts_cannot_be_the_curve_is_of_what_the_ladder_leads_to():
    plan = too_large().plan
    whole, after = curves(plan)
    assert dict(whole.points)[24_576 * 2 * 20 // 40] == plan.account.peak_bytes
    assert after.name == "after the changes" and dict(after.points)[24_576] == plan.taken[-1].peak_bytes
    assert [drawn.name for drawn in curves(fitting(card="H200", method="full", context=2_000).plan)] == [
        "computed whole"
    ]


def test_the_drawn_curve_has_its_marks_where_they_belong():
    plan = fitting(context=20_000).plan
    shown = curve(plan)
    x, y = map(float, re.search(r'<circle class="asked" cx="([\d.]+)" cy="([\d.]+)"', shown).groups())
    assert x == pytest.approx((62 + 746) / 2, abs=0.1), "what is asked is in the middle"
    assert y == pytest.approx(260 - 238 * plan.account.peak_bytes / highest_drawn(plan), abs=0.1)
    points = re.findall(r'points="([^"]+)"', shown)[1].split()
    assert points[LENGTHS // 2 - 1] == f"{x:.1f},{y:.1f}", "and on the curve of those in parts"
    assert "asked: 20,000" in shown and "usable 14.7 GiB" in shown


@pytest.mark.parametrize(
    ("end", "most", "steps"),
    [(49_152, 6, [0, 10_000, 20_000, 30_000, 40_000]), (17.7, 5, [0, 5, 10, 15]), (3, 3, [0, 1, 2, 3]), (0.4, 6, [0])],
)
def test_axes_have_few_and_round_values(end, most, steps):
    assert ticks(end, most) == steps


def test_the_histogram_tells_examples_beyond_the_limit():
    shown = histogram(MINE, 24_576)
    counts = [int(count) for count in re.findall(r"tokens: (\d+)</title>", shown)]
    assert sum(counts) == len(MINE.tokens) and shown.count('class="bar beyond"') == 2, "those from 25,630 and 28,188"
    assert "limit 24,576" in shown and "limit 90,000" not in histogram(MINE, 90_000)
    page = fragment(too_large(MINE))
    assert "120 examples: half of them" in page and "own examples are" not in fragment(too_large())
    Page(histogram(Lengths((1,)), 1))


def test_cards_have_columns_of_prices_only_where_there_are_prices():
    assert "by the hour" not in fragment(fitting()).partition("To serve it")[0]
    found = priced(fitting(runs=3))
    shown = fragment(found)
    table = re.search('<table class="cards">(.*?)</table>', shown)[1]
    first = re.findall("<td.*?>(.*?)</td>", table)[:7]
    rent = found.training.rents[0]
    assert first[0] == rent.card.name and first[4:] == [f"{rent.by_the_hour:,.2f}", "100.00", "100 hours a month"]
    rows = "".join(re.findall('<table class="cards">(.*?)</table>', shown)).count("<tr><td>")
    assert rows == len(found.training.rents), "those beyond the first few are there as well"


def test_formats_to_serve_in_are_all_there_with_the_flags_of_the_best():
    found = fitting()
    table = re.search('<table class="serving">(.*?)</table>', fragment(found))[1]
    assert [plan.format.name in table for plan in found.serving] == [True] * 4 and table.count("recommended") == 1
    assert "vllm serve BASE --max-model-len 32768" in fragment(found)
    assert "It cannot be served" in fragment(hopeless())


def test_the_image_shows_the_same():
    from PIL import Image

    for found in (fitting(), too_large(), hopeless()):
        image = Image.open(io.BytesIO(png_of(found))).convert("RGB")
        assert image.size == (1320, 768)
        seen = {colour for _, colour in image.getcolors(1 << 20)}
        held = {kind.light for kind, count in told.by_kind(found.plan) if count > 0.02 * found.plan.account.peak_bytes}
        assert {tuple(bytes.fromhex(colour[1:])) for colour in held} <= seen


def test_without_matplotlib_the_user_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UserError, match="needs matplotlib"):
        png_of(fitting())
