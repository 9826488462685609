"""A GPU's memory by arithmetic: what is planned covers what steps take, what does not fit is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.test_resolve import LLAMA_3_8B

from quire.config import EngineConfig
from quire.engine import gpu_memory
from quire.engine.gpu_memory import GIB
from quire.engine.machine import Gpu, Machine
from quire.engine.resolve import Resolved, resolve
from quire.errors import DoesNotFit
from quire.models.shapes import shape_of
from quire.worker.columns import contract
from quire.worker.cuda import reading, start, verify

QWEN3 = LLAMA_3_8B | {
    "architectures": ["Qwen3ForCausalLM"],
    "hidden_size": 1024,
    "intermediate_size": 3072,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "head_dim": 128,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "tie_word_embeddings": True,
}
QWEN3_30B = QWEN3 | {
    "architectures": ["Qwen3MoeForCausalLM"],
    "hidden_size": 2048,
    "num_hidden_layers": 48,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "num_experts": 128,
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 768,
    "tie_word_embeddings": False,
}
LLAMA_3_70B = LLAMA_3_8B | {
    "hidden_size": 8192,
    "intermediate_size": 28672,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
    "max_position_embeddings": 131072,
}
H200 = Gpu("NVIDIA H200", int(139.8 * GIB), int(139.3 * GIB))


def decide(model: dict[str, Any], gpu: Gpu = H200, gpus: int = 1, **options: Any) -> Resolved:
    machine = Machine(16, 128 * GIB, 120 * GIB, True, gpu, gpus)
    return resolve(EngineConfig.of(**options), shape_of(model), machine, "bfloat16", {})


def smaller(size: float, free: float | None = None) -> Gpu:
    return replace(H200, memory=int(size * GIB), free=int((size if free is None else free) * GIB))


def refused(model: dict[str, Any], gpu: Gpu, **options: Any) -> str:
    with pytest.raises(DoesNotFit) as caught:
        decide(model, gpu, **options)
    return str(caught.value)


def offers_of(message: str) -> list[dict[str, Any]]:
    """The options of each offer of a refusal; commas stand between alternatives only."""
    offered = message.partition("would do: ")[2]
    found = [re.findall(r"--([a-z-]+) ([^\s,]+)", one) for one in offered.split(", ")]
    return [{name.replace("-", "_"): read(value) for name, value in one} for one in found if one]


def read(value: str) -> Any:
    return float(value) if "." in value else int(value) if value.isdigit() else value


@pytest.mark.parametrize("model", [QWEN3, LLAMA_3_8B])
@pytest.mark.parametrize("utilization", [0.3, 0.9, 1.0])
def test_every_byte_is_somewhere(model: dict[str, Any], utilization: float):
    found = decide(model, gpu_memory_utilization=utilization)
    memory, kv = found.gpu_memory, found.capacity.blocks * found.layout.block_bytes
    assert memory is not None
    used = memory.weights + kv + memory.work
    assert memory.usable <= min(memory.allowed, memory.free)
    assert 0 <= memory.usable - used < found.layout.block_bytes
    [line] = memory.lines(kv)
    told = [float(n) for n in re.findall(r" (-?\d+\.\d\d)", line)]
    assert told[0] == 139.8 and abs(sum(told[1:]) - 139.8) < 0.05


def test_what_others_hold_is_not_given_away():
    found = decide(QWEN3, smaller(139.8, free=100)).gpu_memory
    assert found is not None and 0.98 * found.free > found.weights + found.work + found.kv


def test_two_engines_of_less_than_half_have_room_beside_each_other():
    """The share is an engine's own, as vLLM has it."""
    first = decide(QWEN3, gpu_memory_utilization=0.45).gpu_memory
    second = decide(QWEN3, smaller(139.8, free=139.3 - 0.45 * 139.8), gpu_memory_utilization=0.45).gpu_memory
    assert first is not None and second is not None and first.kv == second.kv


def test_sampling_is_planned_for_the_dearest_requests():
    """256 rows, 151,936 tokens: logits, a float32 copy, another for log-probabilities, penalties' counts."""
    memory = decide(QWEN3).gpu_memory
    assert memory is not None
    row = 151_936
    copies = 256 * row * (2 + 4 + 4 + 4 + 1)
    held = 64 * row * (4 + 5 + 3 + 4 + 4 + 4)
    counts = 256 * row * 5
    assert memory.sampling >= copies + held + 2 * counts
    assert memory.graphs >= 2 * 256 * row * 2


def test_log_probabilities_of_prompts_are_planned_for_even_alone():
    memory = decide(QWEN3, max_num_seqs=1).gpu_memory
    assert memory is not None and memory.sampling >= 256 * 151_936 * (2 + 4)


