"""Guessing tokens: one object for each way to do it, all with the verbs of `Proposer`."""

from __future__ import annotations

from quire.worker.drafts.contract import Drafts, Proposer, Seen
from quire.worker.drafts.ngram import Ngram
from quire.worker.drafts.none import NoDrafts
from quire.worker.drafts.suffix import Suffix

__all__ = ["Drafts", "Ngram", "NoDrafts", "Proposer", "Seen", "Suffix"]
