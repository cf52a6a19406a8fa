"""Export: what Word reads back is what was accepted, under the right headings."""

import io
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from docx.oxml.ns import qn

from copilot.export import export_docx, export_markdown, file_name, unaccepted
from copilot.library import Heading, Library, Project
from pipeline.errors import UserError
from pipeline.storage import Workspace

TEXT = """\
A *slanted* and a **bold** word,
on two lines.

1. first
   - inside
2. second

Between

3. starts at three

| Partner | Amount |
|---|---:|
| A **big** one | 1,000 |
| B \\| C | 2<br>3 |

![x](http://evil.example/a.png) [here](http://evil.example) <b onload=x>raw</b> &amp;
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    outline = [
        Heading(1, "Resum"),
        Heading(1, "Context", "1"),
        Heading(2, "Socis", "1.1"),
        Heading(1, "Fi", "2"),
    ]
    project = Library(Workspace(tmp_path)).create_project("Memòria: final/2025", "ca", outline)
    keys = [entry.key for entry in project.outline()]
    for key, text in ((keys[0], "Un bell\x0b text\ufffe."), (keys[2], TEXT)):
        saved = project.save_text(key, text, version=0, sitting="tab")
        project.accept(key, version=saved.version, sitting="tab")
    project.save_text(keys[1], "Only a draft", version=0, sitting="tab")
    return project


def word(project: Project) -> Any:
    return Document(io.BytesIO(export_docx(project)))


def test_headings_have_words_own_styles_levels_and_numbers(project: Project) -> None:
    styled = [(p.style.name, p.text) for p in word(project).paragraphs if p.style.name.startswith(("Head", "Titl"))]
    assert styled == [
        ("Title", "Memòria: final/2025"),
        ("Heading 1", "Resum"),
        ("Heading 1", "1 Context"),
        ("Heading 2", "1.1 Socis"),
        ("Heading 1", "2 Fi"),
    ]


def test_only_accepted_text_goes_out_without_illegal_characters(project: Project) -> None:
    texts = [p.text for p in word(project).paragraphs]
    assert texts[texts.index("Resum") + 1] == "Un bell text."
    assert texts[texts.index("1 Context") + 1] == "1.1 Socis"
    assert "Only a draft" not in export_markdown(project).decode()
    assert [(e.heading, e.state) for e in unaccepted(project)] == [("Context", "draft"), ("Fi", "empty")]


def test_lists_are_lists_and_each_begins_at_its_own_first_number(project: Project) -> None:
    lists = [p for p in word(project).paragraphs if p.style.name.startswith("List")]
    assert [(p.style.name, p.text) for p in lists] == [
        ("List Number", "first"),
        ("List Bullet 2", "inside"),
        ("List Number", "second"),
        ("List Number", "starts at three"),
    ]
    numbers = [p._p.pPr.numPr.numId.val for p in lists if p.style.name == "List Number"]
    assert numbers[0] == numbers[1] != numbers[2]
    numbering = word(project).part.numbering_part.element
    starts = [numbering.num_having_numId(n).xpath("w:lvlOverride/w:startOverride/@w:val") for n in numbers]
    assert starts == [["1"], ["1"], ["3"]]


def test_tables_are_tables(project: Project) -> None:
    (table,) = word(project).tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Partner", "Amount"],
        ["A big one", "1,000"],
        ["B | C", "2\n3"],
    ]
    assert table.cell(0, 0).paragraphs[0].runs[0].bold
    assert [run.bold for run in table.cell(1, 0).paragraphs[0].runs] == [None, True, None]
    assert table.cell(1, 1).paragraphs[0].alignment == 2


def test_bold_and_italic_are_words_own_and_everything_else_is_text(project: Project) -> None:
    paragraphs = word(project).paragraphs
    first = next(p for p in paragraphs if "slanted" in p.text)
    assert first.text == "A slanted and a bold word, on two lines."
    assert [(r.text, r.bold, r.italic) for r in first.runs if r.bold or r.italic] == [
        ("slanted", None, True),
        ("bold", True, None),
    ]
    assert paragraphs[-2].text.startswith("![x](http://evil.example/a.png) [here](http://evil.example) <b onload=x>")
    assert not [r for r in word(project).part.rels.values() if r.is_external]


def test_the_language_is_the_reports(project: Project) -> None:
    (language,) = word(project).styles.element.xpath("w:docDefaults/w:rPrDefault/w:rPr/w:lang")
    assert language.get(qn("w:val")) == "ca-ES"


def test_markdown_and_files(project: Project, tmp_path: Path) -> None:
    content = export_markdown(project, tmp_path / "out.md")
    assert (tmp_path / "out.md").read_bytes() == content
    assert content.decode().startswith("# Memòria: final/2025\n\n## Resum\n\nUn bell")
    assert "### 1.1 Socis\n\nA *slanted*" in content.decode()
    assert export_docx(project, tmp_path / "out.docx") == (tmp_path / "out.docx").read_bytes()
    with pytest.raises(UserError, match="no such folder"):
        export_docx(project, tmp_path / "none" / "out.docx")
    assert file_name(project, ".docx") == "Memòria final2025.docx"
