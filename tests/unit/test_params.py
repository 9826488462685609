"""Sampling parameters: each bad value is refused at once, with the range."""

from __future__ import annotations

import copy
import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.declared import Parameter, parameters
from quire.errors import BadParameter, QuireError, RequestError, UnknownOption
from quire.params import BeamSearchParams, SamplingParams

PARAMETERS = parameters(SamplingParams)
NUMBERS = [p for p in PARAMETERS if p.kind in (int, float)]


def named(chosen: list[Parameter]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("parameter", chosen, ids=lambda p: p.name)


def test_the_defaults_are_those_of_vllm():
    params = SamplingParams()
    assert (params.n, params.temperature, params.top_p, params.top_k, params.max_tokens) == (
        1,
        1.0,
        1.0,
        0,
        16,
    )
    assert params.stop == [] and params.stop_token_ids == [] and params.bad_words == []


@named(list(PARAMETERS))
def test_every_parameter_says_what_it_means(parameter: Parameter):
    assert parameter.help.endswith(".")


@named(NUMBERS)
def test_a_number_out_of_range_is_refused_with_the_range(parameter: Parameter):
    outside = [] if parameter.low is None else [parameter.low - 1]
    outside += [] if parameter.high is None else [parameter.high + 1]
    for value in outside:
        with pytest.raises(BadParameter, match=parameter.name) as error:
            SamplingParams(**{parameter.name: value})
        assert parameter.range in str(error.value)


@named(NUMBERS)
@pytest.mark.parametrize("value", ["1", True, [1], 1j, math.nan], ids=repr)
def test_what_is_no_number_is_refused(parameter: Parameter, value: Any):
    with pytest.raises(BadParameter, match=parameter.name):
        SamplingParams(**{parameter.name: value})


@named([p for p in NUMBERS if p.kind is int])
def test_a_fraction_is_no_whole_number(parameter: Parameter):
    with pytest.raises(BadParameter, match="whole number"):
        SamplingParams(**{parameter.name: 1.5})


@named([p for p in PARAMETERS if p.kind is bool])
def test_a_switch_is_true_or_false(parameter: Parameter):
    with pytest.raises(BadParameter, match="true or false"):
        SamplingParams(**{parameter.name: "no"})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"top_p": 0}, "above 0"),
        ({"repetition_penalty": 0}, "above 0"),
        ({"n": 3, "best_of": 2}, "at least n"),
        ({"min_tokens": 20}, "max_tokens only 16"),
        ({"stop": ""}, "1 to 4,096 characters"),
        ({"stop": ["a", ""]}, "1 to 4,096 characters"),
        ({"stop": [1]}, "1 to 4,096 characters"),
        ({"stop": ["x" * 4097]}, "1 to 4,096 characters"),
        ({"stop": ["x"] * 257}, "at most 256"),
        ({"stop": 7}, "list of strings"),
        ({"stop": "x", "detokenize": False}, "leave detokenize on"),
        ({"stop_token_ids": ["a"]}, "whole number"),
        ({"stop_token_ids": [-1]}, "at least 0"),
        ({"stop_token_ids": "12"}, "list of token ids"),
        ({"stop_token_ids": [0] * 65_537}, "at most 65,536"),
        ({"bad_words": "word"}, "list of strings"),
        ({"bad_words": [""]}, "1 to 4,096 characters"),
        ({"allowed_token_ids": []}, "leave it out to allow all"),
        ({"allowed_token_ids": [1.5]}, "whole number"),
        ({"logit_bias": [1]}, "must map"),
        ({"logit_bias": {"cat": 1}}, "keys are token ids"),
        ({"logit_bias": {-1: 1}}, "token ids from 0"),
        ({"logit_bias": {1: 101}}, "-100 to 100"),
        ({"logit_bias": {1: math.nan}}, "-100 to 100"),
        ({"logit_bias": {1: "a"}}, "must be a number"),
        ({"output_kind": 1}, "RequestOutputKind"),
        ({"cache_salt": 5}, "must be a string"),
    ],
    ids=str,
)
def test_a_bad_value_is_refused_with_the_reason(values: dict[str, Any], message: str):
    with pytest.raises(BadParameter, match=message) as error:
        SamplingParams(**values)
    assert isinstance(error.value, ValueError) and error.value.status == 400


def test_an_unknown_argument_is_refused_with_the_nearest_one():
    with pytest.raises(UnknownOption, match="did you mean 'temperature'"):
        SamplingParams(temprature=1)
    with pytest.raises(UnknownOption, match="did you mean 'beam_width'"):
        BeamSearchParams(beams_width=1, max_tokens=2)


def test_values_are_brought_to_one_form():
    params = SamplingParams(stop="end", top_k=-1, logit_bias={"7": 2}, temperature=1e-5)
    assert params.stop == ["end"]
    assert params.top_k == 0
    assert params.logit_bias == {7: 2.0}
    assert params.temperature == 0.01 and not params.greedy
    assert SamplingParams(temperature=0).greedy


def test_numbers_of_numpy_are_numbers():
    params = SamplingParams(max_tokens=np.int64(5), temperature=np.float32(0.5), stop_token_ids=[np.int32(3)])
    assert (type(params.max_tokens), type(params.temperature)) == (int, float)
    assert params.stop_token_ids == [3]


def test_best_of_is_what_is_generated_and_n_what_is_returned():
    assert SamplingParams(n=2).samples == 2
    assert SamplingParams(n=2, best_of=5).samples == 5


def test_params_can_be_copied_and_changed():
    params = SamplingParams(stop=["a"], seed=3)
    assert copy.deepcopy(params) == params
    assert dataclasses.replace(params, seed=4).seed == 4


@pytest.mark.parametrize(
    "values",
    [{"beam_width": 0}, {"beam_width": 513}, {"max_tokens": 0}, {"length_penalty": 11}, {"temperature": -1}],
)
def test_beam_search_refuses_what_is_out_of_range(values: dict[str, Any]):
    with pytest.raises(BadParameter, match="must be at least"):
        BeamSearchParams(**{"beam_width": 2, "max_tokens": 4, **values})


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
anything = (
    scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.integers() | st.text(), scalars, max_size=3)
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the first text takes a while
@given(st.dictionaries(st.sampled_from([p.name for p in PARAMETERS]), anything))
def test_whatever_is_given_is_taken_or_refused_with_a_request_error(values: dict[str, Any]):
    try:
        SamplingParams(**values)
    except QuireError as e:
        assert isinstance(e, RequestError) and str(e)
