"""The terms of a step that transformers and peft compute whole, in closed form: what `simulate` finds of it.

Each term is a tensor that is alive at the peak, as the simulation lists them: so many bytes a token and channel.

    kept        each layer's input; or, with nothing computed again, all that its backward reads
    at work     the loss: 12 bytes a row of the vocabulary (log-probabilities, two gradients); or one layer, all of
                whose tensors are there again, with casts of inputs to float32 for an adapter in float32

In docstrings I32 is a tensor as wide as the MLP in float32, I16 one in bfloat16.
"""

from pipeline.memory.parts import embedding_bytes
from pipeline.memory.run import Run
from pipeline.memory.shape import Shape

_BFLOAT16, _FLOAT32 = 2, 4
_SCALES = 1 + 2 / 64  # a dequantised weight, and its scales in float32


def kept_bytes(run: Run) -> float:
    """What every layer keeps until backward comes to it, all layers together."""
    a_token = _BFLOAT16 * run.shape.hidden if run.checkpointing else _saved(run)
    return run.shape.layers * run.batch * run.tokens * a_token


def working_bytes(run: Run) -> float:
    """The most that one part of the step needs at once, beside what is kept: a layer, or the loss."""
    positions = 2 * _BFLOAT16 * run.tokens * run.shape.head_dim
    return positions + max(_loss(run), _layer_again(run) if run.checkpointing else _last_layer(run))


def _saved(run: Run) -> float:
    """Bytes a token of what one layer's backward reads."""
    shape, adapter = run.shape, run.method != "full"
    hidden, ffn, queries, keys = shape.hidden, shape.ffn, shape.queries, shape.keys
    saved: float = 2 * _FLOAT32 * hidden + 2 * _FLOAT32  # of two norms
    saved += _BFLOAT16 * (2 * queries + 2 * keys) + _FLOAT32 * shape.heads  # of attention, with its softmax's sums
    saved += _of_head_norms(shape, adapter)
    if adapter:  # each input cast by itself: of queries, keys, values; of the output; of gate, up; of down
        return saved + 3 * _BFLOAT16 * ffn + _FLOAT32 * (5 * hidden + queries + ffn + 7 * run.rank)
    return saved + 4 * _BFLOAT16 * ffn + 4 * _BFLOAT16 * hidden


def _of_head_norms(shape: Shape, adapter: bool) -> float:
    """Bytes a token: what is normalised in float32, and its root; where their weights are trained, a copy as well."""
    if not shape.head_norms:
        return 0
    width = _FLOAT32 if adapter else _FLOAT32 + _BFLOAT16
    return width * (shape.queries + shape.keys) + _FLOAT32 * (shape.heads + shape.kv_heads)


def _layer_again(run: Run) -> float:
    """A layer that is computed again, within its MLP.

    An adapter: when the up projection's part of it is made (2 I32), or when the gradient comes back through the down
    projection, whose weight is dequantised. All weights: when the gradients of gate, up and their product are there
    (3 I16), or one less and the gradient of a weight.
    """
    shape, rows = run.shape, run.batch * run.tokens
    hidden, ffn = shape.hidden, shape.ffn
    weight = _BFLOAT16 * hidden * ffn
    saved = _saved(run)
    if run.method == "full":
        rest = saved - 4 * _BFLOAT16 * ffn + _BFLOAT16 * hidden
        return rows * rest + max(6 * _BFLOAT16 * ffn * rows, 5 * _BFLOAT16 * ffn * rows + weight)
    up = saved + _FLOAT32 * ffn - 4 * run.rank + (10 if run.method == "qlora" else 12) * hidden
    down = saved + (2 * _BFLOAT16 - _FLOAT32) * ffn + 2 * _BFLOAT16 * hidden
    return max(rows * up, rows * down + (weight * _SCALES if run.method == "qlora" else 0))


def _last_layer(run: Run) -> float:
    """Where backward begins, when nothing has been let go of yet."""
    shape, rows = run.shape, run.batch * run.tokens
    if run.method == "full":
        return rows * max(24 * shape.hidden, 4 * shape.ffn + 2 * shape.hidden)
    return rows * max(2 * shape.ffn + 14 * shape.hidden, 4 * shape.ffn + 7 * shape.hidden)


def _loss(run: Run) -> float:
    """Of the final norm and the logits; and of the head, if it is trained."""
    shape, rows = run.shape, run.batch * run.tokens
    read = run.batch * min(run.targets or run.tokens, run.tokens) * shape.vocabulary
    if run.method == "full":
        return 8 * rows * shape.hidden + max(12 * read, embedding_bytes(shape) + _BFLOAT16 * read)
    return 4 * rows * shape.hidden + 12 * read
