"""The log of a run: lines, TensorBoard's events, and the curve say the same, also after a kill."""

import json
import struct
from pathlib import Path

import pytest
from tensorboardX.proto.event_pb2 import Event

from pipeline.training.log import Log, Step, _smooth, draw_curve


def line(number: int, held_out: float | None = None) -> Step:
    return Step(number, 1 / number, 1e-3, 0.5, 100, 0.25, None, 3 << 30, held_out)


def events(folder: Path) -> list[Event]:
    """Read TensorBoard's file by its own rules: length, checksum, event, checksum."""
    (file,) = (folder / "tensorboard").iterdir()
    data, found = file.read_bytes(), []
    while data:
        (size,) = struct.unpack("<Q", data[:8])
        found.append(Event.FromString(data[12 : 12 + size]))
        data = data[16 + size :]
    return found


def scalars(folder: Path) -> dict[int, dict[str, float]]:
    assert events(folder)[0].file_version == "brain.Event:2"
    return {e.step: {value.tag: value.simple_value for value in e.summary.value} for e in events(folder)[1:]}


def test_the_log_forgets_the_steps_after_the_checkpoint_and_a_torn_line(tmp_path: Path) -> None:
    log = Log(tmp_path, 0)
    for number in (1, 2, 3):
        log.add(line(number))
    with open(tmp_path / "log.jsonl", "a") as file:
        file.write('{"step": 4, "lo')
    again = Log(tmp_path, 2)
    assert again.steps == [line(1), line(2)]
    assert list(scalars(tmp_path)) == [1, 2]
    again.add(line(3))
    lines = [json.loads(text) for text in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [one["step"] for one in lines] == [1, 2, 3] and lines[2]["tokens_per_second"] == 400
    assert list(scalars(tmp_path)) == [1, 2, 3]


def test_tensorboard_is_told_each_step_at_once_and_held_out_losses_where_there_are_some(tmp_path: Path) -> None:
    log = Log(tmp_path, 0)
    log.add(line(1))
    log.add(line(2, held_out=1.5))
    told = scalars(tmp_path)
    assert told[1] == pytest.approx(
        {
            "loss/training": 1.0,
            "learning_rate": 1e-3,
            "gradient_norm": 0.5,
            "tokens_per_second": 400,
            "peak_gib/resident": 3,
        }
    )
    assert told[2]["loss/held_out"] == 1.5 and told[2]["loss/training"] == 0.5


def test_a_log_from_before_the_first_checkpoint_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text('{"step": 1, "lo')
    assert Log(tmp_path, 0).steps == []
    assert (tmp_path / "log.jsonl").read_text() == ""


def test_the_smoothed_curve_is_a_mean_without_pull_towards_zero() -> None:
    assert _smooth([3.0, 3.0, 3.0]) == pytest.approx([3, 3, 3])
    assert _smooth([1.0, 0.0]) == pytest.approx([1, 0.8 / 1.8])


def test_the_curve_is_a_picture_also_of_a_single_step(tmp_path: Path) -> None:
    draw_curve([line(1)], [(0, 2.0), (1, 1.0)], tmp_path / "loss.png")
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
