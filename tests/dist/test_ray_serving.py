"""`quire serve` with its ranks on a real Ray cluster: the tokens of one process, and what losses do."""

from __future__ import annotations

import random
import re
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.checkpoints import make
from tests.dist.test_processes import KILLS
from tests.serve import test_data_parallel as several
from tests.serve import test_shared_experts as sharing
from tests.serve.command import SMALL, Command, until
from tests.serve.test_processes import TYPED, ask

pytest.importorskip("ray")

from tests.dist.ray_nodes import NODE, Nodes, actors, gone, started

pytestmark = pytest.mark.long


def on(nodes: Nodes, *flags: str) -> tuple[str, ...]:
    there = ("--distributed-executor-backend", "ray", "--ray-address", nodes.address)
    return (*flags, *there)


TWO = (*SMALL, "--device", "cpu", "--tensor-parallel-size", "2")


def test_engines_of_a_server_share_experts_over_the_cluster(nodes: Nodes, tmp_path: Path):
    folder = make("qwen3_moe", tmp_path)
    truth = sharing.answers_of_one(folder)
    with Command(*on(nodes, *sharing.FLAGS), model=str(folder)) as server:
        server.wait_until_ready()
        assert len(actors()) == 2
        sharing.check(server, truth)


def test_two_engines_on_the_cluster_give_the_tokens_of_one_process(nodes: Nodes):
    expected = several.answers_of_one()
    with Command(*on(nodes, *several.SCARCE, "--device", "cpu")) as server:
        server.wait_until_ready()
        assert len(server.engines) == len(actors()) == 2
        several.check(server, expected)


def test_a_server_goes_on_after_one_of_its_ranks_was_killed(nodes: Nodes):
    with Command(*on(nodes, *TWO)) as server:
        server.wait_until_ready()
        said = server.complete().json()["choices"][0]["text"]
        engine, first = server.engine, actors()
        assert len(first) == 2
        first[1].kill()  # while nobody asks anything
        until(lambda: not engine.is_running(), 10, "the engine ends")
        until(lambda: server.get("/health").status_code == 200, 60, "another one")
        assert server.complete().json()["choices"][0]["text"] == said
        assert re.search(r"rank \d \(tp \d\) on .* has ended", server.log)
        second = actors()
        assert len(second) == 2 and not set(first) & set(second)
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
    assert gone([actor.pid for actor in second])


KINDS = ("a rank", "the engine", "a front end", "the supervisor")


def victim(server: Command, kind: str, chance: random.Random) -> psutil.Process:
    match kind:
        case "a rank":
            return chance.choice(actors())
        case "the engine":
            return server.engine
        case "a front end":
            return chance.choice(server.front_ends)
        case _:
            return psutil.Process(server.process.pid)


def test_whichever_process_is_killed_clients_are_told_and_nothing_is_left(nodes: Nodes):
    chance, kinds = random.Random(5), []
    while len(kinds) < KILLS:
        kinds += random.Random(len(kinds)).sample(KINDS, len(KINDS))
    kinds, served = kinds[:KILLS], 0
    while kinds:
        with Command(*on(nodes, *TWO)) as server:
            server.wait_until_ready()
            lasting = True
            while kinds and lasting:
                kind = kinds.pop()
                ranks, begun = [actor.pid for actor in actors()], ask(server, 4, max_tokens=1000)
                assert len(ranks) == 2
                time.sleep(chance.random())
                victim(server, kind, chance).kill()
                lasting = kind in ("a rank", "the engine")
                ends = {each.end() for each in begun}
                assert gone(ranks), kind
                if lasting:
                    assert ends <= {"full", "typed"}, (kind, ends)
                    until(
                        lambda s=server: s.complete(max_tokens=4).status_code == 200, 60, "it answers again"
                    )
                    served += 1
                else:
                    assert server.gone(20), (kind, server.alive())  # whoever started it should know
                    assert kind != "a front end" or server.process.returncode == 1
        assert not actors()
    print(f"{served} of {KILLS} kills were survived, the others were the end")


def test_when_a_node_is_lost_the_server_comes_back_on_those_left_and_says_so_if_they_do_not_suffice():
    with started(num_cpus=0) as nodes:  # where the server runs is no place for ranks
        others = [nodes.add_node(**NODE) for _ in range(2)]
        with Command(*on(nodes, *TWO)) as server:
            server.wait_until_ready()
            said = server.complete().json()["choices"][0]["text"]
            used = {node: held for node in others if (held := ranks_on(node))}
            [(first, pids)] = used.items()  # neighbours share a node
            assert len(pids) == 2
            begun = ask(server, 4, max_tokens=1000)
            began = time.monotonic()
            nodes.remove_node(first, allow_graceful=False)
            assert {each.end() for each in begun} == {"typed"}
            assert time.monotonic() - began < 10.0
            until(lambda: server.complete().status_code == 200, 60, "it answers again")
            assert server.complete().json()["choices"][0]["text"] == said
            [left] = [node for node in others if node is not first]
            assert len(ranks_on(left)) == 2

            nodes.remove_node(left, allow_graceful=False)
            short = r"2 ranks with 1 CPU each found no place on the Ray cluster .*`ray start --address"
            until(lambda: server.get("/health").status_code == 503, 10, "it is noticed")
            refused = server.complete()
            assert refused.status_code == 503 and refused.json()["error"]["type"] in TYPED
            until(lambda: re.search(f"the engine ended .{short}", server.log), 60, "the reason")
            nodes.add_node(**NODE)
            until(lambda: server.get("/health").status_code == 200, 120, "it comes back with a new node")
            assert server.complete().json()["choices"][0]["text"] == said


def ranks_on(node: Any) -> list[int]:
    """The ranks that run on a node: they are children of its own process."""
    [started_by] = node.all_processes["raylet"]
    return [actor.pid for actor in actors() if started_by.process.pid in [p.pid for p in actor.parents()]]
