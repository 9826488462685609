"""The models that ship with Quire: which there are and where they lie.

Each is a folder beside this file, made by training/ at the repository's root. No torch here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEFAULT = "quire-tiny"  # what runs when no model is named
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Embedded:
    name: str
    kind: str  # "chat", "draft", "heads" or "classify": what it can be asked for
    about: str

    @property
    def folder(self) -> Path:
        return _HERE / self.name


MODELS = (
    Embedded(
        DEFAULT, "chat", "small talk, arithmetic, conversions, lists, JSON, tools, questions about Quire"
    ),
    Embedded("quire-tiny-draft", "draft", "a draft model for quire-tiny, with the same tokenizer"),
    Embedded("quire-tiny-medusa", "heads", "Medusa heads for quire-tiny"),
    Embedded("quire-tiny-eagle", "heads", "an EAGLE-style head for quire-tiny"),
    Embedded(
        "quire-tiny-classify", "classify", "POSITIVE or NEGATIVE, BENIGN or JAILBREAK; sentence embeddings"
    ),
)


def embedded_model(name: str) -> Embedded | None:
    """The model of this name; None for a name that does not ship with Quire."""
    return next((m for m in MODELS if m.name == name), None)


def embedded_folder(name: str) -> Path | None:
    """Where the model of this name lies; None for a name that does not ship with Quire."""
    model = embedded_model(name)
    return model.folder if model is not None else None
