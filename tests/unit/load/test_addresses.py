"""Addresses and headers: what HTTP cannot carry, or would be lost, is refused before anything is sent."""

from __future__ import annotations

import pytest

from quire.cli import main
from quire.errors import BadOption
from quire.tools.load.address import Target

LOST = ("--port", "1", "--ready-check-timeout-sec", "0")  # exit code 1 if it came to ask the server


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["bench", "serve", *LOST, *args]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    "url",
    ["http://.", "http://a..b", f"http://{'a' * 64}.de", "http://[::1", "http://\u2100.de", "http://a b"],
)
def test_a_host_that_is_none_is_refused(url: str):
    with pytest.raises(BadOption, match=r"--base-url is .* say http://HOST:PORT"):
        Target.of(url)


def test_a_host_in_other_letters_is_asked_for_by_its_ascii_name():
    target = Target.of("http://bücher.example:9")
    assert target.host == "xn--bcher-kva.example"
    assert b"Host: xn--bcher-kva.example:9\r\n" in target.request("GET", "/v1/models")


def test_a_host_that_is_an_ipv6_address_needs_no_brackets(capsys):
    assert main(["bench", "serve", *LOST, "--host", "::1"]) == 1
    assert "no server at http://::1:1" in capsys.readouterr().err


def test_a_password_in_the_address_is_refused_and_not_shown(capsys):
    err = refused(capsys, "--base-url", "http://me:geheim@here:9")
    assert "user" in err and "--header" in err and "geheim" not in err
    assert "geheim" not in refused(capsys, "--base-url", "http://me:geheim@here:port")


@pytest.mark.parametrize("more", ["?a=b", "/v1?a=b", "#part"])
def test_what_comes_after_the_path_is_refused(more: str, capsys):
    assert "--endpoint" in refused(capsys, "--base-url", f"http://here:9{more}")


@pytest.mark.parametrize("path", ["/a b", "/日本", "/a\x7f", "/a\x0bX: y"])
def test_a_path_that_http_cannot_carry_is_refused(path: str, capsys):
    assert "percent-encoded" in refused(capsys, "--base-url", f"http://here:9{path}")
    assert "percent-encoded" in refused(capsys, "--endpoint", path)


@pytest.mark.parametrize("path", ["v1/completions", ""])
def test_an_endpoint_is_a_path(path: str, capsys):
    assert "--endpoint is" in refused(capsys, "--endpoint", path)


def test_an_endpoint_may_have_a_query(capsys):
    assert main(["bench", "serve", *LOST, "--endpoint", "/v1/completions?api-version=1"]) == 1


@pytest.mark.parametrize("value", ["日本", "a\nX-Admin: yes", "a\x00", "a\x7f"])
def test_a_header_that_http_cannot_carry_is_refused(value: str, capsys):
    assert "--header" in refused(capsys, "--header", f"X={value}")


@pytest.mark.parametrize("name", ["X Y", "X:Y", "日本", ""])
def test_a_headers_name_has_letters_only(name: str, capsys):
    assert "--header" in refused(capsys, "--header", f"{name}=1")


@pytest.mark.parametrize("key", ["ключ", "sk-1\nX-Admin: yes", "sk-1\r"])
def test_a_key_that_http_cannot_carry_is_refused_and_not_shown(key: str, capsys, monkeypatch):
    err = refused(capsys, "--api-key", key)
    assert "--api-key" in err and "sk-1" not in err and "ключ" not in err
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert "OPENAI_API_KEY" in refused(capsys)


def test_letters_of_latin_1_are_sent_as_they_are():
    request = Target.of("http://here", {"X": "é"}).request("GET", "/")
    assert b"X: \xe9\r\n" in request
