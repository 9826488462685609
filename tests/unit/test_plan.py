"""`quire plan`: worked figures, known models, a table that can be changed, layouts, cost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quire.cli import main
from quire.config import EngineConfig
from quire.engine.machine import Gpu, Machine
from quire.engine.resolve import resolve
from quire.errors import BadOption, CheckpointError, DoesNotFit, UnknownOption
from quire.models.share import largest_share
from quire.parallel.layout import Layout
from quire.tools.hardware import GIB, TABLE, find, of_device, read_table
from quire.tools.plan.known import HUB, KNOWN, known_config
from quire.tools.plan.memory import token_bytes
from quire.tools.plan.plan import Plan, Work, as_json, plan
from quire.tools.plan.site import Asked, find_site
from quire.tools.plan.subject import Subject, find_subject
from quire.tools.plan.text import lines


def subject(name: str) -> Subject:
    return find_subject(EngineConfig.of(model=name))


def planned(model: str, asked: Asked, work: Work | None = None, **options: Any) -> Plan:
    config = EngineConfig.of(model=model, **options)
    return plan(find_subject(config), config, find_site(asked, config), work, {})


# -- worked figures ----------------------------------------------------------------------------------------


def test_fifteen_gib_hold_122_880_tokens_of_llama_3_8b_and_thirty_requests_of_4_096():
    made = planned("llama-3-8b", Asked("H100"), max_model_len=4096, kv_cache_memory_bytes=15 * GIB)
    said = list(lines(made))
    assert "GPU KV cache size: 122,880 tokens" in said
    assert "Maximum concurrency for 4,096 tokens per request: 30.00x" in said


def test_a_token_of_qwen3_1_7b_takes_half_of_what_it_would_if_every_head_kept_its_own():
    token = token_bytes(subject("qwen3-1.7b").shape, "float32")
    assert token.plain / 2**20 == 0.4375
    assert token.bytes / 2**20 == 0.21875
    assert token.formula == "2 (K and V) x 28 layers x 8 KV heads x 128 numbers x 4 bytes"


def test_eight_requests_of_2_048_tokens_would_take_seven_gib_and_take_half():
    token = token_bytes(subject("qwen3-1.7b").shape, "float32")
    assert token.plain_of(2048, 8) == 7 * GIB
    assert token.of(2048, 8) == 3.5 * GIB
    work = Work(prompt=1024, answer=1024, requests=8)
    said = "\n".join(lines(planned("qwen3-1.7b", Asked("RTX-4090"), work, dtype="float32")))
    assert "8 x 2,048 tokens keep 3.50 GiB; 7.00 if each head kept its own K and V" in said


def test_layers_with_a_window_keep_no_more_of_a_long_request_than_it_holds():
    """Gemma 2 9B: 21 layers keep all of 8,000 tokens and 21 the last 512, 8,192 bytes a token and layer."""
    config = EngineConfig.of(model="gemma-2-9b", hf_overrides={"sliding_window": 512})
    token = token_bytes(find_subject(config).shape, "bfloat16")
    assert token.of(8000, 34) == 34 * 21 * (8000 + 512) * 8192
    assert token.of(500) == 500 * token.bytes, "shorter than the window"
    assert token.plain_of(8000, 34) == 2 * token.of(8000, 34), "16 heads for 8 KV heads"
    asked = {"hf_overrides": {"sliding_window": 512}, "max_num_batched_tokens": 512}
    made = planned("gemma-2-9b", Asked("H100"), Work(7000, 1000), **asked)
    assert made.requests == 34 and made.account["KV cache"] > token.of(8000, 34)
    assert "34 x 8,000 tokens keep 46.37 GiB; 92.74 if each head kept its own K and V" in "\n".join(
        lines(made)
    )


def test_the_started_engines_figures_are_the_plans():
    """What the engine decides on an H200 that reports so many bytes, both dense models."""
    gpu = Gpu("NVIDIA H200", TABLE["H200"].memory, TABLE["H200"].memory - GIB // 2)
    machine = Machine(16, 128 * GIB, 120 * GIB, True, gpu, 1)
    for name in ("llama-3-8b", "qwen3-0.6b"):
        config = EngineConfig.of(model=name)
        started = resolve(config, subject(name).shape, machine, "bfloat16", {})
        assert planned(name, Asked("H200")).fit.resolved.capacity == started.capacity


@pytest.mark.parametrize(("name", "tokens"), [("qwen3-0.6b", 1_140_192), ("llama-3-8b", 880_992)])
def test_an_h200_was_found_to_hold_what_is_planned_for_it(name: str, tokens: int):
    """The engine's log on 2026-11-16, with graphs; how long requests may be changes nothing."""
    options = {"max_num_seqs": 256, "max_num_batched_tokens": 8192, "dtype": "bfloat16"}
    assert planned(name, Asked("H200"), **options).fit.resolved.capacity.tokens == tokens


