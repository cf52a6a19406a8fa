"""Are the sliced weights the base's own? The files are read again, row by row, otherwise than they were written."""

import os
from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import FatalError
from pipeline.progress import Progress, silent
from pipeline.vocabulary.checkpoint import read_header, shards_of
from pipeline.vocabulary.proof import WeightsProof

_BLOCK_BYTES = 16 << 20


def prove_weights(
    source: Path, folder: Path, rows: Sequence[int | None], old_rows: int, progress: Progress = silent
) -> WeightsProof:
    """Compare all bytes of the files that were written anew; files that are links to the base's need none.

    Args:
        rows: old row of each new row; None: a row of zeros.
        old_rows: rows of the old matrices.

    Raises:
        FatalError: a byte is not the base's.
    """
    compared_rows = tensors = compared_bytes = 0
    shards = shards_of(source)
    for done, shard in enumerate(shards):
        progress(done, len(shards), "weights read again")
        written = folder / shard.name
        old_header, _, old_start = read_header(shard)
        tensors += len(old_header)
        if written.samefile(shard):
            continue
        new_header, _, new_start = read_header(written)
        with open(shard, "rb") as old, open(written, "rb") as new:
            for name, tensor in old_header.items():
                begin, end = tensor["data_offsets"]
                new_begin, new_end = new_header[name]["data_offsets"]
                places = old.fileno(), old_start + begin, new.fileno(), new_start + new_begin
                if tensor["shape"] and tensor["shape"][0] == old_rows:
                    same = new_end - new_begin == (end - begin) // old_rows * len(rows)
                    same = same and _same_rows(*places, (end - begin) // old_rows, rows)
                    compared_rows += len(rows)
                else:
                    same = new_end - new_begin == end - begin and _same(*places, end - begin)
                if not same:
                    raise FatalError(f"the sliced weights are not the base's: {name}", where=written)
                compared_bytes += new_end - new_begin
    progress(len(shards), len(shards), "weights read again")
    return WeightsProof(rows=compared_rows, tensors=tensors, compared_bytes=compared_bytes)


def _same_rows(old: int, old_at: int, new: int, new_at: int, row_bytes: int, rows: Sequence[int | None]) -> bool:
    zeros = bytes(row_bytes)
    for place, row in enumerate(rows):
        wanted = zeros if row is None else os.pread(old, row_bytes, old_at + row * row_bytes)
        if os.pread(new, row_bytes, new_at + place * row_bytes) != wanted:
            return False
    return True


def _same(old: int, old_at: int, new: int, new_at: int, size: int) -> bool:
    for done in range(0, size, _BLOCK_BYTES):
        length = min(_BLOCK_BYTES, size - done)
        if os.pread(old, length, old_at + done) != os.pread(new, length, new_at + done):
            return False
    return True
