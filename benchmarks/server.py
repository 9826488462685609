"""The server under load: streams over real sockets, counted by a client in a process of its own.

    python benchmarks/server.py                    SSE chunks a second, the model replaced by an echo
    python benchmarks/server.py --model quire-tiny --seconds 60
                                                   256 streams at once with a model; stalls of the event loop
    python benchmarks/server.py --url http://127.0.0.1:8001 --name MODEL
                                                   the same client against a server that runs already

`--peer URL --peer-name MODEL` runs the client against a second server too, in turns, and prints the ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

HERE = Path(__file__).parent


@dataclass
class Told:
    """What one run of the client saw."""

    seconds: float = 0.0
    chunks: int = 0
    streams: int = 0
    broken: list[str] = field(default_factory=list)
    first: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return self.chunks / self.seconds


async def one_stream(address: tuple[str, int], body: bytes, told: Told, quiet: float = 120) -> None:
    """One request over a connection of its own; its chunks are counted, its end is checked."""
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection(*address, limit=2**20)
    try:
        head = (
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: {address[0]}\r\nContent-Type: application/json\r\n"
        )
        writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        first, tail, seen = True, b"", 0
        while data := await asyncio.wait_for(reader.read(2**16), quiet):
            if first:
                told.first.append(time.perf_counter() - began)
                first = False
                if not data.startswith(b"HTTP/1.1 200"):
                    told.broken.append(data[:200].decode(errors="replace"))
                    return
            joined = tail + data
            seen += joined.count(b"data: {")
            tail = joined[-6:] if not joined.endswith(b"data: {") else b""
            if b"data: [DONE]" in joined[-200:]:
                told.chunks += seen
                told.streams += 1
                return
        told.broken.append(f"ended after {seen} chunks without [DONE]")
    except (OSError, TimeoutError) as e:
        told.broken.append(f"{type(e).__name__}: {e}")
    finally:
        writer.close()


async def client(url: str, name: str, streams: int, tokens: int, seconds: float) -> Told:
    """`streams` at once: one round of them, or again and again until the time is up."""
    parts = urlsplit(url)
    address = (parts.hostname or "127.0.0.1", parts.port or 80)
    message = {"role": "user", "content": "Count the blocks of the cache, please, one after the other."}
    body = {"model": name, "messages": [message], "max_tokens": tokens, "stream": True, "ignore_eos": True}
    packed = json.dumps(body).encode()
    told, began = Told(), time.perf_counter()

    async def again() -> None:
        while True:
            await one_stream(address, packed, told)
            if time.perf_counter() - began >= seconds:
                return

    await asyncio.gather(*(again() for _ in range(streams)))
    told.seconds = time.perf_counter() - began
    return told


def run_client(url: str, name: str, args: argparse.Namespace) -> Told:
    """In a process of its own, so that it is not part of what it measures."""
    given = [url, name, str(args.streams), str(args.tokens), str(args.seconds)]
    out = subprocess.run([sys.executable, __file__, "--client", *given], check=True, capture_output=True)
    return Told(**json.loads(out.stdout))


@contextlib.contextmanager
def server(model: str | None, flags: list[str]) -> Iterator[str]:
    """`quire serve`, with a model or with the echo; yields its address once it is ready."""
    port = free_port()
    command = [sys.executable, str(HERE / "server.py"), "--serve", json.dumps([model, port, flags])]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        until_healthy(url, process)
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def free_port() -> int:
    import socket

    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


def until_healthy(url: str, process: subprocess.Popen[bytes] | None, patience: float = 120) -> None:
    began = time.monotonic()
    while time.monotonic() - began < patience:
        if process is not None and process.poll() is not None:
            raise SystemExit("the server did not start")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{url}/health", timeout=2)
            return
        time.sleep(0.1)
    raise SystemExit(f"{url} was not ready within {patience:.0f} seconds")


def serve(model: str | None, port: int, flags: list[str]) -> None:
    from quire.server import supervisor

    options = {"port": port, "disable_access_log": True, "max_waiting_requests": 65_536}
    engine = supervisor.ENGINE if model else (str(HERE / "echo_engine.py"),)
    values: dict[str, object] = {"model": "" if model in (None, "quire-tiny") else model, "max_num_seqs": 256}
    values["disable_log_stats"] = True
    for name, _, value in (flag.partition("=") for flag in flags):
        values[name] = int(value) if value.isdigit() else value
    sys.exit(supervisor.supervise(values, options, print, engine=engine))


def stalls(url: str) -> str:
    """The event loop's lateness by the server's own histogram: the bound that 99% stay below."""
    text = urllib.request.urlopen(f"{url}/metrics", timeout=5).read().decode()
    buckets: dict[float, float] = {}
    for line in text.splitlines():
        if line.startswith("quire:event_loop_stall_seconds_bucket"):
            bound = line.partition('le="')[2].partition('"')[0]
            buckets[float(bound)] = buckets.get(float(bound), 0) + float(line.rsplit(" ", 1)[1])
    total = buckets.get(float("inf"), 0)
    below = next((b for b, n in sorted(buckets.items()) if total and n >= 0.99 * total), float("nan"))
    return f"99% of {total:.0f} looks at the event loop found it at most {1000 * below:.0f} ms late"


def show(who: str, told: Told) -> None:
    first = statistics.median(told.first) if told.first else float("nan")
    print(
        f"{who:<8} {told.chunks:9,} chunks in {told.seconds:6.1f} s = {told.rate:8,.0f} a second   "
        f"{told.streams} streams, {len(told.broken)} broken, first bytes after {first:.2f} s (median)"
    )
    for line in told.broken[:3]:
        print(f"         {line!r}")


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", help="serve this model instead of the echo")
    p.add_argument("--url", help="measure a server that runs already")
    p.add_argument("--name", default="quire-tiny", help="what requests call the model")
    p.add_argument("--peer", help="another server to measure in turns")
    p.add_argument("--peer-name", default="model")
    p.add_argument("--streams", type=int, default=256)
    p.add_argument("--tokens", type=int, default=200)
    p.add_argument("--seconds", type=float, default=0, help="keep the streams coming for so long")
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--flag", action="append", default=[], help="engine settings, such as cpu_threads=1")
    p.add_argument("--serve", help=argparse.SUPPRESS)
    p.add_argument("--client", nargs=5, help=argparse.SUPPRESS)
    args = p.parse_args()
    if args.serve:
        serve(*json.loads(args.serve))
    if args.client:
        url, name, streams, tokens, seconds = args.client
        told = asyncio.run(client(url, name, int(streams), int(tokens), float(seconds)))
        print(json.dumps(told.__dict__))
        return
    started = contextlib.nullcontext(args.url) if args.url else server(args.model, args.flag)
    with started as url:
        best, other = [], []
        for _ in range(args.repeat):
            best.append(run_client(url, args.name, args))
            show("quire", best[-1])
            if args.peer:
                other.append(run_client(args.peer, args.peer_name, args))
                show("peer", other[-1])
        print(f"median {statistics.median(t.rate for t in best):,.0f} chunks a second")
        if other:
            ratio = statistics.median(t.rate for t in best) / statistics.median(t.rate for t in other)
            print(f"quire / peer = {ratio:.2f}")
        with contextlib.suppress(OSError):
            print(stalls(url))


if __name__ == "__main__":
    os.environ.setdefault("QUIRE_LOG_LEVEL", "WARNING")
    main()
