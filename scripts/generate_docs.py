#!/usr/bin/env python3
"""Writes docs/reference from the declarations in config.py, params.py, server/options.py and cli/.

`--check` writes nothing and fails if a page is out of date.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from quire import speculative
from quire.cli import quire
from quire.cli.options import own_options
from quire.config import GROUPS, Option, all_options
from quire.declared import Parameter, parameters
from quire.params import BeamSearchParams, PoolingParams, SamplingParams, StructuredOutputsParams
from quire.server.options import SERVER_GROUPS, server_options

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"
NOTE = "<!-- Written by scripts/generate_docs.py; change the declaration, then run `make docs`. -->\n"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in line) + " |\n" for line in lines)


def said(value: Any) -> str:
    """A default as a Python programmer would type it; nothing for None."""
    if value in (None, ""):
        return ""
    return f"`{value.__class__.__name__}.{value.name}`" if hasattr(value, "name") else f"`{value!r}`"


def type_name(kind: Any, optional: bool) -> str:
    name = getattr(kind, "__name__", str(kind))
    return f"`{name}` or `None`" if optional else f"`{name}`"


def option_tables(groups: Mapping[str, type], options: Iterable[Option]) -> str:
    """A section for each group: its meaning and its options."""
    declared, page = list(options), ""
    for group, cls in groups.items():
        page += f"\n## {group.capitalize()}\n\n{inspect.getdoc(cls)}\n\n"
        page += option_table(o for o in declared if o.group == group)
    return page


def option_table(options: Iterable[Option]) -> str:
    rows = [(f"`{o.name}`", type_name(o.kind, o.optional), said(o.default), o.range, o.help) for o in options]
    return table(("option", "type", "default", "allowed", "meaning"), rows)


def config_page() -> str:
    page = f"""{NOTE}
# Engine options

Each is an argument of `LLM(...)` and `EngineConfig.of(...)` under this name, and a flag of every
`quire` command with dashes for underscores: `max_model_len` is `--max-model-len`. A switch that is
on is turned off with `--no-…`. Whole numbers may be written `4k` (4,000) or `4K` (4,096), with
m, g, t and M, G, T alike. A name nobody declared is refused with the nearest one, a value out of its
range with the range.

What is left to `auto` or empty is decided when the engine starts, and logged with the reason.
"""
    return (
        page
        + option_tables(GROUPS, all_options())
        + """
## speculative_config

The keys of the mapping, which `--speculative-config` takes as JSON. The
[guide to speculation](../guides/speculation.md) says when it pays.
"""
        + "\n"
        + option_table(speculative.keys())
        + """
## Environment

| variable | meaning |
| --- | --- |
| `QUIRE_CPU_KVCACHE_SPACE` | KV cache of a CPU in GiB, unless `kv_cache_memory_bytes` says otherwise; \
`VLLM_CPU_KVCACHE_SPACE` is read too |
| `QUIRE_LOG_LEVEL` | `DEBUG`, `INFO` (default), `WARNING`, `ERROR` or `CRITICAL` |
| `QUIRE_TRACEBACK` | `1` lets the command line show the traceback of an error |
"""
    )


def server_page() -> str:
    page = f"""{NOTE}
# Server options

Flags of `quire serve`, with dashes for underscores: `api_key_file` is `--api-key-file`. It takes the
[engine options](config.md) too. A switch that is on is turned off with `--no-…`. Whole numbers may be
written `4k` (4,000) or `4K` (4,096). The [serving guide](../guides/serving.md) shows what they do.
"""
    return (
        page
        + option_tables(SERVER_GROUPS, server_options())
        + """
## Environment

| variable | meaning |
| --- | --- |
| `QUIRE_API_KEY` | more keys, as with `--api-key`; `VLLM_API_KEY` is read too |
| `QUIRE_LOG_LEVEL` | `DEBUG`, `INFO` (default), `WARNING`, `ERROR` or `CRITICAL` |
| `XDG_STATE_HOME` | where files and batches are kept, unless `--storage-dir` says otherwise |
| `XDG_RUNTIME_DIR` | where the private folder of the server's sockets is made |
"""
    )


def parameter_table(cls: type) -> str:
    def kind(p: Parameter) -> str:
        if p.kind is list:
            return f"list of `{p.item.__name__}`"
        return type_name(p.kind, p.optional)

    rows = [(f"`{p.name}`", kind(p), said(p.default), p.range, p.help) for p in parameters(cls)]
    return table(("parameter", "type", "default", "allowed", "meaning"), rows)


def sampling_page() -> str:
    return f"""{NOTE}
