"""Markdown, plain text, and the language of what they say."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.reports import read_report
from pipeline.reports.language import language_of
from pipeline.reports.plain_text import read_text
from pipeline.settings import Reports


def read(tmp_path: Path, name: str, text: str | bytes):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    report = read_report(path)
    assert report.characters.unaccounted == 0
    return report


MARKDOWN = """---
title: The bridge
---
Before.

# 1. Aims

We *build* it:

- wood
  - oak
  - pine
- iron

  much of it

3. three
4. four

Setext
------

| a | b |
|---|---|
| 1 | 2\\|3 |

```py
x = 1
```

<p>raw <b>html</b></p>
"""


def test_markdown(tmp_path: Path) -> None:
    report = read(tmp_path, "a.md", MARKDOWN)
    assert report.title == "The bridge"
    assert [(s.level, s.title) for s in report.sections] == [(1, "The bridge"), (1, "1 Aims"), (2, "Setext")]
    assert report.sections[1].text == (
        "We *build* it:\n\n- wood\n  - oak\n  - pine\n- iron\n  much of it\n3. three\n4. four"
    )
    assert report.sections[2].text == "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n\n```py\nx = 1\n```\n\nraw html"
    assert report.characters.left_out == {"front matter": 21}


def test_markdown_front_matter_notes_and_tasks(tmp_path: Path) -> None:
    report = read(
        tmp_path,
        "a.md",
        '+++\ntitle = "The bridge"\ndate = 2023-05-06T07:00:00Z\nlastmod = 2024-01-02\n+++\n'
        "# Our *aims* [here](http://a.org)[^1] {#aims}\n\n"
        "Said[^1] <!-- not this -->and<br>done\nsoftly  \nand hard, <b>well</b>.\n\n"
        "[^1]: Word\n[^two]: Two words\n  go on\n\n    after a line\n[^3]: three\n- [x] done\n- [ ] open\n\n"
        "<!-- hidden\nblock -->\n\n| a | **b** |\n|---|---|\n| `c` | d<br>e <i>f</i> |\n\nAfter ~~it~~.\n",
    )
    assert (report.title, report.created, report.modified) == ("The bridge", date(2023, 5, 6), date(2024, 1, 2))
    (section,) = report.sections
    assert section.heading == "Our aims here"
    assert [(b.kind, b.text) for b in section.blocks] == [
        ("paragraph", "Said[^1] and\ndone softly\nand hard, well."),
        ("note", "[^1]: Word"),
        ("note", "[^two]: Two words\ngo on\nafter a line"),
        ("note", "[^3]: three"),
        ("list_item", "- ☒ done"),
        ("list_item", "- ☐ open"),
        ("table", "| a | **b** |\n| --- | --- |\n| `c` | d<br>e f |"),
        ("paragraph", "After ~~it~~."),
    ]
    assert report.characters.left_out == {"front matter": 66, "markup": 22, "source comment": 14}


def test_markdown_bold_lines_head_sections_where_no_heading_is(tmp_path: Path) -> None:
    report = read(tmp_path, "a.md", "**Aims**\n\nOne.\n\nTwo.\n\n__Means__\n\nThree.\n\n**Four** and **five**\n")
    assert [section.heading for section in report.sections] == ["Aims", "Means"]


def test_markdown_nested_deep_is_read_or_refused(tmp_path: Path) -> None:
    deep = "".join("  " * depth + f"- item {depth}\n" for depth in range(40))
    assert read(tmp_path, "a.md", deep).sections[0].text.count("item") == 40
    (tmp_path / "b.md").write_text("> " * 5000 + "x")
    with pytest.raises(UserError, match="nested too deeply"):
        read_report(tmp_path / "b.md")


def test_text_in_three_encodings(tmp_path: Path) -> None:
    said = (
        "RESULTATS\n\nLa cooperació ha estat bona,\r\ni l'any que ve més.\n\n"
        "Cap al sud\n=====\n\nFi, i molt més que cal dir.\n\nI més."
    )
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        report = read(tmp_path, f"{encoding}.txt", said.encode(encoding))
        assert [s.heading for s in report.sections] == ["RESULTATS", "Cap al sud"]
        assert report.sections[0].text == "La cooperació ha estat bona,\ni l'any que ve més."
        assert report.characters.left_out == {"underline": 5}


WRAPPED = """\
            MEMORIA

