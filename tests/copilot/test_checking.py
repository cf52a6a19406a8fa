"""What a section of a real project says that its sources do not."""

from pathlib import Path

import pytest

from copilot.checking import MOST_CHARACTERS, Check, Missing, Unused, check_section
from copilot.library import Heading, Library, Project
from pipeline.storage import Workspace


@pytest.fixture
def project(tmp_path: Path) -> Project:
    library = Library(Workspace(tmp_path))
    headings = [Heading(1, "Resum"), Heading(1, "Activitats"), Heading(1, "Pressupost")]
    project = library.create_project("Memòria de Passos que curen", "ca", headings)
    project.save_facts("Pressupost total: 86.400,00 €\nCoordinadora: Núria Casadevall\nInici: 1/3/2023", base="")
    keys = [entry.key for entry in project.outline()]
    project.save_text(keys[1], "Vam fer 312 passejades amb 1.187 persones.", version=0, sitting="t")
    project.save_guidance(keys[2], "Digues que l'auditoria de Comptes Clars va costar 1.900 €.", base="")
    return project


def check(project: Project, place: int, text: str) -> Check:
    found = check_section(project, project.outline()[place].key, text)
    assert found is not None
    return found


def test_what_no_source_says_stands_in_its_sentence(project: Project) -> None:
    text = "Núria Casadevall ho va dirigir.\nVan venir 1.187 persones i 45 metges de la Fundació Nova."
    found = check(project, 0, text)
    assert found.missing == (
        Missing("number", "45", "Van venir 1.187 persones i ", " metges de la Fundació Nova."),
        Missing("name", "Fundació Nova", "Van venir 1.187 persones i 45 metges de la ", "."),
    )
    assert [(one.words, one.how, one.source, one.section) for one in found.traced] == [
        ("Núria Casadevall", "said", "facts", ""),
        ("1.187", "said", "report", "Activitats"),
    ]
    assert found.traced[1].passage == "Vam fer 312 passejades amb 1.187 persones."


def test_the_section_itself_is_no_source(project: Project) -> None:
    assert [one.words for one in check(project, 1, "Vam fer 312 passejades.").missing] == ["312"]


def test_what_guidance_asks_for_and_facts_on_the_heading_are_owed(project: Project) -> None:
    said = "El pressupost de 86.400 euros és exacte. L'auditoria va costar 1.900 €."
    (guidance,) = check(project, 2, said).unused
    assert [guidance.line[start:end] for start, end in guidance.spans] == ["Comptes Clars"]
    assert check(project, 2, "No res.").unused[0] == Unused("Pressupost total: 86.400,00 €", ((18, 29),))
    assert check(project, 0, "No res.").unused == ()


def test_the_same_words_are_told_once_and_too_long_a_text_not_at_all(project: Project) -> None:
    assert len(check(project, 0, "Hi ha 45 metges. Els 45 metges.").missing) == 1
    assert check_section(project, project.outline()[0].key, "x" * (MOST_CHARACTERS + 1)) is None


def test_words_around_are_whole_and_of_one_line(project: Project) -> None:
    long = "Una frase molt llarga que comença lluny i que no s'acaba fins que diu que hi havia"
    (one,) = check(project, 0, f"Res.\n{long} 45 metges, {long}.\nI prou.").missing
    assert one.before.startswith("…")
    assert long.endswith(one.before.strip("… ")) and long.split(one.before.strip("… "))[0][-1] == " "
    assert one.after.startswith(" metges, Una frase") and one.after.endswith("…")
    assert long.startswith(one.after.removeprefix(" metges, ").strip("… "))
