"""The road from files to a champion, stage by stage. Each stage is one call of a room, and one plain line told.

    files ── ingest_files ──> Reports ────────────────┬─ make_examples ──> Examples ─┐
    model ── find_base ──> Base ── slice_vocabulary ──┴─> Base ──────────────────────┴─ train_adapter ──> Adapter
                                                                      │
                             held-out Examples ── judge ──> Evaluation ┴─ release ──> champion, refused, or left

Every stage keeps its result in the workspace under a name made of its inputs, and finds it there the second time.
`retrain` runs the stages through `run`, so that a flow can make a task of each without a second copy of the order.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pipeline.adapters import Registry
from pipeline.bases import resolve_base
from pipeline.corpus import build_examples, describe_examples, find_leaks, load_examples, refuse_leaks
from pipeline.errors import UserError
from pipeline.evaluation import Context, Evaluation, Surroundings, evaluate, table
from pipeline.progress import Silence, Teller
from pipeline.records import Adapter, Base, Example, Language, Report, short
from pipeline.reports import Entry, Ingested, ingest, iterate_reports, load_reports
from pipeline.settings import Settings
from pipeline.storage import Workspace
from pipeline.training import load_trained, train
from pipeline.vocabulary import load_proof, slice_base

if TYPE_CHECKING:
    from pipeline.evaluation.measured import SectionWriter

Result = TypeVar("Result")
_UNDETERMINED = "und"  # as ISO 639 has it


def directly(stage: Callable[..., Result], *arguments: object) -> Result:
    """Run a stage here and now."""
    return stage(*arguments)


@dataclass(frozen=True)
class Road:
    """Where the road runs, how, and who is told."""

    settings: Settings
    teller: Teller = field(default_factory=Silence)
    writer: "SectionWriter | None" = None  # of held-out sections, in place of transformers

    @property
    def workspace(self) -> Workspace:
        """The folder that holds what the stages make."""
        return Workspace(self.settings.workspace)


class Candidate(NamedTuple):
    """A trained adapter, and what judging it takes."""

    base: Base
    examples: str
    adapter: Adapter


def train_candidate(road: Road, run: Callable[..., Any] = directly) -> Candidate:
    """From the workspace's reports to a candidate: all stages but the verdict."""
    require_reports(road)
    whole = run(find_base, road)
    base = run(slice_vocabulary, road, whole)
    examples = run(make_examples, road, base)
    return Candidate(base, examples, run(train_adapter, road, base, examples))


def retrain(road: Road, run: Callable[..., Any] = directly) -> Adapter | None:
    """From the workspace's reports to a champion. Returns it; None if the candidate was refused, or left for want of
    reports to judge it by.
    """
    candidate = train_candidate(road, run)
    evaluation = run(judge, road, *candidate)
    return run(release, road, candidate.adapter, evaluation)


def require_reports(road: Road) -> None:
    """Look before anything is fetched or computed for reports that are not there.

    Raises:
        UserError: the workspace holds no report.
    """
    if not road.workspace.keys("reports"):
        raise UserError("no reports in the workspace", where=road.workspace.root, fix="run: memoria ingest PATH")


def ingest_files(road: Road, paths: Sequence[Path]) -> Ingested:
    """Files and folders -> Reports in the workspace. A file that cannot be read is told, and stops no other."""
    with road.teller.bar("Reading reports") as progress:
        ingested = ingest(paths, road.workspace, road.settings.reports, progress)
    for refused in ingested.refused:
        road.teller.say(f"Not read: {refused.file}: {refused.reason}")
    for report in ingested.reports:
        for warning in report.warnings:
            road.teller.say(f"{report.file}: {warning}")
    sections = sum(report.sections for report in ingested.reports)
    road.teller.say(f"Read {len(ingested.reports)} reports: {sections:,} sections; {len(ingested.refused)} refused.")
    road.teller.say(_account(ingested.reports))
    for family in ingested.families:
        road.teller.say(f"Versions of one report: {_listed(list(family.values()))}.")
    return ingested


def _listed(names: Sequence[str], most: int = 6) -> str:
    """Names in one line, the first ones if there are many."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _account(reports: Sequence[Entry]) -> str:
    """Where the characters of all reports went, in one line."""
    left_out: Counter[str] = Counter()
    for report in reports:
        left_out.update(report.characters.left_out)
    visible, read = (sum(getattr(report.characters, name) for report in reports) for name in ("visible", "read"))
    unaccounted = sum(report.characters.unaccounted for report in reports)
    told = ", ".join(f"{reason} {count:,}" for reason, count in left_out.most_common())
    return (
        f"Of {visible:,} characters {read:,} were read, {left_out.total():,} left out ({told or 'nothing'}), "
        f"{unaccounted:,} not accounted for."
    )


def find_base(road: Road) -> Base:
    """The model to build on, fetched or converted if it is not here."""
    with road.teller.bar("Finding the base model") as progress:
        base = resolve_base(road.settings.model, road.workspace, progress)
    road.teller.say(f"Base model: {base.name}, {base.rows:,} tokens in its vocabulary.")
    return base


def make_examples(road: Road, base: Base) -> str:
    """Hold whole reports out, build every section's window, and pair window and section."""
    require_reports(road)
    reports, settings = load_reports(road.workspace), road.settings
    with road.teller.bar("Building windows") as progress:
        key = build_examples(reports, base, settings.windows, settings.corpus, road.workspace, progress)
    made = describe_examples(road.workspace, key)
    left_out = ", ".join(f"{count} {reason}" for reason, count in sorted(made.left_out.items()))
    road.teller.say(
        f"Windows of {settings.windows.budget_tokens:,} tokens: {made.train} examples to train on, "
        f"{made.held_out} from held-out reports to examine with (sections left out: {left_out or 'none'})."
    )
    if made.families:
        versions = sum(map(len, made.families))
        road.teller.say(f"{versions} reports are versions of {len(made.families)} reports; each family stays together.")
    return key


