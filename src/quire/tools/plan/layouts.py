"""Ways to share a model out over devices: the engine's own `resolve` is asked about each.

Sizes that cannot be (heads that do not divide) are left out, as the engine would refuse them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from quire.config import EngineConfig
from quire.engine.advice import flags_of, layout_given
from quire.engine.resolve import Resolved, resolve
from quire.errors import BadOption, DoesNotFit
from quire.parallel.layout import Layout
from quire.tools.plan.site import Site
from quire.tools.plan.steps import Runs
from quire.tools.plan.subject import Subject

MOST = 64  # devices that are tried where nobody says how many there are
NODE = 8  # devices of one machine: tensor parallelism stays within


@dataclass(frozen=True, slots=True)
class Fit:
    """A layout that fits, and what it gives; figures of all engines together."""

    layout: Layout
    resolved: Resolved
    runs: Runs | None  # None where no speeds are known

    @property
    def devices(self) -> int:
        return self.layout.world

    @property
    def flags(self) -> str:
        return flags_of(self.layout) or "one process"


@dataclass(frozen=True, slots=True)
class Case:
    """What stays the same while layouts are tried."""

    subject: Subject
    config: EngineConfig
    site: Site
    environ: Mapping[str, str]

    def resolved(self, layout: Layout, way_out_too: bool = True) -> Resolved:
        """What the engine would decide; raises as it would."""
        p = self.config.parallel
        asked = {
            "tensor_parallel_size": layout.tp,
            "pipeline_parallel_size": layout.pp,
            "data_parallel_size": layout.dp,
            "context_parallel_size": layout.cp,
            "enable_expert_parallel": layout.spread_experts,
        }
        config = self.config
        if any(getattr(p, name) != value for name, value in asked.items()):
            config = config.asking(asked)
        engine = layout.world // layout.dp
        machine = self.site.having(max(engine, (self.site.count or engine) // layout.dp))
        return resolve(
            config,
            self.subject.shape,
            machine,
            self.subject.dtype,
            self.environ,
            checkpoint_pooling=self.subject.pooling,
            way_out_too=way_out_too,
        )

    def fit(self, layout: Layout, way_out_too: bool = True) -> Fit:
        resolved = self.resolved(layout, way_out_too)
        return Fit(layout, resolved, self._runs(layout, resolved))

    def fitting(self, layouts: Iterator[Layout]) -> list[Fit]:
        out = []
        for layout in layouts:
            try:
                out.append(self.fit(layout, way_out_too=False))  # nobody reads the refusal
            except (DoesNotFit, BadOption):
                continue
        return out

    def _runs(self, layout: Layout, resolved: Resolved) -> Runs | None:
        speeds, config = self.site.speeds, resolved.config
        if speeds is None:
            return None
        if self.site.machine.gpu is None:  # ranks are processes on the same cores
            speeds = speeds.shared(layout.world)
        chunk = config.scheduler.max_num_batched_tokens
        assert chunk is not None
        return Runs(
            self.subject.shape,
            layout if layout.spread_experts else replace(layout, dp=1),
            speeds,
            self.site.link,
            config.model.dtype,
            config.cache.kv_cache_dtype,
            config.model.quantization == "fp8",
            chunk,
            config.parallel.pipeline_layer_split,
        )


def chosen(case: Case) -> tuple[Fit, str]:
    """The layout that the user gave, or the smallest that fits, and why one device does not do.

    Raises the engine's refusal where nothing fits.
    """
    given = layout_given(case.config)
    if given.world > 1 or case.site.machine.gpu is None:
        return case.fit(given), ""
    try:
        return case.fit(given), ""
    except DoesNotFit as refusal:
        for devices in range(2, (case.site.count or MOST) + 1):
            found = case.fitting(engines(case, devices))
            if found:
                return found[0], str(refusal).partition(". ")[0]
        if case.site.count is None:
            raise DoesNotFit(f"{refusal}. Nor does it fit {MOST} of them") from None
        raise


def layouts(case: Case, devices: int) -> list[Fit]:
    """All that fit so many devices, with as many engines as there is room for."""
    out = []
    for size in (n for n in range(1, devices + 1) if devices % n == 0):
        for fit in case.fitting(engines(case, size)):
            copies = devices // size
            out += case.fitting(iter([replace(fit.layout, dp=copies)]))
            if case.subject.shape.experts is not None and copies > 1:
                out += case.fitting(iter([replace(fit.layout, dp=copies, spread_experts=True)]))
    return out


def engines(case: Case, devices: int) -> Iterator[Layout]:
    """Layouts of one engine over so many devices: those that fit the link best come first."""
    sizes = [(tp, devices // tp) for tp in range(1, devices + 1) if devices % tp == 0 and tp <= NODE]
    within = case.site.link.within
    for tp, pp in sorted(sizes, key=lambda size: size[0], reverse=within):
        if pp <= case.subject.shape.layers:
            yield Layout(tp=tp, pp=pp)
