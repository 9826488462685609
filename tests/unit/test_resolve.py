"""What the user left open is decided with a reason; what cannot be is refused with the numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from quire.config import EngineConfig
from quire.engine.fitting import packed_bytes
from quire.engine.machine import Gpu, Machine, this_machine
from quire.engine.resolve import Resolved, resolve
from quire.errors import BadOption, CheckpointError, DoesNotFit
from quire.models.draft_shapes import ModelShape
from quire.models.drafting import Drafting
from quire.models.shapes import DecoderShape, shape_of

GIB = 1 << 30
LLAMA_3_8B = {
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 8192,
}
SMALL = LLAMA_3_8B | {
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 1000,
}
WEIGHTS = shape_of(SMALL).parameter_count() * 4  # bytes in float32
BIG = Machine(cpus=16, memory=128 * GIB, free_memory=100 * GIB, native_bf16=True)
LAPTOP = Machine(cpus=2, memory=8 * GIB, free_memory=6 * GIB, native_bf16=False)


def decide(
    config: dict[str, Any] = SMALL,
    machine: Machine = LAPTOP,
    checkpoint: str = "float32",
    environ: dict[str, str] | None = None,
    **options: Any,
) -> Resolved:
    return resolve(EngineConfig.of(**options), shape_of(config), machine, checkpoint, environ or {})


def reasons(resolved: Resolved) -> dict[str, tuple[Any, str]]:
    return {choice.name: (choice.value, choice.reason) for choice in resolved.config.choices}


def refused(error: type[Exception], *words: str, **options: Any) -> str:
    with pytest.raises(error) as caught:
        decide(**options)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    return str(caught.value)


# -- choices -------------------------------------------------------------------------------------------


def test_nothing_is_left_open_and_every_choice_has_a_reason():
    resolved = decide()
    c = resolved.config
    assert "auto" not in (c.model.dtype, c.cache.kv_cache_dtype, c.device.device, c.model.pooling_type)
    decided = {
        "device": c.device.device,
        "cpu_threads": c.device.cpu_threads,
        "cpu_pack_weights": c.device.cpu_pack_weights,
        "dtype": c.model.dtype,
        "kv_cache_dtype": c.cache.kv_cache_dtype,
        "pooling_type": c.model.pooling_type,
        "max_model_len": c.model.max_model_len,
        "max_num_batched_tokens": c.scheduler.max_num_batched_tokens,
        "max_num_seqs": c.scheduler.max_num_seqs,
        "kv_cache_memory_bytes": c.cache.kv_cache_memory_bytes,
    }
    assert None not in decided.values()
    assert {name: value for name, (value, _) in reasons(resolved).items()} == decided
    for choice in c.choices:
        assert choice.reason
        assert str(choice) == f"{choice.name} = {choice.value}: {choice.reason}"


def test_what_was_asked_for_is_kept_and_is_no_choice():
    asked = {
        "device": "cpu",
        "cpu_threads": 1,
        "cpu_pack_weights": False,
        "dtype": "float32",
        "kv_cache_dtype": "float32",
        "pooling_type": "cls",
        "max_model_len": 1024,
        "max_num_batched_tokens": 512,
        "max_num_seqs": 7,
        "kv_cache_memory_bytes": 32 << 20,
    }
    resolved = decide(**asked)
    assert resolved.config.choices == ()
    assert resolved.config == EngineConfig.of(**asked)


@pytest.mark.parametrize(
    ("asked", "checkpoint", "architecture", "chosen", "why"),
    [
        ("auto", None, "LlamaForCausalLM", "last", "causal"),
        ("auto", None, "LlamaModel", "last", "causal"),
        ("auto", None, "LlamaForSequenceClassification", "mean", "classification"),
        ("auto", "mean", "LlamaForCausalLM", "mean", "1_Pooling/config.json"),
        ("auto", "cls", "LlamaForSequenceClassification", "cls", "1_Pooling/config.json"),
        ("last", "mean", "LlamaForCausalLM", "last", None),
        ("mean", "max_tokens", "LlamaForCausalLM", "mean", None),
    ],
)
def test_embeddings_are_made_as_asked_else_as_the_checkpoint_says(
    asked: str, checkpoint: str | None, architecture: str, chosen: str, why: str | None
):
    shape = shape_of(SMALL | {"architectures": [architecture]})
    config = EngineConfig.of(pooling_type=asked)
    resolved = resolve(config, shape, LAPTOP, environ={}, checkpoint_pooling=checkpoint)
    assert resolved.config.model.pooling_type == chosen
    assert why in reasons(resolved)["pooling_type"][1] if why else "pooling_type" not in reasons(resolved)


def test_a_kind_of_pooling_nobody_has_is_refused_with_the_way_out():
    with pytest.raises(CheckpointError, match=r"max_tokens pooling.*--pooling-type \(mean, last, cls\)"):
        resolve(EngineConfig.of(), shape_of(SMALL), LAPTOP, environ={}, checkpoint_pooling="max_tokens")


def test_deciding_twice_changes_nothing():
    first = decide()
    again = resolve(first.config, shape_of(SMALL), LAPTOP, "float32", {})
    assert again.config == first.config
    assert again.capacity == first.capacity


def test_the_config_that_came_in_is_not_written_to():
    config = EngineConfig.of()
    resolve(config, shape_of(SMALL), LAPTOP, "float32", {})
    assert config == EngineConfig.of()


@pytest.mark.parametrize(
    ("dtype", "checkpoint", "native", "chosen", "why"),
    [
        ("auto", "float32", False, "float32", "the checkpoint's type"),
        ("auto", "float32", True, "float32", "the checkpoint's type"),
        ("auto", "bfloat16", True, "bfloat16", "natively"),
        ("auto", "bfloat16", False, "float32", "the checkpoint's bfloat16 is slow"),
        ("auto", "float16", True, "float32", "the checkpoint's float16 is slow"),
        ("half", "float32", False, "float16", "half is its short name"),
        ("float", "bfloat16", True, "float32", "float is its short name"),
    ],
)
def test_the_type_is_one_this_cpu_is_good_at(dtype, checkpoint, native, chosen, why):
    machine = Machine(2, 8 * GIB, 6 * GIB, native)
    resolved = decide(machine=machine, checkpoint=checkpoint, dtype=dtype)
    value, reason = reasons(resolved)["dtype"]
    assert (value, resolved.config.model.dtype) == (chosen, chosen)
    assert why in reason
    assert reasons(resolved)["kv_cache_dtype"] == (chosen, "the model's type")


def test_a_type_that_was_asked_for_is_the_type_of_the_cache_too():
    resolved = decide(dtype="bfloat16")
    assert "dtype" not in reasons(resolved)
    assert resolved.config.cache.kv_cache_dtype == "bfloat16"


def test_the_cache_may_have_a_type_of_its_own():
    assert decide(kv_cache_dtype="bfloat16").layout.block_bytes * 2 == decide().layout.block_bytes


def on_gpu(capability: tuple[int, int] = (9, 0), name: str = "NVIDIA H200") -> Machine:
    return replace(BIG, gpu=Gpu(name, 40 * GIB, 39 * GIB, 132, capability), gpus=1)


T4 = on_gpu((7, 5), "Tesla T4")


@pytest.mark.parametrize(
    ("machine", "checkpoint", "chosen", "why"),
    [
        (on_gpu(), "bfloat16", "bfloat16", "^the checkpoint's type$"),
        (on_gpu(), "float16", "float16", "^the checkpoint's type$"),
        (on_gpu(), "float32", "bfloat16", "half of the checkpoint's float32"),
        (on_gpu((8, 0)), "bfloat16", "bfloat16", "^the checkpoint's type$"),
        (on_gpu((0, 0)), "bfloat16", "bfloat16", "^the checkpoint's type$"),  # nobody knows what it has
        (T4, "bfloat16", "float16", r"checkpoint's bfloat16 .* capability 8\.0 .* Tesla T4 has 7\.5"),
        (T4, "float32", "float16", "half of the checkpoint's float32"),
        (T4, "float16", "float16", "^the checkpoint's type$"),
    ],
)
def test_the_type_is_one_this_gpu_has(machine: Machine, checkpoint: str, chosen: str, why: str):
    resolved = decide(machine=machine, checkpoint=checkpoint)
    value, reason = reasons(resolved)["dtype"]
    assert (value, resolved.config.model.dtype) == (chosen, chosen)
    assert re.search(why, reason), reason
    assert resolved.config.cache.kv_cache_dtype == chosen


def test_bfloat16_is_refused_by_gpus_that_have_none():
    words = ("bfloat16", "8.0", "Tesla T4 has 7.5", "leave --dtype out", "float16", "float32")
    refused(BadOption, *words, machine=T4, dtype="bfloat16")
    assert decide(machine=T4, checkpoint="bfloat16", dtype="float32").config.model.dtype == "float32"
    assert decide(machine=T4, checkpoint="bfloat16", device="cpu").config.model.dtype == "bfloat16"


TYPES = ("bfloat16", "float16", "float32")


@pytest.mark.parametrize("kv", TYPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_a_gpus_cache_has_the_models_type_or_fp8(dtype: str, kv: str):
    if kv == dtype:
        assert decide(machine=on_gpu(), dtype=dtype, kv_cache_dtype=kv).config.cache.kv_cache_dtype == kv
        return
    words = (f"kv_cache_dtype is {kv}", f"model's type is {dtype}", "auto", f"{dtype} or fp8")
    refused(BadOption, *words, machine=on_gpu(), dtype=dtype, kv_cache_dtype=kv)
    assert decide(machine=on_gpu(), device="cpu", dtype=dtype, kv_cache_dtype=kv)


def test_a_cache_of_another_type_is_not_told_of_fp8_where_there_is_none():
    with pytest.raises(BadOption, match=r"^(?!.*fp8).*--kv-cache-dtype"):
        decide(machine=T4, checkpoint="bfloat16", kv_cache_dtype="bfloat16")


def test_a_gpus_blocks_hold_two_tokens_or_more():
    """Two prompts of a step, [x] and [x, y], would share a block that the same launch writes and reads."""
    refused(BadOption, "block_size is 1", "at least 2", "--block-size", machine=on_gpu(), block_size=1)
    assert decide(machine=on_gpu(), block_size=2).layout.block_tokens == 2
    assert decide(machine=on_gpu(), device="cpu", block_size=1).layout.block_tokens == 1


def test_a_gpu_verifies_as_many_guesses_as_its_attention_has_room_for():
    wide = SMALL | {"hidden_size": 1024, "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 128}

    def guessing(n: int, **more: Any) -> Any:
        asked = {"method": "ngram", "num_speculative_tokens": n}
        return {"machine": on_gpu(), "speculative_config": asked, "config": wide, **more}

    words = ("num_speculative_tokens is 64", "8 query heads of 128", "at most 63 in bfloat16")
    refused(BadOption, *words, **guessing(64, dtype="bfloat16"))
    refused(BadOption, "at most 31 in float32", **guessing(32, dtype="float32"))
    assert decide(**guessing(63, dtype="bfloat16")) and decide(**guessing(31, dtype="float32"))
    assert decide(**guessing(64, dtype="bfloat16", device="cpu"))
    assert decide(
        **guessing(64, dtype="bfloat16", pipeline_parallel_size=2) | {"machine": replace(on_gpu(), gpus=2)}
    )
    assert decide(**guessing(64) | {"config": SMALL})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"intermediate_size": 1000}, "the inner width of the MLP is 1,000"),
        ({"hidden_size": 1000}, "the hidden size is 1,000"),
        ({"num_attention_heads": 3, "num_key_value_heads": 3, "head_dim": 24}, "attention's output is 72"),
    ],
)
def test_fp8_products_need_widths_that_tensor_cores_take(changes: dict[str, Any], words: str):
    odd = SMALL | changes
    refused(BadOption, "multiples of 16", words, machine=on_gpu(), quantization="fp8", config=odd)
    assert decide(odd, machine=on_gpu())
    assert decide(machine=on_gpu(), quantization="fp8")


def test_threads_are_the_cores_of_this_process():
    assert reasons(decide(machine=BIG))["cpu_threads"] == (16, "the cores this process may use")
    assert reasons(decide(machine=replace(BIG, threads=3)))["cpu_threads"] == (3, "OMP_NUM_THREADS")
    assert reasons(decide(machine=replace(BIG, threads=64)))["cpu_threads"] == (16, "OMP_NUM_THREADS")


def test_kernels_are_built_by_all_cores_whatever_openmp_is_told():
    gpu = replace(BIG, threads=1, gpu=Gpu("H200", 140 << 30, 139 << 30, 132, (9, 0)), gpus=1)
    assert reasons(decide(machine=gpu))["cpu_threads"] == (16, "the cores this process may use")


def test_the_longest_request_is_what_the_model_was_trained_for():
    assert reasons(decide())["max_model_len"] == (8192, "what the model was trained for")


def test_a_model_that_reads_very_much_is_kept_short_unless_asked():
    long = SMALL | {"max_position_embeddings": 131_072}
    value, why = reasons(decide(long))["max_model_len"]
    assert value == 32_768
    assert "131,072" in why and "--max-model-len" in why
    assert decide(long, max_model_len=100_000).config.model.max_model_len == 100_000


def test_a_step_is_short_and_takes_whole_prompts_only_if_it_must():
    assert reasons(decide())["max_num_batched_tokens"] == (2048, "a step of a CPU stays short")
    value, why = reasons(decide(enable_chunked_prefill=False))["max_num_batched_tokens"]
    assert (value, why) == (8192, "prompts are not split, so all must fit")
    assert (
        decide(enable_chunked_prefill=False, max_model_len=100).config.scheduler.max_num_batched_tokens
        == 2048
    )


def test_no_more_sequences_run_than_a_step_has_tokens():
    assert reasons(decide())["max_num_seqs"][0] == 256
    assert reasons(decide(max_num_batched_tokens=64))["max_num_seqs"][0] == 64


@pytest.mark.parametrize(("times", "packed"), [(5, True), (4.9, False), (1, False)])
def test_weights_are_packed_if_a_second_copy_fits_a_quarter_of_what_is_left(times, packed):
    machine = Machine(2, 8 * GIB, int(times * WEIGHTS), False)
    value, why = reasons(decide(machine=machine, max_model_len=64, num_gpu_blocks_override=4))[
        "cpu_pack_weights"
    ]
    assert value is packed
    assert ("does not fit" in why) is not packed
    assert f"{WEIGHTS / 2**20:,.0f} MiB" in why


def test_weights_of_two_bytes_are_packed_where_the_cpu_multiplies_them_and_stay_single():
    value, why = reasons(decide(dtype="bfloat16"))["cpu_pack_weights"]
    assert (value, why) == (False, "bfloat16 has no packed layout on this CPU")
    assert reasons(decide(dtype="float16", machine=BIG))["cpu_pack_weights"][0] is False
    tight = Machine(2, 8 * GIB, int(1.2 * WEIGHTS / 2), True)
    packed = decide(dtype="bfloat16", machine=tight, max_model_len=64, num_gpu_blocks_override=4)
    value, why = reasons(packed)["cpu_pack_weights"]
    assert (value, why) == (True, "this CPU multiplies bfloat16, and no plain copy is kept")


def test_of_a_tied_head_there_are_two_copies_where_weights_of_two_bytes_are_packed():
    model = SMALL | {"vocab_size": 1_000_000, "tie_word_embeddings": True}

    def cache(**options):
        machine = Machine(2, 8 * GIB, 6 * GIB, True)
        asked = decide(model, machine, "bfloat16", max_num_seqs=8192, max_num_batched_tokens=8192, **options)
        return asked.capacity.blocks * asked.layout.block_bytes

    table = 1_000_000 * model["hidden_size"] * 2
    assert cache(cpu_pack_weights=False) - cache() == pytest.approx(table / 4, abs=1 << 20)


def test_where_a_second_copy_of_the_head_does_not_fit_plain_weights_of_two_bytes_do():
    model = SMALL | {"vocab_size": 1_000_000, "tie_word_embeddings": True}
    asked = decide(model, Machine(2, GIB, GIB // 5, True), "bfloat16", max_model_len=64)
    value, why = reasons(asked)["cpu_pack_weights"]
    assert value is False and "a second copy of the head, with 122 MiB does not fit" in why


def test_a_draft_whose_head_is_its_table_has_two_copies_of_it_as_well():
    shape, config = shape_of(SMALL), EngineConfig.of(dtype="bfloat16", cpu_pack_weights=True)
    draft = ModelShape(shape_of(SMALL | {"tie_word_embeddings": True})).drafting
    assert packed_bytes(config, shape, 10) == 0
    assert packed_bytes(config, replace(shape, drafting=draft), 10) == 1000 * 64 * 2


# -- guesses -------------------------------------------------------------------------------------------


def test_layers_that_guess_may_go_further_on_a_cpu_and_the_cache_has_room_for_that():
    shape = shape_of(SMALL)
    layers = replace(shape, drafting=Drafting(tuple(shape.kv_layers()), ahead=3))

    def decided(shape: DecoderShape, machine: Machine, **guessing: Any) -> tuple[Any, int]:
        config = EngineConfig.of(speculative_config=guessing)
        resolved = resolve(config, shape, machine, "float32", {})
        return resolved.config.speculation.speculative_config, resolved.layout.ahead

    asked = {"method": "draft_model", "model": "folder"}
    assert decided(layers, LAPTOP, **asked) == (asked | {"num_speculative_tokens": 8}, 8)
    assert decided(layers, LAPTOP, **asked, num_speculative_tokens=5)[1] == 5
    assert decided(layers, on_gpu(), **asked) == (asked, 3)
    assert decided(layers, LAPTOP, **asked, adaptive=False)[1] == 3, "there they never end"
    heads = {"method": "medusa", "model": "folder"}  # they make all guesses at once
    assert decided(shape, LAPTOP, **heads) == (heads, 0)
    assert decided(shape, LAPTOP, method="ngram") == ({"method": "ngram"}, 0)


# -- the KV cache --------------------------------------------------------------------------------------


def test_llama_3_8b_with_fifteen_gib_of_kv_says_the_figures_people_know():
    resolved = decide(LLAMA_3_8B, BIG, "bfloat16", kv_cache_memory_bytes=15 * GIB, max_model_len=4096)
    assert resolved.config.model.dtype == "bfloat16"
    assert resolved.capacity.lines() == [
        "GPU KV cache size: 122,880 tokens",
        "Maximum concurrency for 4,096 tokens per request: 30.00x",
    ]


@pytest.mark.parametrize("name", ["QUIRE_CPU_KVCACHE_SPACE", "VLLM_CPU_KVCACHE_SPACE"])
def test_the_environment_may_give_the_space_in_gib(name):
    resolved = decide(LLAMA_3_8B, BIG, "bfloat16", {name: "15"}, max_model_len=4096)
    assert resolved.capacity.tokens == 122_880
    assert reasons(resolved)["kv_cache_memory_bytes"] == (15 * GIB, f"{name} is 15 GiB")


def test_our_own_variable_comes_before_the_other_and_a_flag_before_both():
    environ = {"VLLM_CPU_KVCACHE_SPACE": "2", "QUIRE_CPU_KVCACHE_SPACE": "0.5"}
    assert decide(environ=environ).config.cache.kv_cache_memory_bytes == GIB // 2
    resolved = decide(environ=environ, kv_cache_memory_bytes=GIB)
    assert resolved.config.cache.kv_cache_memory_bytes == GIB
    assert "kv_cache_memory_bytes" not in reasons(resolved)


def test_left_open_the_cache_is_at_most_4_gib():
    resolved = decide(LLAMA_3_8B, BIG, "bfloat16")
    value, why = reasons(resolved)["kv_cache_memory_bytes"]
    assert value == 4 * GIB
    assert "4 GiB" in why and "quarter" in why and "--max-num-seqs" in why


def test_left_open_the_cache_is_at_most_a_quarter_of_what_the_weights_leave():
    machine = Machine(2, 24 * GIB, 20 * GIB, True)
    resolved = decide(LLAMA_3_8B, machine, "bfloat16", max_model_len=1024)
    weights = shape_of(LLAMA_3_8B).parameter_count() * 2
    assert reasons(resolved)["kv_cache_memory_bytes"][0] == (20 * GIB - weights) // 4


def test_left_open_the_cache_is_no_more_than_the_sequences_can_use():
    resolved = decide(max_num_seqs=2, max_model_len=160)
    assert resolved.capacity.blocks == 2 * 10
    assert resolved.capacity.concurrency == 2


def test_blocks_may_be_given_by_number():
    resolved = decide(num_gpu_blocks_override=600)
    assert resolved.capacity.blocks == 600
    assert "kv_cache_memory_bytes" not in reasons(resolved)


def test_a_cache_too_small_for_the_default_length_shortens_it_and_says_so():
    resolved = decide(num_gpu_blocks_override=100)
    assert resolved.config.model.max_model_len == resolved.capacity.max_len == 1600
    value, why = reasons(resolved)["max_model_len"]
    assert value == 1600
    assert "100 KV blocks" in why and "--kv-cache-memory-bytes" in why
    assert resolved.capacity.concurrency == 1


def test_windows_make_room_for_longer_requests():
    shape = SMALL | {"architectures": ["MistralForCausalLM"], "sliding_window": 64}
    resolved = decide(shape, num_gpu_blocks_override=100, max_num_batched_tokens=256)
    assert resolved.config.model.max_model_len == 8192
    assert resolved.capacity.concurrency == 100 / (-(-(63 + 256) // 16) + 1)


# -- refusals ------------------------------------------------------------------------------------------


def test_a_gpu_is_refused_by_this_version():
    refused(BadOption, "'cuda'", "--device", device="cuda")


def test_weights_that_do_not_fit_are_refused_with_both_sizes():
    words = ("29.92 GiB", "float32", "6.00 GiB", "--dtype bfloat16")
    refused(DoesNotFit, *words, config=LLAMA_3_8B, checkpoint="bfloat16")


def test_weights_of_two_bytes_that_do_not_fit_are_not_told_to_be_halved():
    told = refused(DoesNotFit, "14.96 GiB", "bfloat16", config=LLAMA_3_8B, dtype="bfloat16")
    assert "--dtype" not in told and "a smaller model" in told


def test_two_copies_of_the_weights_that_do_not_fit_are_refused():
    machine = Machine(2, 48 * GIB, 40 * GIB, False)
    words = ("59.83 GiB", "40.00 GiB", "--cpu-pack-weights")
    refused(DoesNotFit, *words, config=LLAMA_3_8B, machine=machine, cpu_pack_weights=True)


def test_asking_to_pack_what_cannot_be_packed_takes_no_memory():
    asked = decide(LLAMA_3_8B, BIG, "bfloat16", cpu_pack_weights=True, kv_cache_memory_bytes=80 * GIB)
    assert asked.capacity.blocks == 80 * GIB // asked.layout.block_bytes


EXPERTS = SMALL | {
    "architectures": ["Qwen2MoeForCausalLM"],
    "num_attention_heads": 12,
    "num_key_value_heads": 12,
    "intermediate_size": 120,
    "num_experts": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 48,
}


@pytest.mark.parametrize(
    ("config", "asked", "said"),
    [
        (SMALL, {"enable_expert_parallel": True}, "no effect: LlamaForCausalLM has no experts"),
        (EXPERTS, {"enable_expert_parallel": True}, "no effect: one process holds all experts"),
        (SMALL, {"data_parallel_affinity": "prefix"}, "no effect: there is one engine to choose"),
    ],
)
def test_what_changes_nothing_is_taken_and_said(config: dict[str, Any], asked: dict[str, Any], said: str):
    [name] = asked
    resolved = decide(config, **asked)
    assert said in reasons(resolved)[name][1]
    assert name not in reasons(decide(config))
    assert (resolved.ranks, resolved.layout) == (decide(config).ranks, decide(config).layout)


def test_what_binds_engines_together_is_no_thing_without_effect():
    several = {"enable_expert_parallel": True, "data_parallel_size": 2, "data_parallel_affinity": "prefix"}
    assert not {*several} & {*reasons(decide(EXPERTS, **several))}
    assert "enable_expert_parallel" not in reasons(
        decide(EXPERTS, tensor_parallel_size=2, enable_expert_parallel=True)
    )
    refused(BadOption, "LlamaForCausalLM has no experts", enable_expert_parallel=True, data_parallel_size=2)


@pytest.mark.parametrize(
    ("config", "options", "said"),
    [
        (SMALL, {"tensor_parallel_size": 3}, "3 does not divide the 4 attention heads.*; choose 1, 2 or 4$"),
        (
            SMALL | {"num_attention_heads": 12, "intermediate_size": 96},
            {"tensor_parallel_size": 3},
            "3 neither divides the 2 KV heads of this model nor is a multiple.*; choose 1, 2, 4, 6 or 12$",
        ),
        (
            SMALL | {"num_attention_heads": 12},
            {"tensor_parallel_size": 12},
            "12 does not divide the 128 columns of this model; choose 1, 2 or 4$",
        ),
        (
            SMALL | {"architectures": ["Olmo2ForCausalLM"]},
            {"tensor_parallel_size": 2},
            "all heads; choose 1$",
        ),
        (EXPERTS, {"tensor_parallel_size": 12}, "12 does not divide the 32 columns.*; choose 1, 2 or 4$"),
        (
            EXPERTS,
            {"tensor_parallel_size": 8, "enable_expert_parallel": True},
            "8 does not divide the 12 attention heads of this model; choose 1, 2, 3, 4, 6 or 12$",
        ),
        (
            EXPERTS | {"mlp_only_layers": [0], "intermediate_size": 50},
            {"tensor_parallel_size": 4},
            "4 does not divide the 50 columns of this model; choose 1 or 2$",
        ),
    ],
)
def test_a_split_that_the_model_cannot_have_is_refused_with_those_that_it_can(
    config: dict[str, Any], options: dict[str, Any], said: str
):
    with pytest.raises(BadOption, match=said):
        decide(config, **options)


def test_more_positions_than_the_model_has_are_refused():
    refused(BadOption, "9,000", "8,192", "--hf-overrides", max_model_len=9000)


def test_whole_prompts_that_do_not_fit_a_step_are_refused():
    options = {"enable_chunked_prefill": False, "max_num_batched_tokens": 1000}
    refused(BadOption, "1,000", "8,192", "chunked prefill", **options)


def test_more_sequences_than_tokens_in_a_step_are_refused():
    refused(
        BadOption,
        "max_num_seqs is 300",
        "max_num_batched_tokens 200",
        max_num_seqs=300,
        max_num_batched_tokens=200,
    )


def test_more_cache_than_memory_is_refused():
    words = ("7.00 GiB", "6.00 GiB", "--kv-cache-memory-bytes")
    refused(DoesNotFit, *words, kv_cache_memory_bytes=7 * GIB)
    refused(DoesNotFit, *words, environ={"QUIRE_CPU_KVCACHE_SPACE": "7"})


@pytest.mark.parametrize("text", ["much", "0", "-1", "nan", "1e9"])
def test_an_environment_that_makes_no_sense_is_refused_by_name(text):
    refused(
        BadOption, "QUIRE_CPU_KVCACHE_SPACE", repr(text), "GiB", environ={"QUIRE_CPU_KVCACHE_SPACE": text}
    )


def test_a_length_that_was_asked_for_is_never_shortened():
    with pytest.raises(DoesNotFit) as caught:
        decide(max_model_len=4096, num_gpu_blocks_override=100)
    message = str(caught.value)
    assert all(word in message for word in ("4,096", "256 KV blocks", "there are 100", "1,600"))
    assert "raise --num-gpu-blocks-override to 256 " in message  # what was given is what to change
    with pytest.raises(DoesNotFit) as caught:
        decide(max_model_len=4096, kv_cache_memory_bytes=1 << 20)
    message = str(caught.value)
    enough = int(re.search(r"--kv-cache-memory-bytes to (\d+)", message)[1])
    assert decide(max_model_len=4096, kv_cache_memory_bytes=enough).capacity.concurrency == 1
    with pytest.raises(DoesNotFit):
        decide(max_model_len=4096, kv_cache_memory_bytes=enough - 1)
    assert decide(max_model_len=1600, num_gpu_blocks_override=100).capacity.concurrency == 1


def test_a_cache_that_holds_no_request_at_all_is_refused_even_if_nothing_was_asked():
    machine = Machine(2, 8 * GIB, WEIGHTS + 512, False)
    refused(DoesNotFit, "KV blocks", "there are 1 ", machine=machine, block_size=1)


# -- the machine ---------------------------------------------------------------------------------------


def test_this_machine_is_described_in_numbers_that_make_sense():
    machine = this_machine()
    assert machine.cpus >= 1
    assert 0 < machine.free_memory <= machine.memory
    assert isinstance(machine.native_bf16, bool)


def test_a_model_of_every_kind_of_layer_can_be_resolved():
    for shape in (shape_of(SMALL), shape_of(GEMMA3)):
        assert isinstance(shape, DecoderShape)
        resolved = resolve(EngineConfig.of(), shape, LAPTOP, "float32", {})
        assert resolved.layout.most_blocks(resolved.capacity.max_len, 2048) <= resolved.capacity.blocks


GEMMA3 = SMALL | {
    "architectures": ["Gemma3ForCausalLM"],
    "num_hidden_layers": 12,
    "sliding_window": 512,
    "query_pre_attn_scalar": 256,
    "head_dim": 16,
}


def test_more_threads_than_cores_are_refused():
    with pytest.raises(BadOption, match=r"cpu_threads is 1,000,000 and this process may use \d+ cores"):
        decide(cpu_threads=1_000_000)
