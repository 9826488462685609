"""Turns exceptions into replies, in OpenAI's shape or, on /v1/messages, in Anthropic's.

Routes let Quire's errors propagate; `install` registers who answers them. A reply says what was wrong and
how to put it right, in one line; it never holds a traceback, a path, an address in memory or much of what
was sent. What nobody foresaw is a 500 with an id that is also in the log.
"""

from __future__ import annotations

import logging
import math
import re
import secrets
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

import quire
from quire.errors import (
    BadParameter,
    EmptyPrompt,
    EngineDead,
    NotAllowed,
    NotNow,
    PromptTooLong,
    QuireError,
    RequestFailed,
    TextTooLong,
    TokenOutOfRange,
)

log = logging.getLogger("quire")

MAX_MESSAGE = 600
MAX_ECHO = 100
_ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
}
_WORDS = {
    400: "the request is not as it should be",
    404: "there is no such route; /docs lists them",
    405: "this route has no such method; /docs lists them",
}
_CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 415: "unsupported_media_type"}
_HEADERS = ("allow", "retry-after", "content-range")
_OF_PROMPTS = (EmptyPrompt, PromptTooLong, TextTooLong, TokenOutOfRange)
_PROMPTS = {  # the field that holds the prompt
    "/v1/chat/completions": "messages",
    "/v1/completions": "prompt",
    "/v1/responses": "input",
    "/v1/responses/input_tokens": "input",
    "/v1/messages": "messages",
    "/v1/embeddings": "input",
}
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_ROOTS = {str(Path(quire.__file__).parents[2]), sys.prefix, sys.base_prefix, tempfile.gettempdir()}
_PATHS = re.compile("(?:" + "|".join(map(re.escape, {*_ROOTS, str(Path.home())} - {"/"})) + r")/[^\s'\"),;]*")
_NAMED = re.compile(r"([a-z_]+)(?:\[[^\]]*\])?(?: is| must| has| holds| may|: )")


class Failure(BaseModel):
    message: str
    type: str
    param: str | None = None
    code: str | None = None


class FailureReply(BaseModel):
    """What went wrong, in OpenAI's shape."""

    error: Failure


class MessagesFailure(BaseModel):
    type: str
    message: str


class MessagesFailureReply(BaseModel):
    """What went wrong, in Anthropic's shape."""

    type: str
    error: MessagesFailure


def documented(model: type[BaseModel] = FailureReply) -> dict[int | str, dict[str, Any]]:
    """What /openapi.json says of failures."""
    return {
        "4XX": {
            "model": model,
            "description": "The request is wrong, or too much (429: later); it says how.",
        },
        503: {"model": model, "description": "The engine is loading, lost or about to stop; Retry-After."},
        504: {"model": model, "description": "The request outlived its time limit."},
    }


def error_body(
    exc: BaseException, dialect: str = "openai", error_id: str | None = None
) -> tuple[int, dict[str, Any]]:
    """The status and the JSON of a failure, also for an error event in the middle of a stream.

    What broke inside is logged here; `error_id` is the name it gets in reply and log, a new one if None.
    """
    status, message, param, code = _told(exc, error_id)
    if dialect == "anthropic":
        kind = _ANTHROPIC.get(status, "invalid_request_error" if status < 500 else "api_error")
        return status, {"type": "error", "error": {"type": kind, "message": message}}
    return status, {"error": {"message": message, "type": _kind(status), "param": param, "code": code}}


def error_headers(exc: BaseException) -> dict[str, str]:
    """Headers that belong to a failure: when to try again, how to show a key."""
    if isinstance(exc, NotNow):
        return {"Retry-After": str(max(1, math.ceil(exc.retry_after)))}
    if isinstance(exc, NotAllowed) and exc.status == 401:
        return {"WWW-Authenticate": "Bearer"}
    if isinstance(exc, HTTPException):
        return {k: v for k, v in (exc.headers or {}).items() if k.lower() in _HEADERS}
    return {}


def dialect_of(path: str) -> str:
    return "anthropic" if path == "/v1/messages" or path.startswith("/v1/messages/") else "openai"


def reply(exc: BaseException, path: str, error_id: str | None = None) -> Response:
    if isinstance(exc, _OF_PROMPTS) and exc.param is None:
        exc.param = _PROMPTS.get(path)
    status, body = error_body(exc, dialect_of(path), error_id)
    headers = error_headers(exc)
    return Response(msgspec.json.encode(body), status, headers, media_type="application/json")


def install(app: FastAPI) -> None:
    """Registers who answers exceptions; what is unforeseen is answered by the gate, or here without one."""

    async def answer(request: Request, exc: Exception) -> Response:
        return reply(exc, request.url.path, getattr(request.state, "request_id", None))

    for kind in (QuireError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, answer)


