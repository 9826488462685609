"""`quire doctor`: findings with a meaning and a way out, whatever is missing, hangs or crashes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quire.cli import main
from quire.config import EngineConfig
from quire.engine.machine import Gpu, Machine
from quire.tools.doctor.ask import Answer, ask
from quire.tools.doctor.examine import lines
from quire.tools.doctor.findings import Area, Finding, Report, looked
from quire.tools.doctor.gpus import FIELDS, gpus, health, list_gpus, read_rows
from quire.tools.doctor.host import host
from quire.tools.doctor.model import model
from quire.tools.doctor.software import packages, requirements, software, split
from quire.tools.plan import site

GIB = 2**30
H200 = {
    "name": "NVIDIA H200", "memory": 140 * GIB, "free": 139 * GIB, "capability": [9, 0], "processors": 132,
    "l2_bytes": 60 << 20, "computes": "",
}  # fmt: skip
TORCH = {
    "version": "2.11.0",
    "cuda": "13.0",
    "available": True,
    "gpus": [H200],
    "kernel": "",
    "arch_list": ["sm_90"],
}
ROW = (
    "0, NVIDIA H200, 580.95, 143771, 4, 31, 76.2, 700.00, 700.00, 345, 1980, 5, 16, 16, 0, Enabled, "
    "Default, Disabled, Not Active, Not Active"
)
HEALTHY = dict(zip(FIELDS, ROW.split(", "), strict=True))


def levels(found: Iterator[Finding]) -> dict[str, str]:
    return {f.check: f.level for f in found}


# -- the command ---------------------------------------------------------------------------------------------


def test_it_looks_at_this_machine_and_its_code_is_that_of_the_worst(capsys: pytest.CaptureFixture[str]):
    code = main(["doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code == {"ok": 0, "note": 0, "warning": 1, "problem": 2}[told["worst"]]
    found = {(f["area"], f["check"]): f for f in told["findings"]}
    assert found["software", "torch"]["facts"]["version"]
    assert found["host", "CPU"]["facts"]["cores"] >= 1
    assert found["host", "memory"]["facts"]["bytes"] > GIB


def test_it_runs_without_the_servers_packages_and_most_others():
    absent = ("fastapi", "uvicorn", "zmq", "msgspec", "pydantic", "tokenizers", "jinja2", "tqdm", "numpy")
    code = f"""
import sys
for name in {absent}:
    sys.modules[name] = None  # importing it fails, as if it were not installed
