"""What lies on the card throughout a run, in closed form: to the byte what `static.py` counts of the real model.

CUDA's caching allocator hands out multiples of 512 bytes, so every tensor is rounded up by itself.
"""

from collections.abc import Iterator

from pipeline.memory.run import Optimizer, Run
from pipeline.memory.shape import Shape

BLOCK_BYTES = 512
WORKSPACE_BYTES = 32 << 20
"""An allowance for the workspace that the first matrix product takes and keeps: 32 MiB on Hopper, 8.1 MiB on others."""
QUANTISED_BLOCK, NESTED_BLOCK = 64, 256
"""Weights to one 8-bit scale in NF4, and scales to one in float32 (double quantisation)."""
_CODE_BOOKS = (16 * 4, 256 * 4, 4)  # of weights, of scales, and the scales' offset: bytes for each matrix
_PAGED_FROM = 4096  # parameters of a matrix from which bitsandbytes keeps its state in 8 bits
_STATE_BLOCK = 256
_QUANTISATION_MAP_BYTES = 256 * 4
_BFLOAT16, _FLOAT32 = 2, 4


def in_blocks(count: float) -> int:
    """The bytes that a tensor of so many takes."""
    return -int(-count // BLOCK_BYTES) * BLOCK_BYTES


def state_bytes(name: Optimizer, parameters: int) -> list[int]:
    """Bytes of each tensor of AdamW's state for a matrix: two moments in float32, or in 8 bits with a scale a block.

    Dettmers et al., "8-bit Optimizers via Block-wise Quantization" (2022); small matrices stay in float32.
    """
    if name == "adamw" or parameters < _PAGED_FROM:
        return [_FLOAT32 * parameters] * 2
    return [parameters, _FLOAT32 * -(-parameters // _STATE_BLOCK)] * 2


def shared_state_bytes(name: Optimizer) -> list[int]:
    """Bytes of what the optimiser keeps once: the tables that 8-bit moments are read by."""
    return [] if name == "adamw" else [_QUANTISATION_MAP_BYTES] * 2


def static_parts(run: Run) -> dict[str, int]:
    """Bytes by kind."""
    shape = run.shape
    parts = dict(_base(run))
    if run.method == "full":
        trained = [*_vectors(shape), *_layers(shape), *_outer(shape)]
        width = _BFLOAT16
    else:
        trained = [run.rank * side for matrix in _matrices(shape) for side in matrix] * shape.layers
        width = _FLOAT32
        parts["adapter"] = sum(in_blocks(width * count) for count in trained)
    parts["gradients"] = sum(in_blocks(width * count) for count in trained)
    states = [held for count in trained for held in state_bytes(run.optimizer, count)]
    parts["optimiser"] = sum(map(in_blocks, [*states, *shared_state_bytes(run.optimizer)]))
    if run.method == "full" and run.master_weights:
        parts["master weights"] = sum(in_blocks(_FLOAT32 * count) for count in trained)
    return {**parts, "workspace of matrix products": WORKSPACE_BYTES}


def adapter_parameters(shape: Shape, rank: int) -> int:
    """Parameters of LoRA on all linear projections of all layers."""
    return shape.layers * rank * sum(inputs + outputs for inputs, outputs in _matrices(shape))


def embedding_bytes(shape: Shape) -> int:
    """Of the embedding, and as many of the head."""
    return in_blocks(_BFLOAT16 * shape.vocabulary * shape.hidden)


def embedding_on_host(run: Run) -> bool:
    """Whether the embedding's rows are looked up in host memory; one that is the head as well never is."""
    return run.schedule is not None and run.schedule.embedding == "host" and not run.shape.tied


def _base(run: Run) -> Iterator[tuple[str, int]]:
    shape = run.shape
    weights = [inputs * outputs for inputs, outputs in _matrices(shape)]
    if run.method == "qlora":
        yield "weights in 4 bits", shape.layers * sum(in_blocks(count / 2) for count in weights)
        yield "quantisation constants", shape.layers * sum(map(_constants, weights))
    else:
        yield "weights", shape.layers * sum(in_blocks(_BFLOAT16 * count) for count in weights)
    yield "norms and biases", sum(in_blocks(_BFLOAT16 * count) for count in _vectors(shape))
    if not embedding_on_host(run):
        yield "embedding", embedding_bytes(shape)
    if not shape.tied:
        yield "head", embedding_bytes(shape)
    yield "buffers", 2 * in_blocks(_FLOAT32 * shape.head_dim // 2)  # frequencies of the rotation, twice


def _constants(weights: int) -> int:
    """Of one matrix in 4 bits."""
    blocks = -(-weights // QUANTISED_BLOCK)
    nested = _FLOAT32 * -(-blocks // NESTED_BLOCK)
    return sum(map(in_blocks, (blocks, nested, *_CODE_BOOKS)))


def _matrices(shape: Shape) -> list[tuple[int, int]]:
    """Inputs and outputs of a layer's linear projections."""
    queries, keys, hidden, ffn = shape.queries, shape.keys, shape.hidden, shape.ffn
    attention = [(hidden, queries), (hidden, keys), (hidden, keys), (queries, hidden)]
    return [*attention, (hidden, ffn), (hidden, ffn), (ffn, hidden)]


def _layers(shape: Shape) -> list[int]:
    return [inputs * outputs for inputs, outputs in _matrices(shape)] * shape.layers


def _outer(shape: Shape) -> list[int]:
    return [shape.vocabulary * shape.hidden] * (1 if shape.tied else 2)


def _vectors(shape: Shape) -> list[int]:
    norms = [shape.hidden] * 2 + [shape.head_dim] * 2 * shape.head_norms
    biases = [shape.queries, shape.keys, shape.keys] * shape.biases
    return [*norms, *biases] * shape.layers + [shape.hidden]