def test_a_latent_cache_keeps_one_vector_a_token():
    token = token_bytes(subject("deepseek-v3").shape, "bfloat16")
    assert token.bytes == 61 * 576 * 2
    assert token.plain == 61 * 128 * (192 + 128) * 2


# -- models ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("llama-3-8b", 8.03),
        ("llama-3-70b", 70.55),
        ("llama-3.1-405b", 405.85),
        ("mixtral-8x7b", 46.70),
        ("mixtral-8x22b", 140.63),
        ("qwen2.5-72b", 72.71),
        ("qwen3-0.6b", 0.596),
        ("qwen3-30b-a3b", 30.53),
        ("qwen3-235b-a22b", 235.09),
        ("gemma-2-27b", 27.23),
        ("phi-4", 14.66),
        ("deepseek-v3", 671.03),
        ("deepseek-v2-lite", 15.71),
    ],
)
def test_a_known_model_has_as_many_parameters_as_its_makers_say(name: str, billions: float):
    assert subject(name).parameters / 1e9 == pytest.approx(billions, rel=2e-3)


def test_deepseeks_parameters_are_counted_one_by_one():
    """Norms of latents count, and a shared expert has no gate. V3 has a bias for each expert it chooses."""
    attention = 2048 * 16 * 192 + 2048 * 576 + 512 + 512 * 16 * 256 + 16 * 128 * 2048
    experts = 64 * 2048 + 66 * 3 * 2048 * 1408
    layers = 27 * (attention + 2 * 2048) + 3 * 2048 * 10944 + 26 * experts
    assert subject("deepseek-v2-lite").parameters == layers + 2048 + 2 * 102400 * 2048 == 15_706_484_224
    asking = 7168 * 1536 + 1536 + 1536 * 128 * 192
    attention = asking + 7168 * 576 + 512 + 512 * 128 * 256 + 128 * 128 * 7168
    experts = 256 * 7168 + 256 + 257 * 3 * 7168 * 2048
    layers = 61 * (attention + 2 * 7168) + 3 * 3 * 7168 * 18432 + 58 * experts
    assert subject("deepseek-v3").parameters == layers + 7168 + 2 * 129280 * 7168


@pytest.mark.parametrize("name", ["deepseek-v2-lite", "deepseek-v3", "qwen3-30b-a3b", "olmo-2-7b"])
def test_a_rank_alone_holds_every_parameter(name: str):
    shape = subject(name).shape
    assert largest_share(shape, Layout()).parameters == shape.parameter_count()


def test_a_hubs_name_finds_the_known_sizes():
    assert known_config("meta-llama/Meta-Llama-3-8B-Instruct") == KNOWN["llama-3-8b"]
    assert known_config("Qwen/Qwen3-30B-A3B") == KNOWN["qwen3-30b-a3b"]
    assert known_config("mistralai/Mixtral-8x7B-Instruct-v0.1") == KNOWN["mixtral-8x7b"]
    assert known_config("nobody/else") is None


@pytest.mark.parametrize(
    "name",
    [
        "Qwen/Qwen3-4B-Instruct-2507",
        "Qwen/Qwen3-4B-Base",
        "mistralai/Mistral-7B-v0.1",
        "mistralai/Mistral-7B-Instruct-v0.2",
        "mistralai/Mixtral-8x22B-v0.1",
        "Qwen/Qwen2.5-7B",
        "somebody/llama-3-8b",
        "llama-3-8b-instruct",
    ],
)
def test_another_version_of_a_known_model_is_not_taken_for_it(name: str):
    assert known_config(name) is None


def test_every_hub_name_of_a_known_model_is_one_models_only():
    names = [name.lower() for known in HUB.values() for name in known]
    assert len(set(names)) == len(names) and HUB.keys() == KNOWN.keys()
    assert all(known_config(name) == KNOWN[known] for known, hub in HUB.items() for name in hub)


