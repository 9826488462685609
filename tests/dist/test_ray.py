"""Ranks as actors on a real Ray cluster of two nodes: the tokens of one process, and what a loss does.

Nodes are processes on this machine. A test that takes one away adds another.
"""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from safetensors.torch import load_file, save_file
from tests.checkpoints import make
from tests.dist.test_processes import KILLS, LAYOUTS, TIGHT, answers, lose
from tests.serve.command import until

from quire import LLM
from quire.engine.machine import ENGINES
from quire.engine.on_cluster import machine_of
from quire.errors import BadOption, EngineDead, TensorMismatch

ray = pytest.importorskip("ray")

from tests.dist.ray_nodes import NODE, Nodes, actors, gone  # noqa: E402

from quire.config import EngineConfig  # noqa: E402
from quire.executor import cluster as places  # noqa: E402
from quire.executor import on_ray  # noqa: E402
from quire.executor.actor import Inbox, interface_of  # noqa: E402
from quire.executor.on_ray import OnRay  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("llama", tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="module")
def truth(folder: Path) -> list[list[int]]:
    return answers(LLM(model=str(folder), **TIGHT))


@contextmanager
def opened(nodes: Nodes, folder: Path, **options: Any) -> Iterator[LLM]:
    asked = {"distributed_executor_backend": "ray", "ray_address": nodes.address, "cpu_threads": 1}
    llm = LLM(model=str(folder), **{**TIGHT, **asked, **options})
    try:
        yield llm
    finally:
        llm.close()


def ranks(llm: LLM) -> OnRay:
    executor = llm.engine.core.executor
    assert isinstance(executor, OnRay)
    return executor


def check(llm: LLM, truth: list[list[int]]) -> None:
    """The same tokens, also with prefixes from the cache, while requests are preempted."""
    assert answers(llm) == truth
    assert answers(llm) == truth
    stats = llm.engine.core.scheduler.stats
    assert stats.preemptions > 0 and stats.cached_tokens > 0


def test_neighbours_share_a_node_and_a_killed_one_is_named(
    nodes: Nodes, folder: Path, truth: list[list[int]]
):
    with opened(nodes, folder, tensor_parallel_size=2) as llm:
        team = ranks(llm)
        assert team.nodes[0].id == team.nodes[1].id
        check(llm, truth)
        why, seconds = lose(llm, lambda: os.kill(team.pids[1], signal.SIGKILL))
        assert f"rank 1 (tp 1) on {team.nodes[1]} " in why and "its last operation was" in why
        assert seconds < 10.0
        assert gone(team.pids)
        with pytest.raises(EngineDead, match="rank 1"):  # it stays dead, and says why again
            answers(llm)
    assert not ray.is_initialized()  # it was joined for this engine only


