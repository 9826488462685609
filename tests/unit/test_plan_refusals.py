"""What `quire plan` refuses: layouts that an engine would refuse, too, and configs that make no sense."""

from __future__ import annotations

import json

import pytest

from quire.cli import main

DEEPSEEK = {
    "architectures": ["DeepseekV3ForCausalLM"], "hidden_size": 256, "intermediate_size": 512,
    "num_hidden_layers": 4, "num_attention_heads": 8, "vocab_size": 1000, "max_position_embeddings": 2048,
    "q_lora_rank": None, "kv_lora_rank": 64, "qk_nope_head_dim": 32, "qk_rope_head_dim": 16, "v_head_dim": 32,
    "n_routed_experts": 8, "num_experts_per_tok": 2, "n_shared_experts": 1, "moe_intermediate_size": 64,
    "first_k_dense_replace": 1,
}  # fmt: skip


def refusal(capsys, *words: str) -> str:
    assert main(["plan", *words, "--gpu", "H100"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ") and len(said.splitlines()) == 1
    return said


def test_engines_beside_each_other_need_gpus_of_their_own_as_at_a_start(capsys):
    layout = ["-tp", "4", "-pp", "2", "-dp", "2"]
    said = refusal(capsys, "llama-3-70b", "--num-gpus", "8", *layout)
    assert "the layout asks for 16 GPUs and there are 8" in said and "--data-parallel-size" in said
    assert main(["plan", "llama-3-70b", "--gpu", "H100", "--num-gpus", "16", *layout]) == 0


def test_a_latent_config_is_planned_though_no_engine_runs_it(tmp_path, capsys):
    (tmp_path / "config.json").write_text(json.dumps(DEEPSEEK))
    assert main(["plan", str(tmp_path), "--gpu", "H100"]) == 0
    assert "4 layers x one latent of 80 numbers" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"n_routed_experts": 0}, "n_routed_experts = 0"),
        ({"kv_lora_rank": -64}, "kv_lora_rank = -64"),
        ({"num_attention_heads": 0}, "num_attention_heads = 0"),
        ({"num_hidden_layers": "4"}, "num_hidden_layers = '4'"),
        ({"num_experts_per_tok": 9}, "9 experts and has 8"),
        ({"v_head_dim": 1.5}, "v_head_dim = 1.5"),
        ({"q_lora_rank": 0}, "q_lora_rank = 0"),
        ({"moe_intermediate_size": None}, "moe_intermediate_size = None"),
    ],
)
def test_a_latent_config_that_makes_no_sense_is_refused(wrong, said, tmp_path, capsys):
    (tmp_path / "config.json").write_text(json.dumps({**DEEPSEEK, **wrong}))
    assert said in refusal(capsys, str(tmp_path))


def test_a_config_that_is_nested_too_deeply_is_refused(tmp_path, capsys):
    (tmp_path / "config.json").write_text("[" * 100_000)
    assert "is nested too deeply" in refusal(capsys, str(tmp_path))


H = {"memory_gib": 80, "bandwidth_gb_s": 3352, "tflops": {"bfloat16": 989}}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ({"X": {**H, "memory_gib": 81559 * 2**20}}, "memory_gib of X is 85520809984 and must be a number"),
        ({"X": {**H, "memory_gib": 81559}}, "of at most 65,536"),
        ({"X": {**H, "bandwidth_gb_s": 3_352_000}}, "bandwidth_gb_s of X is 3352000"),
        ({"X": {**H, "tflops": {"bfloat16": 989e12}}}, "bfloat16 of X is 989000000000000.0"),
        ({"X": {**H, "link": ["pcie4"]}}, "unknown link"),
        ({"x-1": H, "X1": H}, "has x-1 twice, however it is written"),
    ],
)
def test_devices_in_other_units_or_said_twice_are_refused(file, said, tmp_path, capsys):
    path = tmp_path / "hardware.json"
    path.write_text(json.dumps(file))
    assert said in refusal(capsys, "llama-3-8b", "--hardware", str(path))


def test_memory_in_mib_is_no_memory_in_gib(capsys):
    said = refusal(capsys, "llama-3-8b", "--gpu-memory", "81559")
    assert "--gpu-memory is 81559 and must be above 0, and at most 65,536" in said
