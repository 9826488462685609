"""`quire bench serve`: load for any server that speaks OpenAI's HTTP, and what it answers with.

Flags are those of `vllm bench serve` where it has them.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from quire.cli.bench_load import REQUESTS, Load, exit_code, load_options, pairs
from quire.cli.bench_options import (
    SeveralValues,
    arrival_options,
    check_plot,
    goodput_option,
    json_option,
    plot_option,
)


@click.command(cls=SeveralValues)
@click.option(
    "--num-prompts",
    type=click.IntRange(1),
    help=f"Requests in all, or as many as the file has. [default: {REQUESTS}; of a trace all]",
)
@arrival_options
@click.option(
    "--num-warmups",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Requests before the load that are not counted.",
)
@click.option(
    "--num-runs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Repeat the load. From three on, compare knows how much runs differ.",
)
@goodput_option
@click.option("--percentile-metrics", default="ttft,tpot,itl,e2el", show_default=True, help="What is shown.")
@click.option("--metric-percentiles", default="50,90,99", show_default=True, help="Which percentiles.")
@click.option("--save-result", is_flag=True, help="Write the result as JSON.")
@click.option("--save-detailed", is_flag=True, help="With every request in it.")
@click.option("--result-dir", type=click.Path(file_okay=False), help="Folder of the result.")
@click.option("--result-filename", help="Its name. Either of the two means --save-result.")
@click.option("--label", help="Begins the name of the result, and stands in it.")
@click.option(
    "--metadata", multiple=True, metavar="KEY=VALUE …", help="Words for the result: --metadata tp=2."
)
@plot_option
@json_option
@load_options
def serve(**given: Any) -> int:
    """Measure a server under load: time to first token, between tokens, to the end; tokens a second.

    Any server with OpenAI's completions or chat route will do. The client measures its own lag and does not
    add it to the server's figures. The exit code is 0 if every request was answered, else 1, with the result
    printed and kept all the same.

    \b
      quire bench serve --random-input-len 512 --random-output-len 128 --request-rate 4 --num-prompts 200
      quire bench serve --max-concurrency 64 --random-input-len lognormal:512:0.8 --goodput ttft:200 tpot:50
      quire bench serve --base-url http://other:8000 --backend openai-chat --dataset-name prefix_repetition
    """  # fmt: skip
    from quire.tools.load.measures import metrics_of, percentiles_of, promises_of
    from quire.tools.load.result import OWN, check, detail, result_of, save

    metrics, percentiles = (
        metrics_of(given["percentile_metrics"]),
        percentiles_of(given["metric_percentiles"]),
    )
    promises, notes = promises_of(given["goodput"]), pairs(given["metadata"], "--metadata")
    check_plot(given["plot"])
    keep = any(given[name] for name in ("save_result", "save_detailed", "result_dir", "result_filename"))
    if keep:
        check(given["result_dir"], given["result_filename"], given["label"])
    load = Load.of(given, given["num_prompts"], given["request_rate"], given["burstiness"])
    told = {
        "backend": given["backend"],
        "label": given["label"],
        "base_url": str(load.peer.target),
        "model_id": load.model,
        "workload": load.workload,
        "num_prompts": load.count,
        "dataset_name": given["dataset_name"],
        **load.pace,
        "request": load.fields,
        "max_concurrency": given["max_concurrency"],
        "seed": load.seed,
    }
    for key in notes:
        if key in told or key in OWN:
            raise click.UsageError(f"--metadata has {key!r}, which the result has itself; call it otherwise.")
    if given["num_warmups"]:
        _run(load, load.asks(-1)[: given["num_warmups"]], given, "warm-up")
    runs = []
    for number in range(given["num_runs"]):
        named = f"run {number + 1} of {given['num_runs']}" if given["num_runs"] > 1 else "requests"
        runs.append(_run(load, load.asks(number), given, named))
    result = result_of(runs, {**told, **notes}, metrics, percentiles, promises)
    try:
        if keep:
            kept = {**result, **(detail(runs[-1].records) if given["save_detailed"] else {})}
            path = save(kept, given["result_dir"], given["result_filename"])
            click.echo(f"wrote {path}", err=True)
        if given["plot"] and any(r.ok for r in runs[-1].records):
            from quire.tools.load import plot

            plot.load(runs[-1].records, f"{load.model}: {told['workload']}", given["plot"])
            click.echo(f"wrote {given['plot']}", err=True)
    finally:  # after the files, as whoever reads may have gone, and also where they cannot be written
        if given["as_json"]:
            click.echo(json.dumps(result))
        else:
            show(result, runs[-1].records, metrics, percentiles, promises)
    records = [r for run in runs for r in run.records]
    return exit_code(sum(not r.ok for r in records), len(records))


def _run(load: Load, asks: list[Any], given: dict[str, Any], named: str) -> Any:
    from tqdm import tqdm

    with tqdm(total=len(asks), desc=named, unit="request", disable=given["disable_tqdm"] or None) as bar:
        failed = 0

        def told(record: Any) -> None:
            nonlocal failed
            failed += not record.ok
            bar.update()
            if failed:
                bar.set_postfix(failed=failed, refresh=False)

        return load.peer.run(asks, load.dialect, given["max_concurrency"], told)


def show(
    result: dict[str, Any],
    records: list[Any],
    metrics: list[str],
    percentiles: list[float],
    promises: dict[str, float],
) -> None:
    from quire.tools.load import chart
    from quire.tools.load.measures import NAMES, client_lines, series

    answered = (
        f"{result['completed']:,.0f} of {result['num_prompts']:,} answered in {result['duration']:.2f} s"
    )
    most = f"at most {result['max_concurrent_requests']:,.0f} at a time"
    click.echo(f"{result['workload']}; {answered}, {most}")
    for problem, times in result["errors"].items():
        click.echo(f"failed {times:,} times: {problem}", err=True)
    if not result["completed"]:
        return
    rates = [
        ("requests/s", "request_throughput"),
        ("output tokens/s", "output_throughput"),
        ("all tokens/s", "total_token_throughput"),
        (f"goodput, requests/s ({' '.join(f'{k}:{v:g}' for k, v in promises.items())})", "request_goodput"),
    ]
    rows = [(name, f"{result[key]:,.2f}", _off(result, key)) for name, key in rates if key in result]
    if result["cached_input_tokens"]:
        share = result["cached_input_tokens"] / max(1, result["total_input_tokens"])
        rows.append(("prompt tokens from the cache", f"{share:.1%}", ""))
    click.echo("\n".join(chart.table(rows)))
    head = ("ms", "mean", *(f"p{p:g}" for p in percentiles))
    lines = [head]
    for name in metrics:
        if f"mean_{name}_ms" in result:
            keys = ["mean", *(f"p{p:g}" for p in percentiles)]
            lines.append((f"{name}, {NAMES[name]}", *(f"{result[f'{k}_{name}_ms']:,.2f}" for k in keys)))
    click.echo("\n" + "\n".join(chart.table(lines)))
    for name in ("ttft", "itl"):
        values = series(records, name)
        if name in metrics and len(values) > 1 and sys.stdout.isatty():
            click.echo(f"\n{NAMES[name]}")
            click.echo("\n".join(chart.histogram(values)))
    click.echo()
    late = client_lines(result["client"], result.get("median_itl_ms"), result["unknown_ttft"])
    for line in dict.fromkeys((*late, *result["warnings"])):
        click.echo(line)


def _off(result: dict[str, Any], key: str) -> str:
    """The figure's standard error, where it is known."""
    error = result["noise"].get(key)
    return f"± {error:,.2f}" if error is not None else ""
