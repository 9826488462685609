"""Pooling parameters: what has no meaning for the task is refused at once, with the reason."""

from __future__ import annotations

import copy
import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire import PoolingParams
from quire.declared import Parameter, parameters
from quire.errors import BadParameter, QuireError, RequestError, UnknownOption
from quire.params import TASKS

PARAMETERS = parameters(PoolingParams)


def named(*kinds: type) -> pytest.MarkDecorator:
    chosen = [p for p in PARAMETERS if p.kind in kinds or not kinds]
    return pytest.mark.parametrize("parameter", chosen, ids=lambda p: p.name)


def test_nothing_is_decided_before_the_task_is_known():
    params = PoolingParams()
    assert (params.task, params.normalize, params.use_activation, params.dimensions) == (None,) * 4
    assert (params.truncate_prompt_tokens, params.priority, params.cache_salt) == (None, 0, None)


@named()
def test_every_parameter_says_what_it_means(parameter: Parameter):
    assert parameter.help.endswith(".")


@named(int)
def test_a_number_out_of_range_is_refused_with_the_range(parameter: Parameter):
    outside = [] if parameter.low is None else [parameter.low - 1]
    outside += [] if parameter.high is None else [parameter.high + 1]
    for value in outside:
        with pytest.raises(BadParameter, match=parameter.name) as error:
            PoolingParams(**{parameter.name: value})
        assert parameter.range in str(error.value)


@named(int)
@pytest.mark.parametrize("value", ["1", True, [1], 1.5, math.nan], ids=repr)
def test_what_is_no_whole_number_is_refused(parameter: Parameter, value: Any):
    with pytest.raises(BadParameter, match=parameter.name):
        PoolingParams(**{parameter.name: value})


@named(bool)
@pytest.mark.parametrize("value", ["no", 0, 1.0], ids=repr)
def test_a_switch_is_true_or_false(parameter: Parameter, value: Any):
    with pytest.raises(BadParameter, match="true or false"):
        PoolingParams(**{parameter.name: value})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"task": "embedd"}, "did you mean 'embed'"),
        ({"task": ""}, "one of embed, classify, encode, score"),
        ({"task": 7}, "one of embed, classify, encode, score, got 7"),
        ({"task": "classify", "dimensions": 4}, "dimensions has no meaning for the task 'classify'"),
        ({"task": "score", "normalize": False}, "normalize has no meaning for the task 'score'"),
        ({"task": "embed", "use_activation": True}, "use_activation has no meaning for the task 'embed'"),
        ({"task": "encode", "use_activation": True}, "use_activation has no meaning for the task 'encode'"),
        ({"truncate_prompt_tokens": 0}, "give 1 or more, or -1"),
        ({"cache_salt": 5}, "must be a string"),
    ],
    ids=str,
)
def test_a_bad_value_is_refused_with_the_reason(values: dict[str, Any], message: str):
    with pytest.raises(BadParameter, match=message) as error:
        PoolingParams(**values)
    assert isinstance(error.value, ValueError) and error.value.status == 400


def test_an_unknown_argument_is_refused_with_the_nearest_one():
    with pytest.raises(UnknownOption, match="did you mean 'normalize'"):
        PoolingParams(normalise=True)


def test_a_task_is_known_by_vllms_newer_name_too():
    assert PoolingParams(task="token_embed").task == "encode"
    assert [PoolingParams(task=task).task for task in TASKS] == list(TASKS)


def test_a_task_that_is_put_in_later_is_checked_as_well():
    params = PoolingParams(use_activation=False)
    assert dataclasses.replace(params, task="classify").use_activation is False
    with pytest.raises(BadParameter, match="use_activation"):
        dataclasses.replace(params, task="embed")


def test_params_can_be_copied_and_numbers_of_numpy_are_numbers():
    params = PoolingParams(task="embed", dimensions=np.int64(5), truncate_prompt_tokens=-1)
    assert type(params.dimensions) is int
    assert params.clone() == copy.deepcopy(params) == params


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(TASKS)
)


@given(
    st.dictionaries(st.sampled_from([p.name for p in PARAMETERS]), scalars | st.lists(scalars, max_size=2))
)
def test_whatever_is_given_is_taken_or_refused_with_a_request_error(values: dict[str, Any]):
    try:
        PoolingParams(**values)
    except QuireError as e:
        assert isinstance(e, RequestError) and str(e)