from quire.cli import main
sys.exit(main(["doctor", "--quiet", "--model", "quire-tiny"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "worst:" in done.stdout, done.stderr
    assert "could not be looked at" in done.stdout  # the model needs numpy and tokenizers
    assert done.returncode == 1


def test_benches_and_plans_need_no_server_packages():
    code = """
import sys
for name in ("fastapi", "uvicorn", "zmq", "msgspec", "pydantic", "starlette", "prometheus_client"):
    sys.modules[name] = None
from quire.cli import main
small = ["--size", "64", "--seconds", "0.01", "--device", "cpu", "--dtype", "float32"]
sys.exit(main(["plan", "llama-3-8b", "--gpu", "H200"]) or main(["bench", "gemm", *small]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_is_told_has_a_way_out_for_all_that_is_not_well():
    bad = Area("software").problem("torch", "is not here", "nothing runs", "install it")
    report = Report((Area("host").ok("CPU", "fine"), bad))
    said = "\n".join(lines(report))
    assert "problem  torch: is not here" in said and "nothing runs" in said and "→ install it" in said
    assert said.endswith("1 ok, 1 problem; worst: problem")
    assert "CPU" not in "\n".join(lines(report, quiet=True))
    assert report.code == 2


# -- commands that are absent, fail or hang ------------------------------------------------------------------


def test_a_command_that_is_absent_fails_or_hangs_is_an_answer():
    assert ask(["no-such-command"]).failed == "there is no command no-such-command"
    assert ask([sys.executable, "-c", "import sys; sys.exit('broken')"]).failed.endswith("code 1: broken")
    slow = ask([sys.executable, "-c", "import time; time.sleep(60)"], limit_s=0.3)
    assert "did not answer within 0.3 seconds" in slow.failed
    assert ask([sys.executable, "-c", "print('well')"]) == Answer("well\n")


def test_a_look_that_breaks_is_a_finding_and_the_next_goes_on():
    def broken() -> Iterator[Finding]:
        yield Area("GPUs").ok("first", "seen")
        raise KeyError("unheard of")

    first, second = looked("GPUs", broken)
    assert first.check == "first"
    assert second.level == "warning" and "KeyError" in second.found


# -- software ------------------------------------------------------------------------------------------------


def test_a_torch_that_does_not_load_is_a_problem():
    found = {
        f.check: f for f in software(Answer(failed="python ended with code 1: libcudart.so.13: not found"))
    }
    assert found["torch"].level == "problem" and "libcudart" in found["torch"].found


def test_missing_packages_say_what_cannot_run():
    asked = ["torch>=2.11,<2.14", "msgspec>=0.19,<1", "fastapi>=0.116,<1", "safetensors>=0.5,<1"]
    found = {f.check: f for f in packages(asked, {"torch": "2.11.0+cu130"})}
    assert found["server packages"].level == "warning"
    assert found["server packages"].found == "not installed: fastapi, msgspec"
    assert found["packages"].level == "problem" and "safetensors" in found["packages"].found


def test_a_version_out_of_range_is_named_with_the_range():
    found = {f.check: f for f in packages(["numpy>=2.0,<3"], {"numpy": "1.26.4"})}
    assert found["numpy"].level == "warning" and ">=2.0" in found["numpy"].means
    assert found["numpy"].do == "pip install 'numpy>=2.0,<3'"


def test_requirements_are_read_as_they_are_written():
    assert split("uvloop>=0.21,<1; sys_platform != 'win32'") == ("uvloop", [(">=", "0.21"), ("<", "1")])
    assert "torch" in {split(line)[0] for line in requirements()}


# -- GPUs ----------------------------------------------------------------------------------------------------


def fake_smi(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real program of that name, first on the path."""
    path = folder / "nvidia-smi"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_a_machine_without_gpus_gets_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    (found,) = gpus({})
    assert found.level in ("note", "problem")  # a problem where the system shows devices without a driver


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('echo "couldn\'t communicate with the NVIDIA driver" >&2; exit 9', "code 9: couldn't communicate"),
        ('echo "No devices were found"', "it said: No devices were found"),
        ("head -c 600 /dev/zero | tr '\\0' '?'", "it said: ????"),
        ("true", "it said nothing"),
    ],
)
def test_an_nvidia_smi_that_tells_of_no_gpu_is_a_warning(script, said, tmp_path, monkeypatch):
    fake_smi(tmp_path, script, monkeypatch)
    monkeypatch.setattr("quire.tools.doctor.gpus.Path.glob", lambda *_: iter(()))  # no /dev/nvidia0
    (found,) = gpus({})
    assert found.level == "warning" and said in found.found and len(found.found) < 300
    assert "modprobe nvidia" in found.do


def test_an_nvidia_smi_that_fails_where_torch_sees_gpus_is_a_warning(tmp_path, monkeypatch):
    fake_smi(tmp_path, "exit 9", monkeypatch)
    found = {f.check: f for f in gpus(TORCH)}["nvidia-smi"]
    assert found.level == "warning" and "code 9: without a word" in found.found


def test_a_healthy_gpu_is_ok(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    row = ", ".join(HEALTHY.values())
    fake_smi(tmp_path, f'case "$*" in *query-gpu*) echo "{row}";; *compute-apps*) ;; '
                       '*) echo "| CUDA Version: 13.0 |";; esac', monkeypatch)  # fmt: skip
    found = list(gpus(TORCH))
    assert {f.level for f in found} == {"ok"}
    assert any("datasheet: 4,800 GB/s, 989 TFLOP/s" in f.means for f in found)


@pytest.mark.parametrize(
    ("change", "level", "said"),
    [
        ({"ecc.errors.uncorrected.volatile.total": "3"}, "problem", "could not be corrected"),
        ({"temperature.gpu": "91"}, "warning", "91 °C"),
        ({"clocks_throttle_reasons.hw_thermal_slowdown": "Active"}, "warning", "slows down"),
        ({"power.limit": "350.00"}, "note", "350.00 of 700.00 W"),
        ({"pcie.link.width.current": "4"}, "note", "x4 of x16"),
        ({"compute_mode": "Exclusive_Process"}, "warning", "Exclusive_Process"),
        ({"memory.used": "100000"}, "note", "97.7 GiB are in use by others"),
        ({"memory.total": "[GPU is lost]"}, "problem", "the driver says [GPU is lost]"),
        ({"power.draw": "[GPU is lost]"}, "problem", "the driver says [GPU is lost]"),
        ({"temperature.gpu": "ERR!", "power.draw": "[Unknown Error]"}, "problem", "the driver says ERR!"),
        ({"power.default_limit": "[Unknown Error]"}, "note", "power.default_limit ([Unknown Error])"),
    ],
)
def test_what_is_wrong_with_a_gpu_is_found(change: dict[str, str], level: str, said: str):
    found = [f for f in health(HEALTHY | change) if f.level != "ok"]
    assert [f.level for f in found] == [level]
    assert said in found[0].found and found[0].do


def test_one_figure_that_cannot_be_told_hides_nothing_else():
    row = HEALTHY | {"power.draw": "ERR!", "ecc.errors.uncorrected.volatile.total": "3"}
    assert [f.level for f in health(row)] == ["ok", "note", "problem"]


def test_fields_that_a_driver_does_not_know_are_left_out():
    def query(command: list[str]) -> Answer:
        fields = command[1].partition("=")[2].split(",")
        if "mig.mode.current" in fields:
            return Answer(
                'Field "mig.mode.current" is not a valid field to query.', "nvidia-smi ended with code 2"
            )
        return Answer(", ".join(HEALTHY[field] for field in fields))

    answer, (row,) = list_gpus(query)
    assert answer.came and row["name"] == "NVIDIA H200" and row["mig.mode.current"] == ""


def test_rows_of_another_shape_are_passed_over():
    assert read_rows("No devices were found") == []


@pytest.mark.parametrize(
    ("torch", "check", "said"),
    [
        ({**TORCH, "cuda": None, "gpus": []}, "driver", "built for CPUs only"),
        ({**TORCH, "cuda": "14.0"}, "driver", "torch is built for CUDA 14.0"),
        ({**TORCH, "available": False, "gpus": []}, "driver", "torch finds no GPU"),
        ({**TORCH, "kernel": "RuntimeError: no C compiler"}, "Triton", "no C compiler"),
        ({**TORCH, "gpus": [H200 | {"computes": "CUDA error"}]}, "GPU 0 in torch", "CUDA error"),
    ],
)
def test_a_gpu_that_cannot_be_used_is_a_problem(torch, check, said, tmp_path, monkeypatch):
    row = ", ".join(HEALTHY.values())
    fake_smi(tmp_path, f'case "$*" in *query-gpu*) echo "{row}";; *compute-apps*) ;; '
                       '*) echo "| CUDA Version: 13.0 |";; esac', monkeypatch)  # fmt: skip
    found = [f for f in gpus(torch) if f.level == "problem"]
    assert [f.check for f in found] == [check]
    assert said in found[0].found and found[0].do


def test_gpus_that_do_not_see_each_other_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    two = {**TORCH, "gpus": [H200, H200], "peers": [[True, False], [False, True]]}
    found = {f.check: f for f in gpus(two)}
    assert "0 to 1, 1 to 0" in found["peer access"].found
    assert found["topology"].level == "note"  # there is no nvidia-smi to ask


def test_the_drivers_matrix_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    topology = "\\tGPU0\\tGPU1\\nGPU0\\t X \\tNV18\\nGPU1\\tNV18\\t X "
    fake_smi(
        tmp_path, f'case "$*" in topo*) printf "{topology}";; *query-gpu*) echo "{ROW}";; esac', monkeypatch
    )
    two = {**TORCH, "gpus": [H200, H200], "peers": [[True, True], [True, True]]}
    found = tuple(gpus(two))
    assert {f.check: f.level for f in found}["peer access"] == "ok"
    assert any(line.split() == ["GPU1", "NV18", "X"] for line in lines(Report(found)))


# -- the host ------------------------------------------------------------------------------------------------


def test_a_host_with_little_memory_is_warned_about():
    machine = Machine(2, 2 * GIB, GIB // 2, False)
    assert levels(host(machine))["memory"] == "warning"


def test_threads_that_do_not_fit_the_cores_are_noted():
    machine = Machine(2, 8 * GIB, 6 * GIB, False)
    assert levels(host(machine, {"OMP_NUM_THREADS": "7", "HOME": "/"}))["threads"] == "note"


def test_more_open_files_than_the_hard_limit_are_not_advised(monkeypatch: pytest.MonkeyPatch):
    import resource

    limits = {resource.RLIMIT_NOFILE: (64, 64)}
    monkeypatch.setattr(resource, "getrlimit", lambda which: limits.get(which, (-1, -1)))
    machine = Machine(2, 8 * GIB, 6 * GIB, False)
    found = {f.check: f for f in host(machine)}["open files"]
    assert "ulimit -n" not in found.do and "hard limit of 64" in found.do and "limits.conf" in found.do
    limits[resource.RLIMIT_NOFILE] = (64, 4096)
    assert {f.check: f for f in host(machine)}["open files"].do == "ulimit -n 4096"


# -- a model -------------------------------------------------------------------------------------------------


def test_the_embedded_model_would_start():
    assert {f.level for f in model(EngineConfig.of(device="cpu"))} <= {"ok", "note"}


def test_a_cache_of_a_few_tokens_is_warned_about():
    config = EngineConfig.of(device="cpu", kv_cache_memory_bytes=1 << 20, max_model_len=16)
    found = {f.check: f for f in model(config)}["fit"]
    assert found.level == "warning" and "less than one usual request" in found.means and found.do


def test_a_hubs_model_that_was_fetched_before_is_looked_at(checkpoint: Path, tmp_path: Path):
    fetched = tmp_path / "models--someone--small" / "snapshots" / "abc"
    fetched.parent.mkdir(parents=True)
    shutil.copytree(checkpoint, fetched)
    (tmp_path / "models--someone--small" / "refs").mkdir()
    (tmp_path / "models--someone--small" / "refs" / "main").write_text("abc")
    config = EngineConfig.of(model="someone/small", download_dir=str(tmp_path), device="cpu")
    found = {f.check: f for f in model(config)}
    assert "whole" in found["weights"].found and "ids up to" in found["tokenizer"].found
    (fetched / "model.safetensors").unlink()
    assert {f.check: f for f in model(config)}["weights"].found == "not on this machine"


def test_the_kernels_that_would_run_are_named():
    (found,) = [f for f in model(EngineConfig.of(device="cpu")) if f.check == "kernels"]
    assert found.level == "ok" and "CPU" in found.found


@pytest.mark.parametrize(
    ("dtype", "check", "level", "said"),
    [
        ("auto", "type", "ok", "float16: the checkpoint"),
        ("float16", "type", "ok", "float16: as asked"),
        ("bfloat16", "settings", "problem", "Tesla T4 has 7.5"),
    ],
)
def test_a_gpu_without_bfloat16_is_told_of_as_the_engine_would_tell(
    dtype: str, check: str, level: str, said: str, monkeypatch: pytest.MonkeyPatch
):
    gpu = Gpu("Tesla T4", 15 * GIB, 14 * GIB, 40, (7, 5))
    machine = Machine(8, 32 * GIB, 30 * GIB, False, gpu, 1)
    monkeypatch.setattr(site, "this_machine", lambda **_: machine)
    found = {f.check: f for f in model(EngineConfig.of(model="qwen3-1.7b", dtype=dtype))}[check]
    assert found.level == level and said in found.found, found


def test_a_model_that_does_not_fit_is_a_problem_with_the_numbers():
    config = EngineConfig.of(model="llama-3.1-405b", device="cpu", dtype="float32")
    found = {f.check: f for f in model(config)}
    assert found["fit"].level == "problem" and "GiB" in found["fit"].found


def test_a_tokenizer_of_another_model_is_found(checkpoint: Path):
    config = EngineConfig.of(model=str(checkpoint), tokenizer="quire-tiny", device="cpu")
    found = {f.check: f for f in model(config)}
    assert (
        found["tokenizer"].level == "problem"
        and "ids up to 4,095, and the model has 512" in found["tokenizer"].found
    )


def test_broken_weights_and_a_missing_tokenizer_are_found(checkpoint: Path, tmp_path: Path):
    (tmp_path / "config.json").write_text((checkpoint / "config.json").read_text())
    (tmp_path / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n")
    found = {f.check: f for f in model(EngineConfig.of(model=str(tmp_path), device="cpu"))}
    assert found["weights"].level == "problem" and "LFS" in found["weights"].found
    assert found["tokenizer"].level == "problem"


@pytest.mark.parametrize(
    ("name", "times", "said"), [("num_hidden_layers", 2, "missing:"), ("intermediate_size", 2, "misshapen:")]
)
def test_weights_of_another_config_are_a_problem_in_the_loaders_words(
    name: str, times: int, said: str, checkpoint: Path, tmp_path: Path
):
    folder = shutil.copytree(checkpoint, tmp_path / "other")
    told = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(told | {name: told[name] * times}))
    found = {f.check: f for f in model(EngineConfig.of(model=str(folder), device="cpu"))}["weights"]
    assert (
        found.level == "problem" and "are not those of" in found.found and "no engine starts" in found.means
    )
    assert any(said in row for row in found.facts["matrix"])
    back = EngineConfig.of(model=str(folder), device="cpu", hf_overrides={name: told[name]})
    assert {f.check: f for f in model(back)}["weights"].level == "ok"


def test_without_torch_the_numbers_of_weights_are_compared(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("quire.tools.doctor.model.ask_apart", lambda words: Answer(failed="no torch"))
    folder = shutil.copytree(checkpoint, tmp_path / "other")
    told = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(
        json.dumps(told | {"intermediate_size": 3 * told["intermediate_size"]})
    )
    found = {f.check: f for f in model(EngineConfig.of(model=str(folder), device="cpu"))}["weights"]
    assert found.level == "warning" and "describes" in found.found


def test_a_family_nobody_knows_is_a_problem(tmp_path: Path):
    (tmp_path / "config.json").write_text('{"architectures": ["NobodyForCausalLM"]}')
    (found,) = model(EngineConfig.of(model=str(tmp_path)))
    assert found.level == "problem" and "NobodyForCausalLM" in found.found