def test_a_token_is_drawn_after_every_draft_and_all_of_them_are_planned_for():
    """256 rows of 1 + 3 tokens: logits as the graph leaves them, and what is computed from a copy."""
    asked: dict[str, Any] = {"method": "ngram", "num_speculative_tokens": 3}
    plain, guessed = (decide(QWEN3, speculative_config=c).gpu_memory for c in (None, asked))
    few = decide(QWEN3, speculative_config=asked | {"disable_by_batch_size": 8}).gpu_memory
    assert plain is not None and guessed is not None and few is not None
    lines = 4 * 256 * 151_936
    assert guessed.sampling >= lines * (2 + 2 + 4 + 4 + 4 + 1)
    assert guessed.graphs >= 2 * lines * 2
    assert plain.sampling < few.sampling < guessed.sampling


def test_block_tables_of_many_long_requests_are_planned_for():
    """On the device: an entry for each block, and a packet that says which entries change, and to what."""
    usual = decide(QWEN3).gpu_memory
    entries = 1024 * 2**20 // 16
    long = decide(QWEN3 | {"max_position_embeddings": 2**20}, max_num_seqs=1024).gpu_memory
    assert usual is not None and long is not None and usual.spare == gpu_memory.SPARE
    assert 3 * 4 * entries <= long.spare <= 3.1 * 4 * entries + gpu_memory.SPARE


def test_the_plan_knows_the_workers_numbers():
    assert gpu_memory.EMPTY == verify.SPARE
    assert gpu_memory.HELD_LINES == contract.HELD_LINES
    assert gpu_memory.PROMPT_LINES == reading.LINES
    assert gpu_memory.SHORT_WORK == start.SHORT_WORK


def test_graphs_take_nothing_when_there_are_none():
    memory = decide(QWEN3, enforce_eager=True).gpu_memory
    assert memory is not None and memory.graphs == 0


@pytest.mark.parametrize(
    ("model", "gpu", "options"),
    [
        (LLAMA_3_70B, H200, {}),  # the weights alone are more than may be used
        (LLAMA_3_8B, smaller(16), {}),  # they do not even fit the GPU
        (LLAMA_3_8B, smaller(24), {"max_model_len": 8192, "gpu_memory_utilization": 0.75}),
        (LLAMA_3_8B, smaller(24, free=18), {"max_model_len": 8192}),  # somebody else is there
        (LLAMA_3_8B, smaller(20), {"max_num_batched_tokens": 65536, "max_num_seqs": 1024}),
        (LLAMA_3_8B, smaller(18), {"max_num_seqs": 2048}),
        (LLAMA_3_8B, smaller(36), {"dtype": "float32", "max_model_len": 4096}),
    ],
    ids=[
        "too many weights",
        "no room to load",
        "one long request",
        "others",
        "large steps",
        "large batches",
        "float32",
    ],
)
def test_what_does_not_fit_is_refused_with_flags_that_help(
    model: dict[str, Any], gpu: Gpu, options: dict[str, Any]
):
    message = refused(model, gpu, **options)
    assert "GiB" in message and "-0." not in message
    offered = offers_of(message)
    assert offered
    for offer in offered:
        assert decide(model, gpu, **{**options, **offer})


WHOLE = {"enable_chunked_prefill": False}
ASKED: list[dict[str, Any]] = [
    {},
    WHOLE,
    {"max_model_len": 8192, "gpu_memory_utilization": 0.95},
    {"max_model_len": 8192, "gpu_memory_utilization": 0.95, **WHOLE},
    {"max_model_len": 131072},
    {"max_model_len": 131072, **WHOLE},
    {"max_model_len": 131072, "max_num_batched_tokens": 131072, **WHOLE},
    {"max_model_len": 32768, "max_num_seqs": 1024, "max_num_batched_tokens": 1024},
    {"dtype": "float32", "kv_cache_dtype": "float32", "max_model_len": 4096},
    {"dtype": "float32", "max_model_len": 4096},
    {"kv_cache_memory_bytes": 2 * GIB, "max_model_len": 16384},
    {"speculative_config": {"method": "ngram", "num_speculative_tokens": 4}, "max_model_len": 65536},
]
OLD = replace(smaller(16), name="Tesla T4", capability=(7, 5))


@pytest.mark.parametrize("options", ASKED, ids=str)
@pytest.mark.parametrize(
    ("gpu", "gpus"),
    [
        (smaller(16), 4),
        (smaller(17), 1),
        (smaller(18), 1),
        (smaller(20, 19.5), 1),
        (smaller(24, 23.5), 2),
        (smaller(40, 33), 1),
        (OLD, 2),
        (replace(OLD, memory=32 * GIB, free=31 * GIB), 1),
    ],
    ids=lambda value: f"{value.memory // GIB} GiB" if isinstance(value, Gpu) else f"{value} of them",
)
def test_every_offer_that_is_followed_starts_an_engine(gpu: Gpu, gpus: int, options: dict[str, Any]):
    """Through the engine's own checks, whatever else was asked for."""
    model = LLAMA_3_8B | {"max_position_embeddings": 131072}
    try:
        decide(model, gpu, gpus, **options)
        return
    except DoesNotFit as error:
        message = str(error)
    assert "would do: " in message or "No setting makes it fit" in message or "lower --" in message, message
    for offer in offers_of(message):
        assert decide(model, gpu, gpus, **{**options, **offer}), offer
    if "Together" not in message:
        first = [next(iter(offer)) for offer in offers_of(message)]
        assert len(first) == len(set(first)), "the mildest change of a setting is enough"