@pytest.mark.long
def test_a_stage_that_stands_still_is_found(
    nodes: Nodes, folder: Path, truth: list[list[int]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(on_ray, "INLINE", 0)  # every message goes through the object store
    with opened(nodes, folder, pipeline_parallel_size=2) as llm:
        team = ranks(llm)
        check(llm, truth)
        why, seconds = lose(llm, lambda: os.kill(team.pids[0], signal.SIGSTOP))
        assert f"rank 0 (pp 0) on {team.nodes[0]} has said nothing for" in why
        assert seconds < 10.0
        assert gone(team.pids)


@pytest.mark.long
def test_a_node_that_is_lost_is_named_and_the_rest_serves_on(
    nodes: Nodes, folder: Path, truth: list[list[int]], monkeypatch: pytest.MonkeyPatch
):
    both = {"tensor_parallel_size": 2, "pipeline_parallel_size": 2}
    extra = next(node for node in nodes.list_all_nodes() if node is not nodes.head_node)
    try:
        with opened(nodes, folder, **both) as llm:
            team = ranks(llm)
            here = [node.id for node in team.nodes]
            assert here[0] == here[1] != here[2] == here[3]
            assert answers(llm) == truth
            lost = [rank for rank, node in enumerate(team.nodes) if node.id == extra.node_id]
            why, seconds = lose(llm, lambda: nodes.remove_node(extra, allow_graceful=False))
            assert any(f"rank {rank} " in why and f"on {team.nodes[rank]} " in why for rank in lost)
            assert seconds < 10.0
            assert gone(team.pids)
        with opened(nodes, folder, tensor_parallel_size=2) as llm:
            assert answers(llm) == truth
        monkeypatch.setattr(places, "PLACE_S", 2.0)
        monkeypatch.setattr(places, "SCARCE_S", 2.0)
        with pytest.raises(EngineDead, match=r"4 ranks with 1 CPU each found no place .* has 2 CPUs"):
            LLM(
                model=str(folder),
                **TIGHT,
                **both,
                distributed_executor_backend="ray",
                ray_address=nodes.address,
                cpu_threads=1,
            )
        assert not ray.is_initialized()
    finally:
        nodes.add_node(**NODE, num_gpus=1)


@pytest.mark.long
def test_one_rank_may_run_elsewhere_and_the_programs_own_ray_stays(
    nodes: Nodes, folder: Path, truth: list[list[int]], monkeypatch: pytest.MonkeyPatch
):
    ray.init(address=nodes.address, namespace="mine", log_to_driver=False, logging_level="CRITICAL")
    try:
        llm = LLM(model=str(folder), **TIGHT, distributed_executor_backend="ray", cpu_threads=1)
        assert answers(llm) == truth
        pids = ranks(llm).pids
        assert psutil.pid_exists(pids[0]) and pids[0] != os.getpid()
        del llm  # as good as closing it
        gc.collect()
        assert gone(pids)
        assert ray.is_initialized() and ray.get_runtime_context().namespace == "mine"
        cluster = places.Cluster(None)
        machine = machine_of(cluster, EngineConfig.of(pipeline_parallel_size=3, device="cpu"))
        assert machine.cpus == 3 and machine.gpu is None  # one core for each of three, on nodes with two
        shared = EngineConfig.of(data_parallel_size=4, enable_expert_parallel=True, device="cpu")
        assert machine_of(cluster, EngineConfig.of(device="cpu")).cpus == 2
        assert machine_of(cluster, shared).cpus == 1, "the others need theirs"
        monkeypatch.setenv(ENGINES, "4")  # as a server tells engines that share nothing else
        assert machine_of(cluster, EngineConfig.of(device="cpu")).cpus == 1
        with pytest.raises(EngineDead, match="has GPUs and torch finds none there"):  # asked on a node
            machine_of(cluster, EngineConfig.of())
    finally:
        ray.shutdown()


@pytest.mark.long
def test_ranks_end_with_the_engine_however_it_ends(nodes: Nodes, folder: Path):
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from tests.dist.test_ray import opened, ranks\n"
        "class Nodes:\n"
        "    address = sys.argv[1]\n"
        "with opened(Nodes, Path(sys.argv[2]), tensor_parallel_size=2) as llm:\n"
        "    print(*ranks(llm).pids, flush=True)\n"
        "    time.sleep(60)\n"
    )
    engine = subprocess.Popen(
        [sys.executable, "-c", script, nodes.address, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert engine.stdout is not None
    pids = [int(pid) for pid in engine.stdout.readline().split()]
    assert len(pids) == 2
    engine.kill()
    engine.wait()
    assert gone(pids)


@pytest.mark.long
def test_what_is_wrong_with_the_weights_is_said_as_by_one_process(nodes: Nodes, tmp_path: Path):
    folder = make("llama", tmp_path)
    file = folder / "model.safetensors"
    save_file({name: t for name, t in load_file(file).items() if "norm" not in name}, file)
    with pytest.raises(TensorMismatch, match="missing"), opened(nodes, folder, tensor_parallel_size=2):
        pass
    assert not ray.is_initialized()
    assert gone([actor.pid for actor in actors()])


@pytest.mark.long
def test_kills_at_random_are_all_survived(nodes: Nodes, folder: Path, truth: list[list[int]]):
    r = random.Random(1)
    ray.init(address=nodes.address, log_to_driver=False, logging_level="CRITICAL")
    try:
        for _ in range(KILLS):
            with opened(nodes, folder, tensor_parallel_size=2) as llm:
                team, victim = ranks(llm), r.randrange(2)
                number = r.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
                time.sleep(r.random())
                why, seconds = lose(llm, lambda pid=team.pids[victim], n=number: os.kill(pid, n))
                assert f"rank {victim} (tp {victim}) on {team.nodes[victim]} " in why
                assert seconds < 10.0
                assert gone(team.pids)
        with opened(nodes, folder, tensor_parallel_size=2) as llm:
            assert answers(llm) == truth
    finally:
        ray.shutdown()


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["tp 4, more ranks than KV heads", "pp 3 with 7 layers", "tp 2 x pp 2", "cp 2", "ep 2"]
)
def test_other_layouts_give_the_tokens_of_one_process(name: str, nodes: Nodes, tmp_path: Path):
    family, options, more = LAYOUTS[name]
    made = make(family, tmp_path, **more)
    truth = answers(LLM(model=str(made), **TIGHT))
    with opened(nodes, made, **options) as llm:
        check(llm, truth)


@pytest.mark.parametrize(
    ("address", "error", "message"),
    [
        ("127.0.0.1:1", EngineDead, "the Ray cluster at 127.0.0.1:1 cannot be joined"),
        ("ray://127.0.0.1:1", BadOption, "must be on a node of the cluster"),
    ],
)
def test_a_cluster_that_is_not_there_is_refused_at_once(
    address: str, error: type[Exception], message: str, folder: Path
):
    began = time.monotonic()
    with pytest.raises(error, match=message):
        LLM(model=str(folder), **TIGHT, distributed_executor_backend="ray", ray_address=address)
    assert time.monotonic() - began < 5.0


@pytest.mark.long
def test_the_cluster_that_ray_start_began_here_is_found_with_its_token(folder: Path):
    room = Path(tempfile.mkdtemp())  # names of sockets must be short
    token = room / "token"
    token.write_text("0123456789abcdef" * 4)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("RAY_A")}
    environ |= {"RAY_TMPDIR": str(room), "RAY_AUTH_TOKEN_PATH": str(token)}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    start = ["start", "--head", "--block", f"--port={port}", "--num-cpus=2", "--include-dashboard=false"]
    head = subprocess.Popen([Path(sys.executable).with_name("ray"), *start], env=environ)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.dist.test_processes import TIGHT, answers\n"
        "from quire import LLM\n"
        "given = {'ray_address': sys.argv[2]} if sys.argv[2] else {}\n"
        "with LLM(sys.argv[1], **TIGHT, cpu_threads=1, distributed_executor_backend='ray', **given) as llm:\n"
        "    print(len(answers(llm)))\n"
    )

    def joined(address: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, str(folder), address]
        root = Path(__file__).parents[2]
        return subprocess.run(command, env=environ, cwd=root, capture_output=True, text=True, timeout=120)

    try:
        until((room / "ray" / "ray_current_cluster").exists, 60, "a cluster")
        for address in ("", "auto"):
            found = joined(address)
            assert found.returncode == 0 and found.stdout.split() == ["12"], found.stderr
        assert "set RAY_AUTH_MODE=token" in joined(f"127.0.0.1:{port}").stderr
    finally:
        processes = [psutil.Process(head.pid), *psutil.Process(head.pid).children(recursive=True)]
        head.terminate()
        _, left = psutil.wait_procs(processes, 10)
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, 10)
        shutil.rmtree(room)


