"""Whatever constructs a document is made of: every character is accounted for, and every visible word is read once."""

import itertools
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.reports import read_report
from tests.pipeline.reports.report_files import Craft

# A construct takes the XML of runs or blocks inside it; "lost" ones leave what they hold out, for a reason.
RUNS = {
    "plain": ("{}", False),
    "insertion": ('<w:ins w:id="1">{}</w:ins>', False),
    "control": ("<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>", False),
    "link": ('<w:hyperlink r:id="web">{}</w:hyperlink>', False),
    "moved away": ('<w:moveFrom w:id="2">{}</w:moveFrom>', True),
    "deletion": ('<w:del w:id="3">{}</w:del>', True),
    "fallback": ("<w:r><mc:AlternateContent><mc:Choice>{}</mc:Choice></mc:AlternateContent></w:r>", False),
}
BLOCKS = {
    "control": ("<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>", False),
    "frame": ("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", False),
    "table": ("<w:tbl><w:tr><w:tc>{0}</w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>", False),
    "box": ("<w:p><w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r></w:p>", False),
    "deleted": ('<w:del w:id="4">{}</w:del>', True),
    "copy": (
        "<w:p><w:r><mc:AlternateContent><mc:Choice><w:r><w:t>kept</w:t></w:r></mc:Choice>"
        "<mc:Fallback><w:txbxContent>{}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>",
        True,
    ),
}
STYLES = ("", "Heading1", "Heading3", "Own", "Caption", "ListBullet", "Title")
HIDDEN = ("", "<w:vanish/>")

run_trees = st.recursive(
    st.sampled_from(HIDDEN).map(lambda hidden: ("run", hidden)),
    lambda inner: st.tuples(st.sampled_from(sorted(RUNS)), st.lists(inner, min_size=1, max_size=2)),
    max_leaves=4,
)
paragraphs = st.tuples(
    st.just("p"), st.sampled_from((*STYLES, "TOC1", "Secret")), st.lists(run_trees, min_size=1, max_size=3)
)
block_trees = st.recursive(
    paragraphs,
    lambda inner: st.tuples(st.sampled_from(sorted(BLOCKS)), st.lists(inner, min_size=1, max_size=2)),
    max_leaves=6,
)


class Writer:
    """Turns a tree into XML and remembers which of its words should be read."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1000)
        self.read: list[str] = []
        self.written = 0

    def runs(self, tree: tuple, lost: bool) -> str:
        if tree[0] == "run":
            word = f"w{next(self._numbers)}"
            self.written += len(word)
            if not lost and not tree[1]:
                self.read.append(word)
            return Craft.run(word + " ", tree[1])
        shell, loses = RUNS[tree[0]]
        return shell.format("".join(self.runs(inner, lost or loses) for inner in tree[1]))

    def blocks(self, tree: tuple, lost: bool) -> str:
        if tree[0] == "p":
            unseen = lost or tree[1] in ("TOC1", "Secret")
            return Craft.p("", tree[1], raw="".join(self.runs(inner, unseen) for inner in tree[2]))
        shell, loses = BLOCKS[tree[0]]
        if tree[0] == "copy":
            self.read += [] if lost else ["kept"]
            self.written += 4
        return shell.format("".join(self.blocks(inner, lost or loses) for inner in tree[1]))


@settings(max_examples=150)
@given(st.lists(block_trees, min_size=1, max_size=4))
def test_every_word_is_read_once_or_left_out_for_a_reason(trees: list[tuple]) -> None:
    writer = Writer()
    body = "".join(writer.blocks(tree, False) for tree in trees) + Craft.p("end")
    # The trailing paragraph stands under the last heading, so that even a document of headings has text.
    with tempfile.TemporaryDirectory() as folder:
        path = Craft(Path(folder)).docx(body, relations={"web": ("hyperlink", "https://example.org")})
        report = read_report(path)
        again = read_report(path)
    characters = report.characters
    assert characters.unaccounted == 0
    assert characters.visible == writer.written + 3
    assert characters.read == sum(map(len, writer.read)) + 3
    told = [f"{section.heading} {section.text}" for section in report.sections]
    if not any(section.heading == report.title for section in report.sections):
        told.append(report.title)
    for word in set(writer.read) - {"kept"}:
        assert " ".join(told).count(word) == 1, word
    assert [section.position for section in report.sections] == list(range(len(report.sections)))
    assert again.id == report.id
