"""Every setting, declared once: Python arguments, CLI flags and the reference page come from here.

A field's metadata says what it means and what it may be; its name with dashes is its flag. Groups
are frozen. `resolve` returns a new config in which nothing is left to "auto", with a `Choice` (what
and why) for each decision it took; nothing writes to a config after that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from typing import Any, get_type_hints

from quire.errors import BadOption, UnknownOption

POOLING_TYPES = ("mean", "last", "cls")


def option(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
) -> Any:
    """A dataclass field with its meaning and its bounds."""
    return field(default=default, metadata={"help": help, "low": low, "high": high, "choices": choices})


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Which model, and how its numbers are kept."""

    model: str = option(
        "", "Folder of a checkpoint in Hugging Face layout, or a hub name. Default: the embedded quire-tiny."
    )
    tokenizer: str | None = option(
        None, "Folder of the tokenizer, or a model that ships with Quire, if it is not the model's."
    )
    skip_tokenizer_init: bool = option(False, "Load no tokenizer: prompts and outputs are token ids.")
    revision: str | None = option(None, "Branch, tag or commit, when the model comes from a hub.")
    trust_remote_code: bool = option(
        False, "Accepted so that scripts written for vLLM run. Quire never runs code from a checkpoint."
    )
    dtype: str = option(
        "auto",
        "Type of weights and activations. auto: the checkpoint's on GPUs (float16 on those without "
        "bfloat16), float32 on CPUs without native bfloat16.",
        choices=("auto", "bfloat16", "float16", "half", "float32", "float"),
    )
    max_model_len: int | None = option(
        None, "Most tokens of prompt and answer together. Default: what the model was trained for.", low=1
    )
    seed: int = option(0, "Makes requests without a seed of their own repeatable from run to run.")
    max_logprobs: int = option(
        20, "Most log-probabilities a request may ask for at each position.", low=0, high=1024
    )
    quantization: str | None = option(
        None,
        "Weights and activations of all layers but the head in another type: fp8 quantizes any checkpoint "
        "while it loads (CUDA GPUs; widths must be multiples of 16). Experts and their routers stay "
        "as they are.",
        choices=("fp8",),
    )
    pooling_type: str = option(
        "auto",
        "What an embedding is made of: the mean over all tokens, the last token or the first (cls). "
        "auto: as the checkpoint's sentence-transformers files say; without them mean for classification "
        "checkpoints, last for others.",
        choices=("auto", *POOLING_TYPES),
    )
    hf_overrides: dict[str, Any] | None = option(None, "Values that replace those of config.json, as JSON.")


@dataclass(frozen=True, slots=True)
class LoadConfig:
    """How weights come into memory."""

    load_format: str = option(
        "auto",
        "auto and safetensors read the checkpoint; dummy fills the model with random weights.",
        choices=("auto", "safetensors", "dummy"),
    )
    download_dir: str | None = option(None, "Where hub downloads are kept.")


@dataclass(frozen=True, slots=True)
class CacheConfig:
    """The KV cache."""

    block_size: int = option(16, "Tokens in one KV block; on GPUs at least 2.", low=1, high=1024)
    gpu_memory_utilization: float = option(
        0.9, "Share of the GPU's memory Quire may use.", low=0.01, high=1.0
    )
    kv_cache_memory_bytes: int | None = option(
        None,
        "Bytes of KV cache, instead of what is computed. On CPUs also QUIRE_CPU_KVCACHE_SPACE, in GiB.",
        low=1,
    )
    num_gpu_blocks_override: int | None = option(None, "Number of KV blocks, whatever memory says.", low=2)
    enable_prefix_caching: bool = option(True, "Reuse the KV blocks of a prefix seen before.")
    kv_cache_dtype: str = option(
        "auto",
        "Type of the KV cache. auto: the model's. fp8 (CUDA GPUs) keeps a scale for each head of each token. "
        "GPUs take no other type than these two.",
        choices=("auto", "bfloat16", "float16", "float32", "fp8"),
    )


@dataclass(frozen=True, slots=True)
class SchedulerConfig:
    """What runs in a step."""

    max_num_seqs: int | None = option(None, "Most requests running at once. Default: 256.", low=1, high=65536)
    max_num_batched_tokens: int | None = option(
        None, "Most tokens computed in one step. Default: 8192 on GPUs, 2048 on CPUs.", low=1
    )
    enable_chunked_prefill: bool = option(
        True, "Split long prompts over steps, so that others go on meanwhile."
    )
    async_scheduling: bool = option(
        True, "Launch a step before the one before it is read, so that GPUs do not wait. CPUs never do."
    )
    scheduling_policy: str = option(
        "fcfs",
        "Who comes first: fcfs by arrival, priority by the request's priority (lower first), then arrival; "
        "fair shares the tokens among API keys by their weights.",
        choices=("fcfs", "priority", "fair"),
    )


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """Where it runs."""

    device: str = option("auto", "Kind of device.", choices=("auto", "cpu", "cuda"))
    enforce_eager: bool = option(False, "Capture no CUDA graphs. CPUs always run eagerly.")
    cpu_threads: int | None = option(
        None,
        "Threads for CPU arithmetic. Default: OMP_NUM_THREADS, or the cores this process may use.",
        low=1,
    )
    cpu_pack_weights: bool | None = option(
        None,
        "Lay CPU weights out for batches: float32 in a second copy, bfloat16 instead of the plain ones. "
        "Default: float32 if the copy fits a quarter of free memory, bfloat16 where the CPU multiplies it.",
    )


