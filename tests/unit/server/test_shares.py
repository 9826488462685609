"""What each of several engines gets of a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quire.config import EngineConfig
from quire.errors import BadOption
from quire.server.shares import Share, shares_of, visible_gpus


def shares(gpus: int = 0, cores: int = 8, **options: Any) -> list[Share]:
    return shares_of(EngineConfig.of(**options), {}, [str(g) for g in range(gpus)], cores)


def test_one_engine_gets_what_the_server_was_given():
    assert shares(gpus=8) == [Share()]


def test_gpus_are_given_out_in_order_as_many_as_each_engine_has_ranks():
    got = shares(gpus=8, data_parallel_size=2, tensor_parallel_size=2, pipeline_parallel_size=2)
    assert [s.environ["CUDA_VISIBLE_DEVICES"] for s in got] == ["0,1,2,3", "4,5,6,7"]
    assert all(s.values == {"data_parallel_size": 1} for s in got)


def test_too_few_gpus_are_said_with_the_numbers():
    with pytest.raises(BadOption, match="each engine needs 2 GPUs: that is 6, and 4 can be seen here"):
        shares(gpus=4, data_parallel_size=3, tensor_parallel_size=2)


def test_cores_are_shared_out_unless_threads_were_given():
    assert [s.values["cpu_threads"] for s in shares(data_parallel_size=3)] == [2, 2, 2]
    assert [s.values["cpu_threads"] for s in shares(cores=1, data_parallel_size=2)] == [1, 1]
    assert [s.values["cpu_threads"] for s in shares(data_parallel_size=2, cpu_threads=3)] == [3, 3]
    assert shares(gpus=2, data_parallel_size=2, device="cpu")[0].environ == {}


def test_engines_that_share_experts_know_how_many_they_are():
    got = shares(data_parallel_size=2, enable_expert_parallel=True)
    assert all("data_parallel_size" not in s.values for s in got)


def test_whom_requests_go_to_is_not_the_engines_business():
    for more in ({}, {"enable_expert_parallel": True}):
        got = shares(data_parallel_size=2, data_parallel_affinity="prefix", **more)
        assert {s.values["data_parallel_affinity"] for s in got} == {"none"}


def test_ray_gives_out_its_devices_itself():
    got = shares(gpus=1, data_parallel_size=2, distributed_executor_backend="ray")
    assert [s.environ for s in got] == [{"QUIRE_ENGINES": "2"}] * 2  # and who there is to share them


def test_engines_on_ray_join_one_cluster_and_start_none_of_their_own():
    for given, told in ((None, "auto"), ("10.0.0.1:6379", "10.0.0.1:6379")):
        got = shares(data_parallel_size=2, distributed_executor_backend="ray", ray_address=given)
        assert [s.values["ray_address"] for s in got] == [told, told]


def test_the_environment_says_which_gpus_there_are_and_else_the_system_does(tmp_path: Path):
    for name in ("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"):
        (tmp_path / name).touch()
    assert visible_gpus({}, tmp_path) == ["0", "1"]
    assert visible_gpus({"CUDA_VISIBLE_DEVICES": "3, 5"}, tmp_path) == ["3", "5"]
    assert visible_gpus({"CUDA_VISIBLE_DEVICES": ""}, tmp_path) == []
    assert visible_gpus({"CUDA_VISIBLE_DEVICES": "-1"}, tmp_path) == []
