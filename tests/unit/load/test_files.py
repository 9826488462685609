"""Files that are written after minutes of measuring: what cannot be is known before; none is half done."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from tests.unit.simulate.traffic import COST, ROOM

from quire.cli import main
from quire.errors import BadOption
from quire.simulate.calibration import Calibration
from quire.tools.load.files import check_file, written
from quire.tools.load.result import save


def test_what_was_there_stays_until_all_is_written(tmp_path: Path):
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(BadOption, match=r"a\.json cannot be written: No space left"), written(path) as aside:
        aside.write_text("ne")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    with written(path) as aside:
        assert aside.suffix == ".json"  # plots are drawn in the form that a name ends in
        aside.write_text("new")
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]


def test_a_link_and_what_is_no_plain_file_are_written_through(tmp_path: Path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with written(tmp_path / "link") as aside:
        aside.write_text("new")
    assert (tmp_path / "target").read_text() == "new" and (tmp_path / "link").is_symlink()
    with written(Path("/dev/null")) as aside:
        aside.write_text("nothing")
    assert Path("/dev/null").is_char_device()


def test_a_file_that_cannot_be_replaced_is_written_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As one that is mounted by itself into a container."""

    def busy(*args: object) -> None:
        raise OSError(errno.EBUSY, "Device or resource busy")

    target = tmp_path / "told[1].json"
    target.write_text("before")
    monkeypatch.setattr(os, "replace", busy)
    with written(target) as aside:
        aside.write_text("after")
    assert target.read_text() == "after" and [*tmp_path.iterdir()] == [target]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_one_line(tmp_path: Path):
    with pytest.raises(BadOption, match="No space left"):
        save({"date": ""}, "/dev", "full")
    with pytest.raises(BadOption, match="No space left"):
        Calibration("tiny", "a test", ROOM, COST).write(Path("/dev/full"))


def test_where_nothing_can_be_written_is_known_before(tmp_path: Path):
    for path, said in (
        (tmp_path / "none" / "a", "there is no folder"),
        (tmp_path, "it is a folder"),
        (Path("/proc/a"), "cannot be written"),
    ):
        with pytest.raises(BadOption, match=said):
            check_file(path, "--output")
    check_file(tmp_path / "a", "--output")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "args",
    [
        ("simulate", "llama-3-8b", "--gpu", "H100", "--num-prompts", "2", "--plot", "/proc/a.png"),
        ("bench", "calibrate", "--output", "/proc/a.json"),
        ("bench", "calibrate", "--output", ""),
        ("bench", "latency", "--profile", "/proc/a.json"),
        ("bench", "throughput", "--profile", "/nonesuch/a.json"),
        ("bench", "latency", "--plot", "/proc/a.svg"),
    ],
    ids=lambda args: " ".join(args[1:2] + args[-2:]),
)
def test_the_commands_ask_before_they_measure(args, capsys):
    if "--plot" in args:
        pytest.importorskip("matplotlib", reason="plots are an extra: pip install 'quire[plot]'")
    assert main(list(args)) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("error: ") and captured.err.count("\n") == 1
