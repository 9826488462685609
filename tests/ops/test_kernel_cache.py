"""Where built kernels are kept, and what is said where they cannot be, or were damaged."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quire.errors import ConfigError
from quire.worker.cuda import kernel_cache
from quire.worker.cuda.kernels import Built

pytest.importorskip("triton.compiler")

BUILD = """
import triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from quire.worker.cuda.kernel_cache import told_if_damaged

@triton.jit
def twice(x, n, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(x + at, tl.load(x + at, at < n) * 2, at < n)

with told_if_damaged():
    source = triton.compiler.ASTSource(twice, {"x": "*fp32", "n": "i32", "N": "constexpr"}, {"N": 64})
    triton.compile(source, target=GPUTarget("cuda", 90, 32))
"""


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch):
    """Sets the folder, and puts back what is set instead."""

    def use(path: Path) -> None:
        monkeypatch.setenv("TRITON_CACHE_DIR", str(path))

    return use


def build(script: Path, cache: Path) -> subprocess.CompletedProcess:
    script.write_text(BUILD)
    environ = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environ["TRITON_CACHE_DIR"] = str(cache)
    return subprocess.run([sys.executable, script], env=environ, capture_output=True, text=True)


def test_a_damaged_cache_is_named(tmp_path: Path):
    script, cache = tmp_path / "build.py", tmp_path / "cache"
    assert build(script, cache).returncode == 0
    damaged = list(cache.glob("*/twice.json"))
    for path in damaged:
        path.write_text(path.read_text()[:20])
    found = build(script, cache)
    assert damaged and found.returncode
    assert f"ConfigError: a kernel cannot be read from {cache} (JSONDecodeError" in found.stderr
    assert "delete it" in found.stderr


@pytest.mark.parametrize(
    "error,told",
    [
        (RuntimeError("Triton Error [CUDA]: device kernel image is invalid"), True),
        (RuntimeError("Triton Error [CUDA]: out of memory"), False),
        (RuntimeError("no kernel image is available for execution on the device"), False),
        (FileNotFoundError(2, "No such file", "gcc"), False),
        (ValueError("something else"), False),
    ],
    ids=lambda value: str(value)[:40],
)
def test_only_what_comes_from_the_cache_is_blamed_on_it(error: Exception, told: bool):
    kind, said = (ConfigError, "delete it") if told else (type(error), str(error)[-20:])
    with pytest.raises(kind, match=said), kernel_cache.told_if_damaged():
        raise error


def test_a_file_of_the_cache_that_is_gone_is_told(tmp_path: Path, elsewhere):
    elsewhere(tmp_path)
    with pytest.raises(ConfigError, match="delete it"), kernel_cache.told_if_damaged():
        (tmp_path / "ABC" / "twice.cubin").read_bytes()


def test_a_cache_that_cannot_be_written_is_replaced_and_the_log_says_so(
    tmp_path: Path, elsewhere, caplog: pytest.LogCaptureFixture
):
    (tmp_path / "file").write_text("not a folder")
    elsewhere(tmp_path / "file" / "cache")
    with caplog.at_level(logging.WARNING, "quire"):
        kernel_cache.ensure_writable()
    own = kernel_cache.folder()
    assert own.is_dir() and not str(own).startswith(str(tmp_path))
    assert f"kernels cannot be kept in {tmp_path / 'file' / 'cache'} (Not a directory)" in caplog.text
    assert "TRITON_CACHE_DIR" in caplog.text
    kernel_cache._remove(str(own), os.getpid() + 1)
    assert own.is_dir(), "a forked process leaves it"
    kernel_cache._remove(str(own), os.getpid())
    assert not own.exists()


def test_a_cache_that_can_be_written_stays(tmp_path: Path, elsewhere, caplog: pytest.LogCaptureFixture):
    elsewhere(tmp_path / "new")
    kernel_cache.ensure_writable()
    assert kernel_cache.folder() == tmp_path / "new" and not list((tmp_path / "new").iterdir())
    assert not caplog.text


def test_the_note_lies_beside_the_kernels_wherever_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import torch

    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "a GPU")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (9, 0))
    monkeypatch.delenv("TRITON_CACHE_DIR", raising=False)
    monkeypatch.setenv("TRITON_HOME", str(tmp_path))
    built = Built("an engine")
    assert not built.known
    built.note()
    assert built.known and built.path.parent == tmp_path / ".triton" / "cache"
    (tmp_path / "file").touch()
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "file" / "cache"))
    nowhere = Built("an engine")
    nowhere.note()
    assert not nowhere.known