def slice_vocabulary(road: Road, base: Base) -> Base:
    """The base cut to what the office writes; the base itself if slicing is off."""
    if not road.settings.vocabulary.slice:
        return base
    texts: dict[Language, list[str]] = {}
    sources: dict[Language, list[str]] = {}
    for report in iterate_reports(road.workspace):
        for section in report.sections:
            language = section.language or report.language or _UNDETERMINED
            texts.setdefault(language, []).append(f"{section.title}\n\n{section.text}".strip())
            sources.setdefault(language, []).append(report.id)
    with road.teller.bar("Slicing the vocabulary") as progress:
        sliced = slice_base(base, texts, road.workspace, road.settings.vocabulary, progress, sources)
    languages = load_proof(sliced).languages.values()
    differing, pieces = (sum(getattr(language, name) for language in languages) for name in ("differing", "pieces"))
    road.teller.say(
        f"Vocabulary sliced: {base.rows:,} -> {sliced.rows:,} rows; "
        f"{differing:,} of {pieces:,} pieces of the reports are read differently."
    )
    return sliced


def train_adapter(road: Road, base: Base, examples: str) -> Adapter:
    """Train a candidate and register it with its lineage, or go on with a run that was cut off."""
    with road.teller.bar("Training") as progress:
        adapter = train(examples, base, road.workspace, road.settings.training, progress, road.teller.say)
    _, told = load_trained(road.workspace, adapter.run)
    road.teller.say(
        f"Trained adapter {short(adapter.id)}: {told.steps} steps at {told.tokens_per_second:.0f} tokens/s, loss "
        f"{told.loss.first:.2f} -> {told.loss.last:.2f} ({told.optimizer}; peak {told.peak_bytes / 1e9:.1f} GB)."
    )
    lineage = {
        "base": base.id,
        "sliced_from": base.sliced_from,
        "examples": examples,
        "settings": adapter.settings,
        "run": adapter.run,
        "reports": list(describe_examples(road.workspace, examples).taught),
    }
    Registry(road.workspace).register(adapter, lineage)
    return adapter


def judge(road: Road, base: Base, examples: str, adapter: Adapter) -> Evaluation:
    """Compare the candidate with the champion, or with the bare base, on held-out reports."""
    registry = Registry(road.workspace)
    rival = registry.rival(adapter)
    learned = {sha for one in (adapter, rival) if one for sha in registry.find(one.id).lineage["reports"]}
    made, settings = load_examples(road.workspace, examples), road.settings
    # A language's second report moves one to the hold-out: whoever was taught by it must not be examined with it.
    held_out = [example for example in made.held_out if example.source_sha256 not in learned]
    reports = load_reports(road.workspace)
    taught = [report for report in reports if report.source_sha256 in learned]
    families = describe_examples(road.workspace, examples).families
    held_out = _without_leaks(road, held_out, taught, families)
    context = Context(settings.reports.languages, made.train, families, settings.evaluation.embedding)
    around = Surroundings(context, _places(reports), road.writer)
    with road.teller.bar("Judging on held-out reports") as progress:
        evaluation = evaluate(held_out, base, adapter, rival, road.workspace, settings.evaluation, progress, around)
    road.teller.show(table(evaluation))
    road.teller.say(f"The whole report: {evaluation.document().html}")
    return evaluation


def _without_leaks(
    road: Road, held_out: Sequence[Example], taught: Sequence[Report], families: Sequence[Sequence[str]]
) -> list[Example]:
    """The held-out examples of which no contender has seen a good part.

    Raises:
        UserError: there are others, and the settings say that this is an error.
    """
    settings = road.settings.evaluation
    leaks = find_leaks(
        held_out,
        taught,
        families,
        words=settings.leak_words,
        share=settings.leak_share,
        boilerplate_reports=settings.leak_boilerplate_reports,
    )
    if settings.leaks == "fail":
        refuse_leaks(leaks)
    elif leaks:
        road.teller.say(f"Left out {len(leaks)} held-out sections that stand in reports trained on.")
    leaked = {leak.example for leak in leaks}
    return [example for example in held_out if example.id not in leaked]


def _places(reports: Sequence[Report]) -> dict[str, float]:
    """How far down its report each section stands, from 0 to 1."""
    return {
        section.id: place / max(len(report.sections) - 1, 1)
        for report in reports
        for place, section in enumerate(report.sections)
    }


def release(road: Road, adapter: Adapter, evaluation: Evaluation) -> Adapter | None:
    """Make a better candidate the champion; refuse one that is not; leave one that cannot be judged a candidate.

    The same verdict twice changes nothing.
    """
    registry = Registry(road.workspace)
    champion = registry.champion(adapter.base)
    if champion and champion.id == adapter.id:
        road.teller.say(f"Adapter {short(adapter.id)} is the champion already.")
        return adapter
    if evaluation.verdict == "better":
        registry.promote(adapter.id, evaluation.reason, evaluation.id, evaluation.scores)
        road.teller.say(f"Adapter {short(adapter.id)} is the champion: {evaluation.reason}.")
        return adapter
    if evaluation.verdict == "too few to judge":
        road.teller.say(f"Adapter {short(adapter.id)} cannot be judged: {evaluation.reason}.")
        road.teller.say(f"To use it all the same, run: memoria adapters promote {short(adapter.id)}")
        return None
    registry.refuse(adapter.id, evaluation.reason, evaluation.id, evaluation.scores)
    road.teller.say(f"Adapter {short(adapter.id)} is refused: {evaluation.reason}.")
    return None
