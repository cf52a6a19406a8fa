"""The branches of the settings tree, a class each: what a room of the product may be told.

Every setting has a description and a unit in its name; `deploy/memoria.toml` lists them all with their defaults.
"""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Branch(BaseModel):
    """A group of settings: frozen, and an unknown name is an error (a typo must not pass in silence)."""

    # Defaults are validated too: 6 and 6.0 would give the artifacts that are named by settings two names.
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False)


Kept = Literal["comments", "deletions", "hidden", "contents", "headers"]


class Reports(Branch):
    """Reading files into Reports."""

    timeout_seconds: float = Field(120, gt=0, description="longest that the reading of one file may take")
    memory_bytes: int = Field(4 << 30, gt=0, description="most memory that the reading of one file may take")
    workers: int = Field(0, ge=0, description="files read at the same time; 0: one per core")
    keep: tuple[Kept, ...] = Field(
        ("comments",),
        description="read besides the text: comments (kept beside it), deletions (tracked), hidden, contents, headers",
    )
    languages: tuple[str, ...] = Field(
        ("ca", "es", "en", "fr", "pt", "it", "de", "eu"),
        min_length=2,
        description="languages that are told apart, as ISO 639-1 codes",
    )
    ocr: bool = Field(False, description="read scanned PDFs by ocrmypdf, if it is installed; slow")
    ocr_languages: str = Field("cat+spa+eng", description="languages for it, as tesseract calls them")


class Windows(Branch):
    """What the writer of a section may look back at."""

    policy: Literal["tail", "decay", "select"] = Field(
        "select",
        description="what is kept: tail (the latest text), decay (the beginning of each section, less with distance) "
        "or select (the latest text, and of the older what will be needed)",
    )
    budget_tokens: int = Field(20_000, gt=0, description="most tokens of earlier text, in the base's own tokenizer")
    outline_share: float = Field(0.1, ge=0, lt=1, description="most of the budget that the outline may take")
    refill_share: float = Field(
        0.85,
        gt=0,
        le=1,
        description="a full window is chosen down to this share of the budget, then grows at its end until it is full "
        "again; 1: anew for every section, and a server's prefix cache is of little use",
    )
    recent_share: float = Field(
        0.1,
        ge=0,
        le=1,
        description="select: share of a choice that is the latest text; 600 tokens or half of it at least",
    )
    distance: Literal["sections", "tokens"] = Field("sections", description="decay: what distance is counted in")
    half_life_sections: float = Field(6, gt=0, description="decay: distance at which a section's weight has halved")
    half_life_tokens: float = Field(8_000, gt=0, description="decay: the same, where distance is counted in tokens")


class Corpus(Branch):
    """Which reports teach and which examine."""

    held_out_share: float = Field(0.2, gt=0, lt=1, description="share of each language's reports that is held out")
    least_held_out: int = Field(
        1, gt=0, description="fewest reports of each language that are held out, as long as one is left to train on"
    )
    funders: tuple[str, ...] = Field(
        (),
        description="names of funders, each as reports write it: of those with many reports, at least one is then held "
        "out (a report's funder is the one that it names most)",
    )
    longest_target_tokens: int = Field(4096, gt=0, description="sections longer than this are not used as targets")
    shortest_target_tokens: int = Field(16, gt=0, description="sections shorter than this are not used as targets")
    whole_reports: bool = Field(
        False,
        description="train on each report as one sequence, in which every section is a target and sees all before it; "
        "training.longest_tokens must hold the longest report; held-out sections keep their windows",
    )


