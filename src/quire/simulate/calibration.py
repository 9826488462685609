"""What was learned of a machine and a model, as a file: the costs of steps and requests, and the room."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from quire.errors import BadOption
from quire.record.format import Room
from quire.simulate.cost import DAY_S, Table
from quire.simulate.handling import NOTHING, Handling
from quire.tools.load.files import written
from quire.tools.load.foreign import json_of

VERSION = 2  # 1 counted tokens as read that a window keeps from being read


@dataclass(slots=True)
class Calibration:
    model: str
    machine: str
    room: Room
    table: Table
    handling: Handling = NOTHING  # what a request costs the engine's loop beside its steps
    front_s: float = 0.0  # and a front end, one after the other
    reply_s: float = 0.0  # until a token that an engine has told is with the client
    fit: dict[str, float] = field(default_factory=dict)  # how well the samples are explained
    checks: list[dict[str, Any]] = field(default_factory=list)  # what was predicted and what was measured
    made: float = field(default_factory=time.time)
    version: int = VERSION

    def write(self, path: Path) -> None:
        with written(path) as aside:
            aside.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Calibration:
        try:
            told = json_of(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as e:
            raise BadOption(f"{path} cannot be read as a calibration: {e}") from e
        if not isinstance(told, dict) or told.get("version") not in (1, VERSION) or "table" not in told:
            raise BadOption(f"{path} is no calibration of this version; `quire bench calibrate` writes one")
        if "handling" not in told:
            raise BadOption(f"{path} is of an older Quire: `quire bench calibrate` again")
        try:
            _seconds({name: told[name] for name in ("front_s", "reply_s") if name in told})
            _seconds({f"handling.{name}": value for name, value in told["handling"].items()})
            room, table = Room.read(told["room"]), Table.read(told["table"])
            if told["version"] == 1 and any(room.windows):
                raise BadOption(
                    f"{path} is of an older Quire, which counted what layers with windows read otherwise: "
                    f"`quire bench calibrate` again"
                )
            parts = {"room": room, "table": table, "version": VERSION}
            return cls(**{**told, **parts, "handling": Handling(**told["handling"])})
        except BadOption:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as e:
            raise BadOption(f"{path} makes no sense as a calibration: {e}") from e


def _seconds(told: dict[str, Any]) -> None:
    """Raises ValueError where something takes less than no time, or longer than a day."""
    for name, value in told.items():
        if type(value) not in (int, float) or not 0 <= value <= DAY_S:
            raise ValueError(f"{name} is {value!r} and must be 0 to {DAY_S:,} seconds")
