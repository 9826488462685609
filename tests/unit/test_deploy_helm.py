"""The chart as Helm itself renders it: valid documents, flags that exist, and refusals that say why."""

from __future__ import annotations

import json
from math import prod
from typing import Any

import pytest
import yaml
from tests.examples import ROOT

import quire
from quire.server import supervisor

helm = pytest.importorskip("helm_python", reason="Helm's library is not there: pip install 'quire[test]'")
pytest.importorskip("kubernetes", reason="Kubernetes' models are not there: pip install 'quire[test]'")

from tests.manifests import check, documents, options_of, served_paths  # noqa: E402

CHART = ROOT / "deploy" / "helm" / "quire"
GPU = {"gpu": {"enabled": True}}
CASES: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "a model of the hub on a GPU": {**GPU, "model": "Qwen/Qwen3-8B", "hub": {"tokenSecret": "hub"}},
    "tensor parallel": {
        **GPU,
        "parallel": {"tensor": 4},
        "gpu": {"enabled": True, "runtimeClassName": "nvidia"},
    },
    "every kind of parallelism": {
        **GPU,
        "mode": "data-parallel",
        "parallel": {"tensor": 2, "pipeline": 2, "context": 2, "experts": True},
        "dataParallel": {"size": 3, "affinity": "prefix"},
    },
    "engines in one pod": {**GPU, "mode": "data-parallel", "dataParallel": {"size": 8}},
    "a pod for each engine": {
        **GPU,
        "mode": "data-parallel",
        "dataParallel": {"size": 3, "style": "replicas"},
        "service": {"sessionAffinity": "ClientIP"},
    },
    "keys of a Secret": {"auth": {"existingSecret": "mine", "secretKey": "keys"}},
    "keys as they are": {"auth": {"value": "sk-one,sk-two"}},
    "a claim that is made": {
        "modelVolume": {"type": "pvc", "storageClassName": "fast"},
        "model": "/models/a",
    },
    "a claim that is there": {"modelVolume": {"type": "pvc", "existingClaim": "models", "readOnly": True}},
    "a folder of the node": {"modelVolume": {"type": "hostPath", "hostPath": "/srv/models"}},
    "a bounded folder": {"modelVolume": {"sizeLimit": "50Gi"}, "storage": {"existingClaim": "batches"}},
    "scaled by its queue": {"autoscaling": {"enabled": True, "maxReplicas": 9}},
    "watched": {"serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}},
    "no budget, one at a time": {"podDisruptionBudget": {"enabled": False}, "strategy": {"type": "Recreate"}},
    "names that look like numbers": {
        "auth": {"value": "123", "secretKey": "456"},
        "hub": {"tokenSecret": "1", "tokenKey": "true"},
        "modelVolume": {"type": "pvc", "storageClassName": "2", "mountPath": "/mod: els #1"},
        "storage": {"existingClaim": "3"},
        "image": {"pullSecrets": ["4"], "tag": "5"},
        "nameOverride": "6",
        "fullnameOverride": "7",
    },
    "a folder with an odd name": {"modelVolume": {"type": "hostPath", "hostPath": "/srv/a: b #c"}},
    "no requests and no limits": {"resources": {"requests": None, "limits": None}},
    "a name outside": {
        "auth": {"existingSecret": "keys"},
        "ingress": {
            "enabled": True,
            "className": "nginx",
            "host": "llm.example.com",
            "tlsSecret": "certificate",
            "annotations": {"nginx.ingress.kubernetes.io/proxy-read-timeout": "600"},
        },
    },
    "replicas on several nodes": {
        "replicas": 3,
        "topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"}
        ],
        "priorityClassName": "high",
        "serviceAccountName": "llm",
    },
    "with everything else": {
        "extraArgs": ["--max-model-len", "8k", "--api-server-count=2"],
        "extraEnv": [{"name": "QUIRE_CPU_KVCACHE_SPACE", "value": "4"}],
        "extraVolumes": [{"name": "more", "emptyDir": {}}],
        "extraVolumeMounts": [{"name": "more", "mountPath": "/more"}],
        "nodeSelector": {"kind": "gpu"},
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
        "affinity": {"podAntiAffinity": {}},
        "podAnnotations": {"a": "b"},
        "podLabels": {"team": "c"},
        "image": {"repository": "registry/quire", "tag": "1", "pullSecrets": ["registry"]},
        "resources": {"limits": {"memory": "8Gi"}},
        "service": {"type": "LoadBalancer", "annotations": {"x": "y"}},
        "hub": {"offline": True},
        "fullnameOverride": "llm",
    },
}


@pytest.fixture(scope="module")
def chart() -> Any:
    with helm.Chart.load(CHART) as loaded:
        yield loaded