def fetched(cache: Path, name: str, config: dict[str, Any]) -> str:
    """A folder of downloads in which the hub's model has a config.json and nothing else."""
    here = cache / f"models--{name.replace('/', '--')}"
    (here / "snapshots" / "abc").mkdir(parents=True)
    (here / "refs").mkdir()
    (here / "refs" / "main").write_text("abc")
    (here / "snapshots" / "abc" / "config.json").write_text(json.dumps(config))
    return str(cache)


@pytest.mark.parametrize("name", ["Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-4B"])
def test_a_config_that_was_fetched_goes_before_what_is_known(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    cache = fetched(tmp_path, name, {**KNOWN["qwen3-4b"], "max_position_embeddings": 262144})
    found = find_subject(EngineConfig.of(model=name, download_dir=cache))
    assert found.shape.max_positions == 262144
    assert main(["plan", name, "--gpu", "H200", "--download-dir", cache]) == 0
    printed = capsys.readouterr().out
    assert "sizes: " + str(tmp_path) in printed and "snapshots/abc/config.json" in printed


def test_which_config_is_planned_for_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    words = {"plan": [], "simulate": ["--num-prompts", "4"]}
    for command, more in words.items():
        flags = ["--gpu", "H100", *more]
        assert main([command, "meta-llama/Llama-3.1-8B-Instruct", *flags]) == 0
        assert "  sizes: known to Quire as llama-3.1-8b\n" in capsys.readouterr().out
        assert (
            main([command, "llama-3-8b", *flags, "--json", "--hf-overrides", '{"num_hidden_layers": 4}']) == 0
        )
        said = json.loads(capsys.readouterr().out)["sizes"]
        assert said == "known to Quire as llama-3-8b, with --hf-overrides"


def test_a_certain_revision_is_not_what_is_known():
    config = EngineConfig.of(model="llama-3-8b", revision="0123456")
    with pytest.raises(CheckpointError, match=r"--revision is 0123456, and which one .* give the hub's name"):
        find_subject(config)


def test_a_folder_goes_before_a_known_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "llama-3-8b").mkdir()
    small = {**KNOWN["llama-3-8b"], "num_hidden_layers": 2}
    (tmp_path / "llama-3-8b" / "config.json").write_text(json.dumps(small))
    monkeypatch.chdir(tmp_path)
    assert subject("llama-3-8b").shape.layers == 2


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(CheckpointError, match="did you mean 'llama-3-8b'"):
        subject("lama-3-8b")


def test_overrides_count():
    config = EngineConfig.of(model="llama-3-8b", hf_overrides={"num_hidden_layers": 4})
    assert find_subject(config).shape.layers == 4


# -- hardware ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("NVIDIA H200", "H200"),
        ("NVIDIA H100 80GB HBM3", "H100"),
        ("NVIDIA H100 PCIe", "H100-PCIe"),
        ("NVIDIA A100-SXM4-40GB", "A100-40GB"),
        ("NVIDIA A100-SXM4-80GB", "A100"),
        ("NVIDIA A100 80GB PCIe", "A100-PCIe"),
        ("NVIDIA A10G", "A10G"),
        ("NVIDIA L40S", "L40S"),
        ("NVIDIA L4", "L4"),
        ("NVIDIA GeForce RTX 4090", "RTX-4090"),
        ("NVIDIA RTX 6000 Ada Generation", "RTX-6000-Ada"),
        ("NVIDIA GH200 480GB", "GH200"),
        ("AMD EPYC 9654 96-Core Processor", "EPYC-9654"),
    ],
)
def test_a_drivers_name_finds_its_entry(called: str, name: str):
    found = of_device(called)
    assert found is not None and found.name == name


def test_a_device_is_found_however_it_is_written_and_a_misspelt_one_is_refused():
    assert find("h100") is find("H100") is find("NVIDIA H100 80GB HBM3")
    assert find("rtx 4090") is TABLE["RTX-4090"]
    with pytest.raises(UnknownOption, match="did you mean 'H100'"):
        find("H1000")


