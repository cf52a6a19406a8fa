"""Records: identity is content, all of it and nothing else."""

import pickle
import subprocess
import sys
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pipeline.records import Adapter, Base, Block, Characters, Comment, Draft, Record, Report, Section, digest

BLOCK = Block(kind="paragraph", text="L'acció va durar 24 mesos.")
SECTION = Section(
    document="d", position=1, level=2, number="3.2", heading="Results", path=("A", "Results"), blocks=(BLOCK,)
)
REPORT = Report(
    file="a.docx",
    source_sha256="0" * 64,
    reader="r",
    title="T",
    language="ca",
    created=date(2024, 1, 31),
    modified=date(2024, 2, 1),
    sections=(SECTION,),
    comments=(Comment(section=0, author="a", text="t"),),
    characters=Characters(visible=9, read=8, left_out={"hidden": 1}),
)
ADAPTER = Adapter(
    base="b",
    base_path="/b",
    examples="e",
    windows={},
    settings="s",
    run="r",
    weights_sha256="w",
    path="/w",
    created="c",
)
DRAFT = Draft(project="p", section="s", text="t", created="c")
BASE = Base(name="n", fingerprint="f", rows=3, path="/p")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_an_id_is_the_sha256_of_the_canonical_json() -> None:
    # printf '%s' '{"kind":"note","record":"Block","text":"é"}' | sha256sum
    assert Block(kind="note", text="é").id == "35ee1ec543aff5398651c4f1783bc74d1981e907b29d6ee4675dcc331fd16bc9"


@given(st.dictionaries(st.text(), json_values, min_size=2))
def test_a_digest_knows_no_order_of_keys(payload: dict[str, Any]) -> None:
    assert digest(payload) == digest(dict(reversed(payload.items())))


@pytest.mark.parametrize("record", [BLOCK, SECTION, REPORT, ADAPTER, DRAFT, BASE], ids=lambda r: type(r).__name__)
def test_every_field_is_part_of_the_identity_but_where_and_when(record: Record) -> None:
    for name in type(record).model_fields:
        differs = record.model_copy(update={name: other_than(getattr(record, name))}).id != record.id
        is_content = (type(record), name) in ((Section, "path"), (Report, "created"))  # a report says when it was made
        is_place = name in {"file", "path", "base_path", "created"} and not is_content
        assert differs != is_place, name


def other_than(value: Any) -> Any:
    match value:
        case str():
            return value + "x"
        case int():
            return value + 1
        case date():
            return value.replace(year=1999)
        case tuple():
            return () if value else ("x",)
        case None:
            return "ca"
        case dict():
            return {**value, "x": 1}
    return Characters(visible=0, read=0)


@pytest.mark.parametrize("record", [BLOCK, SECTION, REPORT, ADAPTER, DRAFT, BASE], ids=lambda r: type(r).__name__)
def test_identity_survives_json_and_pickle(record: Record) -> None:
    assert type(record).model_validate_json(record.model_dump_json()).id == record.id
    assert pickle.loads(pickle.dumps(record)).id == record.id


def test_identity_is_the_same_in_another_process() -> None:
    code = "from pipeline.records import Block; print(Block(kind='table', text='| à |').id)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == Block(kind="table", text="| à |").id


def test_a_copy_with_another_value_has_another_identity_and_another_text() -> None:
    before = SECTION.id, SECTION.text
    copy = SECTION.model_copy(update={"blocks": (BLOCK, Block(kind="note", text="n"))})
    fresh = Section.model_validate(copy.model_dump())
    assert (copy.id, copy.text) == (fresh.id, fresh.text) != before
    assert (SECTION.id, SECTION.text) == before and SECTION.model_copy().id == SECTION.id


def test_records_are_frozen_and_take_no_unknown_field() -> None:
    with pytest.raises(ValidationError):
        BLOCK.text = "other"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Block.model_validate({"kind": "note", "text": "t", "colour": "red"})


def test_the_text_of_a_section_parts_blocks_by_an_empty_line_and_items_by_none() -> None:
    kinds = ("paragraph", "list_item", "list_item", "table", "list_item", "note")
    blocks = tuple(Block(kind=kind, text=str(i)) for i, kind in enumerate(kinds))
    section = SECTION.model_copy(update={"blocks": blocks})
    assert section.text == "0\n\n1\n2\n\n3\n\n4\n\n5"
    assert section.title == "3.2 Results"
    assert section.model_copy(update={"number": None}).title == "Results"