@dataclass(frozen=True, slots=True)
class ParallelConfig:
    """How many processes share the work, and who starts them."""

    tensor_parallel_size: int = option(1, "Processes that share each layer.", low=1, high=1024)
    pipeline_parallel_size: int = option(
        1, "Stages that the layers are spread over, one after the other.", low=1, high=1024
    )
    pipeline_layer_split: str | None = option(
        None,
        "Layers of each stage, such as 9,7. Default: as equal as they can be, fewer in the first and last.",
    )
    data_parallel_size: int = option(
        1,
        "Engines behind one server, each with all of the model. Experts may be shared out over them.",
        low=1,
        high=1024,
    )
    data_parallel_affinity: str = option(
        "none",
        "Which engine a request goes to: the least loaded one, or with prefix the one that has read the "
        "beginning of its prompt before, unless that one is much busier.",
        choices=("none", "prefix"),
    )
    context_parallel_size: int = option(
        1, "Processes that share long prompts and the KV cache, by positions.", low=1, high=1024
    )
    enable_expert_parallel: bool = option(
        False,
        "Give each process whole experts instead of a slice of every one, over data and tensor parallelism.",
    )
    num_redundant_experts: int = option(
        0, "With expert parallelism: experts of each layer that are held twice, the busiest ones.", low=0
    )
    expert_rebalance_steps: int = option(
        0,
        "With expert parallelism: steps after which experts move by their measured load. 0: they stay.",
        low=0,
    )
    distributed_executor_backend: str = option(
        "auto",
        "Who starts the processes of an engine: mp on this machine, ray on a cluster. auto: mp.",
        choices=("auto", "mp", "ray"),
    )
    ray_address: str | None = option(
        None,
        "Address of a running Ray cluster. Default: RAY_ADDRESS, a cluster on this machine, or a new one, "
        "which several engines cannot share.",
    )


@dataclass(frozen=True, slots=True)
class StructuredConfig:
    """Answers that keep to a schema, an expression or a grammar."""

    structured_outputs_backend: str = option(
        "auto",
        "Who keeps answers to their form: llguidance does every kind and comes with Quire, xgrammar and "
        "outlines are extras (outlines: regex, choice and JSON only). auto: llguidance, which vLLM calls "
        "guidance.",
        choices=("auto", "llguidance", "guidance", "xgrammar", "outlines"),
    )
    guided_decoding_backend: str | None = option(
        None,
        "vLLM's older name of structured_outputs_backend.",
        choices=("auto", "llguidance", "guidance", "xgrammar", "outlines"),
    )
    grammar_max_bytes: int = option(
        131_072,
        "Most bytes of a schema or a structural tag. Choices may have half of it, grammars a quarter, "
        "regular expressions an eighth.",
        low=256,
        high=16_777_216,
    )
    grammar_max_depth: int = option(
        64, "Most levels of objects and lists within a schema or a structural tag.", low=2, high=256
    )
    grammar_compile_seconds: float = option(
        10.0,
        "Longest time for compiling one grammar; a request that needs more is refused.",
        low=0.1,
        high=600,
    )
    grammar_cache_entries: int = option(256, "Most compiled grammars kept for later requests.", low=0)
    grammar_cache_bytes: int = option(
        268_435_456, "Most memory of compiled grammars kept for later requests, as estimated.", low=0
    )

    @property
    def backend(self) -> str:
        """The one that is used."""
        asked = self.guided_decoding_backend or self.structured_outputs_backend
        return {"auto": "llguidance", "guidance": "llguidance"}.get(asked, asked)


@dataclass(frozen=True, slots=True)
class SpeculationConfig:
    """Several tokens a step: some are guessed, and checked in one go."""

    speculative_config: dict[str, Any] | None = option(
        None,
        "Who guesses tokens and how many, as JSON: "
        '{"method": "ngram", "num_speculative_tokens": 4}, or {"model": the folder of a draft}. '
        "The keys are vLLM's; docs/guides/speculation.md explains them. Answers stay the same.",
    )


@dataclass(frozen=True, slots=True)
class LogConfig:
    """What Quire tells."""

    disable_log_stats: bool = option(
        False, "Do not log throughput every ten seconds while running. The offline LLM never does."
    )
    record: str | None = option(
        None,
        "Keep in this file when requests came, how long they were, which beginnings they shared and every "
        "step's schedule, for quire replay and quire simulate; no text and no tokens. It is continued if it "
        "is there; several engines write FILE.0, FILE.1 and so on.",
    )


