"""What GPUs are wired with, by the driver's word: PCIe to their host, NVLink or PCIe to each other.

What the driver does not tell is None: a share of a link is only shown where the link is known.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quire.tools.doctor.ask import Answer, ask
from quire.tools.hardware import TABLE, of_device

_FIELDS = ("index", "uuid", "name", "pcie.link.gen.max", "pcie.link.width.current")
_LANES = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}  # bytes a second, one way
_LINKS = {"nvlink3": 25e9, "nvlink4": 25e9, "nvlink5": 50e9}  # of one of several between two GPUs


@dataclass(frozen=True, slots=True)
class Wire:
    name: str
    bytes_per_s: float  # one way, by its maker


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a GPU sits: its number with the driver, which need not be torch's, and its way to the host."""

    number: int
    name: str
    host: Wire | None


_NOWHERE = Seat(-1, "", None)


@dataclass(frozen=True, slots=True)
class Wires:
    seats: Sequence[Seat | None]  # by torch's number; None: the driver has no such GPU
    matrix: str = ""  # as `nvidia-smi topo -m` prints it

    def host(self, gpu: int) -> Wire | None:
        return (self.seats[gpu] or _NOWHERE).host

    def between(self, a: int, b: int) -> Wire | None:
        """NVLink by the links that join them; otherwise the slower of their two ways to the host."""
        one, other = self.seats[a] or _NOWHERE, self.seats[b] or _NOWHERE
        cell = _cell(self.matrix, one.number, other.number)
        if joined := re.fullmatch(r"NV(\d+)", cell):
            known = of_device(one.name, TABLE)
            each = _LINKS.get(known.link) if known is not None else None
            return None if each is None else Wire(f"NVLink x{joined[1]}", int(joined[1]) * each)
        if not cell or one.host is None or other.host is None:
            return None
        return min(one.host, other.host, key=lambda wire: wire.bytes_per_s)


def find_wires(uuids: Sequence[str], query: Callable[[list[str]], Answer] = ask) -> Wires:
    """Of the GPUs with these ids, in this order, as torch tells them."""
    listed = query(["nvidia-smi", f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader,nounits"])
    seats = read_seats(listed.text) if listed.came else {}
    matrix = query(["nvidia-smi", "topo", "-m"]) if len(uuids) > 1 else Answer()
    return Wires([seats.get(_plain(uuid)) for uuid in uuids], matrix.text if matrix.came else "")


def read_seats(text: str) -> dict[str, Seat]:
    """By the GPUs' ids."""
    rows = [row for row in csv.reader(text.splitlines(), skipinitialspace=True) if len(row) == len(_FIELDS)]
    return {
        _plain(uuid): Seat(int(number), name, host_wire(name, generation, width))
        for number, uuid, name, generation, width in rows
        if number.isdigit()
    }


def host_wire(name: str, generation: str, width: str) -> Wire | None:
    """What joins a GPU of this name with its host."""
    if re.search(r"\bG[HB][23]00\b", name):
        return Wire("NVLink-C2C", 450e9)  # whatever its PCIe lanes are for
    if not generation.isdigit() or not width.isdigit() or int(generation) not in _LANES or int(width) < 1:
        return None
    return Wire(f"PCIe {generation} x{width}", _LANES[int(generation)] * int(width))


def _cell(matrix: str, a: int, b: int) -> str:
    """What the matrix says of two GPUs; it has a line for each, with its name and a word for each other."""
    lines = {words[0]: words[1:] for line in matrix.splitlines() if (words := line.split())}
    row = lines.get(f"GPU{a}", [])
    return row[b] if 0 <= b < len(row) else ""


def _plain(uuid: str) -> str:
    return uuid.lower().removeprefix("gpu-")
