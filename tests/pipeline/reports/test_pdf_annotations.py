"""What lies on the pages: form fields, free text, links, reviewers' notes."""

from pathlib import Path

from pipeline.settings import Reports
from tests.pipeline.reports.pdf_files import drawn, make_drawn_pdf, read_bytes

TICK = b"<< /Type /XObject /Subtype /Form /BBox [0 0 12 12] /Length 0 >>\nstream\n\nendstream"


def annotated(content: bytes, *annotations: bytes) -> bytes:
    """A page with annotations; those that are fields make a form."""
    objects = {30 + index: b"<< /Type /Annot %s >>" % body for index, body in enumerate(annotations)}
    references = b" ".join(b"%d 0 R" % number for number in objects)
    fields = b" ".join(b"%d 0 R" % number for number, body in objects.items() if b"/Widget" in body)
    form = b" /AcroForm << /Fields [%s] /DR << /Font << /F1 3 0 R >> >> >>" % fields if fields else b""
    return make_drawn_pdf([content], page=b"/Annots [%s]" % references, catalog=form, objects={**objects, 20: TICK})


def test_values_of_fields_stand_beside_their_labels(tmp_path: Path) -> None:
    labels = b"".join(
        drawn(50, base, 11, text)
        for base, text in ((700, "Nom:"), (660, "Accepta:"), (640, "Rebutja:"), (600, "Camp:"))
    )
    ticks = b"/AP << /N << /Yes 20 0 R /Off 20 0 R >> >> /F 4"
    report = read_bytes(
        tmp_path,
        annotated(
            labels,
            "/Subtype /Widget /FT /Tx /T (a) /V (Associació Pont Vell) /Rect [150 695 400 712] /F 4".encode("cp1252"),
            b"/Subtype /Widget /FT /Btn /T (b) /V /Yes /AS /Yes /Rect [150 656 162 668] %s" % ticks,
            b"/Subtype /Widget /FT /Btn /T (c) /V /Off /AS /Off /Rect [150 636 162 648] %s" % ticks,
            b"/Subtype /Widget /FT /Ch /Ff 131072 /T (d) /Opt [[(x) (Cultura)] [(y) (Salut)]] /V (y)"
            b" /Rect [150 595 300 612] /F 4",
            b"/Subtype /Widget /FT /Tx /T (e) /V (hidden) /Rect [150 500 400 512] /F 2",
            b"/Subtype /Widget /FT /Tx /Ff 8192 /T (f) /V (a password) /Rect [150 480 400 492] /F 4",
        ),
    )
    text = report.sections[0].text
    for label, value in (("Nom:", "Associació Pont Vell"), ("Accepta:", "☒"), ("Rebutja:", "☐"), ("Camp:", "Salut")):
        assert any(label in line and value in line for line in text.splitlines()), text
    assert "hidden" not in text and "password" not in text
    assert report.characters.unaccounted == 0


def test_free_text_is_text(tmp_path: Path) -> None:
    free = b"/Subtype /FreeText /Contents (Received on 3 May) /Rect [400 740 560 760] /DA (/F1 10 Tf) /F 4"
    report = read_bytes(tmp_path, annotated(drawn(50, 700, 11, "The bridge has stood since then."), free))
    assert [block.text for block in report.sections[0].blocks] == [
        "Received on 3 May",
        "The bridge has stood since then.",
    ]


def test_notes_are_comments_or_left_out(tmp_path: Path) -> None:
    content = (
        drawn(50, 700, 11, "The bridge has stood since then.")
        + drawn(50, 400, 16, "Budget")
        + drawn(50, 380, 11, "None.")
    )
    note = b"/Subtype /Highlight /Contents (Still true?) /T (Auditor) /Rect [50 696 103 712] /F 4"
    note += b" /QuadPoints [50 712 103 712 50 696 103 696]"
    sticky = b"/Subtype /Text /Contents (Too little) /Rect [300 376 312 392] /F 4"
    data = annotated(content, note, sticky, b"/Subtype /Popup /Contents (Still true?) /Rect [0 0 9 9]")
    report = read_bytes(tmp_path, data)
    first, second = report.comments
    assert (first.text, first.author, first.about, first.section) == ("Still true?", "Auditor", "The bridge", 0)
    assert (second.text, second.author, second.about, second.section) == ("Too little", None, "", 1)
    assert report.characters.unaccounted == 0 and not report.characters.left_out
    without = read_bytes(tmp_path, data, Reports(keep=()))
    assert without.comments == () and without.characters.left_out == {"comment": len("Stilltrue?Toolittle")}
    assert without.characters.unaccounted == 0


def test_links_keep_their_targets_where_the_words_are_sure(tmp_path: Path) -> None:
    # Helvetica at 10 points: "See " is 20.6 wide, "our page" 39.5.
    content = drawn(50, 700, 10, "See our page for more, or https://example.org/b itself.")
    link = b"/Subtype /Link /Rect [70.6 697 110.4 709] /A << /S /URI /URI (https://example.org/a) >>"
    printed = b"/Subtype /Link /Rect [170 697 270 709] /A << /S /URI /URI (https://example.org/b) >>"
    script = b"/Subtype /Link /Rect [50 697 67 709] /A << /S /URI /URI (javascript:x) >>"
    report = read_bytes(tmp_path, annotated(content, link, printed, script))
    assert report.sections[0].text == "See [our page](https://example.org/a) for more, or https://example.org/b itself."
    assert report.characters.unaccounted == 0
