"""Slicing a model's weights: the rows of the embedding and of the head that are kept, all else as it is.

    model-00001-of-00003.safetensors   embed_tokens [old rows, width] ── kept rows ──> [new rows, width]
    model-00002-of-00003.safetensors   ── linked or copied whole ──>
    model-00003-of-00003.safetensors   lm_head      [old rows, width] ── kept rows ──> [new rows, width]

Rows are moved as bytes, so that every number type is kept to the bit, and a block at a time, so that a model
of any size needs next to no memory. A safetensors file is 8 bytes (little endian, the length of what
follows), a JSON header {name: {dtype, shape, data_offsets}}, and the tensors' bytes
(https://huggingface.co/docs/safetensors).
"""

import errno
import json
import math
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ConfigDict

from pipeline.errors import UserError
from pipeline.progress import Progress, silent
from pipeline.storage import require_space, write_json
from pipeline.vocabulary.documents import read_document

INDEX = "model.safetensors.index.json"
_SINGLE = "model.safetensors"
_EMBEDDINGS = ("embed_tokens.weight", "wte.weight", "embed_in.weight", "word_embeddings.weight")
_HEADS = ("lm_head.weight", "lm_head.bias", "embed_out.weight", "output.weight")
_BLOCK_BYTES = 16 << 20

Header = dict[str, dict[str, Any]]


class WeightsBytes(BaseModel):
    """Sizes of the tensors before and after, headers apart."""

    model_config = ConfigDict(frozen=True)
    before: int
    after: int


def slice_weights(
    source: Path,
    folder: Path,
    rows: Sequence[int | None],
    old_rows: int,
    *,
    tied: bool,
    progress: Progress = silent,
) -> WeightsBytes:
    """Write the safetensors of `source` into `folder`, row i of embedding and head being old `rows[i]`.

    Args:
        rows: old row of each new row; None: a row of zeros.
        old_rows: rows of the old matrices (the configuration's `vocab_size`).
        tied: whether the head is the embedding (then the weights need not hold a head).

    Raises:
        UserError: no safetensors, an unknown matrix with a row a token, or no room on the disk.
    """
    shards = shards_of(source)
    headers = {shard: read_header(shard)[0] for shard in shards}
    _check_matrices(source, [h for header in headers.values() for h in header.items()], old_rows, tied)
    _require_room(headers, folder, old_rows)

    total = sum(shard.stat().st_size for shard in shards)
    done, before, after = 0, 0, 0
    for shard in shards:
        target = folder / shard.name
        if any(shape and shape[0] == old_rows for shape in _shapes(headers[shard])):
            new_header = _rewrite(shard, target, rows, old_rows)
        else:
            new_header = headers[shard]
            link_or_copy(shard, target)
        before += _data_bytes(headers[shard])
        after += _data_bytes(new_header)
        done += shard.stat().st_size
        progress(done, total, "weights")
    _write_index(source, folder, before - after, headers, rows, old_rows)
    return WeightsBytes(before=before, after=after)


def shards_of(folder: Path) -> list[Path]:
    """The files that hold a model's weights: those of its index, else model.safetensors, else all.

    A folder may hold the same weights twice (consolidated.safetensors), or those of an adapter beside them.

    Raises:
        UserError: there are none, or not all.
    """
    fix = "choose a model in safetensors format"
    if (folder / INDEX).is_file():
        named = read_document(folder / INDEX).get("weight_map")
        if not isinstance(named, dict):
            raise UserError("names no files", where=folder / INDEX, fix="fetch the model again")
        shards = [folder / name for name in sorted(set(named.values()))]
    elif (folder / _SINGLE).is_file():
        shards = [folder / _SINGLE]
    else:
        shards = sorted(folder.glob("*.safetensors"))
    missing = [shard.name for shard in shards if not shard.is_file()]
    if missing or not shards:
        raise UserError(f"no safetensors weights {', '.join(missing[:3])}".rstrip(), where=folder, fix=fix)
    return shards


def link_or_copy(source: Path, target: Path) -> None:
    """The same file under a second name where the disk allows it, else a copy."""
    source = source.resolve()  # a model hub's cache holds links to files
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP, errno.EACCES):
            raise
        shutil.copyfile(source, target)