@pytest.mark.parametrize(
    ("address", "noted", "message"),
    [
        (None, "127.0.0.1:1", "at 127.0.0.1:1 cannot be joined: .* has ended .*, remove .*current_cluster"),
        ("auto", "127.0.0.1:1", "at 127.0.0.1:1 cannot be joined"),
        ("auto", "", "at this machine cannot be joined: no cluster was started here; .*`ray start --head`"),
    ],
)
def test_a_cluster_that_has_died_is_not_waited_for(
    address: str | None,
    noted: str,
    message: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    if noted:  # as `ray start` leaves it
        (tmp_path / "ray").mkdir()
        (tmp_path / "ray" / "ray_current_cluster").write_text(noted)
    began = time.monotonic()
    with pytest.raises(EngineDead, match=message):
        LLM(model=str(folder), **TIGHT, distributed_executor_backend="ray", ray_address=address)
    assert time.monotonic() - began < 5.0


def test_without_the_package_the_way_to_get_it_is_said():
    script = "import sys\nsys.modules['ray'] = None\nfrom quire.executor.cluster import Cluster\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "BadOption" in done.stderr and "pip install 'quire[ray]'" in done.stderr


def test_messages_that_overtake_each_other_are_put_in_order():
    inbox = Inbox()
    inbox.put(2, b"second")
    assert not inbox.ready()
    inbox.put(1, b"first")
    assert inbox.ready() and [inbox.receive(), inbox.receive()] == [b"first", b"second"]
    assert not inbox.ready()


def test_the_interface_of_an_address_is_found():
    assert interface_of("127.0.0.1") == "lo"
    assert interface_of("203.0.113.9") is None