def test_a_file_adds_devices_and_changes_some(tmp_path: Path):
    path = tmp_path / "mine.json"
    own = {"memory_gib": 48, "bandwidth_gb_s": 2000, "tflops": 500, "link": "pcie5"}
    path.write_text(json.dumps({"Mine": own, "h100": {"memory_gib": 96}}))
    table = read_table(path)
    assert find("mine", table).memory == 48 * GIB
    assert find("H100", table).memory == 96 * GIB
    assert find("H100", table).bandwidth == TABLE["H100"].bandwidth


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[1]", "must be an object of devices"),
        ('{"X": {"memory": 1}}', "did you mean 'memory_gib'"),
        ('{"X": {"memory_gib": 1}}', "needs bandwidth_gb_s and tflops"),
        ('{"H100": {"memory_gib": -1}}', "must be a number above 0"),
        ('{"H100": {"tflops": {"int3": 1}}}', "tflops of H100 is a number or"),
        ('{"H100": {"link": "string"}}', "unknown link"),
    ],
)
def test_a_wrong_file_is_refused_with_what_is_wrong(tmp_path: Path, text: str, said: str):
    path = tmp_path / "mine.json"
    path.write_text(text)
    with pytest.raises((BadOption, UnknownOption), match=said):
        read_table(path)


def test_what_the_user_knows_better_counts():
    site = find_site(Asked("H100", memory_gib=40, bandwidth_gb_s=3000, tflops=700), EngineConfig.of())
    assert site.machine.gpu is not None and site.machine.gpu.memory == 40 * GIB
    assert site.speeds is not None
    assert (site.speeds.bandwidth, site.speeds.flops["bfloat16"]) == (3e12, 7e14)


@pytest.mark.parametrize(
    ("asked", "options", "planned"),
    [
        (Asked(cpu="i9-14900K", tflops=0.2), {"dtype": "float32"}, "float32"),
        (Asked(cpu="Xeon-8480", tflops=2), {"dtype": "float32"}, "float32"),
        (Asked(cpu="Xeon-8480", tflops=2), {}, "bfloat16"),
        (Asked(cpu="i9-14900K", tflops=2), {}, "float32"),  # it does not multiply bfloat16 natively
        (Asked("H100", tflops=2), {"dtype": "float32"}, "float32"),
        (Asked("H100", tflops=2), {"dtype": "half"}, "float16"),
        (Asked("Other", memory_gib=64, bandwidth_gb_s=1000, tflops=2), {"dtype": "float32"}, "float32"),
    ],
)
def test_measured_arithmetic_is_that_of_the_type_that_is_planned(
    asked: Asked, options: dict[str, Any], planned: str
):
    config = EngineConfig.of(model="qwen3-0.6b", **options)
    site, device = find_site(asked, config), of_device(asked.cpu or asked.gpu or "")
    assert asked.tflops is not None and site.speeds is not None
    assert site.speeds.products(planned) == pytest.approx(asked.tflops * 1e12)
    made = plan(find_subject(config), config, site, None, {})
    assert made.fit.resolved.config.model.dtype == planned
    if device is not None:  # other types are as much faster or slower as the table says
        base = device.flops.get(planned) or device.flops["bfloat16"]
        for dtype, value in device.flops.items():
            assert site.speeds.flops[dtype] == pytest.approx(asked.tflops * 1e12 * value / base)


def test_measured_arithmetic_of_a_checkpoint_in_float32_is_float32s():
    asked = Asked(cpu="Xeon-8480", tflops=2)
    speeds = find_site(asked, EngineConfig.of(), checkpoint="float32").speeds
    assert speeds is not None and speeds.flops["float32"] == pytest.approx(2e12)
    assert speeds.flops["bfloat16"] > 2e12


def test_a_device_nobody_knows_can_be_described():
    site = find_site(Asked("Other", memory_gib=64, bandwidth_gb_s=1000, tflops=100), EngineConfig.of())
    assert site.speeds is not None and site.speeds.products("bfloat16") == 1e14
    asked = Asked("Other", memory_gib=64, bandwidth_gb_s=1000, tflops=100)
    assert planned("llama-3-8b", asked).fit.resolved.config.model.dtype == "bfloat16"
    eight = planned("llama-3-8b", asked, quantization="fp8").fit.resolved.config
    assert eight.model.quantization == "fp8", "what it can compute is taken to be what the newest can"


# -- what is planned ---------------------------------------------------------------------------------------


def test_a_model_that_is_too_large_is_planned_for_as_few_gpus_as_hold_it():
    made = planned("llama-3-70b", Asked("H100"))
    assert made.fit.devices == 2
    assert made.refused.startswith("loading the weights takes 131.42 GiB")


def test_counts_between_the_powers_of_two_are_tried():
    made = planned("llama-3-70b", Asked("L4"))
    assert (made.fit.devices, made.fit.layout.pp) == (10, 10)
    assert planned("llama-3-70b", Asked("L4", count=20)).fit.devices == 10


