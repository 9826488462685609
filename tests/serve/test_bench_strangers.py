"""What `quire bench` makes of servers that answer nonsense: a failed request each, with its reason."""

from __future__ import annotations

import json

import pytest
from tests.serve.loads import HEAD, WHOLE, load, rude, streamed

from quire.cli import main
from quire.tools.load.dialects import Chat

GOOD = b'{"choices": [{"delta": {"content": "a"}}]}'
DEEP = b"[" * 100_000


@pytest.mark.parametrize("delta", [b'"x"', b"5", b"[1]", b"true"])
def test_a_delta_that_is_no_object_is_a_failure_with_a_reason(delta: bytes):
    event = b'{"choices": [{"delta": %s}]}' % delta
    with rude(iter([streamed(GOOD, event), streamed(GOOD)])) as port:
        records = load(port, 2, 1, Chat("m"), concurrency=1).records
    assert "an event that makes no sense" in records[0].error and event.decode() in records[0].error
    assert records[1].ok


def test_an_event_too_deep_to_read_is_a_failure_with_a_reason():
    with rude(iter([streamed(DEEP), streamed(b'{"choices": %s}' % DEEP), streamed(GOOD)])) as port:
        records = load(port, 3, 1, Chat("m"), concurrency=1).records
    assert all("no JSON that can be read: data: " in r.error for r in records[:2]) and records[2].ok


def test_a_list_of_models_too_deep_to_read_is_told_in_one_line(capsys):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(DEEP)
    with rude(iter([head + DEEP])) as port:
        assert main(["bench", "serve", "--base-url", f"http://127.0.0.1:{port}"]) == 2
    assert "lists no model (HTTP 200: [[[" in capsys.readouterr().err


@pytest.mark.parametrize("status", [b"2\xb20", b"9" * 5000, b"20"])
def test_a_status_that_is_none_is_no_http(status: bytes):
    with rude(iter([b"HTTP/1.1 %s OK\r\n\r\n" % status])) as port:
        assert "no HTTP/1.1" in load(port, 1, 1).records[0].error


@pytest.mark.parametrize("length", [b"\xb2", b"9" * 5000])
def test_a_length_that_is_none_is_not_believed(length: bytes):
    with rude(iter([HEAD.replace(b"%d" % len(WHOLE), length) + WHOLE])) as port:
        assert load(port, 1, 1).records[0].ok


@pytest.mark.parametrize("count", [b"9" * 4000, b"9" * 20])
def test_more_tokens_than_can_be_are_not_believed(count: bytes, capsys):
    models = b'{"data": [{"id": "m"}]}'
    listed = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(models), models)
    usage = b'{"choices": [], "usage": {"prompt_tokens": %s, "completion_tokens": %s}}' % (count, count)
    answer = streamed(b'{"choices": [{"text": "a"}]}', usage)
    given = ["--num-prompts", "1", "--random-input-len", "3", "--disable-tqdm", "--json"]
    with rude(iter([listed, answer, answer])) as port:
        assert main(["bench", "serve", "--base-url", f"http://127.0.0.1:{port}", *given]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["total_input_tokens"], told["total_output_tokens"]) == (3, 1)
