"""What `bench serve` and `bench sweep` share: which server, and what it is asked."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from quire.cli.bench_options import SPEED, LengthsParam, RecordPath, refuse_typed
from quire.cli.options import HumanInt, Json, Number
from quire.errors import BadOption
from quire.tools.load.address import Target, check_header, check_path
from quire.tools.load.arrivals import Arrivals, Recorded, arrivals_of
from quire.tools.load.dialects import Chat, Completions, Dialect
from quire.tools.load.lengths import Fixed, Lengths, around
from quire.tools.load.texts import Texts, read_sharegpt, read_texts
from quire.tools.load.workload import Ask, Dataset, Drawn, Replayed, laid_out

DIALECTS: dict[str, Callable[..., Dialect]] = {
    "openai": Completions,
    "vllm": Completions,
    "openai-chat": Chat,
}
REQUESTS = 1000  # in all, where nothing else is said
DATASETS = ("random", "prefix_repetition", "sharegpt", "custom", "trace")
_LENGTH = LengthsParam()


def load_options(function: Any) -> Any:
    """Which server, and what it is asked."""
    for decorate in (
        click.option("--seed", type=int,
                     help="Of lengths, times and prompts. [default: lengths and times of 0, prompts that no "
                     "cache has seen]"),
        click.option("--extra-body", type=Json(), help="More fields of every request, as a JSON object."),
        click.option(
            "--ignore-eos/--no-ignore-eos",
            default=True,
            show_default=True,
            help="Let answers have their full length. A server that does not know the field needs --no-….",
        ),
        click.option("--temperature", type=Number(0), default=0.0, show_default=True,
                     help="Of every request."),
        click.option("--trace-speed", type=SPEED, default=1.0, show_default=True,
                     help="How many times as fast a trace is repeated."),
        click.option("--sharegpt-output-len", type=_LENGTH,
                     help="Tokens per answer of `sharegpt`. [default: a quarter of its characters]"),
        click.option("--custom-output-len", type=_LENGTH, default="256", show_default=True,
                     help="Tokens per answer of `custom`, where the file does not say."),
        click.option("--prefix-repetition-output-len", type=_LENGTH, default="128", show_default=True,
                     help="Tokens per answer of `prefix_repetition`."),
        click.option("--prefix-repetition-num-prefixes", type=click.IntRange(1), default=10,
                     show_default=True, help="Different beginnings of `prefix_repetition`."),
        click.option("--prefix-repetition-suffix-len", type=_LENGTH, default="256", show_default=True,
                     help="Tokens after the shared beginning of `prefix_repetition`."),
        click.option("--prefix-repetition-prefix-len", type=HumanInt(0), default=256, show_default=True,
                     help="Tokens of a shared beginning of `prefix_repetition`."),
        click.option("--random-prefix-len", type=HumanInt(0), default=0, show_default=True,
                     help="Tokens before them that all prompts of `random` share."),
        click.option("--random-range-ratio", type=Number(0, 1, max_open=True), default=0.0,
                     show_default=True,
                     help="Plain lengths of `random` vary by up to this share, both ways."),
        click.option("--random-output-len", type=_LENGTH, default="128", show_default=True,
                     help="Tokens per answer of `random`, or uniform:LOW:HIGH, lognormal:MEDIAN:SPREAD, "
                     "zipf:EXPONENT:MOST."),
        click.option("--random-input-len", type=_LENGTH, default="1024", show_default=True,
                     help="Tokens per prompt of `random`, or a distribution."),
        click.option("--dataset-path", type=RecordPath(),
                     help="File of `sharegpt` (its JSON), `custom` (JSON lines with a prompt) or `trace` (a "
                     "record of quire serve, JSON lines or a table with times and lengths)."),
        click.option("--dataset-name", type=click.Choice(DATASETS), default="random", show_default=True,
                     help="Where prompts come from."),
        click.option("--tokenizer", help="Folder of the model's tokenizer: prompts are text of exact size."),
        click.option("--header", "headers", multiple=True, metavar="NAME=VALUE", help="HTTP header to send."),
        click.option("--api-key", envvar=["QUIRE_API_KEY", "OPENAI_API_KEY"], help="Key of the server."),
        click.option("--model", help="What requests call the model. [default: the first the server lists]"),
        click.option("--endpoint", help="Path of the route, where it is not OpenAI's."),
        click.option("--backend", type=click.Choice(list(DIALECTS)), default="openai", show_default=True,
                     help="Completions, or chat. `vllm` is another name of openai."),
        click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True,
                     help="Its port."),
        click.option("--host", default="127.0.0.1", show_default=True, help="The server's host."),
        click.option("--insecure", is_flag=True, help="Take any certificate of an https server."),
        click.option("--base-url", help="http://HOST:PORT or https://HOST, instead of host and port."),
        click.option("--request-timeout", type=Number(0, min_open=True), default=3600.0,
                     show_default=True, help="Seconds after which a request counts as failed."),
        click.option("--ready-check-timeout-sec", type=Number(0), default=60.0, show_default=True,
                     help="How long to wait for the server."),
        click.option("--disable-tqdm", is_flag=True, help="No progress bar."),
    ):  # fmt: skip
        function = decorate(function)
    return function


@dataclass(slots=True)
class Load:
    """What `load_options` come to: a server that answers, and what to ask it."""

    peer: Any
    dialect: Dialect
    writer: Any
    dataset: Dataset
    arrivals: Arrivals
    model: str
    count: int
    seed: int
    words: str  # what makes prompts differ from those of other runs
    fields: dict[str, Any]  # of every request, beside its prompt and length
    pace: dict[str, Any]  # at which requests come, for the result

    @classmethod
    def of(cls, given: dict[str, Any], count: int | None, rate: float, burstiness: float) -> Load:
        """`count` None: all of a trace, else as many as vLLM's command sends."""
        if given["dataset_name"] == "trace":
            told = "is not used with a trace, whose requests come at their own times; see --trace-speed"
            refuse_typed(["request_rate", "burstiness"], told)
        else:
            refuse_typed(["trace_speed"], "is for --dataset-name trace")
        if not isinstance(given["extra_body"] or {}, dict):
            raise click.UsageError(f"--extra-body is {given['extra_body']!r} and must be a JSON object.")
        target = _target(given)
        dataset, arrivals = _dataset(given), arrivals_of(rate, burstiness)
        if count is None:
            count = len(dataset.seen) if isinstance(dataset, Replayed) else REQUESTS
        count = min(count, dataset.size or count)
        if isinstance(dataset, Replayed):
            arrivals = Recorded([s.at_s for s in dataset.seen], given["trace_speed"])

        from quire.tools.load.peer import Peer

        peer = Peer(target, given["request_timeout"])
        model = peer.model(given["ready_check_timeout_sec"], given["model"])
        extra = {"temperature": given["temperature"]} | ({"ignore_eos": True} if given["ignore_eos"] else {})
        kind = DIALECTS[given["backend"]]
        path = {"path": given["endpoint"]} if given["endpoint"] is not None else {}
        fields = {**extra, **(given["extra_body"] or {})}
        dialect = kind(model, fields, **path)
        peer.attempt("Hello", dialect)  # what is wrong is told before the load
        writer = peer.writer(dialect, given["tokenizer"])
        words = secrets.token_hex(8) if given["seed"] is None else ""
        pace: dict[str, Any] = {"request_rate": rate, "burstiness": burstiness}
        if isinstance(arrivals, Recorded):
            pace = {"request_rate": "trace", "burstiness": None, "trace_speed": given["trace_speed"]}
        seed = given["seed"] or 0
        return cls(peer, dialect, writer, dataset, arrivals, model, count, seed, words, fields, pace)

    @property
    def workload(self) -> str:
        """In words, also which part of a file it is."""
        part = ""
        if self.dataset.size is not None and self.count < self.dataset.size:
            part = f", {'the first ' * isinstance(self.dataset, Replayed)}{self.count:,} of them"
        return f"{self.dataset}{part}; {self.arrivals}"

    def asks(self, number: int = 0) -> list[Ask]:
        """The workload; every run has prompts of its own, so that no cache knows them from the one before."""
        words = f"{self.words}/{number}"
        return laid_out(self.dataset, self.arrivals, self.writer, self.count, self.seed, words)