def test_whole_prompts_are_offered_a_shorter_step_and_the_length_that_goes_with_it():
    asked = {"max_model_len": 131072, **WHOLE}
    message = refused(LLAMA_3_8B | {"max_position_embeddings": 131072}, smaller(24, 23.5), **asked)
    assert {"max_num_batched_tokens": 16384, "max_model_len": 16384} in offers_of(message), message


def test_numbers_of_half_the_size_are_offered_as_the_gpu_has_them():
    for gpu, half in (
        (smaller(24, 23.5), "bfloat16"),
        (replace(OLD, memory=24 * GIB, free=23 * GIB), "float16"),
    ):
        message = refused(LLAMA_3_8B, gpu, dtype="float32", max_model_len=4096)
        assert {"dtype": half} in offers_of(message), message


def test_weights_that_just_do_not_load_are_refused_with_what_is_kept_free_for_work():
    """14.96 are less than 15.60: without the 0.75 the refusal would contradict itself."""
    message = refused(LLAMA_3_8B, smaller(16, free=15.6))
    for words in ("14.96 GiB", "0.75", "15.60 GiB", "0.11 GiB are missing"):
        assert words in message, message


def test_what_may_be_used_is_explained():
    by_share = refused(LLAMA_3_8B, smaller(24), max_model_len=8192, gpu_memory_utilization=0.75)
    assert "18.00 may be used, by --gpu-memory-utilization 0.75;" in by_share
    by_others = refused(LLAMA_3_8B, smaller(24, free=18), max_model_len=8192)
    assert "others hold 6.00 and 17.52 may be used, with 0.48 left to others;" in by_others


def test_the_numbers_are_in_the_refusal():
    message = refused(LLAMA_3_70B, H200)
    for words in (
        "139.80 GiB",
        "125.82 may be used",
        "others hold 0.50",
        "weights take 131.42",
        "are missing",
    ):
        assert words in message, message
    assert "--quantization fp8" in message


def test_the_guide_shows_a_refusal_as_it_is():
    guide = Path(__file__).parents[2] / "docs/guides/gpu.md"
    message = refused(LLAMA_3_8B, smaller(24, free=23.5), max_model_len=8192, gpu_memory_utilization=0.75)
    assert f"\n{message}\n" in guide.read_text()


def test_a_length_that_nobody_asked_for_is_shortened_and_said():
    found = decide(LLAMA_3_70B, gpu_memory_utilization=0.99)
    [choice] = [c for c in found.config.choices if c.name == "max_model_len"][-1:]
    assert choice.value < 131072 and "--gpu-memory-utilization" in choice.reason


def test_a_cache_that_no_setting_of_it_makes_room_for_is_not_to_be_lowered():
    asked = {"kv_cache_memory_bytes": GIB, "max_num_batched_tokens": 65536, "max_model_len": 8192}
    message = refused(LLAMA_3_8B, smaller(20), **asked)
    assert "lower" not in message, message
    assert {"max_num_batched_tokens": 8192} in offers_of(message), message


@pytest.mark.parametrize("option", ["kv_cache_memory_bytes", "num_gpu_blocks_override"])
def test_a_cache_that_was_asked_for_must_fit_the_gpu(option: str):
    message = refused(QWEN3, H200, **{option: 200 * GIB})
    assert f"--{option.replace('_', '-')}" in message


def test_weights_that_are_quantized_must_fit_as_they_are_loaded():
    message = refused(LLAMA_3_70B, smaller(80), quantization="fp8")
    assert (
        "loading the weights takes 131.42 GiB of bfloat16" in message
        and "80.00 GiB of the GPU are free" in message
    )


def test_experts_are_counted_as_they_are_kept():
    shape = shape_of(QWEN3_30B)
    plain, eight = decide(QWEN3_30B).gpu_memory, decide(QWEN3_30B, quantization="fp8").gpu_memory
    assert plain is not None and eight is not None
    assert plain.weights == 2 * shape.parameter_count() == 2 * 30_532_122_624
    assert plain.weights - eight.weights == shape.linear_count() < 1e9, "experts stay in bfloat16"


def test_the_largest_step_of_experts_is_planned_for():
    memory = decide(QWEN3_30B, max_num_batched_tokens=8192).gpu_memory
    assert memory is not None
    inside, outcome = 8192 * 8 * 768 * 2, 8192 * 8 * 2048 * 2
    assert memory.activations > inside + outcome + 4 * 8192 * 2048 * 2