def rendered(chart: Any, values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The documents by their kind."""
    chart.validate_schema(values)
    files = chart.render(values, name="demo", namespace="prod")
    found = [d for path, text in files.items() if path.endswith(".yaml") for d in documents(text)]
    by_kind = {document["kind"]: document for document in found}
    assert len(by_kind) == len(found)
    return by_kind


@pytest.mark.parametrize("case", CASES)
def test_every_document_is_one_that_kubernetes_takes(chart: Any, case: str):
    found = rendered(chart, CASES[case])
    assert {"Deployment", "Service"} <= set(found)
    for document in found.values():
        check(document)


@pytest.mark.parametrize("case", CASES)
def test_the_parts_of_a_deployment_fit_each_other(chart: Any, case: str):
    found = rendered(chart, CASES[case])
    deployment, service = found["Deployment"]["spec"], found["Service"]["spec"]
    pod = deployment["template"]["spec"]
    container = pod["containers"][0]
    options = options_of(container["args"])

    labels = deployment["template"]["metadata"]["labels"]
    assert deployment["selector"]["matchLabels"].items() <= labels.items()
    assert service["selector"].items() <= labels.items()

    assert container["ports"] == [{"name": "http", "containerPort": options["port"]}]
    assert service["ports"][0]["targetPort"] == "http"
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["port"] == "http"
        assert container[probe]["httpGet"]["path"] in served_paths()

    assert {m["name"] for m in container["volumeMounts"]} == {v["name"] for v in pod["volumes"]}
    stop_s = int(container["lifecycle"]["preStop"]["exec"]["command"][1]) + options["shutdown_timeout"]
    assert pod["terminationGracePeriodSeconds"] >= stop_s + supervisor.GRACE_S

    sizes = ("data_parallel_size", "tensor_parallel_size", "pipeline_parallel_size", "context_parallel_size")
    gpus = container["resources"]["limits"].get("nvidia.com/gpu")
    assert gpus == (str(prod(options[s] or 1 for s in sizes)) if "gpu" in CASES[case] else None)
    assert container["resources"]["requests"].get("nvidia.com/gpu") == gpus


def test_engines_share_a_pod_and_replicas_do_not(chart: Any):
    together = rendered(chart, CASES["engines in one pod"])["Deployment"]["spec"]
    apart = rendered(chart, CASES["a pod for each engine"])["Deployment"]["spec"]
    assert (together["replicas"], apart["replicas"]) == (1, 3)
    args = [spec["template"]["spec"]["containers"][0]["args"] for spec in (together, apart)]
    assert "--data-parallel-size=8" in args[0]
    assert not any("data-parallel" in arg for arg in args[1])


def test_keys_come_from_a_secret_and_never_stand_in_the_arguments(chart: Any):
    found = rendered(chart, CASES["keys as they are"])
    container = found["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    key = next(e for e in container["env"] if e["name"] == "QUIRE_API_KEY")["valueFrom"]["secretKeyRef"]
    assert found["Secret"]["metadata"]["name"] == key["name"]
    assert found["Secret"]["stringData"][key["key"]] == "sk-one,sk-two"
    assert "sk-one" not in json.dumps(found["Deployment"])

    given = rendered(chart, CASES["keys of a Secret"])
    env = given["Deployment"]["spec"]["template"]["spec"]["containers"][0]["env"]
    assert {"name": "mine", "key": "keys"} in [e.get("valueFrom", {}).get("secretKeyRef") for e in env]
    assert "Secret" not in given


def test_an_ingress_leads_to_the_service(chart: Any):
    found = rendered(chart, CASES["a name outside"])
    ingress, service = found["Ingress"]["spec"], found["Service"]
    way = ingress["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert way["name"] == service["metadata"]["name"]
    assert way["port"]["name"] in [port["name"] for port in service["spec"]["ports"]]
    assert ingress["tls"] == [{"hosts": [ingress["rules"][0]["host"]], "secretName": "certificate"}]
    notes = chart.render(CASES["a name outside"], name="demo", namespace="prod")["quire/templates/NOTES.txt"]
    assert "https://llm.example.com/v1" in notes
    assert "Ingress" not in rendered(chart, {})


def test_an_image_has_a_tag_or_a_digest(chart: Any):
    digest = f"sha256:{'a' * 64}"
    for tag, image in (("", "quire:cpu"), ("1.2", "quire:1.2"), (digest, f"quire@{digest}")):
        deployment = rendered(chart, {"image": {"tag": tag}})["Deployment"]["spec"]
        assert deployment["template"]["spec"]["containers"][0]["image"] == image


def test_a_release_may_have_a_number_for_a_name_and_a_key_a_dot(chart: Any):
    values = {"auth": {"existingSecret": "keys", "secretKey": "api.key"}}
    files = chart.render(values, name="2024", namespace="prod")
    for path, text in files.items():
        for document in documents(text) if path.endswith(".yaml") else ():
            check(document)
    assert r"{.data.api\.key}" in files["quire/templates/NOTES.txt"]


def test_an_autoscaler_reads_a_figure_that_exists_and_sets_the_number_of_pods_alone(chart: Any):
    found = rendered(chart, CASES["scaled by its queue"])
    scaler = found["HorizontalPodAutoscaler"]["spec"]
    name = scaler["metrics"][0]["pods"]["metric"]["name"]
    assert f'"{name}"' in (ROOT / "src/quire/server/metrics_page.py").read_text(encoding="utf-8")
    assert "replicas" not in found["Deployment"]["spec"]
    assert scaler["scaleTargetRef"]["name"] == found["Deployment"]["metadata"]["name"]
    assert "HorizontalPodAutoscaler" not in rendered(chart, {})


def test_prometheus_finds_the_service_and_its_port(chart: Any):
    found = rendered(chart, CASES["watched"])
    monitor, service = found["ServiceMonitor"]["spec"], found["Service"]
    assert monitor["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert monitor["endpoints"][0]["port"] in [p["name"] for p in service["spec"]["ports"]]
    assert monitor["endpoints"][0]["path"] in served_paths()


@pytest.mark.parametrize("case", CASES)
def test_the_notes_name_the_service(chart: Any, case: str):
    name = rendered(chart, CASES[case])["Service"]["metadata"]["name"]
    notes = chart.render(CASES[case], name="demo", namespace="prod")["quire/templates/NOTES.txt"]
    assert f"service/{name} 8000:80" in notes
    assert ("Authorization" in notes) == ("auth" in CASES[case])


@pytest.mark.parametrize(
    "values",
    [
        {"mode": "many"},
        {"dataParallel": {"size": 0}},
        {"dataParallel": {"style": "both"}},
        {"parallel": {"tensor": "two"}},
        {"parallel": {"tensors": 2}},
        {"replica": 2},
        {"port": 80},
        {"extraArgs": "--max-model-len 8k"},
        {"extraArgs": [8192]},
        {"modelVolume": {"type": "nfs"}},
        {"modelVolume": {"mountPath": "models"}},
        {"sharedMemory": "much"},
        {"service": {"type": "ExternalName"}},
        {"image": {"pullPolicy": "Sometimes"}},
        {"autoscaling": {"minReplicas": 0}},
        {"serviceMonitor": {"interval": "often"}},
        {"ingress": {"host": "https://llm.example.com"}},
        {"tolerations": [{"key": "a", "op": "Exists"}]},
        {"extraEnv": [{"name": "A", "value": 1}]},
        {"podLabels": {"app.kubernetes.io/name": "mine"}},
        {"podAnnotations": {"checksum/keys": "mine"}},
        {"serviceMonitor": {"labels": {"helm.sh/chart": "mine"}}},
    ],
    ids=json.dumps,
)
def test_values_that_cannot_be_meant_are_refused(chart: Any, values: dict[str, Any]):
    with pytest.raises(helm.HelmError):
        chart.validate_schema(values)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"auth": {"existingSecret": "a", "value": "b"}}, "keep one"),
        ({"modelVolume": {"type": "hostPath"}}, "name the node's folder"),
        ({"mode": "data-parallel", "autoscaling": {"enabled": True}}, "style to replicas"),
        ({"replicas": 2, "storage": {"existingClaim": "a"}}, "for one pod"),
        ({"mode": "data-parallel", "replicas": 2}, "set dataParallel.size"),
        ({"modelVolume": {"readOnly": True}}, "to pvc or hostPath"),
        ({"resources": {"limits": {"nvidia.com/gpu": 8}}}, "leave it out and set gpu.enabled"),
        ({"extraArgs": ["--port=9000"]}, "set the value port"),
        ({"extraArgs": ["-tp", "2"]}, "set the value parallel.tensor"),
        ({"autoscaling": {"enabled": True, "minReplicas": 5}}, "minReplicas is 5 and maxReplicas 4"),
        ({"strategy": {"rollingUpdate": {"maxSurge": 0}}}, "Recreate"),
        ({"ingress": {"enabled": True}}, "the name that clients call"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_values_that_contradict_each_other_are_refused_with_the_way_out(
    chart: Any, values: dict[str, Any], reason: str
):
    chart.validate_schema(values)
    with pytest.raises(helm.HelmError, match=reason):
        chart.render(values, name="demo", namespace="prod")


def test_the_schema_knows_the_values_and_no_others():
    def same(values: dict[str, Any], schema: dict[str, Any], where: str = "") -> None:
        declared = set(schema["properties"]) - {"global", "initialDelaySeconds"}
        assert declared == set(values), where
        for name, value in values.items():
            below = schema["properties"][name]
            if isinstance(value, dict) and below.get("properties"):
                same(value, below, f"{where}.{name}")

    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    same(values, json.loads((CHART / "values.schema.json").read_text(encoding="utf-8")))
    templates = "".join(p.read_text(encoding="utf-8") for p in (CHART / "templates").iterdir())
    assert [name for name in values if f".Values.{name}" not in templates] == []


def test_helm_finds_nothing_wrong_and_the_chart_is_of_this_version():
    assert helm.lint(CHART)["errors"] == []
    about = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    assert about["appVersion"] == quire.__version__
