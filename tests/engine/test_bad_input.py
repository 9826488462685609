"""What is wrong is refused at once, with the number and the way out; what breaks in a step breaks alone."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids
from torch import Tensor, nn

from quire import LLM, BeamSearchParams, SamplingParams
from quire.errors import (
    BadOption,
    BadParameter,
    CheckpointError,
    CorruptWeights,
    DoesNotFit,
    EmptyPrompt,
    NeedsTokenizer,
    PromptTooLong,
    RequestError,
    RequestFailed,
    TensorMismatch,
    TokenOutOfRange,
    UnknownOption,
)
from quire.types import Request

GOOD = [[5, 6, 7], [9] * 20, list(range(40, 60))]


@pytest.fixture(scope="module")
def llm(llama: Path) -> LLM:
    return open_llm(llama, skip_tokenizer_init=True, block_size=4)


@pytest.fixture(scope="module")
def right(llm: LLM) -> list[list[int]]:
    return token_ids(llm, GOOD)


# -- refused before anything is allocated --------------------------------------------------------------

BAD_PROMPTS: list[tuple[Any, type[RequestError], str]] = [
    ([], EmptyPrompt, "at least one token"),
    (np.array([], np.int64), EmptyPrompt, "at least one token"),
    ([1] * 128, PromptTooLong, "128 tokens .* at most 127 .*--max-model-len"),
    ([1] * 100_000, PromptTooLong, "100,000 tokens .* at most 127"),
    ([5, 263], TokenOutOfRange, "263 .* 0 to 262"),
    ([5, -1], TokenOutOfRange, "-1 .* 0 to 262"),
    ([2**31], TokenOutOfRange, f"{2**31} .* 0 to 262"),
    ([2**63], TokenOutOfRange, f"{2**63} .* 0 to 262"),
    ([2**64 + 5], TokenOutOfRange, f"{2**64 + 5} .* 0 to 262"),
    ([-(10**30)], TokenOutOfRange, f"-{10**30} .* 0 to 262"),
    ([1.0, 2.0], RequestError, "whole numbers"),
    ([1, 2.5], RequestError, "whole numbers"),
    ([1, math.nan], RequestError, "whole numbers"),
    ([True, False], RequestError, "whole numbers"),
    ([None], RequestError, "whole numbers"),
    (["a"], RequestError, "whole numbers"),
    ([[1, 2], [3]], RequestError, "whole numbers"),
    ([[1, 2], [3, 4]], RequestError, "whole numbers"),
    (7, RequestError, "whole numbers"),
    ("abc", NeedsTokenizer, "skip_tokenizer_init"),
    (b"abc", RequestError, "bytes; decode"),
    ({"prompt": 5}, RequestError, "must be text"),
    ({}, RequestError, "prompt_token_ids"),
    ({"prompt_token_ids": [1], "image": "x"}, RequestError, "image"),
]


@pytest.mark.parametrize(("prompt", "error", "message"), BAD_PROMPTS, ids=lambda x: repr(x)[:40])
def test_a_bad_prompt_is_refused_and_nothing_is_left_of_its_list(
    llm: LLM, right: list[list[int]], prompt: Any, error: type[RequestError], message: str
):
    bad = prompt if isinstance(prompt, str | bytes | dict) else {"prompt_token_ids": prompt}
    steps = llm.engine.stats.steps
    with pytest.raises(error, match=message) as caught:
        llm.generate([*GOOD, bad, *GOOD], greedy(), use_tqdm=False)
    assert caught.value.status == 400
    assert llm.engine.stats.steps == steps, "it was refused before any work was done"
    assert_at_rest(llm.engine)
    assert token_ids(llm, GOOD) == right


def test_a_limit_of_the_model_itself_is_not_to_be_raised(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True, max_model_len=256)
    with pytest.raises(PromptTooLong, match=r"at most 255 .*; shorten it or set truncate_prompt_tokens$"):
        llm.generate([[1] * 300])
    with pytest.raises(BadParameter, match=r"at most 256; lower max_tokens or shorten it$"):
        llm.beam_search([[1] * 250], BeamSearchParams(beam_width=2, max_tokens=16))


@pytest.mark.parametrize("prompts", [5, None, 2.5, object()], ids=["int", "None", "float", "object"])
def test_what_is_no_prompt_at_all_is_refused(llm: LLM, prompts: Any):
    with pytest.raises(RequestError, match="text, token ids or a list"):
        llm.generate(prompts)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"temperature": math.nan}, "temperature .*at least 0 and at most 100"),
        ({"temperature": math.inf}, "temperature is inf"),
        ({"n": 10**9}, "n is 1,000,000,000 .*at most 1,024"),
        ({"max_tokens": 0}, "max_tokens is 0 .*at least 1"),
        ({"top_p": 0.0}, "top_p is 0.0 .*above 0 and at most 1"),
        ({"seed": 2**64}, "seed is .*64-bit"),
        ({"logit_bias": {5: math.inf}}, "-100 to 100"),
    ],
    ids=str,
)
def test_a_bad_parameter_is_refused_before_there_is_a_request(params: dict[str, Any], message: str):
    with pytest.raises(BadParameter, match=message):
        SamplingParams(**params)


BAD_FOR_THIS_MODEL: list[tuple[dict[str, Any], type[RequestError], str]] = [
    ({"allowed_token_ids": [5, 263]}, TokenOutOfRange, "263 .* 0 to 262"),
    ({"logit_bias": {10**12: 1.0}}, TokenOutOfRange, f"{10**12} .* 0 to 262"),
    ({"stop_token_ids": [500]}, TokenOutOfRange, "500 .* 0 to 262"),
    ({"logprobs": 21}, BadParameter, "logprobs is 21 .* at most 20; raise --max-logprobs"),
    ({"prompt_logprobs": 21}, BadParameter, "prompt_logprobs is 21 .* at most 20; raise --max-logprobs"),
    ({"stop": "x"}, NeedsTokenizer, "stop_token_ids"),
    ({"bad_words": ["x"]}, NeedsTokenizer, "logit_bias"),
]


@pytest.mark.parametrize(("params", "error", "message"), BAD_FOR_THIS_MODEL, ids=str)
def test_a_parameter_this_model_cannot_serve_is_refused(
    llm: LLM, right: list[list[int]], params: dict[str, Any], error: type[RequestError], message: str
):
    with pytest.raises(error, match=message):
        llm.generate(GOOD, [greedy(), SamplingParams(**params), greedy()], use_tqdm=False)
    assert_at_rest(llm.engine)
    assert token_ids(llm, GOOD) == right


def test_params_and_priorities_must_be_as_many_as_the_prompts(llm: LLM):
    with pytest.raises(BadParameter, match="3 prompts and 2 sampling_params"):
        llm.generate(GOOD, [greedy()] * 2)
    with pytest.raises(BadParameter, match="3 prompts and 1 priorities"):
        llm.generate(GOOD, greedy(), priority=[1])
    assert_at_rest(llm.engine)


# -- folders that are no checkpoints -------------------------------------------------------------------


@pytest.fixture
def broken(llama: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(llama, tmp_path / "broken"))


def cut(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])


def point(folder: Path) -> None:
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 123\n"
    (folder / "model.safetensors").write_text(text)


def widen(folder: Path) -> None:
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"intermediate_size": 88', '"intermediate_size": 96'))


@pytest.mark.parametrize(
    ("damage", "error", "message"),
    [
        (
            lambda f: (f / "config.json").unlink(),
            CheckpointError,
            "no config.json; it holds .*model.safetensors",
        ),
        (lambda f: (f / "config.json").write_text("{"), CheckpointError, "config.json is not JSON"),
        (
            lambda f: (f / "model.safetensors").unlink(),
            CheckpointError,
            "no .*safetensors .*--load-format dummy",
        ),
        (cut, CorruptWeights, "cut short: .* bytes .*download it again"),
        (point, CorruptWeights, "Git-LFS pointer.*git lfs pull"),
        (
            lambda f: (f / "model.safetensors").write_text("<!DOCTYPE html><html>not found</html>"),
            CorruptWeights,
            "web page",
        ),
        (widen, TensorMismatch, r"wanted \[96, 48\], found \[88, 48\]"),
    ],
    ids=["no config", "torn config", "no weights", "cut short", "LFS pointer", "web page", "other shape"],
)
def test_a_damaged_folder_is_described(
    broken: Path, damage: Callable[[Path], object], error: type[CheckpointError], message: str
):
    damage(broken)
    with pytest.raises(error, match=message):
        open_llm(broken, skip_tokenizer_init=True)


def test_a_folder_that_is_not_there_is_said_so():
    with pytest.raises(CheckpointError, match="no folder /nowhere/model"):
        LLM("/nowhere/model")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_modle_len": 10}, UnknownOption, "did you mean 'max_model_len'"),
        ({"max_model_len": 10**6}, BadOption, "1,000,000 .* positions for 256.*--hf-overrides"),
        ({"block_size": 0}, BadOption, "block_size is 0 .* 1 to 1,024"),
        (
            {"num_gpu_blocks_override": 3},
            DoesNotFit,
            "needs 8 KV blocks .* there are 3 .*raise --num-gpu-blocks-override to 8 or lower --max-m",
        ),
        ({"max_num_seqs": 64, "max_num_batched_tokens": 32}, BadOption, "64 .* 32"),
        ({"kv_cache_memory_bytes": 10**15}, DoesNotFit, "GiB .*lower --kv-cache-memory-bytes"),
        ({"dtype": "int8"}, BadOption, "one of auto, bfloat16"),
    ],
    ids=str,
)
def test_an_option_that_cannot_be_is_refused_with_the_numbers(
    llama: Path, options: dict[str, Any], error: type[Exception], message: str
):
    with pytest.raises(error, match=message):
        open_llm(llama, skip_tokenizer_init=True, **options)


# -- one request breaks while running ------------------------------------------------------------------


def put(llm: LLM, name: str, prompt: list[int], params: SamplingParams) -> None:
    """A request that no intake has looked at."""
    tokens = np.array(prompt, np.int32)
    llm.engine.core.add(Request(name, tokens, params, seed=0, limit=len(prompt) + (params.max_tokens or 1)))


def run(llm: LLM) -> tuple[dict[str, list[int]], dict[str, str]]:
    """Steps the core until it is idle; the tokens and the errors of every request."""
    tokens: dict[str, list[int]] = {}
    errors: dict[str, str] = {}
    while llm.engine.core.busy:
        for delta in llm.engine.core.step():
            tokens.setdefault(delta.request_id, []).extend(delta.tokens)
            if delta.error is not None:
                errors[delta.request_id] = delta.error
    return tokens, errors


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("params", "why"),
    [
        (SamplingParams(allowed_token_ids=[5, 263]), "263 is outside the vocabulary"),
        (SamplingParams(logit_bias={999: 1.0}), "999 is outside the vocabulary"),
        (SamplingParams(bad_words=["x"]), "bad_words need a tokenizer"),
    ],
    ids=["allowed_token_ids", "logit_bias", "bad_words"],
)
def test_a_request_a_column_refuses_fails_alone(
    llm: LLM, right: list[list[int]], params: SamplingParams, why: str, first: bool
):
    if first:
        put(llm, "bad", GOOD[2], params)
    for i, prompt in enumerate(GOOD):
        put(llm, str(i), prompt, greedy())
    if not first:
        put(llm, "bad", GOOD[2], params)
    tokens, errors = run(llm)
    assert set(errors) == {"bad"} and why in errors["bad"]
    assert [tokens[str(i)] for i in range(3)] == right
    assert_at_rest(llm.engine)


def test_a_refused_request_does_not_take_a_prefix_away_from_those_who_share_it(llama: Path):
    """Both come in the same step, so the second reads blocks that the first one is just computing."""
    shared = list(range(100, 130))
    wanted = token_ids(open_llm(llama, skip_tokenizer_init=True, block_size=4), [[*shared, 8]])
    llm = open_llm(llama, skip_tokenizer_init=True, block_size=4)
    put(llm, "bad", [*shared, 7], SamplingParams(allowed_token_ids=[263]))
    put(llm, "good", [*shared, 8], greedy())
    tokens, errors = run(llm)
    assert set(errors) == {"bad"}
    assert tokens["good"] == wanted[0]
    assert_at_rest(llm.engine)
    assert token_ids(llm, [[*shared, 8]]) == wanted


POISON = 131  # its embedding is NaN


def poisoned(folder: Path, **options: Any) -> LLM:
    llm = open_llm(folder, skip_tokenizer_init=True, block_size=4, **options)
    decoder(llm).embedding.weight[POISON] = math.nan
    return llm


def decoder(llm: LLM) -> Any:
    return llm.engine.runner.model


def assert_clean(llm: LLM) -> None:
    """No number in the KV cache is NaN: masked or not, it would reach whoever uses its block next."""
    for layer in decoder(llm).layers:
        assert torch.isfinite(layer.attention.kv.keys).all()
        assert torch.isfinite(layer.attention.kv.values).all()


@pytest.mark.parametrize("family", ["llama", "mistral"])
@pytest.mark.parametrize("chunk", [64, 5])
@pytest.mark.parametrize("at", [0, 11, 29])
def test_nan_fails_only_the_requests_that_contain_it(
    request: pytest.FixtureRequest, family: str, chunk: int, at: int
):
    folder = request.getfixturevalue(family)
    good = [[i, i + 1, i + 2, *range(100 + i, 110 + 2 * i)] for i in range(5)]
    wanted = token_ids(open_llm(folder, skip_tokenizer_init=True, block_size=4), good)
    assert not any(POISON in answer for answer in wanted)
    llm = poisoned(folder, max_num_batched_tokens=chunk, max_num_seqs=5, num_gpu_blocks_override=34)
    bad = list(range(200, 230))
    bad[at] = POISON
    mixed = llm.generate([*good[:2], bad, *good[2:], [POISON]], greedy(), use_tqdm=False)
    assert [o.outputs[0].finish_reason for o in mixed] == ["length"] * 2 + ["error"] + ["length"] * 3 + [
        "error"
    ]
    assert isinstance(mixed[2].error, RequestFailed) and "NaN" in str(mixed[2].error)
    assert [o.outputs[0].token_ids for o in mixed if not o.error] == wanted
    assert_clean(llm)
    assert_at_rest(llm.engine)
    for _ in range(3):  # the blocks are used again
        assert token_ids(llm, good) == wanted


def test_a_neighbour_that_shares_the_clean_part_of_a_poisoned_prompt_goes_on(llama: Path):
    shared = list(range(30, 50))
    wanted = token_ids(open_llm(llama, skip_tokenizer_init=True, block_size=4), [[*shared, 8]])
    llm = poisoned(llama)
    bad, good = llm.generate([[*shared, POISON], [*shared, 8]], greedy(), use_tqdm=False)
    assert bad.outputs[0].finish_reason == "error"
    assert good.outputs[0].token_ids == wanted[0]
    assert_clean(llm)


def test_a_poisoned_prompt_that_is_aborted_halfway_leaves_a_clean_cache(llama: Path):
    llm = poisoned(llama, max_num_batched_tokens=5, max_num_seqs=5)
    llm.engine.add("bad", [3, POISON, *range(100, 130)], greedy())
    llm.engine.step()
    llm.engine.abort(["bad"])
    assert_at_rest(llm.engine)
    assert_clean(llm)


# -- a step breaks -------------------------------------------------------------------------------------


class Stumbling(nn.Module):
    """A model that raises at its n-th forward pass, once, after it has written its KV."""

    def __init__(self, inner: Any, at: int, error: BaseException):
        super().__init__()
        self.inner, self.at, self.error, self.passes = inner, at, error, 0

    def bind_kv(self, layers: Any) -> None:
        self.inner.bind_kv(layers)

    def forward(self, token_ids: Tensor, positions: Tensor, context: Any) -> Tensor:
        self.passes += 1
        hidden: Tensor = self.inner.forward(token_ids, positions, context)
        if self.passes == self.at:
            raise self.error
        return hidden

    def logits(self, hidden: Tensor) -> Tensor:
        out: Tensor = self.inner.logits(hidden)
        return out


def stumbling(llama: Path, at: int, error: BaseException, **options: Any) -> LLM:
    llm = open_llm(llama, skip_tokenizer_init=True, block_size=4, **options)
    llm.engine.runner.model = Stumbling(llm.engine.runner.model, at, error)
    return llm


@pytest.mark.parametrize("at", [1, 4])
def test_a_forward_pass_that_raises_ends_its_requests_and_the_engine_goes_on(
    llama: Path, right: list[list[int]], at: int
):
    llm = stumbling(llama, at, RuntimeError("the device fell over"))
    outputs = llm.generate(GOOD, greedy(), use_tqdm=False)
    assert [o.outputs[0].finish_reason for o in outputs] == ["error"] * 3
    for output, answer in zip(outputs, right, strict=True):
        assert isinstance(output.error, RequestFailed) and "the device fell over" in str(output.error)
        assert output.outputs[0].token_ids == answer[: at - 1]
    assert_at_rest(llm.engine)
    assert token_ids(llm, GOOD) == right
    assert llm.engine.stats.failed == 3


def test_requests_that_were_not_in_the_broken_step_are_served(llama: Path, right: list[list[int]]):
    llm = stumbling(llama, 2, RuntimeError("the device fell over"), max_num_seqs=1)
    first, *others = llm.generate(GOOD, greedy(), use_tqdm=False)
    assert first.outputs[0].finish_reason == "error"
    assert [o.outputs[0].token_ids for o in others] == right[1:]
    assert_at_rest(llm.engine)


@pytest.mark.parametrize("at", [1, 5])
def test_ctrl_c_leaves_nothing_behind(llama: Path, right: list[list[int]], at: int):
    llm = stumbling(llama, at, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        llm.generate(GOOD, greedy(), use_tqdm=False)
    assert_at_rest(llm.engine)
    assert token_ids(llm, GOOD) == right


def test_ctrl_c_while_streaming_leaves_nothing_behind(llama: Path, right: list[list[int]]):
    llm = stumbling(llama, 3, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        list(llm.stream(GOOD[0], greedy()))
    assert_at_rest(llm.engine)
    assert token_ids(llm, GOOD) == right


def test_whoever_goes_on_after_ctrl_c_hears_of_the_lost_step(llama: Path):
    llm = stumbling(llama, 3, KeyboardInterrupt())
    llm.engine.add("lost", GOOD[0], greedy())
    llm.engine.step()
    llm.engine.step()
    with pytest.raises(KeyboardInterrupt):
        llm.engine.step()
    [output] = llm.engine.step()
    assert output.request_id == "lost" and "interrupted" in str(output.error)
    assert_at_rest(llm.engine)


def test_a_stream_whose_step_was_interrupted_by_others_ends_with_an_error(llama: Path):
    llm = stumbling(llama, 3, KeyboardInterrupt())
    stream = llm.stream(GOOD[0], greedy())
    next(stream)
    next(stream)
    with pytest.raises(KeyboardInterrupt):
        llm.generate(GOOD[1], greedy(), use_tqdm=False)
    with pytest.raises(RequestFailed, match="interrupted"):
        next(stream)
    assert_at_rest(llm.engine)
