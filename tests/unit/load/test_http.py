"""HTTP responses and events, in whatever pieces they come."""

from __future__ import annotations

import pytest

from quire.errors import BadOption
from quire.tools.load.address import Target
from quire.tools.load.http import BadReply, Events, Reply

CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"6\r\ndata: \r\nb;x=1\r\n{}\n\ndata: [\r\n6\r\nDONE]\n\r\n0\r\nX-T: 1\r\n\r\n"
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_chunked_answer_is_the_same_in_any_pieces(size: int):
    reply, events = Reply(), Events()
    found = []
    for i in range(0, len(CHUNKED), size):
        found += events.feed(reply.feed(CHUNKED[i : i + size]))
    assert reply.done and reply.keeps and reply.status == 200
    assert found == [b"{}", b"[DONE]"]


def test_a_length_ends_an_answer_and_what_has_none_ends_with_the_connection():
    reply = Reply()
    assert (
        reply.feed(b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc") == b"abc"
    )
    assert reply.done and not reply.keeps and reply.status == 404
    open_ended = Reply()
    assert open_ended.feed(b"HTTP/1.0 200 OK\r\n\r\nabc") == b"abc"
    assert not open_ended.done
    open_ended.closed()
    assert open_ended.done and not open_ended.keeps


def test_a_continue_is_not_the_answer_and_an_empty_one_is():
    reply = Reply()
    reply.feed(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
    assert reply.done and reply.status == 204


@pytest.mark.parametrize(
    "data",
    [b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"x" * 70_000],
)
def test_what_is_no_http_is_told(data: bytes):
    with pytest.raises(BadReply):
        Reply().feed(data)


def test_an_answer_that_breaks_off_is_told():
    reply = Reply()
    reply.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    with pytest.raises(BadReply, match="before its answer was complete"):
        reply.closed()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://here:8000", "http://here:8000"),
        ("http://here:8000/v1/", "http://here:8000"),
        ("https://here/a/v1", "https://here:443/a"),
        ("here:9", "http://here:9"),
        ("http://[::1]:9", "http://::1:9"),
    ],
)
def test_an_address_may_be_written_in_several_ways(url: str, said: str):
    assert str(Target.of(url)) == said


@pytest.mark.parametrize("url", ["ftp://x", "http://", "http://x:notaport"])
def test_what_is_no_address_is_refused(url: str):
    with pytest.raises(BadOption, match="--base-url"):
        Target.of(url)


def test_a_request_names_its_host_and_carries_its_headers():
    request = Target.of("http://[::1]:9/x", {"Authorization": "Bearer k"}).request("POST", "/v1/y", b"{}")
    head = request.decode().split("\r\n")
    assert head[0] == "POST /x/v1/y HTTP/1.1" and head[1] == "Host: [::1]:9"
    assert "Authorization: Bearer k" in head and "Content-Length: 2" in head
