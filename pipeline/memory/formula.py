"""The terms of a training step's peak in closed form: what `simulate` finds, in microseconds and without torch.

Each term is a tensor that is alive at the peak, as the simulation lists them. Of Qwen3-8B, in units of all tokens'
hidden states in bfloat16 (u):

    whole, by transformers and peft     L + 47 u: a layer's input each, and one layer with casts of inputs to float32;
                                        or L + 4 u + 12 bytes a row of the vocabulary: log-probabilities, two gradients
    in parts                            5 u: queries, attention, both gradients, keys and values; with all heads at once
                                        9 u more in attention's backward; a layer's MLP in tiles, 17 u of one tile;
                                        L u more if the layers' inputs stay on the card
"""

from pipeline.memory.run import Run
from pipeline.memory.shape import Shape
from pipeline.training.schedule import Schedule

WORKSPACE_BYTES = 32 << 20  # as the simulation allows for
_QUANTISATION_BYTES = 1 / 64 + 4 / 64 / 256  # 8-bit scales, and scales of scales: a weight
_CODE_BOOKS_BYTES = 4 * 512  # two tables of codes and an offset, in the allocator's blocks: a matrix
_STATE_BYTES = {"adamw": 8, "adamw_8bit": 2 * (1 + 4 / 256), "paged_adamw_8bit": 2 * (1 + 4 / 256)}  # a parameter
_ADAPTER_BYTES = 4  # float32
_BFLOAT16 = 2


def static_parts(run: Run) -> dict[str, float]:
    """Bytes that are on the card throughout, by kind."""
    shape = run.shape
    parts = {**_base(run), "workspace of matrix products": WORKSPACE_BYTES}
    if run.method == "full":
        trained, width = shape.parameters, _BFLOAT16
        parts["master weights"] = 4 * trained if run.master_weights else 0
    else:
        trained, width = adapter_parameters(shape, run.rank), _ADAPTER_BYTES
        parts["adapter"] = trained * width
    parts["gradients"] = trained * width
    parts["optimiser"] = trained * _STATE_BYTES[run.optimizer]
    return {name: held for name, held in parts.items() if held}


def _base(run: Run) -> dict[str, float]:
    shape = run.shape
    matrix = _BFLOAT16 * shape.vocabulary * shape.hidden
    looked_up_on_host = run.schedule is not None and run.schedule.embedding == "host" and not shape.tied
    parts: dict[str, float] = {
        "norms and biases": _BFLOAT16 * shape.vectors,
        "embedding": 0 if looked_up_on_host else matrix,
        "head": 0 if shape.tied else matrix,
    }
    if run.method != "qlora":
        return {"weights": _BFLOAT16 * shape.linear, **parts}
    constants = shape.linear * _QUANTISATION_BYTES + 7 * shape.layers * _CODE_BOOKS_BYTES
    return {"weights in 4 bits": shape.linear / 2, "quantisation constants": constants, **parts}


def adapter_parameters(shape: Shape, rank: int) -> int:
    """Parameters of LoRA on all linear projections of all layers."""
    to_queries, to_keys, to_ffn = (shape.hidden + width for width in (shape.queries, shape.keys, shape.ffn))
    return shape.layers * rank * (2 * to_queries + 2 * to_keys + 3 * to_ffn)


def kept_bytes(run: Run) -> float:
    """What every layer keeps on the card until backward comes to it, all layers together."""
    shape, schedule = run.shape, run.schedule
    u = _BFLOAT16 * run.batch * run.tokens * shape.hidden
    if schedule is None:
        a_layer = u if run.checkpointing else _plain_layer(run)
        return shape.layers * a_layer
    if schedule.inputs == "host":
        return 0
    return (-(-shape.layers // schedule.keep_every) + schedule.keep_every - 1) * u


def working_bytes(run: Run) -> float:
    """The most that one part of the step needs at once, beside what is kept: a layer's backward, or the loss."""
    shape, schedule, tokens = run.shape, run.schedule, run.tokens
    if schedule is None:
        return max(_plain_loss(run), _plain_layer(run))
    positions = 4 * tokens * shape.head_dim
    return positions + max(_layer(shape, tokens, schedule), _loss(run, schedule))


def host_bytes(run: Run) -> float:
    """In host memory, of what would otherwise be on the card: layers' inputs, and the embedding."""
    shape, schedule = run.shape, run.schedule
    if schedule is None:
        return 0
    inputs = 0
    if schedule.inputs == "host":
        every = schedule.keep_every
        inputs = (-(-shape.layers // every) + every) * _BFLOAT16 * run.tokens * shape.hidden
    looked_up = schedule.embedding == "host" and not shape.tied
    return inputs + (_BFLOAT16 * shape.vocabulary * shape.hidden if looked_up else 0)


def _plain_loss(run: Run) -> float:
    shape, rows = run.shape, run.batch * run.tokens
    logits = run.batch * (run.targets or run.tokens) * shape.vocabulary
    return 4 * _BFLOAT16 * rows * shape.hidden + 12 * logits


def _plain_layer(run: Run) -> float:
    """Backward of one MLP, when all that its layer computed is there again, for adapter and norms in float32."""
    shape = run.shape
    hidden, ffn, queries, keys = shape.hidden, shape.ffn, shape.queries, shape.keys
    bfloat16 = 3 * hidden + 2 * queries + 2 * keys + 3 * ffn
    float32 = 8 * hidden + 2 * queries + keys + 2 * ffn + shape.heads + 7 * run.rank
    return run.batch * run.tokens * (2 * bfloat16 + 4 * float32)


def _layer(shape: Shape, tokens: int, schedule: Schedule) -> float:
    """Backward of one layer: queries, attention, both gradients, keys, values; and attention's work or a tile's."""
    held = tokens * (2 * shape.hidden + 6 * shape.queries + 4 * shape.keys + 4 * shape.heads)
    return held + max(_attention(shape, tokens, schedule), _tile(shape, tokens, schedule))


def _attention(shape: Shape, tokens: int, schedule: Schedule) -> float:
    """Backward of attention for a group of heads: gradients, float32 sums of the queries', the keys' for every head."""
    kv_heads = min(schedule.kv_heads_at_once or shape.kv_heads, shape.kv_heads)
    heads = kv_heads * shape.heads // shape.kv_heads
    scratch = heads * (4 * shape.head_dim + 4) + (4 * heads * shape.head_dim if heads != kv_heads else 0)
    return tokens * (2 * heads * shape.head_dim + 4 * kv_heads * shape.head_dim + scratch)


def _tile(shape: Shape, tokens: int, schedule: Schedule) -> float:
    """Backward of a tile's MLP, with the down projection's weight dequantised or with one tensor more."""
    tile = min(schedule.tile_tokens or tokens, tokens)
    wide, narrow = 2 * tile * shape.ffn, 2 * tile * shape.hidden
    waiting = 3 * narrow if schedule.inputs == "host" and tile < tokens else narrow  # fetched ahead
    of_norm = 2 * narrow
    return waiting + 3 * narrow + of_norm + max(6 * wide, 5 * wide + narrow + 2 * shape.hidden * shape.ffn)


def _loss(run: Run, schedule: Schedule) -> float:
    """Logits of a few targets and their gradients, the hidden states' gradient, and tiles that these are read from."""
    shape, tokens = run.shape, run.tokens
    tile = min(schedule.tile_tokens or tokens, tokens)
    rows = min(schedule.loss_tokens or tile, tile, run.targets or tile)
    return 2 * tokens * shape.hidden + 3 * 2 * tile * shape.hidden + 12 * rows * shape.vocabulary