El proyecto reunió durante dos años a las entidades de la comarca, que
trabajaron con las escuelas y los ayuntamientos para que nadie se que-
dase fuera de las actividades, y que fueron de pueblo en pueblo dos días
                                    3
\fde cada semana, con un resultado que se explica más abajo y que ha sido
mejor de lo que se esperaba.

Objetivos
=========
Se quería llegar a todos los pueblos de la comarca en dos años, y para
hacerlo se firmaron tres acuerdos:

- uno con las escuelas, que pusieron las aulas y el tiempo de sus maestros
  y maestras;
- otro con el consejo
    * y su equipo

Detalle
-------
Año      Gasto
2023     1.200
2024       900
\f
Página 2 de 9
1) primero
2) segundo

Resultados
==========
Bien.
"""


def test_text_as_a_printer_broke_it(tmp_path: Path) -> None:
    report = read(tmp_path, "a.txt", WRAPPED)
    assert [(s.level, s.heading) for s in report.sections] == [
        (1, "MEMORIA"),
        (1, "Objetivos"),
        (2, "Detalle"),
        (1, "Resultados"),
    ]
    assert report.sections[0].text == (
        "El proyecto reunió durante dos años a las entidades de la comarca, que trabajaron con las escuelas y los "
        "ayuntamientos para que nadie se que-\ndase fuera de las actividades, y que fueron de pueblo en pueblo "
        "dos días de cada semana, con un resultado que se explica más abajo y que ha sido mejor de lo que se esperaba."
    )
    assert report.sections[1].text == (
        "Se quería llegar a todos los pueblos de la comarca en dos años, y para hacerlo se firmaron tres acuerdos:\n\n"
        "- uno con las escuelas, que pusieron las aulas y el tiempo de sus maestros y maestras;\n"
        "- otro con el consejo\n  - y su equipo"
    )
    assert report.sections[2].text == "Año      Gasto\n2023     1.200\n2024       900\n\n1) primero\n2) segundo"
    assert report.characters.left_out == {"page number": 1 + 10, "underline": 9 + 7 + 10}


def test_text_whose_lines_are_as_people_ended_them(tmp_path: Path) -> None:
    verse = "One line.\nAnother that is much longer than the first was.\nA third\nAnd a fourth, of some length.\nEnd"
    assert read(tmp_path, "a.txt", verse).sections[0].text == verse


@given(st.text(alphabet="ab 1-=*.\n\f\t", max_size=200))
def test_no_character_of_a_text_is_lost(tmp_path_factory, text: str) -> None:
    path = tmp_path_factory.mktemp("text") / "a.txt"
    path.write_text(text)
    reading = read_text(path)
    read = sum(event.characters for event in reading.events)
    assert reading.tally.visible == read + sum(reading.tally.left_out.values())
    assert sum(event.text.count("a") for event in reading.events) == text.count("a")


def test_languages(tmp_path: Path) -> None:
    english = "The partners met every month and wrote down what they had decided to do next."
    catalan = "Els socis es van trobar cada mes i van escriure el que havien decidit de fer després."
    spanish = "Los socios se reunieron cada mes y escribieron lo que habían decidido hacer después."
    assert [language_of(text, Reports().languages) for text in (english, catalan, spanish, "12 345")] == [
        "en",
        "ca",
        "es",
        None,
    ]
    report = read(tmp_path, "a.md", f"# A\n\n{catalan} {catalan}\n\n# B\n\n{english}\n\n# C\n\n12\n\n# D\n\n{spanish}")
    assert [s.language for s in report.sections] == ["ca", "en", "ca", "es"]
    assert report.language == "ca"
    assert read(tmp_path, "b.md", "12 345").language is None
