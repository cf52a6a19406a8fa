"""The terms of a step in parts (`pipeline.training.long`), in closed form: what `simulate` finds of it.

held      the gradient of a layer's output; queries, what was attended to and its gradient; keys and values
at work   attention's backward for a group of heads; or a tile's MLP, forward again and back
          or the loss: logits of a few targets and their gradients
kept      layers' inputs, on the card or in host memory
"""

from pipeline.memory.parts import embedding_bytes, embedding_on_host
from pipeline.memory.run import Run
from pipeline.training.schedule import Schedule

_BFLOAT16 = 2


def kept_bytes(run: Run, schedule: Schedule) -> float:
    """Layers' inputs that wait on the card."""
    return _inputs(run, schedule) if schedule.inputs == "card" else 0


def working_bytes(run: Run, schedule: Schedule) -> float:
    """The most that one part of the step needs at once, beside what is kept."""
    positions = 2 * _BFLOAT16 * run.tokens * run.shape.head_dim
    return positions + max(_layer(run, schedule), _loss(run, schedule))


def host_bytes(run: Run, schedule: Schedule) -> int:
    """In host memory: layers' inputs, with the last one's output, and the embedding.

    Inputs are pinned tile by tile, and PyTorch rounds pinned memory up to a power of two.
    """
    held = embedding_bytes(run.shape) if embedding_on_host(run) else 0
    if schedule.inputs == "card":
        return held
    tile, channel = _tile_tokens(run, schedule), _BFLOAT16 * run.shape.hidden
    whole, rest = divmod(run.tokens, tile)
    one = whole * _power_of_two(tile * channel) + (_power_of_two(rest * channel) if rest else 0)
    kept = -(-run.shape.layers // schedule.keep_every)
    return held + one * (kept + max(1, schedule.keep_every - 1))


def _inputs(run: Run, schedule: Schedule) -> float:
    """Of every so many layers one; and of those between, when they are computed again."""
    kept = -(-run.shape.layers // schedule.keep_every) + schedule.keep_every - 1
    return kept * _BFLOAT16 * run.tokens * run.shape.hidden


def _tile_tokens(run: Run, schedule: Schedule) -> int:
    return min(schedule.tile_tokens or run.tokens, run.tokens)


def _power_of_two(count: int) -> int:
    return 1 << (count - 1).bit_length()


def _layer(run: Run, schedule: Schedule) -> float:
    """Backward of one layer: through its MLP and attention, or at last through the projections."""
    shape, tokens = run.shape, run.tokens
    held = tokens * (2 * shape.hidden + 6 * shape.queries + 4 * shape.keys + 4 * shape.heads)
    return max(held + max(_attention(run, schedule), _tile(run, schedule)), _projections(run, schedule))


def _attention(run: Run, schedule: Schedule) -> float:
    """Backward of attention for a group of heads: gradients, float32 sums of the queries', the keys' for every head.

    Of the last tile, its input and the gradient of what was attended to are still there.
    """
    shape = run.shape
    kv_heads, heads = _group(run, schedule)
    scratch = heads * (4 * shape.head_dim + 4) + (4 * heads * shape.head_dim if heads != kv_heads else 0)
    left = _BFLOAT16 * _tile_tokens(run, schedule) * (shape.hidden + shape.queries)
    return run.tokens * (2 * heads * shape.head_dim + 4 * kv_heads * shape.head_dim + scratch) + left


def _projections(run: Run, schedule: Schedule) -> float:
    """Back through a tile's projections, where heads are normalised: six tensors of the queries in float32."""
    shape, tokens, tile = run.shape, run.tokens, _tile_tokens(run, schedule)
    if not shape.head_norms:
        return 0
    gradients = _BFLOAT16 * tokens * (shape.hidden + shape.queries + 2 * shape.keys)
    ahead = min(3 * tile, tokens) if schedule.inputs == "host" else 0
    at_work = tile * (30 * shape.queries + 10 * shape.keys + 6 * shape.hidden)
    left = _BFLOAT16 * tokens * _group(run, schedule)[1] * shape.head_dim  # of the last group
    return gradients + left + at_work + _BFLOAT16 * ahead * shape.hidden


def _group(run: Run, schedule: Schedule) -> tuple[int, int]:
    """Key-value heads, and query heads, in attention's backward at once."""
    kv_heads = min(schedule.kv_heads_at_once or run.shape.kv_heads, run.shape.kv_heads)
    return kv_heads, kv_heads * run.shape.heads // run.shape.kv_heads


def _tile(run: Run, schedule: Schedule) -> float:
    """A tile's MLP: back through it over a base in 4 bits, or forward through an adapter's part of its last projection.

    4 bits: gate, up, activation and three gradients, or one less and a weight dequantised. Else the input is cast to
    float32 for the adapter, and back by autocast.
    """
    shape = run.shape
    tile = _tile_tokens(run, schedule)
    wide, narrow, queries = (_BFLOAT16 * tile * width for width in (shape.ffn, shape.hidden, shape.queries))
    ahead = min(3 * tile, run.tokens) / tile if schedule.inputs == "host" else 0  # tiles here, left, and fetched
    attended = (2 if tile < run.tokens else 1) * queries  # and the gradient of the tile's before
    if run.method == "lora":
        return (ahead + 9) * narrow + attended + queries + 7 * wide
    dequantised = _BFLOAT16 * shape.hidden * shape.ffn
    return (ahead + 4) * narrow + attended + max(6 * wide, 5 * wide + narrow + dequantised)


def _loss(run: Run, schedule: Schedule) -> float:
    """Logits of a few targets and their gradients; hidden states and their gradient, and of a tile its rows, twice."""
    shape, tile = run.shape, _tile_tokens(run, schedule)
    targets = min(run.targets or tile, tile)
    logits = min(schedule.loss_tokens or targets, targets) * shape.vocabulary
    here = min(3 * tile, run.tokens) if schedule.inputs == "host" else run.tokens
    narrow = run.tokens + here + 2 * targets
    return _BFLOAT16 * shape.hidden * narrow + 12 * logits
