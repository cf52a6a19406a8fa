"""Flow: a trained adapter and its evaluation -> champion, or refused."""

from typing import Any

from prefect import flow

from flows.tasks import AsTasks, open_road, run_name
from pipeline import road
from pipeline.adapters import Registry
from pipeline.errors import UserError
from pipeline.evaluation import last_evaluation
from pipeline.records import Adapter, short


@flow(name="release", flow_run_name=run_name, persist_result=False)
def release(adapter: str, settings: dict[str, Any] | None = None) -> Adapter | None:
    """Promote an adapter that its last evaluation found better. Returns it; None if it was refused or cannot be judged.

    Args:
        adapter: the beginning of its id.
        settings: values that beat those of the environment and the file, as the tree of `pipeline.settings`.

    Raises:
        UserError: no such adapter, it was never evaluated, or only against a champion that is none any more.
    """
    here = open_road(settings)
    registry = Registry(here.workspace)
    candidate = registry.find(adapter).adapter
    evaluation = last_evaluation(here.workspace, candidate)
    champion = registry.champion(candidate.base)
    if champion and champion.id not in (candidate.id, evaluation.champion):
        rival = short(evaluation.champion) if evaluation.champion else "the base"
        raise UserError(
            f"was compared with {rival}; the champion is {short(champion.id)} now",
            where=short(candidate.id),
            fix="run: memoria evaluate",
        )
    return AsTasks()(road.release, here, candidate, evaluation)
