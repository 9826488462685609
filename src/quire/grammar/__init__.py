"""Keeps answers within a JSON schema, an expression, a list of choices or a grammar. Needs no torch.

A backend compiles what was asked for and says, token by token, what may come next. Each is a module with
an `open_backend`, imported when it is chosen.
"""

from __future__ import annotations

import importlib

from quire.grammar.cache import Grammars
from quire.grammar.contract import Backend, Compiled, Matcher, Spec, Vocabulary

__all__ = ["Backend", "Compiled", "Grammars", "Matcher", "Spec", "Vocabulary", "open_backend"]

BACKENDS = {"llguidance": "quire.grammar.llguidance"}


def open_backend(name: str, vocabulary: Vocabulary) -> Backend:
    backend: Backend = importlib.import_module(BACKENDS[name]).open_backend(vocabulary)
    return backend
