"""Records: what is in them and what is not, how large they are, and that they survive."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver

from quire.cli import main
from quire.errors import BadOption, BadRecord
from quire.params import SamplingParams
from quire.record.format import MAGIC, Header, Room, framed, put, unzigzag, zigzag
from quire.record.reader import Added, Committed, Stepped, lives
from quire.record.writer import Recorder
from quire.scheduler.policy import POLICIES
from quire.scheduler.recorded import Recorded
from quire.simulate.replan import replan, steps_of
from quire.simulate.traffic import recorded
from quire.tools.load.trace import read_trace
from quire.types import Request


class Watched(Driver):
    """A driver whose scheduler keeps a record."""

    def __init__(
        self, path: Path, windows=FULL, *, policy="fcfs", chunked=True, secret=b"", began=None, **more
    ):
        super().__init__(windows, policy=policy, chunked=chunked, **more)
        s = self.scheduler
        room = Room(
            s.rows.size,
            s.rows.tokens.shape[1],
            s.budget,
            self.kv.pool.size,
            self.kv.block_tokens,
            tuple(getattr(g, "window", None) for g in self.layout.groups),
            self.kv.prefix_caching,
            chunked,
            policy,
            self.stages,
            self.depth,
        )
        self.recorder = Recorder(path, Header(room, "a model", began or time.time()), secret)
        parts = (self.kv, self.rows, s.budget, POLICIES[policy](), chunked, None, self.stages)
        self.scheduler = Recorded(self.recorder, *parts)


def story(driver: Driver, seed: int, length: int = 60) -> None:
    """Requests of all kinds come, go on, fail, are cancelled, and share beginnings."""
    rng = random.Random(seed)
    for number in range(length):
        heads = [a.request.prompt.tolist()[: rng.randrange(30)] for a in driver.answers.values()]
        prompt = [*(rng.choice(heads) if heads else []), *rng.choices(range(3), k=rng.randrange(1, 14))][:50]
        options = {"priority": rng.randrange(3), "tenant": rng.choice(["", "one", "two"]), "weight": 2.0}
        if rng.random() < 0.15:
            driver.pool(str(number), prompt, rng.random() < 0.5, **options)
        else:
            stops = frozenset(range(2)) if rng.random() < 0.5 else frozenset()
            most = rng.randrange(1, 14)
            driver.submit(
                str(number), prompt, most, stop_ids=stops, min_tokens=rng.choice([0, 1]),
                stream=rng.random() < 0.5, **options,
            )  # fmt: skip
        for _ in range(rng.randrange(4)):
            living = list(driver.scheduler.entries)
            match rng.randrange(12) if living else 11:
                case 0:
                    driver.abort(rng.choice(living))
                case 1:
                    driver.stop(rng.choice(living))
                case 2:
                    driver.fail(rng.choice(living))
                case 3:
                    driver.step({rng.choice(living)})
                case 4:
                    driver.step(broken=rng.random() < 0.3)
                case 5:
                    driver.scheduler.forget_prefixes()
                case _:
                    driver.step()
    driver.run()


@pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID], ids=["full", "sliding", "hybrid"])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"depth": 2, "policy": "priority"},
        {"policy": "fair", "budget": 9, "spare": 3},
        {"stages": 2, "spare": 4},
        {"prefix_caching": False, "spare": 1},
    ],
    ids=["plain", "two in flight by priority", "fair in a small cache", "pipeline", "no prefixes"],
)
def test_a_record_is_planned_again_step_by_step(tmp_path, windows, how):
    preempted = 0
    for seed in range(2):
        path = tmp_path / f"{seed}.qrec"
        driver = Watched(path, windows, max_tokens=64, **how)
        story(driver, seed)
        driver.recorder.close()
        (life,) = lives(path)
        again = replan(life)
        stats = driver.scheduler.stats
        assert again.differs == ""
        assert (again.steps, again.requests) == (stats.steps, stats.accepted)
        assert (again.preemptions, again.cached) == (stats.preemptions, stats.cached_tokens)
        preempted += again.preemptions
    assert preempted or "spare" not in how or windows != FULL


def test_a_scheduler_that_plans_otherwise_is_noticed(tmp_path, capsys):
    path = tmp_path / "r.qrec"
    driver = Watched(path)
    story(driver, 1)
    driver.recorder.close()
    assert main(["replay", str(path)]) == 0
    assert "all planned as recorded" in capsys.readouterr().out
    (life,) = lives(path)
    budget = life.header.room.budget
    object.__setattr__(life.header.room, "budget", 5)
    assert "tokens" in replan(life).differs
    object.__setattr__(life.header.room, "budget", budget)
    assert replan(life).differs == ""


def test_recording_changes_no_plan(tmp_path):
    plain, watched = Driver(spare=2), Watched(tmp_path / "r.qrec", spare=2)
    for driver in (plain, watched):
        story(driver, 3)
    one, two = plain.scheduler.stats, watched.scheduler.stats
    assert one == two


def test_a_record_holds_no_tokens_and_no_unkeyed_hash(tmp_path):
    path = tmp_path / "r.qrec"
    driver = Watched(path, block_tokens=4)
    secret = [123_456_789 + i for i in range(12)]
    driver.submit("a name nobody must know", secret, 2, tenant="whose key it is")
    digests = driver.scheduler.entries["a name nobody must know"].chain.extend(np.array(secret, np.int32), 3)
    driver.run()
    driver.recorder.close()
    written = path.read_bytes()
    for hidden in (np.array(secret, np.int32).tobytes(), np.array(secret[:1], np.int32).tobytes()):
        assert hidden not in written
    assert not any(digest[:6] in written for digest in digests)
    assert b"nobody" not in written and b"whose" not in written


def test_records_with_one_secret_can_be_compared_and_others_cannot(tmp_path):
    found = []
    for name, secret in (("a", b"x" * 32), ("b", b"x" * 32), ("c", b"")):
        driver = Watched(tmp_path / name, secret=secret)
        driver.submit("1", range(12))
        driver.run()
        driver.recorder.close()
        (life,) = lives(tmp_path / name)
        found.append(next(e.blocks for e in life.events() if isinstance(e, Added)))
    assert found[0] == found[1] != found[2] and len(found[0]) == 3


def test_a_step_takes_a_few_bytes_and_a_request_a_few_more(tmp_path):
    path = tmp_path / "r.qrec"
    driver = Watched(path, rows=16, max_tokens=2048, blocks=3000, block_tokens=16, budget=512)
    for i in range(16):
        driver.submit(str(i), [*range(160), i], 200)
    requests = driver.recorder.written + len(driver.recorder._out)
    driver.run()
    driver.recorder.close()
    steps = driver.scheduler.stats.steps
    answers = sum(len(a.tokens) // 16 for a in driver.answers.values()) * 8
    each = (driver.recorder.written - requests - answers) / steps
    assert steps >= 200 and each < 12, each
    first = 10 * 8  # its blocks are new
    assert (requests - 500 - first) / 16 < 40


def test_what_was_written_before_a_kill_is_read_and_continued(tmp_path):
    path = tmp_path / "r.qrec"
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[3])!r})
from pathlib import Path
from tests.unit.record.test_record import Watched, story
driver = Watched(Path({str(path)!r}))
story(driver, 1)
print("ready", flush=True)
for seed in range(10**6):
    driver.answers.clear()
    story(driver, seed, 20)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with path.open("ab") as file:
        file.write(b"\x40\x00\x00\x00torn")
    (life,) = lives(path)
    assert replan(life).differs == "" and replan(life).requests >= 60
    driver = Watched(path)
    story(driver, 2)
    driver.recorder.close()
    first, second = lives(path)
    assert replan(first).requests >= 60
    assert (replan(second).requests, replan(second).differs) == (60, "")


def test_a_file_that_is_no_record_is_left_alone(tmp_path):
    other = tmp_path / "precious.txt"
    other.write_text("not a record")
    with pytest.raises(BadRecord, match="no record"):
        Watched(other)
    assert other.read_text() == "not a record"
    with pytest.raises(BadRecord, match="no record"):
        lives(other)
    with pytest.raises(BadRecord, match="cannot be written"):
        Watched(tmp_path / "missing" / "r.qrec")


def test_a_full_disk_ends_the_record_and_not_the_engine(tmp_path, caplog):
    driver = Watched(tmp_path / "r.qrec")
    os.close(driver.recorder._file)
    driver.recorder._file = os.open("/dev/full", os.O_WRONLY)
    story(driver, 1)
    driver.recorder.flush()
    assert caplog.text.count("is not recorded") == 1
    assert driver.scheduler.stats.accepted == 60


def test_a_record_of_a_later_version_is_refused(tmp_path):
    path = tmp_path / "r.qrec"
    room = Room(1, 8, 8, 8, 4)
    Recorder(path, Header(room, "m", 0.0, version=99)).close()
    with pytest.raises(BadRecord, match="version 99"):
        lives(path)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("block_tokens", 0, "a whole number from 1 to 268,435,455"),
        ("block_tokens", -5, "a whole number from 1 to 268,435,455"),
        ("rows", 1.5, "a whole number from 1 to"),
        ("policy", "lifo", "fcfs, priority or fair"),
        ("windows", (0,), "one or more of null and whole numbers from 1 to"),
    ],
)
def test_a_record_of_an_engine_that_cannot_be_is_refused(field, value, said, tmp_path, capsys):
    path = tmp_path / "r.qrec"
    Recorder(path, Header(replace(Room(1, 8, 8, 8, 4), **{field: value}), "m", 0.0)).close()
    for command in (["simulate", "llama-3-8b", "--gpu", "H100", "--trace", str(path)], ["replay", str(path)]):
        assert main(command) == 2
        told = capsys.readouterr().err
        assert f"{path} makes no sense as a record: room.{field} is " in told and f"must be {said}" in told


def test_a_record_without_a_room_is_refused(tmp_path):
    path = tmp_path / "r.qrec"
    for header in (b'{"version": 1}', b"[1]", b"{"):
        path.write_bytes(MAGIC + framed(b"H" + header))
        with pytest.raises(BadRecord, match="makes no sense as a record"):
            lives(path)


@pytest.mark.parametrize("size", [0, -5, 1.5])
def test_a_trace_whose_blocks_hold_no_tokens_is_refused(size, tmp_path):
    path = tmp_path / "t.jsonl"
    one = {"at_s": 0, "prompt_tokens": 9, "output_tokens": 3, "hashes": [1], "block_tokens": size}
    path.write_text(json.dumps(one) + "\n")
    with pytest.raises(
        BadOption, match=rf"line 1: .*block_tokens is {size} and must be a whole number from 1"
    ):
        read_trace(path)


def test_guesses_cannot_be_planned_again(tmp_path):
    path = tmp_path / "r.qrec"
    Recorder(path, Header(Room(1, 8, 8, 8, 4, drafts=True), "m", 0.0)).close()
    with pytest.raises(BadRecord, match="speculative"):
        replan(lives(path)[0])


def test_events_come_back_as_they_were(tmp_path):
    path, now = tmp_path / "r.qrec", [10.0]
    recorder = Recorder(path, Header(Room(2, 64, 64, 64, 4), "m", 0.0, 3), clock=lambda: now[0])
    params = SamplingParams(priority=-5)
    request = Request("x", np.arange(9, dtype=np.int32), params, 0, 30, tenant="t", weight=2.5, arrival=9.75)
    request.stream = True
    recorder.added(request, [b"one", b"two"], 10.5)
    recorder.close()
    (life,) = lives(path)
    (event,) = life.events()
    assert isinstance(event, Added) and life.header.engine == 3
    told = (event.at, event.arrival, event.prompt, event.limit, event.priority, event.weight, event.streams)
    assert told == (0.5, -0.25, 9, 30, -5, 2.5, True)
    assert len(event.blocks) == 2 and all(len(b) == 8 for b in event.blocks)


def test_what_steps_took_is_known(tmp_path):
    path = tmp_path / "r.qrec"
    driver = Watched(path)
    story(driver, 1)
    driver.recorder.close()
    (life,) = lives(path)
    samples = steps_of(life)
    ends = [e.at for e in life.events() if isinstance(e, Committed)]
    assert len(samples) == len(ends) <= sum(isinstance(e, Stepped) for e in life.events())
    assert all(0 <= s.seconds < ends[-1] + 1 for s in samples)
    assert sum(s.seconds for s in samples) <= ends[-1]


def test_a_record_is_traffic_for_the_simulator(tmp_path):
    path = tmp_path / "r.qrec"
    driver = Watched(path)
    for i in range(3):
        driver.submit(str(i), [*range(8), i], 4)
    driver.run()
    driver.recorder.close()
    found = recorded(path, speed=2.0)
    assert [(a.prompt, a.output) for a in found] == [(9, 4)] * 3
    names = [[a.content.name(block, 4) for block in range(3)] for a in found]
    assert names[0][:2] == names[1][:2] == names[2][:2] and names[0][2] != names[1][2]
    assert found[0].content.name(0, 8) == found[1].content.name(0, 8)


def two_engines(folder: Path) -> Path:
    """A record in two parts; the second engine's requests come after the first's."""
    path = folder / "r.qrec"
    for number in (0, 1):
        driver = Watched(Path(f"{path}.{number}"), secret=b"shared by both", began=1e9 + 10 * number)
        for i in range(2):
            driver.submit(str(i), [*range(8), 2 * number + i], 4 + number)
            driver.run()
        driver.recorder.close()
    (folder / "r.qrec.old").write_text("not a part")
    return path


def test_the_parts_of_a_record_are_used_together_by_the_name_of_the_whole(tmp_path, capsys):
    path = two_engines(tmp_path)
    found = recorded(path)
    assert [a.output for a in found] == [4, 4, 5, 5] and found[0].at_s == 0.0
    assert [a.at_s for a in found] == sorted(a.at_s for a in found)
    assert found[0].content.name(1, 4) == found[3].content.name(1, 4)  # beginnings are shared between engines
    assert [s.output_tokens for s in read_trace(path)] == [4, 4, 5, 5]
    assert [a.output for a in recorded([Path(f"{path}.1"), Path(f"{path}.0")])] == [4, 4, 5, 5]
    assert main(["simulate", "llama-3-8b", "--gpu", "H100", "--trace", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["completed"] == 4
    each = [word for n in (0, 1) for word in ("--trace", f"{path}.{n}")]
    assert main(["simulate", "llama-3-8b", "--gpu", "H100", *each, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["completed"] == 4


def test_each_part_of_a_record_is_planned_again_for_itself(tmp_path, capsys):
    path = two_engines(tmp_path)
    assert main(["replay", str(path)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "2 parts, each planned for itself" in told[0]
    assert [line.partition(",")[0] for line in told[1:]] == ["r.qrec.0", "r.qrec.1"]
    assert all("2 requests" in line and "all planned as recorded" in line for line in told[1:])


def test_a_whole_record_goes_before_parts_and_says_so(tmp_path, caplog):
    path = two_engines(tmp_path)
    path.write_bytes(Path(f"{path}.1").read_bytes())
    with caplog.at_level("WARNING", logger="quire"):
        assert [a.output for a in recorded(path)] == [5, 5]
    assert "2 parts beside it" in caplog.text


def test_only_records_are_taken_together(tmp_path):
    path = two_engines(tmp_path)
    other = tmp_path / "t.jsonl"
    other.write_text('{"at_s": 0.5, "prompt_tokens": 900, "output_tokens": 120}')
    with pytest.raises(BadOption, match="is no record"):
        recorded([path, other])


def test_an_empty_record_is_said_to_be_empty(tmp_path, capsys):
    (tmp_path / "r.qrec").write_bytes(b"")
    assert main(["replay", str(tmp_path / "r.qrec")]) == 2
    assert "is empty: nothing was recorded in it" in capsys.readouterr().err


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**40])
def test_numbers_of_any_size_are_written_in_seven_bits(value):
    out = bytearray()
    put(out, value)
    assert len(out) == max(1, -(-value.bit_length() // 7))
    assert unzigzag(zigzag(value)) == value and unzigzag(zigzag(-value)) == -value


def test_a_damaged_record_is_refused_and_a_torn_end_is_said(tmp_path, caplog):
    path = tmp_path / "r.qrec"
    driver = Watched(path)
    story(driver, 1)
    driver.recorder.close()
    whole = path.read_bytes()
    for at in (len(whole) // 3, len(whole) // 2):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with pytest.raises(BadRecord, match=r"damaged at byte [\d,]+ of [\d,]+"):
            lives(path)
    path.write_bytes(whole[:-7])
    with caplog.at_level("WARNING", logger="quire"):
        (life,) = lives(path)
    assert "torn off" in caplog.text and life.header.room is not None


def test_a_record_that_was_cut_off_before_its_first_step_proves_nothing(tmp_path, capsys):
    path = tmp_path / "r.qrec"
    driver = Watched(path)
    head = path.read_bytes()
    story(driver, 1)
    driver.recorder.close()
    whole = path.read_bytes()
    for kept, said in (head, "was asked for nothing"), (whole[: len(head) + 30], "cut off before the first"):
        path.write_bytes(kept)
        assert main(["replay", str(path), "--json"]) == 2
        out, err = capsys.readouterr()
        assert out == "" and f"{path} holds no steps: " in err and said in err
        assert main(["simulate", "llama-3-8b", "--gpu", "H100", "--trace", str(path)]) == 2
        assert "no request that came to an end" in capsys.readouterr().err


def test_a_record_that_was_cut_off_later_is_planned_again_as_far_as_it_goes(tmp_path, capsys, caplog):
    path = tmp_path / "r.qrec"
    driver = Watched(path)
    for seed in (1, 2):
        story(driver, seed)
        driver.recorder.flush()
        driver.answers.clear()
    path.write_bytes(path.read_bytes()[:-7])
    with caplog.at_level("WARNING", logger="quire"):
        assert main(["replay", str(path)]) == 0
    assert "all planned as recorded" in capsys.readouterr().out and "torn off" in caplog.text


def test_an_engine_that_was_asked_for_nothing_is_told_beside_one_that_was(tmp_path, capsys):
    path = tmp_path / "r.qrec"
    Watched(path).recorder.close()
    driver = Watched(path)
    story(driver, 1)
    driver.recorder.close()
    assert main(["replay", str(path), "--json"]) == 0
    assert [one["steps"] > 0 for one in json.loads(capsys.readouterr().out)["lives"]] == [False, True]
