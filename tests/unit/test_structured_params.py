"""Structured-output parameters: one form, and no mistake gets further than here."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import quire
from quire.declared import Parameter, parameters
from quire.errors import BadParameter, RequestError, UnknownOption
from quire.params import KINDS, GuidedDecodingParams, SamplingParams, StructuredOutputsParams

PARAMETERS = parameters(StructuredOutputsParams)
GOOD: dict[str, Any] = {
    "json": {"type": "object"},
    "regex": "a+",
    "choice": ["a", "b"],
    "grammar": 'root ::= "a"',
    "json_object": True,
    "structural_tag": {"structures": [], "triggers": []},
}


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda p: p.name)
def test_every_parameter_says_what_it_means(parameter: Parameter):
    assert parameter.help.endswith(".")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_taken_as_an_object_and_as_a_dict(kind: str):
    asked = StructuredOutputsParams(**{kind: GOOD[kind]})
    assert asked.kind == kind
    assert SamplingParams(structured_outputs=asked).structured_outputs is asked
    assert SamplingParams(structured_outputs={kind: GOOD[kind]}).structured_outputs == asked


def test_the_older_names_mean_the_same():
    assert GuidedDecodingParams is StructuredOutputsParams is quire.GuidedDecodingParams
    params = SamplingParams(guided_decoding=GuidedDecodingParams(regex="a"))
    assert params == SamplingParams(structured_outputs={"regex": "a"})
    with pytest.raises(BadParameter, match="give one of them"):
        SamplingParams(guided_decoding={"regex": "a"}, structured_outputs={"regex": "a"})


def test_what_is_off_is_not_given():
    assert StructuredOutputsParams(json_object=False, regex="a").kind == "regex"
    assert StructuredOutputsParams(json={}).kind == "json"  # any JSON at all
    assert SamplingParams().structured_outputs is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "exactly one of json, regex, .* given: none"),
        ({"json_object": False}, "given: none"),
        ({"json": {}, "regex": "a"}, "given: json and regex"),
        ({"choice": []}, "choice is empty"),
        ({"choice": "yes"}, "list of strings"),
        ({"choice": ["a", ""]}, "1 to 4,096 characters"),
        ({"choice": ["a", 1]}, "1 to 4,096 characters"),
        ({"choice": [str(i) for i in range(4097)]}, "has 4,097 strings and may have at most 4,096"),
        ({"json": 5}, "json must be a dict or JSON text"),
        ({"json": ""}, "json is empty"),
        ({"regex": 5}, "regex must be text"),
        ({"regex": ""}, "regex is empty"),
        ({"grammar": ["a"]}, "grammar must be text"),
        ({"json_object": "yes"}, "true or false"),
        ({"structural_tag": []}, "structural_tag must be"),
        ({"json": {}, "whitespace_pattern": 5}, "whitespace_pattern must be text"),
        ({"json": {}, "whitespace_pattern": " ", "disable_any_whitespace": True}, "not both"),
        ({"regex": "a", "disable_any_whitespace": True}, "no meaning for regex"),
        ({"choice": ["a"], "disable_additional_properties": True}, "no meaning for choice"),
        ({"json": {}, "disable_fallback": 1}, "true or false"),
    ],
    ids=str,
)
def test_a_bad_value_is_refused_with_the_reason(values: dict[str, Any], message: str):
    for make in (
        lambda: StructuredOutputsParams(**values),
        lambda: SamplingParams(structured_outputs=values),
    ):
        with pytest.raises(BadParameter, match=message):
            make()


def test_an_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(UnknownOption, match="did you mean 'choice'"):
        StructuredOutputsParams(choices=["a"])
    with pytest.raises(BadParameter, match="structured_outputs has no 'choices'; did you mean 'choice'"):
        SamplingParams(structured_outputs={"choices": ["a"]})
    with pytest.raises(BadParameter, match="must be StructuredOutputsParams or a dict"):
        SamplingParams(structured_outputs="json")


def test_params_can_be_copied_and_changed():
    params = SamplingParams(guided_decoding={"json": {"type": "array"}}, seed=3)
    assert copy.deepcopy(params) == params == params.clone()
    assert dataclasses.replace(params, seed=4).structured_outputs == params.structured_outputs


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
anything = scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=3), scalars, max_size=3)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([p.name for p in PARAMETERS]), anything))
def test_whatever_is_given_is_taken_or_refused_with_a_request_error(values: dict[str, Any]):
    try:
        SamplingParams(structured_outputs=values)
    except RequestError as e:
        assert str(e)