def read_header(shard: Path) -> tuple[Header, dict[str, str] | None, int]:
    """Tensors in the order of their bytes, the file's own notes, and where the first tensor's bytes begin.

    Raises:
        UserError: the file is no safetensors file, or cut short.
    """
    try:
        with open(shard, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > min(100 << 20, shard.stat().st_size):
                raise ValueError("header too long")
            header = json.loads(file.read(length))
        notes = header.pop("__metadata__", None)
        ordered = dict(sorted(header.items(), key=lambda item: item[1]["data_offsets"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"is no safetensors file: {error}", where=shard, fix="fetch the model again") from error
    if 8 + length + _data_bytes(ordered) != shard.stat().st_size:
        raise UserError("is cut short", where=shard, fix="fetch the model again")
    return ordered, notes, 8 + length


def _shapes(header: Header) -> list[list[int]]:
    return [tensor["shape"] for tensor in header.values()]


def _data_bytes(header: Header) -> int:
    return max((tensor["data_offsets"][1] for tensor in header.values()), default=0)


def _check_matrices(source: Path, tensors: list[tuple[str, dict[str, Any]]], old_rows: int, tied: bool) -> None:
    """Every matrix with a row a token is one that we know, and the embedding and the head are among them."""
    by_token = {name for name, tensor in tensors if old_rows in tensor["shape"]}
    known = {name for name, tensor in tensors if name.endswith(_EMBEDDINGS + _HEADS)}
    fix = "set vocabulary.slice = false, or choose another base"
    if by_token != known:
        strange = ", ".join(sorted(by_token ^ known)[:3])
        raise UserError(f"cannot tell which weights have a row a token: {strange}", where=source, fix=fix)
    if not any(name.endswith(_EMBEDDINGS) for name in known):
        raise UserError("the weights hold no embedding", where=source, fix=fix)
    if not tied and not any(name.endswith(_HEADS) for name in known):
        raise UserError("the weights hold no head, and config.json does not tie it", where=source, fix=fix)


def _require_room(headers: dict[Path, Header], folder: Path, old_rows: int) -> None:
    other_disk = next(iter(headers)).resolve().stat().st_dev != folder.stat().st_dev
    written = [s for s, h in headers.items() if other_disk or any(old_rows in shape for shape in _shapes(h))]
    require_space(folder, sum(shard.stat().st_size for shard in written), "the sliced base")


def _rewrite(shard: Path, target: Path, rows: Sequence[int | None], old_rows: int) -> Header:
    """One file with its rows cut. Returns the new header."""
    header, notes, data_start = read_header(shard)
    new_header: Header = {}
    offset = 0
    for name, tensor in header.items():
        begin, end = tensor["data_offsets"]
        shape, size = tensor["shape"], end - begin
        if shape and shape[0] == old_rows:
            shape, size = [len(rows), *shape[1:]], size // old_rows * len(rows)
        new_header[name] = {"dtype": tensor["dtype"], "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size

    text = json.dumps({**({"__metadata__": notes} if notes else {}), **new_header}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors begin at a multiple of 8
    with open(shard, "rb") as old, open(target, "wb") as new:
        new.write(len(text).to_bytes(8, "little") + text)
        for tensor in header.values():
            begin, end = (data_start + at for at in tensor["data_offsets"])
            if tensor["shape"] and tensor["shape"][0] == old_rows:
                row_bytes = (end - begin) // old_rows
                for first, number in runs(rows):
                    if first is None:
                        _write_zeros(new, number * row_bytes)
                    else:
                        _copy(old, new, begin + first * row_bytes, number * row_bytes)
            else:
                _copy(old, new, begin, end - begin)
        new.flush()
        os.fsync(new.fileno())
    return new_header


def runs(rows: Sequence[int | None]) -> Iterator[tuple[int | None, int]]:
    """Neighbouring rows together: (first old row, how many); first is None for rows of zeros."""
    first, number = None, 0
    for row in rows:
        follows = number and (row is None if first is None else row == first + number)
        if number and not follows:
            yield first, number
        first, number = (first, number + 1) if follows else (row, 1)
    if number:
        yield first, number


def _copy(old: BinaryIO, new: BinaryIO, start: int, size: int) -> None:
    old.seek(start)
    while size:
        block = old.read(min(size, _BLOCK_BYTES))
        assert block, "the header promised more bytes"
        new.write(block)
        size -= len(block)


def _write_zeros(new: BinaryIO, size: int) -> None:
    while size:
        size -= new.write(bytes(min(size, _BLOCK_BYTES)))


def _write_index(
    source: Path,
    folder: Path,
    saved_bytes: int,
    headers: dict[Path, Header],
    rows: Sequence[int | None],
    old_rows: int,
) -> None:
    if not (source / INDEX).is_file():
        return
    index = read_document(source / INDEX)
    said = index.get("metadata") or {}
    if "total_size" in said:
        said["total_size"] -= saved_bytes
    if "total_parameters" in said:
        widths = [math.prod(s[1:]) for h in headers.values() for s in _shapes(h) if s and s[0] == old_rows]
        said["total_parameters"] -= sum(widths) * (old_rows - len(rows))
    write_json(folder / INDEX, index)
