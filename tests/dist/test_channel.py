"""What one process says reaches all others, in order and whole, and nobody waits for the dead."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quire.executor.channel import Gone, Writer

READER = """
import sys, hashlib
from quire.executor.channel import End, Gone, Reader
reader = Reader(End(*map(int, sys.argv[1:6])))
slow, seen = float(sys.argv[6]), hashlib.sha256()
import time
count = 0
try:
    while True:
        message = reader.receive()
        seen.update(len(message).to_bytes(8, "little") + message)
        count += 1
        if slow: time.sleep(slow)
except Gone:
    print(count, seen.hexdigest())
"""


def start(writer: Writer, slow: float = 0.0) -> list[subprocess.Popen[str]]:
    running = []
    for end in writer.ends:
        numbers = [end.memory, end.pipe, end.reader, end.readers, end.capacity]
        command = [sys.executable, "-c", READER, *map(str, numbers), str(slow if end.reader == 0 else 0.0)]
        running.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, pass_fds=(end.memory, end.pipe))
        )
    writer.hand_over()
    return running


def told(messages: list[bytes]) -> str:
    import hashlib

    seen = hashlib.sha256()
    for message in messages:
        seen.update(len(message).to_bytes(8, "little") + message)
    return f"{len(messages)} {seen.hexdigest()}\n"


@pytest.mark.parametrize("slow", [0.0, 0.001], ids=["all fast", "one slower than the ring is long"])
def test_every_reader_gets_every_message_whole_and_in_order(slow: float):
    r = random.Random(0)
    sizes = [0, 1, 100, 4096, 9000, 40_000]  # the last ones are longer than a piece, or than the ring
    messages = [r.randbytes(r.choice(sizes)) for _ in range(200)]
    writer = Writer(3, capacity=16_384)
    running = start(writer, slow)
    for message in messages:
        writer.send(message)
    writer.close()
    assert [p.communicate(timeout=30)[0] for p in running] == [told(messages)] * 3


def test_a_reader_that_is_killed_is_named():
    writer = Writer(2, capacity=16_384)
    running = start(writer)
    writer.send(b"hello")
    os.kill(running[1].pid, signal.SIGKILL)
    running[1].wait()
    with pytest.raises(Gone, match="reader 1 is gone"):
        for _ in range(100):
            writer.send(b"x" * 4000)
    writer.close()
    assert running[0].communicate(timeout=10)[0].split()[0].isdigit()


def test_a_writer_that_is_killed_leaves_neither_readers_nor_memory():
    script = (
        "import sys, time, subprocess\n"
        "from quire.executor.channel import Writer\n"
        "from tests.dist.test_channel import start\n"
        "writer = Writer(2)\n"
        "print(*(p.pid for p in start(writer)), flush=True)\n"
        "writer.send(b'hello')\n"
        "time.sleep(60)\n"
    )
    root = Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=root)
    assert process.stdout is not None
    readers = [int(pid) for pid in process.stdout.readline().split()]
    opened = [
        os.readlink(fd) for fd in Path(f"/proc/{process.pid}/fd").iterdir() if fd.exists() or fd.is_symlink()
    ]
    memory = [name for name in opened if name.startswith(("/dev/shm/", "/tmp/"))]
    assert memory and all(
        name.endswith(" (deleted)") for name in memory
    )  # nothing has a name: it goes with them
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in readers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in readers)