def clean(message: str) -> str:
    """One line without addresses in memory and without paths of this machine."""
    message = _PATHS.sub("…", _ADDRESS.sub("…", " ".join(message[: 4 * MAX_MESSAGE].split())))
    message = message.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    return message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"


# -- one kind after the other ------------------------------------------------------------------------


def _told(exc: BaseException, error_id: str | None) -> tuple[int, str, str | None, str | None]:
    """Status, message, parameter and code."""
    if isinstance(exc, RequestValidationError):
        return 400, *_invalid(exc.errors(), exc.body)
    if isinstance(exc, HTTPException):
        return _http(exc, error_id)
    if not isinstance(exc, QuireError) or (isinstance(exc, RequestFailed) and exc.status >= 500):
        return _unforeseen(exc, error_id)
    message = str(exc)
    if isinstance(exc, EngineDead):
        message = message.partition(": ")[0] or "the engine is not running"
    param = getattr(exc, "param", None)
    if param is None and isinstance(exc, BadParameter):  # its messages begin with the parameter's name
        named = _NAMED.match(message)
        param = named[1] if named else None
    return exc.status, clean(message), param, getattr(exc, "code", None)


def _http(exc: HTTPException, error_id: str | None) -> tuple[int, str, str | None, str | None]:
    if isinstance(exc.__cause__, QuireError):  # what was raised while the framework read the body
        return _told(exc.__cause__, error_id)
    if isinstance(exc.__cause__, ValueError):  # Python's parser gives up on numbers without end
        return (
            exc.status_code,
            "the body holds a number of thousands of digits; send a shorter one",
            None,
            None,
        )
    usual = exc.detail in ("Not Found", "Method Not Allowed", "")
    message = _WORDS.get(exc.status_code, str(exc.detail)) if usual else str(exc.detail)
    return exc.status_code, clean(message), None, _CODES.get(exc.status_code)


def _unforeseen(exc: BaseException, error_id: str | None) -> tuple[int, str, str | None, str | None]:
    """Logs where it happened, without the message: it may quote a prompt."""
    name = error_id or f"error-{secrets.token_hex(8)}"
    if isinstance(exc, RequestFailed):
        log.error("%s: %s", name, clean(str(exc)))
        what = "the request broke while it was running"
    else:
        frames = "".join(traceback.format_tb(exc.__traceback__))
        log.error("%s: %s\n%s", name, type(exc).__name__, frames.rstrip())
        log.debug("%s: %s", name, exc)
        what = "something broke inside the server"
    return 500, f"{what}; its log says more under {name}", None, "internal_error"


def _invalid(errors: Sequence[Any], body: Any) -> tuple[str, str | None, str | None]:
    """Message, parameter and code of the first thing that a request model refused."""
    if not errors:
        return _WORDS[400], None, None
    first = errors[0]
    place, *where = first.get("loc", ()) or ("",)
    if first.get("type") == "json_invalid":
        at = f" at character {where[-1]}" if where and isinstance(where[-1], int) else ""
        return clean(f"the body is not JSON: {(first.get('ctx') or {}).get('error', '')}{at}"), None, None
    if place == "body":
        where = _path(where, body, missing=first.get("type") == "missing")
    param = ".".join(map(str, where))[:MAX_ECHO] or None
    told = str(first.get("msg", "")).removeprefix("Value error, ")
    given = first.get("input")
    if isinstance(given, (bool, int, float, str)) and first.get("type") != "missing":
        told += f", got {_echo(given)}"
    more = f" (and {len(errors) - 1:,} more)" if len(errors) > 1 else ""
    return clean(f"{param or 'the body'}: {told}{more}"), param, None


def _path(where: Sequence[str | int], body: Any, missing: bool) -> list[str | int]:
    """The part of a location that is in the body: pydantic also names the type it tried."""
    found, value = [], body
    for i, part in enumerate(where):
        if isinstance(value, Mapping) and (part in value or (missing and i == len(where) - 1)):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            continue
        found.append(part)
    return found


def _echo(value: Any) -> str:
    """The beginning of what was sent; of a number with more digits than anyone reads, too."""
    if isinstance(value, int) and abs(value) >= 10**40:
        return "a number of more than 40 digits"
    shown = repr(value[:MAX_ECHO] if isinstance(value, str) else value)
    return shown if len(shown) <= MAX_ECHO else shown[: MAX_ECHO - 1] + "…"


def _kind(status: int) -> str:
    match status:
        case 401:
            return "authentication_error"
        case 403:
            return "permission_error"
        case 429:
            return "rate_limit_error"
        case 503:
            return "service_unavailable_error"
        case 504:
            return "timeout_error"
    return "invalid_request_error" if status < 500 or status == 501 else "server_error"


__all__ = [
    "clean",
    "dialect_of",
    "error_body",
    "error_headers",
    "install",
    "reply",
]
