"""Whether a model would start here: its files, its memory, its tokenizer, its type, its kernels."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path

from quire.config import EngineConfig
from quire.errors import CheckpointError, DoesNotFit, QuireError
from quire.text.tokenizer import load_tokenizer
from quire.tools.doctor.findings import Area, Finding
from quire.tools.doctor.software import ask_apart, torch_facts
from quire.tools.hardware import GIB
from quire.tools.plan.plan import Plan, plan
from quire.tools.plan.site import Asked, find_site
from quire.tools.plan.subject import Subject, find_subject
from quire.weights.files import stored_tensors
from quire.weights.folder import find_tokenizer, model_here

AREA = Area("model")
LITTLE = 1024  # tokens of KV cache: hardly a request


def model(config: EngineConfig) -> Iterator[Finding]:
    """Nothing is downloaded but a config.json, and nothing is started."""
    try:
        subject = find_subject(config)
    except QuireError as error:
        yield AREA.problem(
            "config", str(error), "no engine starts with it", "see `quire run --help` on MODEL"
        )
        return
    shape = subject.shape
    size = f"{shape.parameter_count() / 1e9:,.3f} billion numbers"
    if not subject.runs:
        yield AREA.problem(
            "config",
            f"{shape.architecture}, {size}",
            "this version does not run the family",
            "choose another model",
        )
        return
    yield AREA.ok(
        "config",
        f"{shape.architecture}, {size}, {subject.dtype}, reads {shape.default_max_len:,} tokens",
        subject.source,
        parameters=shape.parameter_count(),
    )
    folder = _folder(config)
    if folder is None:
        yield AREA.note("weights", "not on this machine", "they are fetched when an engine starts")
    else:
        yield from _weights(folder, subject, config)
        yield from _tokenizer(folder, subject, config)
    yield from _fit(subject, config)


def _folder(config: EngineConfig) -> Path | None:
    """Where its files lie, if they are here."""
    name = config.model.model
    folder = model_here(name, config.load.download_dir, config.model.revision)
    if folder is None or os.path.isdir(os.path.expanduser(name)):
        return folder
    return folder if any(folder.glob("*.safetensors")) else None  # a hub's may be config.json and no more


def _weights(folder: Path, subject: Subject, config: EngineConfig) -> Iterator[Finding]:
    if config.load.load_format == "dummy":
        yield AREA.note("weights", "random, as --load-format dummy says", "answers are noise; times are real")
        return
    try:
        tensors = stored_tensors(folder).values()
    except CheckpointError as error:
        yield AREA.problem(
            "weights", str(error), "the model cannot be loaded", "fetch it again; --load-format dummy"
        )
        return
    numbers, size = sum(math.prod(t.shape) for t in tensors), sum(t.bytes for t in tensors)
    said = f"{len(tensors):,} tensors, {numbers:,} numbers, {size / GIB:,.2f} GiB, whole"
    expected = subject.parameters
    overrides = config.model.hf_overrides
    compared = ask_apart(["tensors", str(folder), json.dumps(overrides)])
    refusal = torch_facts(compared).get("refusal", "")
    if refusal:
        yield AREA.problem(
            "weights",
            refusal.splitlines()[0].rstrip(":"),
            "files and config.json do not belong together: no engine starts with them",
            "fetch both again" + ("; look at --hf-overrides" if overrides else ""),
            matrix=refusal.splitlines()[1:],
        )
    elif compared.came:
        yield AREA.ok("weights", f"{said}, as config.json asks for", bytes=size, tensors=len(tensors))
    elif not subject.shape.skipped_tensors and abs(numbers - expected) > 0.02 * expected:
        yield AREA.warning(
            "weights",
            f"{said}; config.json describes {expected:,}",
            "files and config.json may not belong together",
            "fetch both again; an engine lists each tensor that is missing or too much",
        )
    else:
        yield AREA.ok("weights", said, bytes=size, tensors=len(tensors))


def _tokenizer(folder: Path, subject: Subject, config: EngineConfig) -> Iterator[Finding]:
    if config.model.skip_tokenizer_init:
        yield AREA.note(
            "tokenizer", "none, as --skip-tokenizer-init says", "prompts and answers are token ids"
        )
        return
    place = find_tokenizer(config.model.tokenizer) if config.model.tokenizer else folder
    try:
        found = load_tokenizer(place)
    except QuireError as error:
        yield AREA.problem(
            "tokenizer", str(error), "text cannot be read", "--tokenizer, or --skip-tokenizer-init"
        )
        return
    highest, words = found.highest_id, subject.shape.vocab_size
    if highest >= words:
        yield AREA.problem(
            "tokenizer",
            f"ids up to {highest:,}, and the model has {words:,}",
            "some texts cannot be read by the model",
            "the tokenizer is another model's; find its own",
        )
        return
    yield AREA.ok("tokenizer", f"ids up to {highest:,} of {words:,}", vocab=words, highest=highest)
    if subject.shape.language_head and not found.chat_templates:
        yield AREA.note("chat template", "none", "chats need one: LLM.chat and /v1/chat/completions refuse")


def _fit(subject: Subject, config: EngineConfig) -> Iterator[Finding]:
    site = find_site(Asked(), config)
    try:
        made = plan(subject, config, site)
    except DoesNotFit as error:
        yield AREA.problem(
            "fit", str(error), "no engine starts with these settings", "`quire plan` tries others"
        )
        return
    except QuireError as error:
        yield AREA.problem("settings", str(error), "no engine starts with them", "change them")
        return
    resolved = made.fit.resolved
    if made.refused:
        yield AREA.problem(
            "fit", made.refused, "one device is too small for it", f"start it with {made.fit.flags}"
        )
        return
    sizes = ", ".join(f"{name} {size / GIB:,.2f}" for name, size in made.account.items())
    said, means = f"GiB: {sizes}", "; ".join(resolved.capacity.lines())
    numbers = {
        "kv_blocks": resolved.capacity.blocks,
        "kv_tokens": resolved.capacity.tokens,
        "max_model_len": resolved.capacity.max_len,
    }
    if resolved.capacity.tokens < min(LITTLE, subject.shape.default_max_len):
        few = f"{means}; the whole cache is {resolved.capacity.tokens:,} tokens, less than one usual request"
        yield AREA.warning(
            "fit", said, few, "raise --kv-cache-memory-bytes, or give it more memory", **numbers
        )
    else:
        yield AREA.ok("fit", said, means, **numbers)
    yield from _type(made)


def _type(made: Plan) -> Iterator[Finding]:
    config, machine = made.fit.resolved.config, made.site.machine
    why = next((c.reason for c in config.choices if c.name == "dtype"), "as asked")
    said = f"{config.model.dtype}: {why}"
    gpu = machine.gpu
    if gpu is None and config.model.dtype != "float32" and not machine.native_bf16:
        yield AREA.note(
            "type", said, "this CPU has no products of it: slower than float32", "--dtype float32"
        )
    else:
        yield AREA.ok("type", said)
    if gpu is None:
        yield AREA.ok("kernels", "torch's, for CPUs")
    elif gpu.capability[0] == 9:
        yield AREA.ok("kernels", f"Triton's and Gluon's, for compute capability {gpu.said_capability}")
    else:
        yield AREA.note(
            "kernels",
            f"Triton's, for compute capability {gpu.said_capability}",
            "they were tried and tuned on Hopper (9.0) only",
        )
