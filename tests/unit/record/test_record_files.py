"""Files that cannot be a record, that two engines would write at once, or that make no sense."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.record.test_record import Watched, story

from quire.cli import main
from quire.errors import BadRecord
from quire.record.format import MAGIC, Header, Room, framed, put
from quire.record.reader import lives
from quire.record.writer import Recorder

HEADER = Header(Room(1, 8, 8, 8, 4), "m", 0.0)
HOLDS = f"""
import sys
from quire.record.format import Header, Room
from quire.record.writer import Recorder
recorder = Recorder(sys.argv[1], Header(Room(1, 8, 8, 8, 4), "m", 0.0))
print("open", flush=True)
sys.stdin.read()
# {Path(__file__).name}
"""


@pytest.mark.parametrize("name", ["/dev/null", "a pipe"])
def test_what_is_no_plain_file_is_refused_and_not_waited_for(name, tmp_path):
    path = Path(name)
    if name == "a pipe":
        path = tmp_path / "pipe"
        os.mkfifo(path)
    with pytest.raises(BadRecord, match=r"it is no plain file; name another file with --record"):
        Recorder(path, HEADER)


def test_a_record_has_one_process_that_writes_it(tmp_path):
    pytest.importorskip("fcntl")
    path = tmp_path / "traffic.qrec"
    command = [sys.executable, "-c", HOLDS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(BadRecord, match="another process is recording to it"):
            Recorder(path, HEADER)
        other.stdin.close()
        other.wait()
    Recorder(path, HEADER).close()
    assert len(lives(path)) == 2


def test_a_record_that_makes_no_sense_is_one_line_whatever_is_in_it(tmp_path, capsys):
    """Frames that are whole, as two writers leave them, with what no single writer would have written."""
    whole, path = tmp_path / "whole.qrec", tmp_path / "odd.qrec"
    driver = Watched(whole)
    story(driver, 7)
    driver.recorder.close()
    header, *frames = _frames(whole.read_bytes())
    rng, codes = random.Random(3), set()
    for _ in range(80):
        odd = [bytearray(frame) for frame in frames]
        frame = rng.choice(odd)
        for _ in range(rng.randint(1, 3)):
            frame[rng.randrange(1, len(frame))] = rng.randrange(256)
        path.write_bytes(MAGIC + b"".join(framed(bytes(part)) for part in (header, *odd)))
        for words in (["replay", str(path)], ["simulate", "--gpu", "H100", "--trace", str(path)]):
            codes.add(main(words))
        assert all(line.startswith("error: ") for line in capsys.readouterr().err.splitlines())
    assert codes <= {0, 1, 2}


def _frames(data: bytes) -> list[bytes]:
    at, out = len(MAGIC), []
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "little")
        out.append(data[at + 8 : at + 8 + length])
        at += 8 + length
    return out


def test_steps_of_two_models_are_not_one_calibration(tmp_path, capsys):
    path = tmp_path / "both.qrec"
    for model in ("one", "two"):
        Recorder(path, Header(HEADER.room, model, 0.0)).close()
    words = ["bench", "calibrate", "--from", str(path), "--output", str(tmp_path / "made.json")]
    assert main(words) == 2
    assert "holds steps of one and two" in capsys.readouterr().err


def test_an_event_that_is_cut_off_inside_a_whole_frame_is_refused(tmp_path, capsys):
    path = tmp_path / "cut.qrec"
    Recorder(path, HEADER).close()
    events = bytearray(b"E")
    events.append(1)
    put(events, 5)
    path.write_bytes(path.read_bytes() + framed(bytes(events)))
    assert main(["replay", str(path)]) == 2
    assert "a record makes no sense at byte" in capsys.readouterr().err
