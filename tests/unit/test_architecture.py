"""The import rules of docs/architecture.md, read from the source of every module."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import quire

SOURCE = Path(quire.__file__).parent

LEVELS = {
    0: "types shared_prefix config declared speculative params outputs errors log registry wire embedded",
    1: "kv record text grammar media parallel ops",
    2: "scheduler router layers",
    3: "models weights quant lora draft transfer",
    4: "worker",
    5: "executor",
    6: "engine",
    7: "server tools",
    8: "simulate",
    9: "cli",
    10: "__main__ deploy",
}
LEVEL = {name: level for level, names in LEVELS.items() for name in names.split()}
PLANNING = {*LEVELS[0].split(), "kv", "record", "scheduler", "router", "simulate", "text", "grammar"}
COMPUTE = {"parallel", "ops", "layers", "models", "weights", "quant", "lora", "worker"}
# torch-free, though their package computes
PLANNING_MODULES = {
    "quire.models.draft_shapes",
    "quire.models.drafting",
    "quire.models.experts",
    "quire.models.keys",
    "quire.models.shapes",
    "quire.models.share",
    "quire.parallel.context",
    "quire.parallel.cost",
    "quire.parallel.experts",
    "quire.parallel.layout",
    "quire.parallel.stages",
}


def modules() -> dict[str, Path]:
    """Every module under src/quire by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(module: str) -> Iterator[str]:
    """What a module imports, wherever the import stands in it."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} uses a relative import"
            for alias in node.names:
                yield _origin(node.module or "", alias.name)


def _origin(module: str, name: str) -> str:
    """The module behind `from module import name`; `from quire import LLM` means where LLM lives."""
    if f"{module}.{name}" in MODULES:
        return f"{module}.{name}"
    return quire._WHERE.get(name, module) if module == "quire" else module


def package(module: str) -> str:
    """`kv` for quire.kv.pool; empty for quire itself."""
    return module.partition(".")[2].partition(".")[0]


def inside(module: str) -> bool:
    return module.split(".")[0] == "quire"


def is_planning(module: str) -> bool:
    return module in PLANNING_MODULES or package(module) in PLANNING


def is_compute(module: str) -> bool:
    return module not in PLANNING_MODULES and package(module) in COMPUTE


def test_every_module_has_a_level():
    assert [m for m in MODULES if package(m) and package(m) not in LEVEL] == []


def test_a_module_imports_only_its_own_package_and_lower_levels():
    wrong = [
        f"{module} (level {LEVEL[package(module)]}) imports {other} (level {LEVEL.get(package(other))})"
        for module in MODULES
        if package(module)
        for other in imports(module)
        if inside(other) and package(other) and not _may_import(package(module), package(other))
    ]
    assert wrong == []


def _may_import(package: str, other: str) -> bool:
    level, below = LEVEL[package], LEVEL.get(other, 99)
    return other == package or below < level or below == level == 0


def test_planning_never_imports_torch_or_compute():
    wrong = [
        f"{module} imports {other}"
        for module in MODULES
        if is_planning(module)
        for other in imports(module)
        if other.split(".")[0] in ("torch", "triton") or is_compute(other)
    ]
    assert wrong == []


def test_compute_never_imports_planning_packages():
    wrong = [
        f"{module} imports {other}"
        for module in MODULES
        if is_compute(module)
        for other in imports(module)
        if inside(other) and package(other) in ("kv", "scheduler", "router")
    ]
    assert wrong == []


def test_importing_all_of_planning_loads_no_torch():
    names = [m for m in MODULES if is_planning(m)]
    code = f"import sys, {', '.join(names)}; print('torch' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


def test_no_module_is_a_drawer_for_odds_and_ends():
    drawers = {"utils", "util", "common", "helpers", "helper", "misc"}
    assert [m for m in MODULES if drawers & set(m.split("."))] == []


def test_every_module_says_what_it_holds():
    silent = [
        module
        for module, path in MODULES.items()
        if (text := path.read_text(encoding="utf-8")).strip() and not ast.get_docstring(ast.parse(text))
    ]
    assert silent == []


def test_nothing_outside_is_run_as_code():
    forbidden = {"eval", "exec", "pickle", "marshal", "shelve", "dill", "cloudpickle"}
    wrong = [
        f"{module} uses {name}"
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _names(node)
        if name in forbidden
    ]
    assert wrong == []


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return [node.func.id]
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    return [(node.module or "").split(".")[0]] if isinstance(node, ast.ImportFrom) else []


def test_every_folder_of_tests_is_run():
    root = Path(__file__).parents[2]
    run = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"][
        "ini_options"
    ]
    folders = {p.relative_to(root).parts[1] for p in root.glob("tests/*/**/test_*.py")}
    assert {f"tests/{name}" for name in folders} == set(run["testpaths"])
