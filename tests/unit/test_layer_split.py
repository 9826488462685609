"""Which layers each stage of a pipeline gets."""

from __future__ import annotations

import pytest

from quire.errors import BadOption
from quire.parallel.stages import Stage, split_layers, stage_of


def sizes(layers: int, stages: int, given: str | None = None) -> list[int]:
    return [len(stage) for stage in split_layers(layers, stages, given)]


@pytest.mark.parametrize(
    ("layers", "stages", "expected"),
    [
        (16, 4, [4, 4, 4, 4]),
        (7, 3, [2, 3, 2]),
        (18, 4, [4, 5, 5, 4]),
        (8, 3, [3, 3, 2]),
        (7, 2, [4, 3]),
        (5, 5, [1, 1, 1, 1, 1]),
        (5, 1, [5]),
    ],
)
def test_stages_are_equal_or_the_ends_have_fewer_and_the_head_fewest(layers, stages, expected):
    assert sizes(layers, stages) == expected


@pytest.mark.parametrize("stages", range(1, 9))
@pytest.mark.parametrize("layers", [8, 13, 61, 80])
def test_every_layer_is_in_one_stage_and_they_differ_by_one_at_most(layers, stages):
    split = split_layers(layers, stages)
    assert [layer for stage in split for layer in stage] == list(range(layers))
    assert max(map(len, split)) - min(map(len, split)) <= 1


def test_a_split_is_followed():
    assert split_layers(16, 2, "9,7") == (range(9), range(9, 16))
    assert sizes(7, 3, " 1, 5 ,1") == [1, 5, 1]


def test_the_ends_know_that_they_are():
    assert [stage_of(7, 3, at, "4,1,2") for at in range(3)] == [
        Stage(range(4), True, False),
        Stage(range(4, 5), False, False),
        Stage(range(5, 7), False, True),
    ]
    assert stage_of(3, 1, 0) == Stage(range(3))


@pytest.mark.parametrize(
    ("layers", "stages", "given", "said"),
    [
        (16, 2, "9,8", "9,8 adds up to 17 layers and the model has 16; such as 8,8"),
        (16, 2, "9,4,3", "9,4,3 is for 3 stages and --pipeline-parallel-size is 2; such as 8,8"),
        (8, 1, "4,4", "4,4 is for 2 stages; add --pipeline-parallel-size 2$"),
        (16, 2, "16,0", "'16,0' is not a list of numbers from 1 on"),
        (16, 2, "9;7", "'9;7' is not a list of numbers"),
        (16, 2, "", "'' is not a list of numbers"),
        (16, 2, "-1,17", "'-1,17' is not a list of numbers"),
        (3, 4, None, "--pipeline-parallel-size 4 is more than the 3 layers of this model; choose at most 3"),
        (3, 4, "1,1,1,0", "choose at most 3"),
    ],
)
def test_a_split_that_makes_no_sense_is_refused_with_the_numbers(layers, stages, given, said):
    with pytest.raises(BadOption, match=said.replace("(", r"\(")):
        split_layers(layers, stages, given)
