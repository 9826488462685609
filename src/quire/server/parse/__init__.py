"""Parsers of what models write: tool calls and reasoning, found in text as it streams.

`core` reads text in any split; a dialect knows how one model family writes calls, as a parser and as a
grammar. `make_parser` puts the parser of a reply together. With tools, a call of a name that is not among
them is still a call: the caller sees what the model did. Without tools everything is text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quire.errors import BadParameter, nearest
from quire.server.contract import Dialect, Parser
from quire.server.parse.core import Plain, merged
from quire.server.parse.deepseek import DeepSeek, DeepSeekV3
from quire.server.parse.detect import detect_dialect, detect_reasoning
from quire.server.parse.hermes import Hermes
from quire.server.parse.llama import JsonList, Llama3, Llama4
from quire.server.parse.mistral import Mistral
from quire.server.parse.pythonic import Llama4Pythonic, Pythonic
from quire.server.parse.qwen_coder import QwenCoder
from quire.server.parse.reasoning import REASONING, ReasoningParser

__all__ = [
    "DIALECTS", "REASONING", "detect_dialect", "detect_reasoning", "make_parser", "merged", "open_dialect",
]  # fmt: skip

# Ours and vLLM's names.
DIALECTS: dict[str, type[Any]] = {
    "quire": Hermes,
    "hermes": Hermes,
    "qwen": Hermes,
    "qwen25": Hermes,
    "qwen3": Hermes,
    "qwen3_coder": QwenCoder,
    "qwen3_xml": QwenCoder,
    "llama3_json": Llama3,
    "llama4_json": Llama4,
    "json": JsonList,
    "pythonic": Pythonic,
    "llama4_pythonic": Llama4Pythonic,
    "mistral": Mistral,
    "deepseek_v3": DeepSeekV3,
    "deepseek_r1": DeepSeekV3,
    "deepseek_v31": DeepSeek,
}


def open_dialect(name: str, token_id: Callable[[str], int | None] = lambda text: None) -> Dialect:
    """The dialect of that name. `token_id`: the id of a text that is a special token, None of any other."""
    kind = DIALECTS.get(name)
    if kind is None:
        raise BadParameter(f"there is no tool call parser {name!r:.80}{nearest(name, list(DIALECTS))}")
    ids = {marker: token_id(marker) for marker in kind.markers}
    dialect: Dialect = kind(name, {marker: i for marker, i in ids.items() if i is not None})
    return dialect


def make_parser(
    reasoning: str | None, dialect: Dialect | None, tools: Sequence[Mapping[str, Any]], prompt_end: str = ""
) -> Parser:
    """A parser for one reply. `prompt_end`: how the rendered prompt ends, where reasoning may have begun."""
    parser = dialect.parser(tools) if dialect is not None and tools else Plain()
    if reasoning is None:
        return parser
    tags = REASONING.get(reasoning)
    if tags is None:
        raise BadParameter(
            f"there is no reasoning parser {reasoning!r:.80}{nearest(reasoning, list(REASONING))}"
        )
    return parser if tags.inside(prompt_end) is False else ReasoningParser(tags, prompt_end, parser)
