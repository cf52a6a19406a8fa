"""Texts that are kept: which files, in what pieces; and the texts of an office, named by their content."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.vocabulary import texts
from pipeline.vocabulary.texts import Texts, read_kept_texts
from pipeline.vocabulary.tokenizer import batches


def test_files_and_folders_are_read_in_pieces(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_bytes("\ufeffΔt és µ\r\n\r\nsegon\n".encode())
    folder = tmp_path / "style"
    (folder / "more").mkdir(parents=True)
    (folder / "b.MD").write_text("# Títol\n\n\n \nfi")
    (folder / "more" / "a.txt").write_text("dins")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    found = read_kept_texts([tmp_path / "terms.txt", folder])
    assert found == ["Δt és µ\n\n", "segon\n", "# Títol\n\n\n \n", "fi", "dins"]
    assert read_kept_texts([]) == []


@given(st.text("ab \n", max_size=40))
def test_pieces_are_the_text_again_and_end_where_a_line_does(text: str) -> None:
    pieces = [piece for piece in texts._PIECE.findall(text) if piece]
    assert "".join(pieces) == text
    assert all(piece.endswith("\n") for piece in pieces[:-1])


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "word.docx").write_bytes(b"PK")
    (tmp_path / "old.txt").write_bytes("memòria".encode("latin-1"))
    (tmp_path / "empty").mkdir()
    for name, said in (
        ("none.txt", r"none\.txt: no such file or folder\. Mend vocabulary\.kept_texts"),
        ("word.docx", r"word\.docx: is no \.txt or \.md file"),
        ("old.txt", r"old\.txt: is not in UTF-8"),
        ("empty", r"empty: no \.txt or \.md file in this folder"),
    ):
        with pytest.raises(UserError, match=said):
            read_kept_texts([tmp_path / name])


def test_the_digest_hangs_on_every_text_its_language_and_its_place() -> None:
    several = [
        Texts({}),
        Texts({"ca": ["a", "b"]}),
        Texts({"ca": ["ab"]}),
        Texts({"ca": ["b", "a"]}),
        Texts({"es": ["a", "b"]}),
        Texts({"ca": ["a"], "es": ["b"]}),
        Texts({"ca": ["a"]}, kept=["b"]),
    ]
    assert len({each.digest for each in several}) == len(several)
    assert Texts({"ca": ["a", "b"]}, {"ca": ["x", "y"]}).digest == several[1].digest


@given(st.lists(st.text(max_size=9)), st.integers(1, 4), st.integers(1, 12))
def test_batches_are_the_texts_again_and_no_larger_than_asked(many: list[str], texts: int, characters: int) -> None:
    found = list(batches(many, texts, characters))
    assert [text for batch in found for text in batch] == many
    assert all(len(b) <= texts and (len(b) == 1 or sum(map(len, b)) <= characters) for b in found)
