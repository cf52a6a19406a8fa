import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from pipeline.adapters import Registry, verify
from pipeline.errors import FatalError, UserError
from pipeline.records import Adapter, Score, short
from pipeline.storage import Workspace

MakeAdapter = Callable[..., Adapter]
LINEAGE = {"reports": ["report-1", "report-2"]}
SCORE = Score(name="bits_per_byte", signature="v1", value=1.9, low=1.8, high=2.0, n=30)


@pytest.fixture
def registry(workspace: Workspace) -> Registry:
    return Registry(workspace)


def _states(registry: Registry) -> list[str]:
    return [entry.state for entry in registry.list()]


def test_from_candidate_to_champion_to_retired(registry: Registry, make_adapter: MakeAdapter) -> None:
    first, second = make_adapter("first"), make_adapter("second")
    registry.register(first, LINEAGE)
    registry.register(second, LINEAGE)
    assert registry.champion("base-1") is None
    assert _states(registry) == ["candidate", "candidate"]

    registry.promote(first.id, "better than the base", "evaluation-1", [SCORE])
    assert registry.promote(second.id, "better than the first") == second
    assert _states(registry) == ["retired", "champion"]
    assert registry.champion("base-1") == second
    assert registry.champions() == [second]
    assert registry.list()[0].scores == (SCORE,)
    assert registry.list()[0].lineage == LINEAGE
    happened = [(event.state, event.evaluation) for event in registry.history(first.id)]
    assert happened == [("candidate", None), ("champion", "evaluation-1"), ("retired", None)]


def test_each_base_has_a_champion_of_its_own(registry: Registry, make_adapter: MakeAdapter) -> None:
    mine, other = make_adapter("mine"), make_adapter("other", base="base-2")
    for adapter in (mine, other):
        registry.register(adapter, LINEAGE)
        registry.promote(adapter.id, "better")
    assert registry.champions() == [mine, other]
    assert registry.champion("base-2") == other


def test_registering_and_promoting_again_changes_nothing(registry: Registry, make_adapter: MakeAdapter) -> None:
    adapter = make_adapter("a")
    for _ in range(2):
        registry.register(adapter, LINEAGE)
        registry.promote(adapter.id, "better")
    assert len(registry.history(adapter.id)) == 2
    assert _states(registry) == ["champion"]


def test_rollback_goes_back_one_champion_at_a_time(registry: Registry, make_adapter: MakeAdapter) -> None:
    a, b, c = (make_adapter(name) for name in "abc")
    for adapter in (a, b, c):
        registry.register(adapter, LINEAGE)
        registry.promote(adapter.id, "better")
    assert registry.rollback("base-1") == b
    assert registry.rollback("base-1", "worse than it looked") == a
    assert registry.champion("base-1") == a
    assert _states(registry) == ["champion", "retired", "retired"]
    with pytest.raises(UserError, match="no earlier champion"):
        registry.rollback("base-1")
    registry.promote(c.id, "after all")
    assert registry.rollback("base-1") == a


def test_refused_adapters_say_why_and_a_champion_cannot_be(registry: Registry, make_adapter: MakeAdapter) -> None:
    champion, other = make_adapter("champion"), make_adapter("other")
    for adapter in (champion, other):
        registry.register(adapter, LINEAGE)
    registry.promote(champion.id, "better")
    registry.refuse(other.id, "not better", "evaluation-2", [SCORE])
    assert registry.find(short(other.id)).state == "refused"
    assert registry.history(other.id)[-1].reason == "not better"
    with pytest.raises(UserError, match="champion cannot be refused"):
        registry.refuse(champion.id, "by mistake")


def test_adapters_are_found_by_the_beginning_of_their_id(registry: Registry, make_adapter: MakeAdapter) -> None:
    made = [make_adapter(str(i)) for i in range(20)]
    for adapter in made:
        registry.register(adapter, LINEAGE)
    assert registry.find(made[3].id[:20]).adapter == made[3]
    with pytest.raises(UserError, match="no adapter begins with 'x'"):
        registry.find("x")
    with pytest.raises(UserError, match="no adapter begins with ''"):
        registry.find("")
    shared = next(digit for digit in "0123456789abcdef" if sum(a.id.startswith(digit) for a in made) > 1)
    with pytest.raises(UserError, match="adapters begin with"):
        registry.find(shared)
    with pytest.raises(UserError, match="no adapter"):
        registry.promote("unknown", "better")


