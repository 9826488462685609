"""The command line without a model: quick help, flags from declarations, errors in one line."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
import time

import click
import pytest

from quire import __version__, log
from quire.cli import main, quire
from quire.cli.chat import Conversation, converse
from quire.cli.options import (
    SAMPLING,
    GroupedOption,
    HumanInt,
    chosen_model,
    engine_values,
    own_options,
    sampling_values,
)
from quire.cli.progress import Progress
from quire.cli.stream import Answer
from quire.config import all_options
from quire.declared import parameters
from quire.errors import BadOption, ConfigError, RequestError
from quire.params import SamplingParams

LOADING = [("run",), ("chat",), ("bench", "latency"), ("bench", "throughput")]  # commands that load a model


def command(*names: str) -> click.Command:
    found: click.Command = quire
    for name in names:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), name)
        assert inner is not None
        found = inner
    return found


def error_of(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    """The exit code and the one line on stderr."""
    code = main(args)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    return code, captured.err.strip()


@pytest.mark.alone
def test_help_takes_less_than_half_a_second_and_loads_no_torch():
    code = "import sys; from quire.cli import main; main(['--help']); sys.exit('torch' in sys.modules)"
    seconds = []
    for _ in range(4):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.5


@pytest.mark.parametrize("args", [(), *LOADING, ("bench",)], ids=" ".join)
def test_every_help_page_shows_an_example_or_its_options(args, capsys: pytest.CaptureFixture[str]):
    assert main([*args, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Usage: quire" in out and "MODEL" in out


def test_the_version_is_the_package_version(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"quire {__version__}\n"


def test_the_module_is_the_command():
    run = subprocess.run([sys.executable, "-m", "quire", "--version"], capture_output=True, text=True)
    assert run.returncode == 0 and __version__ in run.stdout
    run = subprocess.run([sys.executable, "-m", "quire", "run", "--nonsense"], capture_output=True, text=True)
    assert run.returncode == 2 and "nonsense" in run.stderr


@pytest.mark.parametrize("path", LOADING, ids=" ".join)
def test_every_engine_option_is_a_flag(path):
    flags = {flag for param in command(*path).params for flag in (*param.opts, *param.secondary_opts)}
    absent = {"model", "tokenizer", "skip_tokenizer_init"}
    for option in all_options():
        if option.name in absent:
            continue
        assert option.flag in flags
        if option.kind is bool:
            assert f"--no-{option.flag.removeprefix('--')}" in flags


@pytest.mark.parametrize("path", [("run",), ("chat",)], ids=" ".join)
def test_sampling_flags_come_from_sampling_params(path):
    flags = {flag for param in command(*path).params for flag in param.opts}
    assert {p.flag for p in parameters(SamplingParams) if p.name in SAMPLING} <= flags


@pytest.mark.parametrize("path", LOADING, ids=" ".join)
def test_help_tells_ranges_and_defaults(path, capsys: pytest.CaptureFixture[str]):
    main([*path, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "[1 to 1,024; default: 16]" in text  # --block-size
    assert "[default: on]" in text  # --enable-prefix-caching


@pytest.mark.parametrize(
    ("args", "nearest"),
    [
        (("run", "m", "p", "--max-modl-len", "4"), "--max-model-len"),
        (("chat", "m", "--temprature", "1"), "--temperature"),
        (("bench", "latency", "m", "--batchsize", "4"), "--batch-size"),
        (("bnch",), "bench"),
    ],
)
def test_an_unknown_flag_or_command_is_refused_with_the_nearest(args, nearest, capsys):
    code, line = error_of(capsys, *args)
    assert code == 2
    assert "did you mean" in line.lower() and nearest in line


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("run", "m", "p", "--model", "m"), "There is a MODEL and --model"),
        (("chat", "m", "--model", "n"), "MODEL is 'm' and --model 'n'; give one of them"),
        (("bench", "latency", "m", "--model", "n"), "MODEL is 'm' and --model 'n'; give one of them"),
        (("models", "--path", "quire-tni"), "did you mean 'quire-tiny'?"),
        (("run", "m", "p", "--block-size", "0"), "--block-size is 0 and must be 1 to 1,024"),
        (("run", "m", "p", "--block-size", "big"), "not a whole number"),
        (("run", "m", "p", "--dtype", "int3"), "'bfloat16'"),
        (("run", "m", "p", "--hf-overrides", "{"), "is not JSON"),
        (("run", "m", "p", "--hf-overrides", "[1]"), "must be a mapping"),
        (("run", "m", "p", "--top-p", "1.5"), "--top-p is 1.5 and must be above 0 and at most 1"),
        (("run", "m", "p", "--raw", "--system", "x"), "--system needs --chat"),
        (("bench", "latency", "m", "--input-len", "0"), "'0' is no length: a length is a number from 1"),
        (("bench", "latency", "m", "--batch-size", "0"), "--batch-size"),
    ],
)
def test_a_bad_command_line_is_one_clear_line_and_code_2(args, said, capsys):
    code, line = error_of(capsys, *args)
    assert code == 2
    assert said in line


def test_parameters_that_contradict_each_other_are_one_line_too(capsys):
    code, line = error_of(capsys, "run", "m", "p", "--min-tokens", "20", "--max-tokens", "5")
    assert code == 1
    assert "min_tokens is 20 and max_tokens only 5" in line


@pytest.mark.parametrize(("argument", "flag"), [("m", None), (None, "m"), ("m", "m")])
def test_a_model_is_an_argument_or_a_flag(argument, flag):
    assert chosen_model(argument, flag) == "m" and chosen_model(None, None) == ""


class Refusing:
    """Refuses whatever is said to it."""

    def stream(self, prompt, params):
        raise RequestError("no place for it")
        yield


@pytest.mark.parametrize(("typed", "code"), [(False, 1), (True, 0)])
def test_a_piped_turn_that_fails_makes_the_exit_code_1(typed, code, monkeypatch, capsys):
    stdin = io.StringIO("Hello\n/reset\n")
    stdin.isatty = lambda: typed
    monkeypatch.setattr(sys, "stdin", stdin)
    assert converse(Conversation(Refusing(), SamplingParams(), None)) == code
    assert "error: no place for it" in capsys.readouterr().err


def test_a_piped_conversation_without_failures_ends_with_0(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("/stats\n"))
    assert converse(Conversation(Refusing(), SamplingParams(), None)) == 0


def test_a_traceback_is_there_for_who_asks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QUIRE_TRACEBACK", "1")
    with pytest.raises(click.UsageError):
        main(["run", "m", "p", "--block-size", "0"])


@pytest.mark.parametrize(
    ("text", "number"),
    [("4096", 4096), ("4k", 4000), ("4K", 4096), ("1.5k", 1500), ("2G", 2**31), ("1,000", 1000), ("-1", -1)],
)
def test_whole_numbers_may_be_written_as_people_say_them(text, number):
    assert HumanInt().convert(text, None, None) == number


@pytest.mark.parametrize("text", ["", "k", "1.5", "4kb", "1e3", "four"])
def test_what_is_no_whole_number_is_refused(text):
    with pytest.raises(click.BadParameter, match="not a whole number"):
        HumanInt().convert(text, None, None)


def test_only_what_was_typed_reaches_the_engine():
    typed = command("run").make_context(
        "run", ["m", "p", "--max-model-len", "4k", "--no-enable-prefix-caching", "--hf-overrides", '{"a": 1}']
    )
    assert engine_values(typed.params) == {
        "max_model_len": 4000,
        "enable_prefix_caching": False,
        "hf_overrides": {"a": 1},
        "model": "m",
    }


def test_sampling_flags_become_sampling_params():
    args = [
        "m",
        "p",
        "--temperature",
        "0",
        "--stop",
        "a",
        "--stop",
        "b",
        "--stop-token-ids",
        "3",
        "--seed",
        "5",
    ]
    typed = command("run").make_context("run", args)
    params = sampling_values(typed.params, {"max_tokens": 256})
    assert params == SamplingParams(
        temperature=0, stop=["a", "b"], stop_token_ids=[3], seed=5, max_tokens=256
    )


def test_a_commands_own_options_are_apart_from_the_generated_ones():
    own = {o.name for o in own_options(command("run"))}
    assert own == {"chat", "model_flag", "system", "quiet"}
    generated = [p for p in command("run").params if isinstance(p, GroupedOption)]
    assert {p.heading for p in generated} >= {"Sampling", "The KV cache"}


def test_the_statistics_line_names_what_it_counts():
    answer = Answer(
        "hi", prompt_tokens=8, cached_tokens=4, tokens=11, first_s=0.5, total_s=1.5, finish="stop"
    )
    assert str(answer) == (
        "8 prompt tokens (4 cached), 11 tokens in 1.50 s, the first after 0.50 s, then 10.0 tokens/s; "
        "ended by stop"
    )


def test_a_log_line_has_level_time_and_message():
    code = "from quire import log; log.set_up(); log.set_up().info('hello')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    time.strptime(line, "INFO %m-%d %H:%M:%S hello")


def test_a_program_with_its_own_logging_keeps_it(caplog: pytest.LogCaptureFixture):
    log.set_up()
    with caplog.at_level(logging.INFO, "quire"):
        logging.getLogger("quire").info("hello")
    assert [r.message for r in caplog.records] == ["hello"]
    assert logging.getLogger("quire").handlers == []


def test_an_unknown_log_level_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QUIRE_LOG_LEVEL", "loud")
    with pytest.raises(BadOption, match="DEBUG, INFO, WARNING"):
        log.set_up()
    assert issubclass(BadOption, ConfigError)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.5, ["batches: 12 in 6 s"]),
        (4.0, [*(f"batches: {n} of 12 after {4 * n} s" for n in (3, 6, 9)), "batches: 12 in 48 s"]),
        (25.0, [*(f"batches: {n} of 12 after {25 * n} s" for n in range(1, 12)), "batches: 12 in 300 s"]),
    ],
)
def test_long_work_says_how_far_it_is_where_nobody_sees_a_bar(seconds: float, said: list[str]):
    told, now = io.StringIO(), [0.0]
    with Progress(12, "batches", "batch", told, lambda: now[0]) as progress:
        for _ in range(12):
            now[0] += seconds
            progress.more()
    assert told.getvalue().splitlines() == said


def test_a_terminal_gets_a_bar_and_no_lines():
    told = Terminal()
    with Progress(2, "batches", "batch", told) as progress:
        progress.upto(2)
    assert "2/2" in told.getvalue() and "after" not in told.getvalue()


def test_output_that_a_full_disk_does_not_take_is_one_line():
    if not os.path.exists("/dev/full"):
        pytest.skip("needs a file that is always full")
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "quire", "plan", "--list"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert run.returncode == 1
    assert run.stderr == "error: the output cannot be written: No space left on device\n"