GROUPS: dict[str, type] = {
    "model": ModelConfig,
    "load": LoadConfig,
    "cache": CacheConfig,
    "scheduler": SchedulerConfig,
    "device": DeviceConfig,
    "parallel": ParallelConfig,
    "structured": StructuredConfig,
    "speculation": SpeculationConfig,
    "log": LogConfig,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One automatic decision and why it was taken."""

    name: str
    value: Any
    reason: str

    def __str__(self) -> str:
        return f"{self.name} = {self.value}: {self.reason}"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    model: ModelConfig = ModelConfig()
    load: LoadConfig = LoadConfig()
    cache: CacheConfig = CacheConfig()
    scheduler: SchedulerConfig = SchedulerConfig()
    device: DeviceConfig = DeviceConfig()
    parallel: ParallelConfig = ParallelConfig()
    structured: StructuredConfig = StructuredConfig()
    speculation: SpeculationConfig = SpeculationConfig()
    log: LogConfig = LogConfig()
    choices: tuple[Choice, ...] = ()

    @classmethod
    def of(cls, **options: Any) -> EngineConfig:
        """Builds a config from flat names; refuses unknown names and values out of range."""
        known = _known()
        parts: dict[str, dict[str, Any]] = {group: {} for group in GROUPS}
        for name, value in options.items():
            if name not in known:
                raise UnknownOption(name, known)
            parts[known[name].group][name] = known[name].check(value)
        return cls(**{group: GROUPS[group](**values) for group, values in parts.items()})

    def having(self, reasons: Mapping[str, tuple[Any, str]]) -> EngineConfig:
        """A copy with some settings decided: {name: (value, why)}."""
        known = _known()
        config = self
        for name, (value, why) in reasons.items():
            group = known[name].group
            part = replace(getattr(config, group), **{name: value})
            config = replace(config, **{group: part}, choices=(*config.choices, Choice(name, value, why)))
        return config

    def asking(self, options: Mapping[str, Any]) -> EngineConfig:
        """A copy as if the user had asked for these as well; what was decided about them is forgotten."""
        config = self.having({name: (value, "") for name, value in options.items()})
        return replace(config, choices=tuple(c for c in self.choices if c.name not in options))


@dataclass(frozen=True, slots=True)
class Option:
    """One declared setting, as the CLI and the docs see it."""

    group: str
    name: str
    kind: type  # bool, int, float, str or dict
    optional: bool
    default: Any
    help: str
    low: float | None
    high: float | None
    choices: tuple[str, ...] | None

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def range(self) -> str:
        if self.choices:
            return ", ".join(self.choices)
        if self.low is not None and self.high is not None:
            return f"{self.low:,} to {self.high:,}" if self.low < self.high else f"{self.low:,}"
        return f"at least {self.low:,}" if self.low is not None else ""

    def check(self, value: Any) -> Any:
        """Returns the value, converted where that loses nothing, or raises with the range."""
        if value is None and (self.optional or self.default is None):
            return None
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if self.kind is str and isinstance(value, os.PathLike):
            value = os.fspath(value)
        if self.kind is str and self.choices and not isinstance(value, str):
            value = str(value).removeprefix("torch.")  # dtype=torch.bfloat16
        if not isinstance(value, self.kind) or (self.kind is not bool and isinstance(value, bool)):
            raise BadOption(f"{self.name} must be {_WORDS[self.kind]}, got {value!r}")
        out = self.choices is not None and value not in self.choices
        if isinstance(value, (int, float)):
            out = value != value or (self.low is not None and value < self.low)
            out = out or (self.high is not None and value > self.high)
        if out:
            allowed = f"one of {self.range}" if self.choices else self.range
            raise BadOption(f"{self.name} is {value!r} and must be {allowed}")
        return value


_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text", dict: "a mapping"}


def all_options() -> Iterator[Option]:
    """Every setting of an engine in declaration order."""
    yield from options_in(GROUPS)


@cache
def _known() -> dict[str, Option]:
    return {option.name: option for option in all_options()}


def options_in(groups: Mapping[str, type]) -> Iterator[Option]:
    """Every setting declared in these groups."""
    for group, cls in groups.items():
        hints = get_type_hints(cls)
        for f in fields(cls):
            yield _option(group, f, hints[f.name])


def _option(group: str, f: Field[Any], hint: Any) -> Option:
    args = getattr(hint, "__args__", ())
    optional = type(None) in args
    if optional:
        hint = next(a for a in args if a is not type(None))
    kind = getattr(hint, "__origin__", hint)
    m = f.metadata
    return Option(group, f.name, kind, optional, f.default, m["help"], m["low"], m["high"], m["choices"])


def environment_kv_bytes(environ: Mapping[str, str]) -> tuple[int, str] | None:
    """KV space of a CPU from the environment, in bytes, and the variable that gave it."""
    for name in ("QUIRE_CPU_KVCACHE_SPACE", "VLLM_CPU_KVCACHE_SPACE"):
        text = environ.get(name)
        if text:
            try:
                gib = float(text)
            except ValueError:
                gib = -1.0
            if not 0 < gib < 1e6:
                raise BadOption(f"{name} is {text!r} and must be a number of GiB above 0")
            return int(gib * 2**30), name
    return None
