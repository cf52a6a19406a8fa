"""Errors tell one line, and keep their parts on the way from one process to another."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from pipeline.errors import FatalError, MemoriaError, TransientError, UserError


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (UserError("is empty"), "is empty"),
        (UserError("is empty.", where=Path("/a.docx")), "/a.docx: is empty"),
        (UserError("is empty", where="/a.docx", fix="save it again"), "/a.docx: is empty. Save it again"),
        (FatalError("broken", fix="use the URL", where=0), "0: broken. Use the URL"),
        (TransientError("pip said:\n  two\r\nlines", fix="wait\n"), "pip said: two lines. Wait"),
    ],
)
def test_one_line_says_what_where_and_what_to_do(error: MemoriaError, line: str) -> None:
    assert error.line == str(error) == line
    assert "\n" not in line


def fail(kind: type[MemoriaError]) -> None:
    raise kind("cannot be read", where=Path("/a.docx"), fix="save it again")


def test_parts_survive_the_way_out_of_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        for kind in (UserError, TransientError, FatalError):
            with pytest.raises(MemoriaError) as caught:
                pool.submit(fail, kind).result()
            error = caught.value
            assert (type(error), error.what, error.where, error.fix) == (
                kind,
                "cannot be read",
                "/a.docx",
                "save it again",
            )
            assert error.line == "/a.docx: cannot be read. Save it again"
