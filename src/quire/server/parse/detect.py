"""Finds out how a model writes calls and reasoning: by its chat template, which shows it both."""

from __future__ import annotations

from collections.abc import Callable

from quire.server.parse.reasoning import REASONING


def detect_dialect(chat_template: str, vocabulary_has: Callable[[str], bool]) -> str | None:
    """The name of the dialect, None if the template shows no calls."""
    template = chat_template
    if "<｜tool▁calls▁begin｜>" in template or "<｜tool▁call▁begin｜>" in template:
        return "deepseek_v3" if "```json" in template else "deepseek_v31"
    if "[TOOL_CALLS]" in template:
        return "mistral"
    if "<function=" in template and "<parameter=" in template:
        return "qwen3_coder"
    if "<tool_call>" in template and "<arg_key>" not in template:
        return "hermes"
    four = "<|python_start|>" in template or vocabulary_has("<|python_start|>")
    if "[func_name1(" in template or "[func_name(" in template:
        return "llama4_pythonic" if four else "pythonic"
    llama = '{"name": function name, "parameters"' in template or vocabulary_has("<|python_tag|>") or four
    if llama and '"parameters"' in template and "tools" in template:
        return "llama4_json" if four else "llama3_json"
    if "tools" in template and vocabulary_has("[TOOL_CALLS]"):
        return "mistral"
    return None


def detect_reasoning(chat_template: str, vocabulary_has: Callable[[str], bool]) -> str | None:
    """The name of the tags, None if the template shows no reasoning."""
    if "[THINK]" in chat_template:
        return "mistral"
    if "</think>" in chat_template or "<think>" in chat_template:
        return "think"
    if REASONING["granite"].begin in chat_template:
        return "granite"
    return None
