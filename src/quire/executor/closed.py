"""What an engine has in place of an executor after it was closed: whoever asks for a step is told."""

from __future__ import annotations

from typing import NoReturn

from quire.errors import EngineDead
from quire.types import Plan

CLOSED = "this engine was closed"


class Closed:
    depth = 1

    def submit(self, plan: Plan) -> NoReturn:
        raise EngineDead(CLOSED)

    def close(self) -> None:
        pass
