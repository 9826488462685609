"""What is simulated, from a calibration or from a plan, and the same with other flags: one run or a sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from quire.config import EngineConfig, all_options
from quire.engine.advice import SIZES, flags_of
from quire.engine.recording import room_of
from quire.errors import BadOption, ConfigError, DoesNotFit, nearest
from quire.parallel.layout import Layout
from quire.simulate.calibration import Calibration
from quire.simulate.cost import Planned
from quire.simulate.fleet import Setup, check, simulate
from quire.simulate.measures import Outcome, figures
from quire.simulate.report import SWEPT, Tried
from quire.simulate.traffic import Ask
from quire.tools.load.arrivals import check_rate
from quire.tools.plan.layouts import chosen
from quire.tools.plan.plan import case_of
from quire.tools.plan.site import Site
from quire.tools.plan.subject import Subject

N = TypeVar("N", int, float)
Planner = Callable[[Mapping[str, Any]], "Scene"]
MOST = {"max_concurrency": 2**31, "data_parallel_size": 10_000}  # not those of one server


@dataclass(frozen=True, slots=True)
class Scene:
    """An engine whose steps have a price, and how many of it there are."""

    model: str  # and how it is priced
    setup: Setup
    sizes: str = ""  # where those of the model come from; empty where prices were measured
    planned: Planner | None = (
        None  # the same by other settings of the engine; None where prices were measured
    )

    @property
    def label(self) -> str:
        engines = self.setup.engines
        return self.model if engines == 1 else f"{engines:,} engines of {self.model}"

    def having(self, settings: Mapping[str, Any]) -> Scene:
        """With other flags. Raises BadOption for those whose effect on steps nobody has measured.

        A plan is made again with them: they change how much memory is left for the KV cache, too.
        """
        room: dict[str, Any] = {}
        around: dict[str, Any] = {}
        for name, value in settings.items():
            if name not in SWEPT:
                raise BadOption(
                    f"{name} changes how long steps take{nearest(name, SWEPT)}; calibrate with it, or leave "
                    f"it out (what can be changed: {', '.join(SWEPT)})"
                )
            where = SWEPT[name]
            if where == "engines" and self.setup.together is not None and value != self.setup.engines:
                raise BadOption(
                    f"{name} changes how long steps take where engines share experts, as these "
                    f"{self.setup.engines:,} do; simulate each number by itself, or leave out "
                    f"--enable-expert-parallel"
                )
            if where == "affinity":
                around[where] = value == "prefix"
            elif where in ("engines", "concurrency"):
                around[where] = value
            elif where != "rate":
                room[name] = value
        setup = replace(self.setup, **around)
        if room and self.planned is not None:
            again = self.planned(room).setup
            setup = replace(setup, room=again.room, cost=again.cost, together=again.together)
            return replace(self, setup=setup)
        changed = {SWEPT[name]: value for name, value in room.items()}
        return replace(self, setup=replace(setup, room=replace(setup.room, **changed)))


def of_calibration(path: Path, seed: int = 0) -> Scene:
    found = Calibration.read(path)
    setup = Setup(
        found.room,
        found.table,
        front_s=found.front_s,
        reply_s=found.reply_s,
        handling=found.handling,
        seed=seed,
    )
    return Scene(f"{found.model} as calibrated on {found.machine}", setup)


def of_plan(subject: Subject, config: EngineConfig, site: Site, seed: int = 0) -> Scene:
    """By the planner's arithmetic. Raises what the engine would raise at its start.

    Engines that share experts are all simulated, as many as `config` says; else one of them is.
    """
    fit, _ = chosen(case_of(subject, config, site))
    if fit.runs is None:
        raise BadOption(f"nobody knows how fast {site.name} is; give --bandwidth and --tflops")
    cost, resolved = Planned(fit.runs), fit.resolved
    ranks = resolved.ranks
    room = room_of(resolved.config, resolved.layout, resolved.capacity.blocks, ranks.pp, resolved.in_flight)
    setup = Setup(room, cost, stages=fit.runs.stage_shares, seed=seed)
    if ranks.dp > 1:
        setup = replace(setup, engines=ranks.dp, together=partial(cost.together, engines=ranks.dp))
    flags = flags_of(replace(fit.layout, dp=1)) or "one process"
    title = f"{subject.name} on {site.name}, {flags}, by datasheet"
    return Scene(title, setup, subject.source, partial(_planned_again, subject, config, site, fit.layout))


def _planned_again(
    subject: Subject, config: EngineConfig, site: Site, layout: Layout, settings: Mapping[str, Any]
) -> Scene:
    """In the same layout: what one more device would bring is not what these settings do."""
    sizes = {name: getattr(layout, axis) for axis, name in SIZES.items()}
    return of_plan(subject, config.asking({**sizes, **settings}), replace(site, count=layout.world))


def run(
    scene: Scene, asks: Iterable[Ask], promises: Mapping[str, float], tell: Callable[[int], None]
) -> tuple[Outcome, dict[str, Any]]:
    outcome = simulate(scene.setup, asks, tell)
    return outcome, figures(outcome, promises)


def grid(given: Sequence[str], whole: Callable[[str], int] = int) -> list[dict[str, Any]]:
    """From `max_num_seqs=16,64` and `request_rate=2,4`: every combination. `whole` reads whole numbers."""
    known = {o.name: o for o in all_options()}
    axes: list[list[tuple[str, Any]]] = []
    for text in given:
        name, _, values = text.partition("=")
        name = name.strip().removeprefix("--").replace("-", "_")
        if name not in SWEPT or not values:
            hint = "" if name in SWEPT else nearest(name, SWEPT)
            raise BadOption(
                f"--sweep has {text!r}{hint}; say NAME=VALUE,VALUE with one of {', '.join(SWEPT)}"
            )
        if any(axis[0][0] == name for axis in axes):
            raise BadOption(f"--sweep has {name} twice; say all of its values at once: {name}=A,B")
        try:
            read = [(name, _value(name, v.strip(), known, whole)) for v in values.split(",")]
        except ConfigError as e:
            raise BadOption(f"--sweep {name}: {e}") from e
        axes.append(list(dict.fromkeys(read)))  # what is said twice is tried once
    return [dict(combination) for combination in product(*axes)] if axes else []


def _value(name: str, text: str, known: Mapping[str, Any], whole: Callable[[str], int]) -> Any:
    if name == "request_rate":
        rate = _number(name, text, float, "number")
        check_rate(rate, name)
        return rate
    if name in MOST:
        value = _number(name, text, whole, "whole number")
        if not 1 <= value <= MOST[name]:
            raise BadOption(f"{name} is {value:,} and must be 1 to {MOST[name]:,}")
        return value
    option = known[name]
    if option.kind is bool:
        if text.lower() not in ("on", "off", "true", "false"):
            raise BadOption(f"--sweep {name} is {text!r}; say on or off")
        return text.lower() in ("on", "true")
    return option.check(_number(name, text, whole, "whole number") if option.kind is int else text)


def _number(name: str, text: str, read: Callable[[str], N], kind: str) -> N:
    try:
        return read(text)
    except ValueError:
        raise BadOption(f"{name} is {text!r} and must be a {kind}") from None


def sweep(
    scene: Scene,
    combinations: Sequence[Mapping[str, Any]],
    traffic: Callable[[float | None], Iterable[Ask]],
    promises: Mapping[str, float],
    tell: Callable[[int], None],
) -> Iterator[Tried]:
    """A run for each combination; `traffic` gives requests for a rate (None: as asked)."""
    varied = [_varied(scene, settings) for settings in combinations]  # all refusals before the first run
    for settings, one in zip(combinations, varied, strict=True):
        _, told = run(one, traffic(settings.get("request_rate")), promises, tell)
        yield Tried(dict(settings), told)


def _varied(scene: Scene, settings: Mapping[str, Any]) -> Scene:
    try:
        varied = scene.having(settings)
        check(varied.setup.room)
    except (BadOption, DoesNotFit) as e:
        said = " ".join(f"{name}={value}" for name, value in settings.items())
        raise type(e)(f"--sweep {said}: {e}") from e
    return varied
