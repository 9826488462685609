"""Which layers each stage of a pipeline computes. Arithmetic alone: nothing is built here.

The first stage also looks tokens up in the embedding, the last one norms and multiplies by the head. So
where stages cannot be equal the ones between get more, then the first: the head is by far the larger part.
"""

from __future__ import annotations

from typing import NamedTuple

from quire.errors import BadOption


class Stage(NamedTuple):
    """What one stage holds: some layers of the model, by the model's own numbers, and perhaps its ends."""

    layers: range
    first: bool = True  # it turns tokens into vectors
    last: bool = True  # it turns vectors into scores


def split_layers(layers: int, stages: int, given: str | None = None) -> tuple[range, ...]:
    """The layers of each stage, one after the other: as `given` says ("9,7"), or as equal as they can be."""
    sizes = _equal(layers, stages) if given is None else _given(layers, stages, given)
    ends = [sum(sizes[: i + 1]) for i in range(stages)]
    return tuple(range(end - size, end) for size, end in zip(sizes, ends, strict=True))


def stage_of(layers: int, stages: int, at: int, given: str | None = None) -> Stage:
    """What stage number `at` holds."""
    return Stage(split_layers(layers, stages, given)[at], at == 0, at == stages - 1)


def _equal(layers: int, stages: int) -> list[int]:
    if layers < stages:
        raise BadOption(
            f"--pipeline-parallel-size {stages} is more than the {layers} layers of this model; "
            f"choose at most {layers}"
        )
    each, more = divmod(layers, stages)
    filled = [*range(1, stages - 1), 0][:more]
    return [each + (i in filled) for i in range(stages)]


def _given(layers: int, stages: int, given: str) -> list[int]:
    example = ",".join(map(str, _equal(layers, stages)))
    parts = [part.strip() for part in given.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise BadOption(
            f"--pipeline-layer-split {given!r} is not a list of numbers from 1 on; such as {example}"
        )
    sizes = [int(part) for part in parts]
    if stages == 1 < len(sizes):
        wanted = len(sizes)
        raise BadOption(
            f"--pipeline-layer-split {given} is for {wanted} stages; add --pipeline-parallel-size {wanted}"
        )
    if len(sizes) != stages:
        raise BadOption(
            f"--pipeline-layer-split {given} is for {len(sizes)} stages and --pipeline-parallel-size is "
            f"{stages}; such as {example}"
        )
    if sum(sizes) != layers:
        raise BadOption(
            f"--pipeline-layer-split {given} adds up to {sum(sizes)} layers and the model has {layers}; "
            f"such as {example}"
        )
    return sizes