def exit_code(failed: int, sent: int) -> int:
    """Of a load; says why, if it is not 0."""
    if failed:
        click.echo(f"{failed:,} of {sent:,} requests failed", err=True)
    return 1 if failed else 0


def _dataset(given: dict[str, Any]) -> Dataset:
    name, path = given["dataset_name"], given["dataset_path"]
    if name in ("sharegpt", "custom", "trace") and path is None:
        raise click.UsageError(f"--dataset-name {name} needs --dataset-path.")
    if name == "trace":
        from quire.tools.load.trace import read_trace

        return Replayed(read_trace(Path(path)))
    if name == "sharegpt":
        fixed, read = given["sharegpt_output_len"], read_sharegpt(Path(path))
        return Texts(read if fixed is None else [(text, None) for text, _ in read], fixed or Fixed(128))
    if name == "custom":
        return Texts(read_texts(Path(path)), given["custom_output_len"])
    if name == "prefix_repetition":
        part = {key: given[f"prefix_repetition_{key}"] for key in ("prefix_len", "num_prefixes")}
        suffix, output = given["prefix_repetition_suffix_len"], given["prefix_repetition_output_len"]
        return Drawn(suffix, output, part["prefix_len"], part["num_prefixes"])
    ratio = given["random_range_ratio"]
    lengths: list[Lengths] = [around(given[f"random_{end}_len"], ratio) for end in ("input", "output")]
    return Drawn(lengths[0], lengths[1], given["random_prefix_len"])


def _target(given: dict[str, Any]) -> Target:
    """The server, with the headers of every request."""
    endpoint = given["endpoint"]
    if endpoint is not None:
        check_path(endpoint, "--endpoint")
        if not endpoint.startswith("/"):
            raise BadOption(f"--endpoint is {endpoint!r}; say a path, such as /v1/completions")
    host = f"[{given['host']}]" if ":" in given["host"] else given["host"]
    url = given["base_url"] or f"http://{host}:{given['port']}"
    return Target.of(url, _headers(given), verified=not given["insecure"])


def _headers(given: dict[str, Any]) -> dict[str, str]:
    out = {}
    if key := given["api_key"]:
        check_header("Authorization", key, "--api-key (or QUIRE_API_KEY, OPENAI_API_KEY)", secret=True)
        out["Authorization"] = f"Bearer {key}"
    for name, value in pairs(given["headers"], "--header").items():
        check_header(name, value, "--header")
        out[name] = value
    return out


def pairs(given: tuple[str, ...], flag: str) -> dict[str, str]:
    out = {}
    for text in given:
        name, found, value = text.partition("=")
        if not found or not name or any(c in text for c in "\r\n"):
            raise click.UsageError(f"{flag} has {text!r}; say NAME=VALUE.")
        out[name] = value
    return out
