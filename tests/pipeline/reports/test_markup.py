"""Markdown, HTML, plain text, and the language of what they say."""

from pathlib import Path

from pipeline.reports import read_report
from pipeline.reports.language import language_of
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


HTML = """<!doctype html><html><head><title>The bridge</title><style>p {color: red}</style></head><body>
<nav>Home About</nav><h1>Aims</h1>loose text<p>We <b>build</b>
<a href="https://example.org/x">a bridge</a>.<br>Soon.</p>
<ul><li>wood<ol><li>oak</li><li>pine</li></ol></li><li><p>iron</p></li></ul>
<!-- a comment --><script>alert(1)</script><p hidden>unseen</p><p style="display: none">gone</p>
<h2>Money</h2><table><caption>Budget</caption><thead><tr><th colspan="2">Year</th><th>Sum</th></tr></thead>
<tr><td>2023</td><td><h3>now</h3></td><td><ul><li>1</li><li>2</li></ul></td></tr></table>
<pre>a
  b</pre><img alt="A river" src="http://example.org/r.png"></body></html>"""


def test_html(tmp_path: Path) -> None:
    report = read(tmp_path, "a.html", HTML)
    assert report.title == "The bridge"
    assert [(s.level, s.title) for s in report.sections] == [(1, "Aims"), (2, "Money")]
    assert report.sections[0].text == (
        "loose text\n\nWe build [a bridge](https://example.org/x).\nSoon.\n\n- wood\n  1. oak\n  2. pine\n- iron"
    )
    assert report.sections[1].text == (
        "Budget\n\n| Year |  | Sum |\n| --- | --- | --- |\n| 2023 | now | - 1<br>- 2 |\n\na\nb\n\n![A river]"
    )
    assert report.characters.left_out == {"hidden": 10, "navigation": 9}


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


def test_languages(tmp_path: Path) -> None:
    english = "The partners met every month and wrote down what they had decided to do next."
    catalan = "Els socis es van trobar cada mes i van escriure el que havien decidit de fer després."
    spanish = "Los socios se reunieron cada mes y escribieron lo que habían decidido hacer después."
    assert [language_of(text, Reports().languages) for text in (english, catalan, spanish, "12 345")] == ["en", "ca", "es", None]
    report = read(tmp_path, "a.md", f"# A\n\n{catalan} {catalan}\n\n# B\n\n{english}\n\n# C\n\n12\n\n# D\n\n{spanish}")
    assert [s.language for s in report.sections] == ["ca", "en", "ca", "es"]
    assert report.language == "ca"
    assert read(tmp_path, "b.md", "12 345").language is None
