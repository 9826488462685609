"""What the scheduler asks of whoever plans with drafts; where nobody guesses, that does nothing.

The ways to do it are `Speculation` (speculation.py) and `Ahead` (ahead.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from quire.types import Guesses, Ints, Plan, Request, Result, RowIndex


class Drafting(Protocol):
    on: bool
    ahead: bool  # the step being planned is one ahead (see ahead.py): nobody can be admitted to it
    lookahead: int  # tokens after the known ones for which a row needs blocks

    @property
    def total(self) -> Guesses:
        """How drafts fared so far; empty where there are none."""
        ...

    def choose(self, rows: RowIndex, count: Ints, admits: Callable[[], bool]) -> tuple[RowIndex, Ints]:
        """Those of the rows that can be planned now; `admits`: whether requests may join the step."""
        ...

    def verify(self, rows: RowIndex, count: Ints, budget: int) -> Ints | None:
        """How many drafts each row verifies if it computes `count` tokens, all within the budget."""
        ...

    def reach(self, rows: RowIndex, tokens: Ints, drafts: Ints | None) -> Ints:
        """For how many tokens each row needs blocks if it has `tokens` after the step, and so many drafts."""
        ...

    def launch(self, plan: Plan, drafts: Ints | None) -> None:
        """Adds drafts to a plan, and how many more are welcome; None: there is no room for any."""
        ...

    def settle(self, plan: Plan, result: Result) -> None:
        """A step came back: what of its rows was computed is known now."""
        ...

    def suspects(self, plan: Plan, i: int) -> bool:
        """Whether guesses may be why row i of a step failed, and not the request itself."""
        ...

    def keep(self, plan: Plan, result: Result) -> None:
        """Its tokens are taken in: the drafts that came with it are for those that go on."""
        ...

    def rests(self, plan: Plan) -> bool:
        """Whether a plan of one token for each row may be repeated: nothing will be guessed for a while."""
        ...

    def rested(self, plan: Plan) -> None:
        """A repeated step came back."""
        ...

    def begin(self, row: int, request: Request) -> None: ...

    def so_far(self, row: int) -> Guesses | None:
        """How the drafts of a row's request have fared until now."""
        ...

    def end(self, row: int) -> Guesses | None:
        """A request leaves its row; how its drafts fared."""
        ...


class NoDrafting:
    on = ahead = False
    lookahead = 0
    total = Guesses()

    def choose(self, rows: RowIndex, count: Ints, admits: Callable[[], bool]) -> tuple[RowIndex, Ints]:
        return rows, count

    def verify(self, rows: RowIndex, count: Ints, budget: int) -> Ints | None:
        return None

    def reach(self, rows: RowIndex, tokens: Ints, drafts: Ints | None) -> Ints:
        return tokens

    def launch(self, plan: Plan, drafts: Ints | None) -> None: ...

    def settle(self, plan: Plan, result: Result) -> None: ...

    def suspects(self, plan: Plan, i: int) -> bool:
        return False

    def keep(self, plan: Plan, result: Result) -> None: ...

    def rests(self, plan: Plan) -> bool:
        return True

    def rested(self, plan: Plan) -> None: ...

    def begin(self, row: int, request: Request) -> None: ...

    def so_far(self, row: int) -> Guesses | None:
        return None

    def end(self, row: int) -> Guesses | None:
        return None