@pytest.mark.parametrize(("gpus", "layout"), [(10, (2, 5)), (11, (1, 11)), (12, (4, 3))])
def test_any_number_of_gpus_is_planned_for_with_the_ways_that_it_divides(gpus: int, layout: tuple[int, int]):
    made = planned("llama-3-70b", Asked("L4", count=gpus))
    assert layout in {(f.layout.tp, f.layout.pp) for f, _ in made.others}


def test_looking_for_a_layout_asks_the_engine_for_no_ways_out(monkeypatch: pytest.MonkeyPatch):
    looked: list[object] = []
    monkeypatch.setattr("quire.engine.resolve.way_out", lambda *told: looked.append(told) or "")
    assert planned("llama-3.1-405b", Asked("L4")).fit.devices == 56
    assert len(looked) == 1  # for the refusal of one device, which is shown


def test_a_model_that_nothing_holds_is_refused_in_the_engines_words():
    with pytest.raises(DoesNotFit, match="loading the weights takes"):
        planned("llama-3-70b", Asked("L4", count=1))


def test_layouts_are_those_the_engine_takes():
    made = planned("llama-3-70b", Asked("H100", count=8))
    found = {(f.layout.tp, f.layout.pp, f.layout.dp) for f, _ in made.others}
    assert (8, 1, 1) in found and (4, 1, 2) in found and (1, 8, 1) in found
    assert (1, 1, 8) not in found  # does not fit one
    assert all(f.devices == 8 for f, _ in made.others)


def test_whole_experts_on_each_gpu_are_among_the_layouts_of_a_model_that_has_them():
    made = planned("qwen3-30b-a3b", Asked("A100", count=4))
    assert any(f.layout.spread_experts for f, _ in made.others)


def test_processes_on_a_cpu_share_its_cores():
    asked = Asked(cpu="EPYC-9654", memory_gib=64)
    alone, two = planned("qwen3-0.6b", asked), planned("qwen3-0.6b", asked, tensor_parallel_size=2)
    assert alone.fit.runs is not None and two.fit.runs is not None
    assert two.fit.runs.speeds.bandwidth == alone.fit.runs.speeds.bandwidth / 2
    assert next(iter(lines(two))) == "qwen3-0.6b on EPYC-9654, --tensor-parallel-size 2"


def test_a_million_tokens_cost_what_the_hour_costs():
    made = planned("llama-3-8b", Asked("H100"), Work(price_per_hour=3.6))
    assert made.best is not None
    cost = made.cost(made.best.output_tokens_per_s, 1)
    assert cost == pytest.approx(1000 / made.best.output_tokens_per_s)
    assert as_json(made)["price_per_million_output_tokens"] == cost


def test_work_that_is_longer_than_requests_may_be_is_shortened():
    made = planned("llama-3-8b", Asked("H100"), Work(8000, 2000), max_model_len=1000)
    assert (made.work.prompt, made.work.answer) == (800, 200)
    assert Work(1024, 256).within(8192) == Work(1024, 256)
    assert Work(10, 10).within(1) == Work(1, 1)


@pytest.mark.parametrize(
    "seqs,said", [(4, "--max-num-seqs allows no more"), (4000, "the KV cache holds no more")]
)
def test_more_requests_than_run_at_once_are_told(seqs: int, said: str, capsys: pytest.CaptureFixture[str]):
    flags = ["--requests", "3000", "--max-num-seqs", str(seqs)]
    assert main(["plan", "llama-3-8b", "--gpu", "H100", "--input-len", "4000", *flags]) == 0
    printed = capsys.readouterr().out
    assert f"not the 3,000 asked for: {said}" in printed
    assert main(["plan", "llama-3-8b", "--gpu", "H100", "--requests", "4"]) == 0
    assert "asked for" not in capsys.readouterr().out


def test_a_model_that_only_reads_is_planned_without_decoding():
    made = planned("quire-tiny-classify", Asked("L4"))
    assert made.speeds == () and made.prefill is not None and list(lines(made))


def test_a_model_without_speeds_is_planned_without_times():
    config = EngineConfig.of(model="llama-3-8b")
    site = replace(find_site(Asked("H100"), config), speeds=None)
    made = plan(find_subject(config), config, site, None, {})
    assert made.speeds == () and "give --bandwidth" in "\n".join(lines(made))


# -- the command -------------------------------------------------------------------------------------------


