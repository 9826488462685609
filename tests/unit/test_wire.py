"""What goes over the wire comes out as it was; what is not what it says is refused."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, TypeVar

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire import wire
from quire.config import EngineConfig
from quire.errors import BadGrammar, BadParameter, EngineDead, PromptTooLong, RequestError, RequestFailed
from quire.params import PoolingParams, RequestOutputKind, SamplingParams, StructuredOutputsParams
from quire.types import (
    Admission,
    BlockWrites,
    Delta,
    Plan,
    Preemption,
    Request,
    Result,
    Scores,
    Timeline,
)

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ids = st.integers(0, 2**31 - 1)
int32s = st.lists(ids, max_size=8).map(lambda v: np.array(v, np.int32))
floats = st.floats(width=32, allow_nan=False)
float32s = st.lists(floats, max_size=8).map(lambda v: np.array(v, np.float32))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
structures = st.one_of(
    st.builds(StructuredOutputsParams, json=st.dictionaries(text, json_values, max_size=4)),
    st.builds(StructuredOutputsParams, regex=text.filter(bool)),
    st.builds(StructuredOutputsParams, choice=st.lists(text.filter(bool), min_size=1, max_size=3)),
    st.builds(StructuredOutputsParams, grammar=text.filter(bool)),
    st.builds(StructuredOutputsParams, json_object=st.just(True), disable_any_whitespace=st.booleans()),
)
sampling = st.builds(
    SamplingParams,
    n=st.integers(1, 5),
    temperature=st.floats(0, 100),
    top_k=st.integers(-1, 10**6),
    seed=st.none() | st.integers(-(2**63), 2**63 - 1),
    stop=st.lists(text.filter(bool), max_size=3),
    stop_token_ids=st.lists(ids, max_size=3),
    bad_words=st.lists(text.filter(bool), max_size=2),
    allowed_token_ids=st.none() | st.lists(ids, min_size=1, max_size=3),
    logit_bias=st.none() | st.dictionaries(ids, st.floats(-100, 100), max_size=3),
    max_tokens=st.none() | st.integers(1, 2**40),
    logprobs=st.none() | st.integers(0, 20),
    structured_outputs=st.none() | structures,
    priority=st.integers(-(2**31), 2**31 - 1),
    output_kind=st.sampled_from(RequestOutputKind),
    cache_salt=st.none() | text,
)
pooling = st.builds(
    PoolingParams, task=st.sampled_from(["embed", "encode", None]), dimensions=st.none() | st.integers(1, 512)
)
requests = st.builds(
    Request,
    id=text,
    prompt=int32s,
    params=sampling,
    seed=st.integers(-(2**63), 2**75),
    limit=st.integers(1, 2**31),
    stop_ids=st.frozensets(ids, max_size=4),
    eos_ids=st.frozensets(ids, max_size=4),
    arrival=st.floats(allow_nan=False),
    salt=st.binary(max_size=8),
    lora=st.binary(max_size=8),
    media=st.lists(st.tuples(ids, st.binary(max_size=4)), max_size=2).map(tuple),
    stream=st.booleans(),
    reuse_prefix=st.booleans(),
    pooling=st.none() | pooling,
    tenant=text,
    weight=st.floats(0, 10),
)
scores = st.builds(Scores, token_ids=int32s, logprobs=float32s, rank=st.integers(0, 2**31))
preemptions = st.builds(Preemption, at=floats, by=text, resumed=st.none() | floats)
timelines = st.builds(
    Timeline,
    queued=floats,
    planned=st.none() | floats,
    preemptions=st.lists(preemptions, max_size=2),
    blocked_by=st.lists(text, max_size=2),
)
matrices = st.tuples(st.integers(0, 4), st.integers(1, 4)).map(
    lambda s: np.arange(s[0] * s[1], dtype=np.float32).reshape(s)
)
deltas = st.builds(
    Delta,
    request_id=text,
    tokens=st.lists(ids, max_size=5),
    scores=st.lists(scores, max_size=2),
    prompt_scores=st.lists(scores, max_size=2),
    finish=st.sampled_from([None, "stop", "length", "abort", "error"]),
    stop_reason=st.none() | ids | text,
    error=st.none() | text,
    cached=ids,
    pooled=st.none() | float32s | matrices,
    timeline=st.none() | timelines,
)


def same(a: Any, b: Any) -> bool:
    """Equality that looks into arrays and their types."""
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())
        )
    if type(a) is not type(b):
        return False
    if isinstance(a, Request | Delta | Scores | Timeline | Preemption):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def sent(request: Request) -> Request:
    message = wire.read_for_engine(wire.pack(wire.submission([request])))
    assert isinstance(message, wire.Submit)
    return wire.submitted(message)[0]


@given(requests)
def test_a_request_arrives_as_it_was_sent(request: Request):
    arrived = sent(request)
    asked, found = request.params.structured_outputs, arrived.params.structured_outputs
    if asked is not None and asked.json is not None:  # a schema arrives as text that says the same
        assert found is not None and isinstance(found.json, str)
        assert json.loads(found.json) == asked.json
        request.params.structured_outputs = found
    request.seed %= 2**64  # all that is used of it
    assert same(arrived, request)


@given(st.lists(deltas, max_size=4))
def test_deltas_arrive_as_they_were_sent(told: list[Delta]):
    refused = [wire.Refused(["a0-1"], "BadGrammar", "no")]
    message = wire.read_for_front_end(wire.pack(wire.News(told, refused)))
    assert isinstance(message, wire.Arrived)
    assert same([wire.delta_of(packed) for packed in message.deltas], told)
    assert message.refused == refused


def test_the_answers_to_one_prompt_travel_together_and_the_prompt_once():
    prompt = np.arange(10_000, dtype=np.int32)
    several = [Request(f"a0-7-{i}", prompt, SamplingParams(n=64), seed=i, limit=20_000) for i in range(64)]
    message = wire.submission(several)
    assert len(wire.pack(message)) < 2 * prompt.nbytes
    assert [(r.id, r.seed) for r in wire.submitted(message)] == [(r.id, r.seed) for r in several]


def test_parameters_are_checked_again_when_they_arrive():
    request = Request("a0-1", np.array([1], np.int32), SamplingParams(), seed=0, limit=9)
    request.params.temperature = float("nan")
    message = wire.submission([request])
    with pytest.raises(msgspec.ValidationError, match="temperature is nan"):
        wire.submitted(message)


def test_half_a_surrogate_pair_is_refused_before_it_is_sent():
    request = Request("a0-1", np.array([1], np.int32), SamplingParams(bad_words=["\ud800"]), seed=0, limit=9)
    with pytest.raises(BadParameter, match="surrogate"):
        wire.submission([request])


def test_a_schema_that_is_no_json_is_a_bad_grammar():
    params = SamplingParams(structured_outputs={"json": {"minimum": float("nan")}})
    request = Request("a0-1", np.array([1], np.int32), params, seed=0, limit=9)
    with pytest.raises(BadGrammar, match="cannot be written as JSON"):
        wire.submission([request])


def test_bytes_that_are_no_message_are_refused():
    for data in (b"", b"\xc1", msgspec.msgpack.encode({"type": "pickle"}), msgspec.msgpack.encode([1, 2])):
        with pytest.raises(msgspec.MsgspecError):
            wire.read_for_engine(data)


@pytest.mark.parametrize("kind", [BadGrammar, PromptTooLong, EngineDead, RequestError])
def test_an_error_is_the_same_error_on_the_other_side(kind: type[Exception]):
    error = wire.error_of(kind.__name__, "it says why")
    assert type(error) is kind
    assert str(error) == "it says why"


def test_an_error_that_is_none_of_ours_is_a_failed_request():
    assert type(wire.error_of("SystemExit", "no")) is RequestFailed


def test_a_config_survives_the_journey_with_its_choices():
    config = EngineConfig.of(model="x", hf_overrides={"a": [1]}).having({"dtype": ("float32", "the CPU's")})
    plain = msgspec.msgpack.decode(msgspec.msgpack.encode(wire.plain_config(config)))
    assert wire.config_of(plain) == config


def test_arrays_are_known_however_numpy_spells_their_shape():
    """numpy has changed what NDArray stands for, and people have this release or that one."""
    for shape in (tuple[Any, ...], TypeVar("Shape"), Any):
        kind = np.ndarray[shape, np.dtype[np.float32]]
        assert wire.read_array(kind, np.ones(3, np.float32).tobytes()).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(NotImplementedError):
        wire.read_array(np.ndarray[Any, np.dtype[np.object_]], b"")


def test_a_plan_reaches_a_worker_as_it_was():
    row = np.array([3, 1], np.int32)
    schema = StructuredOutputsParams(json={"type": "string"})
    request = Request(
        "a", row, SamplingParams(seed=7, structured_outputs=schema), 2**70 + 5, 9, grammar=object()
    )
    plan = Plan(
        4,
        row,
        row,
        row,
        np.array([True, False]),
        [Admission(3, request, row, 0, [row, row])],
        [2],
        [BlockWrites(row, row, row)],
    )
    read = wire.read_plan(wire.pack_plan(plan))
    assert read.step == 4 and read.released == [2] and read.samples.tolist() == [True, False]
    assert all(a.tolist() == [3, 1] for a in (read.rows, read.start, read.count, read.blocks[0].columns))
    (admitted,) = read.admitted
    assert admitted.row == 3 and [t.tolist() for t in admitted.tables] == [[3, 1], [3, 1]]
    assert admitted.request.seed == 5 and admitted.request.grammar is None
    assert json.loads(admitted.request.params.structured_outputs.json) == {"type": "string"}


@given(st.lists(st.lists(ids, min_size=2, max_size=2), min_size=1, max_size=4), float32s, text)
def test_a_result_comes_back_as_it_was(tokens, values, why):
    ints = np.array(tokens, np.int32)
    scores = Scores(ints[0], np.array([1, 2], np.float32), 3)
    result = Result(ints, ints[:, 0], {0: [scores]}, {1: [scores]}, {2: values}, {3: why})
    read = wire.read_result(wire.pack_result(result))
    assert read.tokens.tolist() == tokens and read.counts.tolist() == ints[:, 0].tolist()
    assert read.scores[0][0].token_ids.tolist() == tokens[0] and read.prompt_scores[1][0].rank == 3
    assert read.pooled[2].tolist() == values.tolist() and read.failed == {3: why}
