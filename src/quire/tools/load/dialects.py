"""The two routes of OpenAI's that stream text: what is sent, and what counts as news of a token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from quire.tools.load.workload import Ask


class Dialect(Protocol):
    @property
    def path(self) -> str: ...

    def body(self, ask: Ask) -> dict[str, Any]: ...

    def is_news(self, choice: Mapping[str, Any]) -> bool:
        """Whether an event's choice brings something of the answer, not only its role or its end."""
        ...


@dataclass(frozen=True, slots=True)
class Completions:
    model: str
    extra: Mapping[str, Any] = field(default_factory=dict)  # fields of every request
    path: str = "/v1/completions"

    def body(self, ask: Ask) -> dict[str, Any]:
        return {**_common(self.model, ask), "prompt": ask.prompt, **self.extra}

    def is_news(self, choice: Mapping[str, Any]) -> bool:
        return bool(choice.get("text")) or not choice.get("finish_reason")


@dataclass(frozen=True, slots=True)
class Chat:
    model: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    path: str = "/v1/chat/completions"

    def body(self, ask: Ask) -> dict[str, Any]:
        messages = [{"role": "user", "content": ask.prompt}]
        return {**_common(self.model, ask), "messages": messages, **self.extra}

    def is_news(self, choice: Mapping[str, Any]) -> bool:
        delta = choice.get("delta") or {}
        return any(value for name, value in delta.items() if name != "role")


def _common(model: str, ask: Ask) -> dict[str, Any]:
    return {
        "model": model,
        "max_tokens": ask.output_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