def test_the_command_prints_a_plan(capsys: pytest.CaptureFixture[str]):
    assert main(["plan", "llama-3-8b", "--gpu", "H100", "--price-per-hour", "2"]) == 0
    out = capsys.readouterr().out
    assert "llama-3-8b on H100" in out and "price/M" in out and "bound by" in out


def test_the_guide_shows_what_the_command_prints(capsys: pytest.CaptureFixture[str]):
    page = (Path(__file__).parents[2] / "docs" / "guides" / "planning.md").read_text()
    assert main(["plan", "llama-3-8b", "--gpu", "H100"]) == 0
    printed = capsys.readouterr().out.splitlines()
    shown = [block.split("```")[0] for block in page.split("```text\n")[1:]]
    memory, times = (next(b for b in shown if word in b) for word in ("GiB of one device", "ms/step"))
    for line in (memory + times).splitlines():
        assert line in printed


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]):
    assert main(["plan", "qwen3-1.7b", "--gpu", "L4", "--quantization", "fp8", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kv_blocks"] * told["block_size"] == told["kv_tokens"]
    assert told["memory_bytes"]["weights"] == told["weights_bytes"]["fp8"]
    assert told["decode"][0]["bound"] == "memory"


def test_the_command_names_what_it_knows(capsys: pytest.CaptureFixture[str]):
    assert main(["plan", "--list"]) == 0
    out = capsys.readouterr().out
    assert "llama-3-8b" in out and "RTX-4090" in out and "EPYC-9654" in out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("llama-3-8b", "--gpu", "H10"), "did you mean"),
        (("llama-3-8b", "--gpu", "EPYC-9654"), "use --cpu"),
        (("llama-3-8b", "--gpu", "H100", "--cpu", "EPYC-9654"), "one of them at a time"),
        (("llama-3-8b", "--gpu", "H100", "--device", "cpu"), "leave one of them out"),
        (("llama-3-8b", "--gpu", "H100", "--link", "nvlink"), "did you mean 'nvlink"),
        (("llama-3-8b", "--gpu", "H100", "--link", "string"), "pcie5"),
        (("llama-3-8b", "--gpu", "H100", "--tflops", "inf"), "at most 1,000,000"),
        (("llama-3-8b", "--gpu", "H100", "--input-len", "0"), "--input-len is 0"),
        (("llama-3-8b", "--gpu", "H100", "--price-per-hour", "-1"), "must be above 0"),
        (("llama-3-8b", "--gpu", "H100", "--tensor-parallel-size", "3"), "does not divide"),
        (("llama-3-70b", "--gpu", "L4", "--num-gpus", "1"), "No setting makes it fit"),
    ],
)
def test_what_cannot_be_planned_is_one_line_and_code_2(args, said, capsys: pytest.CaptureFixture[str]):
    assert main(["plan", *args]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and said in err and err.count("\n") == 1


def test_a_gpu_without_bfloat16_is_planned_as_the_engine_starts_there(tmp_path: Path):
    file = tmp_path / "hardware.json"
    file.write_text(
        json.dumps(
            {"T4": {"memory_gib": 15, "bandwidth_gb_s": 320, "tflops": {"float16": 65}, "capability": "7.5"}}
        )
    )
    config = EngineConfig.of(model="qwen3-1.7b")
    site = find_site(Asked("T4"), config, read_table(file))
    made = plan(find_subject(config), config, site, None, {})
    assert as_json(made)["dtype"] == as_json(made)["kv_cache_dtype"] == "float16"
    assert any("planned: float16" in line for line in lines(made))
    with pytest.raises(BadOption, match=r"bfloat16, .* compute capability 8\.0 .* T4 has 7\.5"):
        plan(find_subject(config), EngineConfig.of(model="qwen3-1.7b", dtype="bfloat16"), site, None, {})


def test_what_the_gpu_cannot_compute_and_gpus_that_are_not_there_are_refused():
    for options in ({"quantization": "fp8"}, {"kv_cache_dtype": "fp8"}):
        with pytest.raises(BadOption, match=r"needs a GPU of compute capability 8\.9 .* A100 has 8\.0"):
            planned("qwen3-1.7b", Asked("A100"), **options)
    with pytest.raises(BadOption, match="asks for 2 GPUs and there are 1"):
        planned("llama-3-8b", Asked("H100", count=1), tensor_parallel_size=2)
    assert planned("llama-3-8b", Asked("H100", count=2), tensor_parallel_size=2).fit.resolved.ranks.tp == 2