class Vocabulary(Branch):
    """Slicing of the base's vocabulary."""

    slice: bool = Field(True, description="train and serve on a base cut to the tokens that the office needs")
    method: Literal["script", "usage"] = Field(
        "script",
        description="script: all that texts in the scripts can hold; the base stays the same as reports come; "
        "usage: what the reports at hand use, smaller, but new reports then make another base, for which an adapter "
        "has to be trained anew",
    )
    scripts: tuple[str, ...] = Field(
        ("Latin",), min_length=1, description="script: Unicode scripts whose tokens are kept"
    )
    greek_letters: bool = Field(True, description="script: keep the Greek alphabet (α, µ, Ω) whatever the scripts")
    arrows: bool = Field(True, description="script: keep arrows (→, ⇒)")
    emoji: bool = Field(True, description="script: keep emoji")
    extra_characters: str = Field("", description="further characters whose tokens are kept")
    kept_texts: tuple[Path, ...] = Field(
        (), description="text files (.txt, .md) or folders of them whose tokens are kept, besides those of the reports"
    )
    usage_floor: int = Field(
        1, gt=0, description="usage: tokens that the reports use fewer times than this are left out"
    )
    pad_rows_to: int = Field(128, gt=0, description="embedding rows are padded to a multiple of this")


class Training(Branch):
    """QLoRA: a 4-bit base and a trained low-rank addition to every linear projection."""

    rank: int = Field(16, gt=0, description="rank of the adapter's matrices")
    alpha: int = Field(16, gt=0, description="scale of the adapter; divided by the square root of the rank (rsLoRA)")
    learning_rate: float = Field(2e-4, gt=0, description="highest learning rate, reached after the warm-up")
    warmup_share: float = Field(0.05, ge=0, lt=1, description="share of the steps in which the rate rises from 0")
    epochs: float = Field(1, gt=0, description="passes over the training examples")
    most_examples: int = Field(0, ge=0, description="most examples in one run, the languages in equal parts; 0: all")
    gradient_accumulation: int = Field(8, gt=0, description="examples to one step of the optimiser")
    longest_tokens: int = Field(24_576, gt=0, description="longest example, prompt and target together")
    gradient_checkpointing: bool = Field(True, description="keep each layer's input only, and compute the rest again")
    in_parts: Literal["auto", "always", "never"] = Field(
        "auto",
        description="compute long examples a layer, a tile and a group of heads at a time, with the same result in a "
        "fraction of the memory; auto: those of more than in_parts_from_tokens",
    )
    in_parts_from_tokens: int = Field(4096, ge=0, description="in_parts = auto: up to here examples are computed whole")
    tile_tokens: int = Field(2048, gt=0, description="in parts: tokens that pass through a layer's projections at once")
    loss_tokens: int = Field(512, gt=0, description="in parts: target tokens whose logits exist at once")
    kv_heads_at_once: int = Field(1, ge=0, description="in parts: key-value heads in attention's backward; 0: all")
    layer_inputs: Literal["host", "card"] = Field(
        "host", description="in parts: where layers' inputs wait for backward"
    )
    keep_every: int = Field(
        0,
        ge=0,
        description="in parts: of every so many layers one input is kept, the others are computed again; "
        "0: as many as the host's free memory holds",
    )
    embedding: Literal["host", "card"] = Field("host", description="in parts: where the embedding's rows are looked up")
    attention: Literal["auto", "flash_attention_2", "sdpa"] = Field(
        "auto", description="auto: flash-attn where it is installed beside a card, else torch's own flash kernel"
    )
    kernels: Literal["none", "liger", "unsloth", "auto"] = Field(
        "none",
        description="fused kernels in place of transformers' own modules; auto: Liger's, where installed beside a card",
    )
    optimizer: Literal["auto", "adamw", "adamw_8bit", "paged_adamw_8bit"] = Field(
        "auto", description="auto: paged 8-bit AdamW on a card, AdamW in 32 bits on a CPU"
    )
    evaluate_every_steps: int = Field(
        10,
        ge=0,
        description="steps between two looks at the held-out loss; the weights of the best look are the adapter; "
        "0: one look at the end",
    )
    patience: int = Field(
        0, ge=0, description="looks in a row without a better loss after which a run stops; 0: it never stops early"
    )
    checkpoint_every_steps: int = Field(10, gt=0, description="steps between two checkpoints that a run can go on from")
    memory_margin_bytes: int = Field(512 << 20, ge=0, description="free memory below which a run warns, once")
    adapt: bool = Field(False, description="out of memory, a run changes what it can by itself, tells it and goes on")
    clip_norm: float = Field(1.0, gt=0, description="largest norm of a step's gradient")
    seed: int = Field(0, ge=0, description="seed of the adapter's start and of the order of examples")

    def identity(self) -> dict[str, Any]:
        """Those that decide what a run makes; the rest say how it is watched and kept."""
        return self.model_dump(mode="json", exclude={"checkpoint_every_steps", "memory_margin_bytes", "adapt"})


