"""Headings, paragraphs and furniture of PDFs that were made by hand."""

from collections.abc import Callable
from pathlib import Path

from pipeline.reports import read_report
from pipeline.settings import Reports

Page = list[tuple[float, float, float, str]]
PROSE = "The project went on as it had been planned, and the people of the valley took part in it"


def page(*lines: tuple[float, str], header: str = "", number: int = 0) -> Page:
    """Lines as (size, text) from the top; body lines 14 points apart, more before and after what is larger."""
    base, found = 720.0, []
    if header:
        found.append((50.0, 780.0, 9.0, header))
    for size, text in lines:
        base -= 14 if size == 11 else 30
        found.append((50.0, base, size, text))
    if number:
        found.append((300.0, 20.0, 9.0, str(number)))
    return found


def test_headings_by_size_and_number_and_no_furniture(pdf: Callable[..., Path]) -> None:
    pages = [
        page(
            (16, "1. Aims"),
            (11, PROSE),
            (11, "and more."),
            (13, "1.1 Reach"),
            (11, PROSE + "."),
            header="Bridge",
            number=1,
        ),
        page((11, PROSE), (11, "to the end."), (13, "1.2 Staff"), (11, PROSE + "."), header="Bridge", number=2),
        page((16, "2. Budget"), (11, PROSE + "."), header="Bridge", number=3),
    ]
    report = read_report(pdf(pages))
    assert [(s.level, s.title) for s in report.sections] == [
        (1, "1 Aims"),
        (2, "1.1 Reach"),
        (2, "1.2 Staff"),
        (1, "2 Budget"),
    ]
    assert report.sections[0].text == f"{PROSE} and more."
    assert report.characters.left_out == {"header or footer": 18, "page number": 3}
    assert report.characters.unaccounted == 0


def test_bookmarks_win_over_fonts(pdf: Callable[..., Path]) -> None:
    lines = [
        (11, "Aims"),
        (11, PROSE + "."),
        (11, "Reach of it"),
        (11, PROSE + "."),
        (11, "Staff"),
        (16, "Loud"),
        (11, PROSE + "."),
    ]
    report = read_report(pdf([page(*lines)], [("Aims", 0), ("Reach of it", 0), ("STAFF", 0)]))
    assert [s.heading for s in report.sections] == ["Aims", "Reach of it", "Staff"]
    assert report.sections[2].text.startswith("Loud")


def test_bold_in_a_paragraph_is_no_heading(pdf: Callable[..., Path]) -> None:
    lines = [(11, PROSE), (11, "**which goes on in bold and"), (11, "ends here."), (11, "x" * 80)] * 2
    report = read_report(pdf([page(*lines)]))
    assert [s.heading for s in report.sections] == [""]


def test_lists_and_paragraphs(pdf: Callable[..., Path]) -> None:
    lines = [
        (11, PROSE + "."),
        (11, "\u2022 one thing"),
        (11, "that goes on"),
        (11, "\u2022 another"),
        (11, "1) first"),
    ]
    report = read_report(pdf([page(*lines)]))
    assert report.sections[0].text == f"{PROSE}.\n\n- one thing that goes on\n- another\n1) first"


def test_hyphens_are_mended_and_counted(pdf: Callable[..., Path]) -> None:
    report = read_report(
        pdf(
            [
                page(
                    (11, PROSE + " by the co-"),
                    (11, "operative, which is long-"),
                    (11, "term: long-term plans."),
                )
            ]
        )
    )
    text = report.sections[0].text
    assert "cooperative, which is long-term: long-term plans." in text
    assert report.characters.left_out == {"hyphenation": 1}
    assert report.characters.unaccounted == 0


def test_headings_that_differ_only_in_their_numbers(pdf: Callable[..., Path]) -> None:
    lines = [
        (11, "1. Aims"),
        (11, PROSE + "."),
        (11, "1.1 Methods"),
        (11, PROSE + "."),
        (11, "2. one thing of a list"),
        (11, "3. another thing of it"),
        (11, PROSE + "."),
        (11, "1.2 People"),
        (11, PROSE + "."),
        (11, "2. Budget"),
        (11, PROSE + "."),
    ]
    report = read_report(pdf([page(*lines)]))
    assert [(s.level, s.number, s.heading) for s in report.sections] == [
        (1, "1", "Aims"),
        (2, "1.1", "Methods"),
        (2, "1.2", "People"),
        (1, "2", "Budget"),
    ]
    assert report.sections[1].text.startswith(PROSE)


def test_a_list_is_no_outline(pdf: Callable[..., Path]) -> None:
    lines = [(11, PROSE + "."), (11, "1. Bread"), (11, "2. Salt"), (11, "3. Water"), (11, PROSE + ".")]
    report = read_report(pdf([page(*lines)]))
    assert [s.heading for s in report.sections] == [""]
    assert [b.kind for b in report.sections[0].blocks] == ["paragraph", *["list_item"] * 3, "paragraph"]


