"""`quire bench serve` against a second opinion: thirty lines of httpx that share no code with it.

    python benchmarks/independent_client.py http://127.0.0.1:8000

Both send the same kind of load at the same time, so that both meet the server in the same state, however busy
the machine is. The ratios of their figures are printed.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import subprocess
import sys
import time

import httpx


async def one(client: httpx.AsyncClient, url: str, model: str, prompt: list[int], tokens: int) -> list[float]:
    """When it was sent, then when each event with a choice came."""
    body = {"model": model, "prompt": prompt, "max_tokens": tokens, "stream": True, "ignore_eos": True}
    times = [time.perf_counter()]
    async with client.stream("POST", f"{url}/v1/completions", json={**body, "temperature": 0}) as reply:
        reply.raise_for_status()
        async for line in reply.aiter_lines():
            if line.startswith("data: {") and json.loads(line[6:])["choices"]:
                times.append(time.perf_counter())
    return times


async def load(url: str, requests: int, concurrency: int, prompt: int, tokens: int) -> dict[str, float]:
    """A closed loop; the figures both clients have. Lengths differ, so that users do not march in step."""
    free, rng = asyncio.Semaphore(concurrency), random.Random()
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(timeout=600, limits=limits, trust_env=False) as client:
        model = (await client.get(f"{url}/v1/models")).json()["data"][0]["id"]

        async def turn() -> list[float]:
            async with free:
                length = rng.randint(tokens // 2, tokens * 3 // 2)
                return await one(client, url, model, rng.choices(range(256), k=prompt), length)

        began = time.perf_counter()
        streams = await asyncio.gather(*(turn() for _ in range(requests)))
        seconds = time.perf_counter() - began
    return {
        "output_throughput": sum(len(s) - 1 for s in streams) / seconds,
        "mean_ttft_ms": 1e3 * statistics.mean(s[1] - s[0] for s in streams),
        "mean_e2el_ms": 1e3 * statistics.mean(s[-1] - s[0] for s in streams),
        "mean_tpot_ms": 1e3 * statistics.mean((s[-1] - s[1]) / (len(s) - 2) for s in streams),
    }


def quire(url: str, requests: int, concurrency: int, prompt: int, tokens: int) -> subprocess.Popen[bytes]:
    """The same by the command, in a process of its own."""
    answers = f"uniform:{tokens // 2}:{tokens * 3 // 2}"
    lengths = ["--random-input-len", str(prompt), "--random-output-len", answers]
    many = ["--num-prompts", str(requests), "--max-concurrency", str(concurrency)]
    command = [sys.executable, "-m", "quire.cli", "bench", "serve", "--base-url", url, *lengths, *many]
    quiet = ["--json", "--disable-tqdm", "--seed", str(random.randrange(10**6))]
    return subprocess.Popen([*command, *quiet], stdout=subprocess.PIPE)


def compared(url: str, *given: int) -> dict[str, float]:
    """Quire's figures over the other's."""
    process = quire(url, *given)
    theirs = asyncio.run(load(url, *given))
    ours = json.loads(process.communicate()[0])
    return {key: ours[key] / theirs[key] for key in theirs}


if __name__ == "__main__":
    for figure, ratio in compared(sys.argv[1], 400, 3, 48, 16).items():
        print(f"{figure:<20} quire / httpx = {ratio:.3f}")