# Sampling parameters

```python
from quire import SamplingParams

params = SamplingParams(temperature=0.7, top_p=0.9, max_tokens=200, stop=["\\n\\n"])
```

Names and meanings are vLLM's. A bad value raises at once, with the range.

## SamplingParams

{parameter_table(SamplingParams)}
Structure, penalties, biases, bans and minimum lengths change the logits first; then temperature, `min_p`,
`top_k` and `top_p` in this order. A temperature between 0 and 0.01 counts as 0.01.

## StructuredOutputsParams

The form of an answer. Exactly one of the first six is given.

```python
from quire import SamplingParams, StructuredOutputsParams

asked = StructuredOutputsParams(json={{"type": "array", "items": {{"type": "integer"}}}})
params = SamplingParams(max_tokens=200, structured_outputs=asked)
short = SamplingParams(structured_outputs={{"choice": ["yes", "no"]}})  # a dict of the fields will do
```

{parameter_table(StructuredOutputsParams)}
What cannot be kept to is refused with the reason when the request is taken in. `min_tokens` and
`ignore_eos` hold the end back as long as anything else can come; when the structure is complete the
answer ends. `GuidedDecodingParams` is another name of this class.

## BeamSearchParams

{parameter_table(BeamSearchParams)}"""


def pooling_page() -> str:
    return f"""{NOTE}
# Pooling parameters

```python
from quire import PoolingParams

params = PoolingParams(task="embed", dimensions=256, truncate_prompt_tokens=512)
```

Names and meanings are vLLM's. A bad value raises at once, and so does one that has no meaning for the
task. `LLM.embed`, `LLM.classify` and `LLM.score` set the task themselves.

## PoolingParams

{parameter_table(PoolingParams)}"""


def cli_page() -> str:
    page = f"""{NOTE}
# Commands

Every command that loads a model also takes the [engine options](config.md) as flags. Errors are one
line on stderr; the exit code is 0, 1 (the run failed), 2 (the command line, the settings or the
checkpoint are wrong) or 130 (interrupted).
"""
    context = click.Context(quire, info_name="quire")
    for name in quire.list_commands(context):
        page += command_section(quire.get_command(context, name), f"quire {name}")
    return page


def command_section(command: click.Command | None, path: str) -> str:
    assert command is not None
    context = click.Context(command, info_name=path)
    section = f"\n## {path}\n\n```text\n{path} {' '.join(command.collect_usage_pieces(context))}\n```\n\n"
    text, _, examples = inspect.cleandoc(command.help or "").partition("\b\n")
    section += text.strip() + "\n"
    if examples:
        section += f"\n```text\n{inspect.cleandoc(examples)}\n```\n"
    own = [(f"`{', '.join(o.opts)}`", said(shown_default(o)), o.help or "") for o in own_options(command)]
    if own:
        section += "\n" + table(("option", "default", "meaning"), own)
    if any(p.name == "temperature" for p in command.params):
        section += "\nThe [sampling parameters](sampling.md) a terminal can express are flags too.\n"
    if any(p.name == "api_server_count" for p in command.params):
        section += "\nThe [server options](server.md) are flags too.\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            section += command_section(command.get_command(context, name), f"{path} {name}")
    return section


def shown_default(option: click.Option) -> Any:
    default = option.default
    return default if isinstance(default, (int, float, str)) and not option.is_flag else None


PAGES = {
    "config.md": config_page,
    "server.md": server_page,
    "sampling.md": sampling_page,
    "pooling.md": pooling_page,
    "cli.md": cli_page,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    check = parser.parse_args().check
    stale = []
    for name, page in PAGES.items():
        path, text = REFERENCE / name, page()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        print(f"docs/reference: {'out of date, run `make docs`' if check else 'wrote'}: {', '.join(stale)}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