def test_a_heading_of_two_lines_and_one_named_by_a_bookmark_of_two(pdf: Callable[..., Path]) -> None:
    lines = [
        (16, "Aims of the project and"),
        (16, "of all who joined it"),
        (11, PROSE + "."),
        (16, "Reach"),
        (11, PROSE),
    ]
    content = [page(*lines)]
    content[0][1] = (50.0, content[0][0][1] - 18, 16, "of all who joined it")
    for bookmarks in (None, [("Aims of the project and of all who joined it", 0), ("Reach", 0), ("Nowhere", 0)]):
        report = read_report(pdf(content, bookmarks))
        found = [section.heading for section in report.sections]
        assert found == ["Aims of the project and of all who joined it", "Reach"], bookmarks


def test_a_bookmark_means_the_heading_and_not_the_word(pdf: Callable[..., Path]) -> None:
    lines = [
        (11, "Aims"),
        (11, PROSE),
        (11, "budget."),
        (11, "Budget"),
        (11, PROSE + "."),
        (11, "Reach"),
        (11, PROSE + "."),
    ]
    report = read_report(pdf([page(*lines)], [("Aims", 0), ("Budget", 0), ("Reach", 0)]))
    assert [s.heading for s in report.sections] == ["Aims", "Budget", "Reach"]
    assert report.sections[0].text.endswith("budget.")


def test_the_title_is_no_section(pdf: Callable[..., Path]) -> None:
    lines = [(22, "The Old Bridge"), (16, "Aims"), (11, PROSE + "."), (16, "Reach"), (11, PROSE + ".")]
    report = read_report(pdf([page(*lines, (16, "Staff"), (11, PROSE + "."))]))
    assert report.title == "The Old Bridge"
    assert [(s.level, s.heading) for s in report.sections] == [(1, "Aims"), (1, "Reach"), (1, "Staff")]
    assert report.characters.unaccounted == 0
    named = read_report(pdf([page(*lines)], properties={"Title": "The Old Bridge"}))
    assert named.title == "The Old Bridge" and named.characters.unaccounted == 0
    elsewhere = read_report(pdf([page(*lines)], properties={"Title": "Microsoft Word - x"}, name="bridge.pdf"))
    assert elsewhere.title != "Microsoft Word - x"


def test_dates_come_from_the_properties(pdf: Callable[..., Path]) -> None:
    made = {"CreationDate": "D:20240229120000+01'00'", "ModDate": "D:20249931"}
    report = read_report(pdf([page((11, PROSE + "."))], properties=made))
    assert str(report.created) == "2024-02-29" and report.modified is None


def test_a_paragraph_goes_on_over_the_page(pdf: Callable[..., Path]) -> None:
    pages = [page((11, PROSE + "."), (11, PROSE)), page((11, "and beyond it."), (11, PROSE + "."))]
    report = read_report(pdf(pages))
    assert [block.text for block in report.sections[0].blocks] == [
        f"{PROSE}. {PROSE} and beyond it.",
        f"{PROSE}.",
    ]


def test_contents_are_left_out_unless_kept(pdf: Callable[..., Path]) -> None:
    entries = [(11, f"{name} {'.' * 40} {number}") for name, number in (("Aims", 2), ("Reach", 3), ("Staff", 5))]
    lines = [(11, "**Contents"), *entries, (11, PROSE + ".")]
    report = read_report(pdf([page(*lines)]))
    assert report.sections[0].text == f"{PROSE}."
    assert report.characters.left_out == {"table of contents": len("ContentsAims2Reach3Staff5") + 120}
    kept = read_report(pdf([page(*lines)]), Reports(keep=("contents",)))
    assert not kept.characters.left_out and "Staff" in "".join(section.text for section in kept.sections)


def test_blanks_to_fill_in_are_no_contents(pdf: Callable[..., Path]) -> None:
    lines = [(11, f"{name}: {'.' * 40}") for name in ("Name", "Date", "Place", "Signature")]
    report = read_report(pdf([page((11, PROSE + "."), *lines)]))
    assert not report.characters.left_out and "Signature: ...." in report.sections[0].text


def test_captions(pdf: Callable[..., Path]) -> None:
    lines = [(11, PROSE + "."), (9, "Figura 2. El pont vell"), (11, PROSE + "."), (11, "Figure 3 shows that it")]
    report = read_report(pdf([page(*lines, (11, "stood for years and did not fall."))]))
    kinds = [(block.kind, block.text[:8]) for block in report.sections[0].blocks]
    assert ("caption", "Figura 2") in kinds and ("caption", "Figure 3") not in kinds


def test_a_caption_does_not_cut_a_sentence(pdf: Callable[..., Path]) -> None:
    pages = [
        page((11, PROSE + "."), (11, PROSE)),
        page((9, "Taula 1. Els socis"), (11, "and so it went on."), (11, PROSE + ".")),
    ]
    texts = [block.text for block in read_report(pdf(pages)).sections[0].blocks]
    assert texts[:2] == [f"{PROSE}. {PROSE} and so it went on.", "Taula 1. Els socis"]


def test_lists_within_lists(pdf: Callable[..., Path]) -> None:
    lines = [(50.0, 700.0, "\u2022 one"), (70.0, 686.0, "\u2013 below it"), (70.0, 672.0, "\u2013 and again")]
    lines += [(50.0, 658.0, "\u2022 two"), (50.0, 640.0, PROSE)]
    report = read_report(pdf([[(left, base, 11.0, text) for left, base, text in lines]]))
    assert report.sections[0].text.startswith("- one\n  - below it\n  - and again\n- two\n\n")
