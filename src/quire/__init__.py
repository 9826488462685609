"""Quire: an LLM inference and serving engine. Nothing heavy is imported until it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "LLM": "quire.engine.llm",
    "AsyncEngine": "quire.engine.async_engine",
    "SamplingParams": "quire.params",
    "BeamSearchParams": "quire.params",
    "PoolingParams": "quire.params",
    "StructuredOutputsParams": "quire.params",
    "GuidedDecodingParams": "quire.params",
    "RequestOutputKind": "quire.params",
    "EngineConfig": "quire.config",
    "RequestOutput": "quire.outputs",
    "CompletionOutput": "quire.outputs",
    "Logprob": "quire.outputs",
    "PoolingRequestOutput": "quire.outputs",
    "PoolingOutput": "quire.outputs",
    "EmbeddingRequestOutput": "quire.outputs",
    "EmbeddingOutput": "quire.outputs",
    "ClassificationRequestOutput": "quire.outputs",
    "ClassificationOutput": "quire.outputs",
    "ScoringRequestOutput": "quire.outputs",
    "ScoringOutput": "quire.outputs",
}

__all__ = ["__version__", *_WHERE]  # noqa: PLE0604

if TYPE_CHECKING:  # `as` tells type checkers that these are meant for everyone
    from quire.config import EngineConfig as EngineConfig
    from quire.engine.async_engine import AsyncEngine as AsyncEngine
    from quire.engine.llm import LLM as LLM
    from quire.outputs import ClassificationOutput as ClassificationOutput
    from quire.outputs import ClassificationRequestOutput as ClassificationRequestOutput
    from quire.outputs import CompletionOutput as CompletionOutput
    from quire.outputs import EmbeddingOutput as EmbeddingOutput
    from quire.outputs import EmbeddingRequestOutput as EmbeddingRequestOutput
    from quire.outputs import Logprob as Logprob
    from quire.outputs import PoolingOutput as PoolingOutput
    from quire.outputs import PoolingRequestOutput as PoolingRequestOutput
    from quire.outputs import RequestOutput as RequestOutput
    from quire.outputs import ScoringOutput as ScoringOutput
    from quire.outputs import ScoringRequestOutput as ScoringRequestOutput
    from quire.params import BeamSearchParams as BeamSearchParams
    from quire.params import GuidedDecodingParams as GuidedDecodingParams
    from quire.params import PoolingParams as PoolingParams
    from quire.params import RequestOutputKind as RequestOutputKind
    from quire.params import SamplingParams as SamplingParams
    from quire.params import StructuredOutputsParams as StructuredOutputsParams


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'quire' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