class Evaluation(Branch):
    """Proof on held-out reports."""

    least_reports: int = Field(
        6,
        ge=2,
        description="fewest held-out reports that a candidate is judged on; of fewer than 6, even a difference that "
        "all of them share comes about by chance more often than once in 20 times",
    )
    most_sections: int = Field(0, ge=0, description="most held-out sections judged, reports in equal parts; 0: all")
    generated_sections: int = Field(
        100,
        ge=0,
        description="held-out sections that are also written by the model; the fewer, the less can be said of invented "
        "facts, repetition and endings; 0: none, and these are not looked at",
    )
    generated_tokens: int = Field(512, gt=0, description="most tokens of each written section")
    url: str | None = Field(
        None,
        description="a vLLM on this machine that serves the base (memoria serve tells its address), for instance "
        "http://127.0.0.1:8000/v1: it writes the sections, several at once, in place of transformers",
    )
    parallel_requests: int = Field(8, gt=0, description="sections that it is asked for at the same time")
    embedding: Path | None = Field(
        None,
        description="folder of a model of sentences in the office's languages (sentence-transformers' format): the "
        "written sections are also compared with the true ones in meaning",
    )
    judge_url: str | None = Field(
        None,
        description="an OpenAI-compatible server whose model compares the written sections, up to and with /v1; the "
        "sections are sent there, and what it says decides nothing",
    )
    judge_model: str = Field("", description="the judge's model, by the name under which it is served")
    judge_api_key: str | None = Field(
        None, exclude=True, description="its key; in the environment rather than in a file: MEMORIA_EVALUATION__..."
    )
    margin_unsupported: float = Field(
        0.05,
        ge=0,
        le=1,
        description="by how much the share of facts without a source may grow, at worst, in a better candidate's text",
    )
    margin_repetition: float = Field(
        0.03, ge=0, le=1, description="the same of the share of words in passages that go round in circles"
    )
    margin_endings: float = Field(
        0.1, ge=0, le=1, description="the same of the share of sections that do not come to an end by themselves"
    )
    leaks: Literal["fail", "leave out"] = Field(
        "fail",
        description="held-out sections that stand, in good part, in a report that an adapter was trained on: fail (an "
        "error names them) or leave out (they are not judged)",
    )
    leak_words: int = Field(13, ge=3, description="words in a row that a leak is told by")
    leak_share: float = Field(
        0.5, gt=0, le=1, description="share of a section's runs of so many words, in one report, that is a leak"
    )
    leak_boilerplate_reports: int = Field(
        3, ge=2, description="a run of words in so many reports trained on is a standard clause, and no leak"
    )
    resamples: int = Field(10_000, ge=100, description="bootstrap resamples behind each interval")
    seed: int = Field(0, ge=0, description="seed of the bootstrap")


class Serve(Branch):
    """The model server (vLLM)."""

    url: str | None = Field(
        None,
        description="an OpenAI-compatible server that runs already, for instance http://127.0.0.1:8000/v1",
    )
    api_key: str | None = Field(None, description="its key; the product's own server makes its own")
    max_model_len: int = Field(32_768, gt=0, description="longest prompt and answer together, in tokens")
    startup_timeout_seconds: float = Field(600, gt=0, description="how long the server may take to answer first")


class App(Branch):
    """The drafting page."""

    host: str = Field("127.0.0.1", description="address to listen on; other than loopback only behind a login")
    port: int = Field(7860, ge=0, le=65535, description="port to listen on; 0: a free one")
    draft_tokens: int = Field(1024, gt=0, description="most tokens of one generated section")
    temperature: float = Field(0.7, ge=0, le=2, description="0: always the likeliest word")
    repetition_penalty: float = Field(1.0, ge=1, le=2, description="above 1: words said already become less likely")
