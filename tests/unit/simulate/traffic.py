"""A small engine with a price for its steps, for tests of the simulator."""

from __future__ import annotations

from typing import Any

from quire.record.format import Room
from quire.simulate.cost import Table
from quire.simulate.fleet import Setup
from quire.simulate.traffic import Ask, drawn
from quire.tools.load.arrivals import Gamma
from quire.tools.load.lengths import Uniform

ROOM = Room(rows=8, max_len=256, budget=64, blocks=64, block_tokens=4)
COST = Table([1, 8, 64], [0.010, 0.012, 0.040], context=1e-6)


def asks(count: int, rate: float = 20.0, seed: int = 0, **more: Any) -> list[Ask]:
    return list(drawn(count, Uniform(4, 40), Uniform(2, 30), Gamma(rate), seed, **more))


def setup(**more: Any) -> Setup:
    return Setup(**{"room": ROOM, "cost": COST, **more})
