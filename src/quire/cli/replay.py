"""`quire replay`: a record once more, planned step by step, or sent to a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from quire.cli.bench_options import SPEED, RecordPath, json_option, refuse_typed
from quire.errors import BadRecord


@click.command()
@click.argument("record", type=RecordPath())
@click.option(
    "--base-url", help="Send the requests to this server, at their times, instead of planning them."
)
@click.option(
    "--speed",
    type=SPEED,
    default=1.0,
    show_default=True,
    help="With --base-url: how many times as fast.",
)
@click.option("--num-prompts", type=click.IntRange(1), help="With --base-url: at most so many requests.")
@click.option("--max-concurrency", type=click.IntRange(1), help="With --base-url: requests open at a time.")
@json_option
def command(
    record: Path,
    base_url: str | None,
    speed: float,
    num_prompts: int | None,
    max_concurrency: int | None,
    as_json: bool,
) -> int:
    """Go through RECORD again, which `quire serve --record FILE` has written.

    Without --base-url every step is planned once more, with this version's scheduler, from what had come by
    then, and compared with the step that was recorded: the first difference is shown, and the exit code is 1.
    With it a server gets requests of the same lengths and with the same shared beginnings at the same times,
    and is measured as by `quire bench serve`.

    \b
      quire serve --record traffic.qrec
      quire replay traffic.qrec
      quire replay traffic.qrec --base-url http://localhost:8000 --speed 2
    """
    if base_url is not None:
        return _send(record, base_url, speed, num_prompts, max_concurrency, as_json)

    refuse_typed(
        ["speed", "num_prompts", "max_concurrency"], "is for sending; give --base-url, or leave it out"
    )

    from quire.record.parts import parts_of

    parts = parts_of(record)
    told = [one for part in parts for one in _planned(part)]
    if not any(one["steps"] or one["differs"] for one in told):
        raise _without_steps(record, parts)
    if as_json:
        click.echo(json.dumps({"record": str(record), "lives": told}))
    else:
        if parts != [record]:
            click.echo(f"{record} has {len(parts)} parts, each planned for itself: engines plan alone")
        for one in told:
            click.echo(_line(one) if parts == [record] else f"{Path(one['file']).name}, {_line(one)}")
    return 0 if all(one["same"] for one in told) else 1


def _planned(part: Path) -> Iterator[dict[str, Any]]:
    """Each life in a file, planned once more."""
    from tqdm import tqdm

    from quire.record.reader import lives
    from quire.simulate.replan import replan

    for number, life in enumerate(lives(part), 1):
        with tqdm(desc=f"life {number}", unit="step", disable=None) as bar:
            again = replan(life, _mover(bar))
        header = life.header
        yield {
            "file": str(part),
            "life": number,
            "engine": header.engine,
            "model": header.model,
            "steps": again.steps,
            "requests": again.requests,
            "preemptions": again.preemptions,
            "cached_tokens": again.cached,
            "same": not again.differs,
            "differs": again.differs,
        }


def _without_steps(record: Path, parts: Sequence[Path]) -> BadRecord:
    """Nothing was compared, which must not look like a record that is planned as before."""
    from quire.record.reader import whole_bytes

    torn = any(whole_bytes(part) < part.stat().st_size for part in parts)
    why = "it was cut off before the first" if torn else "its engine was asked for nothing, or it was cut off"
    return BadRecord(f"{record} holds no steps: {why}")


def _mover(bar: Any) -> Callable[[int], None]:
    def move(steps: int) -> None:
        bar.update(steps - bar.n)

    return move


def _line(one: dict[str, Any]) -> str:
    head = f"life {one['life']}, {one['model']}: {one['requests']:,} requests, {one['steps']:,} steps"
    more = f"{one['preemptions']:,} preemptions, {one['cached_tokens']:,} tokens from the prefix cache"
    if one["same"]:
        return f"{head}, {more}: all planned as recorded"
    return f"{head}: differs at {one['differs']}"


def _send(
    record: Path,
    base_url: str,
    speed: float,
    num_prompts: int | None,
    max_concurrency: int | None,
    as_json: bool,
) -> int:
    """What `quire bench serve` does with a trace."""
    from quire.cli.bench_serve import serve
    from quire.tools.load.trace import read_trace

    most = num_prompts or len(read_trace(record))
    args = ["--dataset-name", "trace", "--dataset-path", str(record), "--base-url", base_url]
    args += ["--trace-speed", str(speed), "--num-prompts", str(most)]
    args += ["--max-concurrency", str(max_concurrency)] if max_concurrency else []
    args += ["--json"] if as_json else []
    result = serve.main(args, standalone_mode=False)
    return result if isinstance(result, int) else 0
