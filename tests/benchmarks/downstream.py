"""Does a window policy help to write? Bits per byte of true sections, with a small model on a CPU.

    documents ── windows by each policy, equal budgets ── the same targets ──┬── judged by the base as it is
                                                                             └── LoRA on earlier targets, then judged

A document's first sections are not judged (their windows hold everything). Of the others, the last third examines, and
those before teach; each policy trains an adapter of its own on the same targets in the same order. Long targets are
judged by their first tokens, up to a sentence's end. Bits are told over all text, over the tokens of facts, and over
those of facts that stood in an earlier section: what a window can bring.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from data.sample import write_samples  # noqa: E402
from pipeline.bases import tokens_of  # noqa: E402
from pipeline.bases.embedded import embedded_base  # noqa: E402
from pipeline.evaluation.bits import bits_within, token_bits  # noqa: E402
from pipeline.evaluation.statistics import Paired, compare_ratios, resample  # noqa: E402
from pipeline.facts import facts_of  # noqa: E402
from pipeline.records import Message, Report, Section  # noqa: E402
from pipeline.reports.read import read_report  # noqa: E402
from pipeline.settings import Training, Windows  # noqa: E402
from pipeline.storage import Workspace  # noqa: E402
from pipeline.windows import brief_of, build_windows, plan_of, render  # noqa: E402
from pipeline.windows.pieces import measure  # noqa: E402

POLICIES: dict[str, dict[str, Any]] = {
    "none": {"policy": "tail", "budget_tokens": 1},
    "tail": {"policy": "tail"},
    "decay": {"policy": "decay"},
    "select 0.25": {"policy": "select", "recent_share": 0.25},
    "select 0.5": {"policy": "select", "recent_share": 0.5},
}
MEASURES = ("all text", "facts", "facts told before")
RESAMPLES = 2000
Measured = dict[str, tuple[float, int]]  # by measure: bits of one section, and the bytes that they tell


@dataclass(frozen=True)
class Target:
    """What is to be written of a section: `messages` by policy, the text, and which spans of it tell facts."""

    report: str
    text: str
    spans: dict[str, list[tuple[int, int]]]
    messages: dict[str, tuple[Message, ...]]


def main() -> int:
    """Measure, print, and tell whether the goals are met."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(arguments.workspace or Path(folder) / "workspace")
        base = embedded_base(workspace)
        targets = [
            _targets(report, Path(base.path), arguments.budget, arguments.target_tokens)
            for report in _reports(Path(folder), arguments.reports)
        ]
        model, tokenizer = _load(base.path)  # while the folder is there
    teach = _even([t[: 2 * len(t) // 3] for t in targets], arguments.train)
    examine = _even([t[2 * len(t) // 3 :] for t in targets], arguments.judge)
    print(f"{len(teach)} sections teach, {len(examine)} examine, of {len(targets)} documents", file=sys.stderr)
    bits = {("base", name): [_bits(model, tokenizer, t, name) for t in _told(examine, name)] for name in POLICIES}
    for name in arguments.trained:
        adapted = _trained(model, tokenizer, teach, name)
        bits["trained", name] = [_bits(adapted, tokenizer, t, name) for t in _told(examine, f"{name}, trained")]
        model = adapted.unload()
    if arguments.json:
        rows = [{"model": m, "policy": p, "sections": found} for (m, p), found in bits.items()]
        print(json.dumps({"budget_tokens": arguments.budget, "train": len(teach), "results": rows}))
        return 0
    return _report(bits, [t.report for t in examine])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=Path, default=ROOT.parent / "shared" / "reports", help="further documents")
    parser.add_argument("--workspace", type=Path, help="where the small model is, or is put (default: made anew)")
    parser.add_argument("--budget", type=int, default=1200, help="tokens of each window")
    parser.add_argument("--target-tokens", type=int, default=256, help="most tokens of each target")
    parser.add_argument("--train", type=int, default=20, help="sections that teach")
    parser.add_argument("--judge", type=int, default=30, help="sections that examine")
    parser.add_argument(
        "--trained", nargs="*", default=["tail", "decay", "select 0.5"], help="policies that are trained"
    )
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _reports(folder: Path, reports: Path) -> Iterator[Report]:
    """The long sample report, and the documents of a folder that are long enough; none of a text that stands in it."""
    write_samples(folder / "samples")
    files = [folder / "samples" / "en-river-restoration-2024.docx"]
    if reports.is_dir():
        files += sorted(f for f in reports.iterdir() if f.suffix in (".docx", ".pdf", ".html"))
    else:
        print(f"{reports} is not there: the sample report alone is measured", file=sys.stderr)
    for file in files:
        report = read_report(file)
        seen: set[str] = set()
        sections = [s for s in report.sections if not (s.text in seen or seen.add(s.text)) and len(s.text) < 100_000]
        if sum(len(s.text) for s in sections) > 30_000:
            yield report.model_copy(update={"sections": tuple(sections)})


def _targets(report: Report, base: Path, budget: int, target_tokens: int) -> list[Target]:
    """The sections whose windows must leave something out, with what each policy shows of what came before."""
    tokens, plan = tokens_of(base), plan_of(report.sections, report.title, report.language)
    windows = {
        name: list(
            build_windows(report.sections, plan, tokens, Windows(**{"budget_tokens": budget, **said}, refill_share=1))
        )
        for name, said in POLICIES.items()
    }
    targets, before, told = [], 0, set[str]()
    for place, section in enumerate(report.sections):
        text = _beginning(section, tokens, target_tokens)
        if before > 2 * budget and len(text) > 200:
            facts = facts_of(text, section.language)
            spans = {
                "all text": [(0, len(text))],
                "facts": [(f.start, f.end) for f in facts],
                "facts told before": [(f.start, f.end) for f in facts if f.key in told],
            }
            messages = {name: render(w[place], brief_of(plan, place)) for name, w in windows.items()}
            targets.append(Target(report.title, text, spans, messages))
        before += tokens.count(section.text)
        told |= {f.key for f in facts_of(section.text, section.language)}
    return targets


def _beginning(section: Section, tokens: Any, most: int) -> str:
    """As many whole pieces from the section's beginning as `most` tokens hold."""
    end, spent = 0, 0
    for piece in measure(section, tokens).pieces:
        spent += piece.tokens
        if spent > most:
            break
        end = piece.end
    return section.text[:end].rstrip()


def _even(groups: Sequence[list[Target]], most: int) -> list[Target]:
    """At most `most` targets, the documents in equal parts, spread evenly over each."""
    share = -(-most // len(groups))
    chosen = []
    for group in groups:
        step = max(1, len(group) // share)
        chosen.append(group[::step][:share])
    return [group[i] for i in range(share) for group in chosen if i < len(group)][:most]


def _load(path: str) -> tuple[Any, Any]:
    """The small base in float32: on a CPU 4 bits would only be slower."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin make a shared machine crawl
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval(), AutoTokenizer.from_pretrained(path)


def _trained(model: Any, tokenizer: Any, teach: Sequence[Target], name: str) -> Any:
    """A new adapter on the base, after one pass over the targets, two to a step."""
    import torch

    from pipeline.training.model import add_lora, target_loss
    from pipeline.training.order import learning_rate

    settings = Training(learning_rate=5e-4)
    adapted = add_lora(model, settings)
    optimizer = torch.optim.AdamW([p for p in adapted.parameters() if p.requires_grad], lr=settings.learning_rate)
    order = random.Random(0).sample(range(len(teach)), len(teach))
    steps = [order[i : i + 2] for i in range(0, len(order), 2)]
    for step, places in enumerate(steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, len(steps), settings.learning_rate, settings.warmup_share)
        encoded = [_encoded(tokenizer, teach[i], name) for i in places]
        total = sum(len(ids) - start for ids, start in encoded)
        for ids, start in encoded:
            (target_loss(adapted, ids, start) / total).backward()
        torch.nn.utils.clip_grad_norm_(adapted.parameters(), settings.clip_norm)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        print(f"{name}: step {step + 1} of {len(steps)}", file=sys.stderr)
    return adapted.eval()


def _encoded(tokenizer: Any, target: Target, name: str) -> tuple[list[int], int]:
    """Ids of prompt and target, and where the target starts."""
    from pipeline.training.encode import encode_prompt

    prompt = encode_prompt(tokenizer, target.messages[name])
    return [*prompt, *tokenizer.encode(target.text, add_special_tokens=False)], len(prompt)


def _bits(model: Any, tokenizer: Any, target: Target, name: str) -> Measured:
    """By measure: bits of the tokens that touch its spans, and the spans' bytes."""
    from pipeline.training.encode import encode_prompt

    tokens = token_bits(model, tokenizer, encode_prompt(tokenizer, target.messages[name]), target.text)
    return {
        measure_name: (
            bits_within(tokens, spans, len(target.text)),
            sum(len(target.text[a:b].encode()) for a, b in spans),
        )
        for measure_name, spans in target.spans.items()
    }


def _told(targets: Sequence[Target], name: str) -> Iterator[Target]:
    began = time.monotonic()
    for done, target in enumerate(targets, 1):
        yield target
        print(f"\r{name}: {done} of {len(targets)}, {time.monotonic() - began:.0f} s", end="", file=sys.stderr)
    print(file=sys.stderr)


def _report(bits: dict[tuple[str, str], list[Measured]], reports: Sequence[str]) -> int:
    """Print bits per byte, each with the difference from `tail` and its interval; 1 if a goal is missed."""
    difference: dict[tuple[str, str, str], tuple[float, float]] = {}
    for measure_name in MEASURES:
        print(f"\n### Bits per byte: {measure_name}\n\n| model | policy | bits per byte | less than tail (95%) |")
        print("|---|---|---|---|")
        for (model, policy), found in bits.items():
            gain = _gain(found, bits[model, "tail"], measure_name, reports)
            low, high = gain.difference.low, gain.difference.high
            difference[model, policy, measure_name] = low, high
            print(f"| {model} | {policy} | {gain.reference.value:.3f} | {low:+.3f} to {high:+.3f} |")
    best = [policy for model, policy in bits if model == "trained" and policy.startswith("select")]
    if not best:
        return 0
    worse = difference["trained", best[0], "all text"][0] < -0.01
    better = difference["trained", best[0], "facts told before"][0] > 0
    print("\n| goal | |\n|---|---|")
    print(
        f"| {best[0]}, trained, is no worse than tail on all text (margin 0.01) | {'**missed**' if worse else 'met'} |"
    )
    print(f"| and better on facts told before | {'met' if better else '**missed**'} |")
    return 1 if worse or not better else 0


def _gain(found: Sequence[Measured], reference: Sequence[Measured], name: str, reports: Sequence[str]) -> Paired:
    """Bits per byte of both, and reference - found with its interval, over the sections of each document."""
    sizes = [size for _, size in (one[name] for one in found)]
    ours, theirs = ([one[name][0] for one in those] for those in (found, reference))
    drawn = resample([str(i) for i in range(len(reports))], RESAMPLES, 0)  # a section by itself is a unit
    return compare_ratios(ours, theirs, sizes, drawn)


if __name__ == "__main__":
    sys.exit(main())
