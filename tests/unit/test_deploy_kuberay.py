"""The manifests for KubeRay: fields and flags that exist, ports and GPUs that agree with each other."""

from __future__ import annotations

import copy
import importlib
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.examples import ROOT

pytest.importorskip("kubernetes", reason="Kubernetes' models are not there: pip install 'quire[test]'")

from tests.manifests import check, documents, options_of

FOLDER = ROOT / "deploy" / "kuberay"
MANIFESTS = sorted(FOLDER.glob("*.yaml"))
RESERVED = {6379, 8265, 10001, 8000, 8080, 52365}  # Ray: store, dashboard, client, serve, metrics, agent


def ray_part(path: Path) -> dict[str, Any]:
    return next(d for d in documents(path.read_text(encoding="utf-8")) if d["apiVersion"] == "ray.io/v1")[
        "spec"
    ]


def cluster_in(spec: dict[str, Any]) -> dict[str, Any]:
    return spec.get("rayClusterConfig") or spec["rayClusterSpec"]


def serve_config() -> dict[str, Any]:
    return yaml.safe_load(ray_part(FOLDER / "rayservice.yaml")["serveConfigV2"])


def arguments_in(spec: dict[str, Any]) -> list[str]:
    """What `quire serve` is given."""
    if "entrypoint" in spec:
        line = shlex.split(spec["entrypoint"])
        assert line[:2] == ["quire", "serve"]
        return line[2:]
    given = yaml.safe_load(spec["serveConfigV2"])["applications"][0]["args"]
    return [*given["arguments"], "--port", str(given["port"])]


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: p.name)
def test_every_document_is_one_that_kuberay_takes(path: Path):
    for document in documents(path.read_text(encoding="utf-8")):
        check(document)


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: p.name)
def test_the_server_is_given_flags_that_exist_and_the_gpus_of_the_workers(path: Path):
    spec = ray_part(path)
    options = options_of(arguments_in(spec))
    assert (options["distributed_executor_backend"], options["ray_address"]) == ("ray", "auto")
    [group] = cluster_in(spec)["workerGroupSpecs"]
    container = group["template"]["spec"]["containers"][0]
    assert options["tensor_parallel_size"] == int(container["resources"]["limits"]["nvidia.com/gpu"])
    assert options["pipeline_parallel_size"] == group["replicas"] == group["minReplicas"]


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: p.name)
def test_quires_port_is_open_on_the_head_and_none_of_rays(path: Path):
    spec = ray_part(path)
    port = options_of(arguments_in(spec))["port"]
    container = cluster_in(spec)["headGroupSpec"]["template"]["spec"]["containers"][0]
    assert {"name": "http", "containerPort": port} in container["ports"]
    assert port not in RESERVED


def test_the_service_of_the_job_finds_the_head():
    job, service = documents((FOLDER / "rayjob.yaml").read_text(encoding="utf-8"))
    head = job["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]
    labels = {**head["metadata"]["labels"], "ray.io/node-type": "head"}  # KubeRay adds the second
    assert service["spec"]["selector"].items() <= labels.items()
    ports = head["spec"]["containers"][0]["ports"]
    assert service["spec"]["ports"][0]["targetPort"] in [p["name"] for p in ports]


def test_the_service_names_an_application_that_takes_its_arguments():
    [given] = serve_config()["applications"]
    module, _, name = given["import_path"].partition(":")
    build = getattr(importlib.import_module(module), name)
    assert given["args"].keys() <= {"arguments", "port", "patience_s", "drain_s"}
    assert callable(build)


def test_the_service_waits_long_enough_for_what_runs():
    spec = ray_part(FOLDER / "rayservice.yaml")
    drain_s = serve_config()["applications"][0]["args"]["drain_s"]
    head = spec["rayClusterConfig"]["headGroupSpec"]["template"]["spec"]
    assert head["terminationGracePeriodSeconds"] >= drain_s + 15
    assert spec["rayClusterDeletionDelaySeconds"] > drain_s


def test_only_the_head_has_a_proxy_of_ray_serve_and_workers_are_ready_without():
    """KubeRay's own probe of workers asks for a proxy and would never succeed."""
    assert serve_config()["proxy_location"] == "HeadOnly"
    [group] = ray_part(FOLDER / "rayservice.yaml")["rayClusterConfig"]["workerGroupSpecs"]
    probe = group["template"]["spec"]["containers"][0]["readinessProbe"]["httpGet"]
    assert probe == {"path": "/api/local_raylet_healthz", "port": 52365}


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: p.name)
def test_head_and_workers_run_the_same_image(path: Path):
    cluster = cluster_in(ray_part(path))
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    assert {group["template"]["spec"]["containers"][0]["image"] for group in groups} == {"quire:cuda"}


def test_the_check_itself_refuses_what_is_misspelt():
    good = documents((FOLDER / "rayservice.yaml").read_text(encoding="utf-8"))[0]
    for spoil in (
        lambda spec: spec.update(serveConfig=""),
        lambda spec: spec["rayClusterConfig"].pop("headGroupSpec"),
        lambda spec: spec["rayClusterConfig"]["headGroupSpec"]["rayStartParams"].update({"num-cpus": 0}),
        lambda spec: spec["rayClusterConfig"]["headGroupSpec"]["template"]["spec"].update(container=[]),
        lambda spec: spec["rayClusterConfig"]["workerGroupSpecs"][0].update(replicas="2"),
    ):
        bad = copy.deepcopy(good)
        spoil(bad["spec"])
        with pytest.raises((AssertionError, ValueError)):
            check(bad)
    with pytest.raises(AssertionError, match="twice"):
        documents("a: 1\na: 2\n")
