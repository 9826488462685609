"""Keeps answers within a JSON schema, an expression, a list of choices or a grammar. Needs no torch.

A backend compiles what was asked for and says, token by token, what may come next. Each is a module with
an `open_backend`, imported when it is chosen; only llguidance comes with Quire.
"""

from __future__ import annotations

import importlib
import importlib.util

from quire.errors import BadOption
from quire.grammar.cache import Grammars
from quire.grammar.contract import Backend, Compiled, GrammarLimits, Matcher, Spec, Vocabulary

__all__ = [
    "Backend",
    "Compiled",
    "GrammarLimits",
    "Grammars",
    "Matcher",
    "Spec",
    "Vocabulary",
    "check_installed",
    "open_backend",
]

BACKENDS = {
    "llguidance": "quire.grammar.llguidance",
    "xgrammar": "quire.grammar.xgrammar",
    "outlines": "quire.grammar.outlines",
}
_PACKAGES = {"llguidance": "llguidance", "xgrammar": "xgrammar", "outlines": "outlines_core"}


def check_installed(name: str) -> None:
    """Raises BadOption with the way to install it, without importing it."""
    package = _PACKAGES[name]
    if importlib.util.find_spec(package) is None:
        own = name == "llguidance"  # it comes with Quire, so something has taken it away
        way = f"pip install {package}" if own else f"pip install 'quire[{name}]', or use llguidance"
        raise BadOption(
            f"structured_outputs_backend is {name} and the package {package} is not installed; "
            f"install it with {way}"
        )


def open_backend(name: str, vocabulary: Vocabulary) -> Backend:
    check_installed(name)
    backend: Backend = importlib.import_module(BACKENDS[name]).open_backend(vocabulary)
    return backend