def test_broken_files_are_never_promoted_nor_brought_back(registry: Registry, make_adapter: MakeAdapter) -> None:
    a, b = make_adapter("a"), make_adapter("b")
    registry.register(a, LINEAGE)
    registry.register(b, LINEAGE)
    registry.promote(a.id, "better")
    weights = Path(b.path, "adapter_model.safetensors")
    weights.write_bytes(b"half")
    with pytest.raises(FatalError, match=f"{b.path}: adapter {short(b.id)} is not what training wrote"):
        registry.promote(b.id, "better")
    assert registry.champion("base-1") == a

    weights.write_bytes(b"b")
    registry.promote(b.id, "better")
    Path(a.path, "adapter_config.json").unlink()
    with pytest.raises(FatalError, match="has lost adapter_config.json"):
        registry.rollback("base-1")
    assert registry.champion("base-1") == b
    assert verify(b) == Path(b.path)
    with pytest.raises(FatalError, match="has lost"):
        registry.register(a, LINEAGE)


def test_the_workspace_can_be_moved(tmp_path: Path, workspace: Workspace, make_adapter: MakeAdapter) -> None:
    adapter = make_adapter("a")
    before = Registry(workspace)
    before.register(adapter, LINEAGE)
    before.promote(adapter.id, "better")
    before.close()
    shutil.move(workspace.root, tmp_path / "moved")
    champion = Registry(Workspace(tmp_path / "moved")).champion("base-1")
    assert champion is not None and champion.id == adapter.id
    assert verify(champion) == tmp_path / "moved" / "adapters" / "a"


def test_events_cannot_be_changed(registry: Registry, make_adapter: MakeAdapter) -> None:
    registry.register(make_adapter("a"), LINEAGE)
    for change in ("UPDATE adapter_events SET state = 'champion'", "DELETE FROM adapter_events"):
        with pytest.raises(IntegrityError, match="append-only"), registry._engine.begin() as connection:
            connection.execute(text(change))


PROMOTE = """
import sys
from pipeline.adapters import Registry
from pipeline.storage import Workspace
registry = Registry(Workspace(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for _ in range(20):
    for adapter in sys.argv[2:]:
        registry.promote(adapter, "mine")
"""


def test_processes_that_promote_at_once_never_make_two_champions(
    workspace: Workspace, make_adapter: MakeAdapter
) -> None:
    made = [make_adapter(name) for name in "abcd"]
    registry = Registry(workspace)
    for adapter in made:
        registry.register(adapter, LINEAGE)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROMOTE, str(workspace.root), *(a.id for a in pair)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for pair in (made[:2], made[2:])
    ]
    for process in running:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    while any(process.poll() is None for process in running):
        assert len(registry.champions()) <= 1
    for process in running:
        assert process.communicate()[1] == ""
    assert _states(registry).count("champion") == 1
    # Every champion but the last was retired by exactly one event: no promotion overlooked another.
    events = [event for adapter in made for event in registry.history(adapter.id)]
    champions = sum(event.state == "champion" for event in events)
    assert champions > 2
    assert sum(event.state == "retired" for event in events) == champions - 1


def test_an_evaluation_promotes_but_once(registry: Registry, make_adapter: MakeAdapter) -> None:
    first, second = make_adapter("first"), make_adapter("second")
    for adapter, evaluation in ((first, "evaluation-1"), (second, "evaluation-2")):
        registry.register(adapter, LINEAGE)
        registry.promote(adapter.id, "better", evaluation)
    registry.rollback("base-1", "a person read its drafts")
    assert registry.promote(second.id, "better", "evaluation-2") == first  # the same run again
    assert registry.champion("base-1") == first
    assert registry.promote(second.id, "better", "evaluation-3") == second
    registry.rollback("base-1")
    assert registry.promote(second.id, "by hand") == second


def test_refusing_again_for_the_same_reason_is_no_event(registry: Registry, make_adapter: MakeAdapter) -> None:
    adapter = make_adapter("a")
    registry.register(adapter, LINEAGE)
    for reason in ("not better", "not better", "worse in Catalan"):
        registry.refuse(adapter.id, reason)
    assert [e.reason for e in registry.history(adapter.id)] == ["trained", "not better", "worse in Catalan"]


def test_the_rival_is_who_serves_or_served_before(registry: Registry, make_adapter: MakeAdapter) -> None:
    first, second, third = (make_adapter(name) for name in ("first", "second", "third"))
    for adapter in (first, second, third):
        registry.register(adapter, LINEAGE)
    assert registry.rival(first) is None
    registry.promote(first.id, "better")
    assert registry.rival(first) is None
    assert registry.rival(second) == first
    registry.promote(second.id, "better")
    assert registry.rival(second) == first
    assert registry.rival(first) == second
    assert registry.rival(third) == second


def test_the_newest_champion_is_the_last_made_or_brought_back(registry: Registry, make_adapter: MakeAdapter) -> None:
    assert registry.newest_champion() is None
    a, b, other = make_adapter("a"), make_adapter("b"), make_adapter("other", base="base-2")
    for adapter in (a, other, b):
        registry.register(adapter, LINEAGE)
        registry.promote(adapter.id, "better")
    assert registry.newest_champion() == b
    registry.rollback("base-1")
    assert registry.newest_champion() == a
