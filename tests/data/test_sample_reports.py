"""The sample reports as promised: languages, sections, facts, budgets, no paragraph twice, equal bytes."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import docx
import pytest
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from docx.table import Table as WordTable

import data
from data.sample.document import Document, Items, Paragraph
from data.sample.facts import project_facts
from data.sample.project import load_projects, read_bank
from data.sample.writing import write_samples


def test_another_process_writes_the_same_bytes(samples_folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    run = subprocess.run(
        [sys.executable, "-m", "data.sample", str(again)],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(Path(data.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "12/12" in run.stderr and not run.stdout
    assert {path.name for path in again.iterdir()} == {path.name for path in samples_folder.iterdir()}
    for path in again.iterdir():
        assert path.read_bytes() == (samples_folder / path.name).read_bytes(), path.name


def test_nothing_tells_when_the_files_were_written(samples_folder: Path) -> None:
    for path in samples_folder.glob("*.docx"):
        with zipfile.ZipFile(path) as archive:
            assert {entry.date_time[0] for entry in archive.infolist()} == {1980}
        assert docx.Document(str(path)).core_properties.modified < datetime(2026, 1, 1, tzinfo=UTC)


def test_progress_counts_the_reports(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    written = write_samples(tmp_path / "new", lambda done, total, note="": told.append((done, total)))
    assert [path.suffix for path in written] == [".docx"] * 12
    assert told == [(done, 12) for done in range(13)]


def test_four_reports_a_language_of_15_sections_and_more(documents: list[Document]) -> None:
    assert Counter(document.language for document in documents) == {"ca": 4, "es": 4, "en": 4}
    for document in documents:
        assert 15 <= len(document.sections) <= (160 if document.file.startswith("en-river") else 40), document.file
        assert {2, 3} & {section.level for section in document.sections}, document.file
        assert all(section.blocks for section in document.sections), document.file


def test_sections_of_ordinary_reports_are_short(documents: list[Document]) -> None:
    lengths = [
        len(" ".join(_texts(section.blocks)).split())
        for document in documents
        for section in document.sections
        if len(document.sections) < 40
    ]
    assert max(lengths) < 200
    assert sum(length >= 40 for length in lengths) > 0.9 * len(lengths)


def test_no_paragraph_stands_twice(documents: list[Document]) -> None:
    texts = [
        text
        for document in documents
        for section in document.sections
        for text in _texts(section.blocks)
        if len(text) >= 40
    ]
    assert [text for text, count in Counter(texts).items() if count > 1] == []


def test_nothing_of_the_templates_is_left(documents: list[Document]) -> None:
    for document in documents:
        for section in document.sections:
            for text in (section.heading, *_texts(section.blocks)):
                assert not re.search(r"[\[\]{}|]|\.\.|  | ,|\?\w| \.", text), (document.file, text)
                assert text[0].isupper() or not text[0].isalpha(), (document.file, text)


def test_languages_are_joined_as_they_should(documents: list[Document]) -> None:
    faults = {
        "ca": r"\b[Dd]e els?\b(?!')|\b[Dd]e [aeiouhàèéíòóú]|\b[Aa] els?\b|\b[Pp]er els?\b|\bel [aeiou]",
        "es": r"\b[Dd]e el\b|\ba el\b|\by i[a-z]",
        "en": r"\b[Aa] [aeio][a-z]|\ban [bcdfgjklmnpqrstvwxz]|\bthe the\b",
    }
    for document in documents:
        for section in document.sections:
            for text in _texts(section.blocks):
                fault = re.search(faults[document.language], text)
                assert fault is None, (document.file, fault, text)


def test_budgets_add_up(samples_folder: Path) -> None:
    seen = 0
    for path in sorted(samples_folder.glob("*.docx")):
        for table in docx.Document(str(path)).tables:
            rows = [[cell.text for cell in row.cells] for row in table.rows]
            if "€" not in rows[-1][-1] or "€" not in rows[-1][-2]:
                continue
            seen += 1
            assert rows[-1][0] == rows[-1][1]  # the merged cells of the total
            for column in (2, 3):
                cents = [_cents(row[column]) for row in rows[1:]]
                assert sum(cents[:-1]) == cents[-1], path.name
    assert seen == 12


def test_projects_are_consistent() -> None:
    for project in load_projects():
        assert sum(line.planned_cents for line in project.budget) == project.total_cents
        assert sum(package.cost_cents for package in project.work_packages) == project.total_cents
        assert project.spent_cents < project.total_cents
        for package in project.work_packages:
            assert project.start <= package.start < package.end <= project.end
            assert all(package.start < d.due <= package.end for d in package.deliverables)
        assert all(project.start < m.planned <= m.reached <= project.end for m in project.milestones)
        assert all(project.start < event.day <= project.end for event in project.events)
        assert project.indicators[2].reached < project.indicators[2].target  # told as the weak one
        late = project.milestones[(len(project.milestones) + 1) // 2 - 1]
        assert (late.reached - late.planned).days == 30 * project.delay_months


def test_every_fact_stands_in_its_section_as_written(samples_folder: Path) -> None:
    for path in sorted(samples_folder.glob("*.docx")):
        record = json.loads(path.with_suffix(".facts.json").read_text("utf-8"))
        texts = _sections_of(path)
        assert record["file"] == path.name
        assert [heading for heading, _ in texts] == [section["heading"] for section in record["sections"]], path.name
        for section, (_, text) in zip(record["sections"], texts, strict=True):
            for fact in section["facts"]:
                assert fact in text, (path.name, section["heading"], fact)


def test_later_sections_recall_facts_of_earlier_ones(samples_folder: Path) -> None:
    for path in samples_folder.glob("*.facts.json"):
        sections = json.loads(path.read_text("utf-8"))["sections"]
        earlier = {fact for section in sections[: len(sections) // 2] for fact in section["facts"]}
        later = [fact for section in sections[len(sections) // 2 :] for fact in section["facts"]]
        assert sum(fact in earlier for fact in later) / len(later) > 0.2, path.name


def test_the_grant_is_a_fact_under_its_name() -> None:
    project = load_projects()[0]
    facts = project_facts(project, read_bank(project.language)["number_words"])
    assert facts["amount"].text == "214.500,00 €"
    assert facts["public.reached"].text == "1.684"


@pytest.mark.parametrize(
    ("file", "style_id", "name", "numbered"),
    [
        ("ca-salut-rural-2024", "Ttol1", "Títol 1", True),
        ("es-comunidades-energeticas-2024", "Ttulo1", "Título 1", True),
        ("es-empleo-migrante-2023", "Ttulo1", "heading 1", False),
        ("ca-patrimoni-pedra-seca-2024", "Apartatmemria1", "Apartat memòria 1", True),
        ("en-ocean-plastic-2024", "Heading1", "heading 1", True),
        ("es-teatro-joven-2024", "Heading1", "heading 1", False),
    ],
)
def test_heading_styles_are_localised(
    samples_folder: Path, file: str, style_id: str, name: str, numbered: bool
) -> None:
    word = docx.Document(str(samples_folder / f"{file}.docx"))
    styles = {style.styleId: style for style in word.styles.element.style_lst}
    used = [p._p.style for p in word.paragraphs if p._p.style == style_id]
    assert used
    style = styles[style_id]
    assert style.name_val == name
    assert (style.find(f".//{qn('w:numPr')}") is not None) == numbered
    while style.find(f".//{qn('w:outlineLvl')}") is None:
        style = styles[style.basedOn_val]
    assert style.find(f".//{qn('w:outlineLvl')}").get(qn("w:val")) == "0"


def test_the_set_holds_what_word_reports_hold(samples_folder: Path) -> None:
    words = {path.name: docx.Document(str(path)) for path in samples_folder.glob("*.docx")}
    parts = {name: _parts(samples_folder / name) for name in words}
    assert all("word/footnotes.xml" in names for names in parts.values())
    contents = [name for name, word in words.items() if "TOC \\o" in word.element.xml]
    assert 4 <= len(contents) < 12
    typed = [name for name, word in words.items() if _typed_numbers(word)]
    assert len(typed) == 3
    for name, word in words.items():
        assert word.core_properties.language == name[:2]
        assert word.core_properties.author
        assert "NUMPAGES" in word.sections[0].footer._element.xml
        assert all(table.rows[0]._tr.find(f".//{qn('w:tblHeader')}") is not None for table in word.tables)
    assert any("w:vMerge" in word.element.xml for word in words.values())


def test_no_style_points_at_a_missing_one(samples_folder: Path) -> None:
    for path in samples_folder.glob("*.docx"):
        styles = docx.Document(str(path)).styles.element.style_lst
        ids = {style.styleId for style in styles}
        assert len(ids) == len(styles), path.name
        for style in styles:
            for tag in ("w:basedOn", "w:next", "w:link"):
                target = style.find(qn(tag))
                assert target is None or target.get(qn("w:val")) in ids, (path.name, style.styleId, tag)


def _texts(blocks: list) -> list[str]:
    texts: list[str] = []
    for block in blocks:
        if isinstance(block, Paragraph):
            texts += [block.text, *([block.footnote] if block.footnote else [])]
        elif isinstance(block, Items):
            texts += block.items
    return texts


def _cents(amount: str) -> int:
    return int(re.sub(r"\D", "", amount))


def _parts(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def _typed_numbers(word: WordDocument) -> bool:
    return any(re.match(r"1\. \w", p.text) and re.search(r"1$", p._p.style or "") for p in word.paragraphs)


def _sections_of(path: Path) -> list[tuple[str, str]]:
    """Heading (without a typed number) and text, tables and footnotes of each section, from the Word file."""
    word = docx.Document(str(path))
    notes = word.part.package.main_document_part.rels.values()
    footnotes = next(rel.target_part.blob.decode() for rel in notes if rel.reltype.endswith("/footnotes"))
    note_text = dict(re.findall(r'w:footnote w:id="(\d+)">(.*?)</w:footnote>', footnotes))
    sections: list[tuple[str, str]] = []
    for block in word.iter_inner_content():
        if isinstance(block, WordTable):
            text = "\n".join(cell.text for row in block.rows for cell in row.cells)
        elif re.fullmatch(r"(Heading|Tt(o|u)lo?|Apart\w+|Reportheading)[123]", block._p.style or ""):
            sections.append((re.sub(r"^[\d.]+ ", "", block.text), ""))
            continue
        else:
            marks = block._p.findall(f".//{qn('w:footnoteReference')}")
            text = block.text + "".join(note_text[mark.get(qn("w:id"))] for mark in marks)
        if sections:
            sections[-1] = (sections[-1][0], f"{sections[-1][1]}\n{text}")
    return sections
