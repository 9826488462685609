"""Checks Kubernetes documents strictly: known kinds, known fields, right types.

Kubernetes' own kinds are read by the models of its Python client, which are made from its OpenAPI description
and refuse unknown fields. Those of KubeRay and of the Prometheus operator are described here, field by field,
as far as they are used: `spec` of RayServiceSpec, RayJobSpec and RayClusterSpec in KubeRay's
ray-operator/apis/ray/v1, and ServiceMonitorSpec of monitoring.coreos.com/v1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import kubernetes.client as k8s
import pydantic
import yaml

from quire.cli.serve import command

KINDS = {
    ("v1", "Service"): k8s.V1Service,
    ("v1", "Secret"): k8s.V1Secret,
    ("v1", "PersistentVolumeClaim"): k8s.V1PersistentVolumeClaim,
    ("apps/v1", "Deployment"): k8s.V1Deployment,
    ("policy/v1", "PodDisruptionBudget"): k8s.V1PodDisruptionBudget,
    ("networking.k8s.io/v1", "Ingress"): k8s.V1Ingress,
    ("autoscaling/v2", "HorizontalPodAutoscaler"): k8s.V2HorizontalPodAutoscaler,
}

# A field whose name ends with ! must be there. Ray's parameters are text, numbers too.
HEAD_GROUP = {"rayStartParams!": {str: str}, "template!": k8s.V1PodTemplateSpec}
WORKER_GROUP = {
    "groupName!": str,
    "replicas": int,
    "minReplicas!": int,
    "maxReplicas!": int,
    **HEAD_GROUP,
}
CLUSTER = {"rayVersion": str, "headGroupSpec!": HEAD_GROUP, "workerGroupSpecs": [WORKER_GROUP]}
SPECS: dict[tuple[str, str], Any] = {
    ("ray.io/v1", "RayService"): {
        "serveConfigV2": str,
        "rayClusterConfig!": CLUSTER,
        "upgradeStrategy": {"type": str},
        "rayClusterDeletionDelaySeconds": int,
    },
    ("ray.io/v1", "RayJob"): {
        "entrypoint": str,
        "backoffLimit": int,
        "shutdownAfterJobFinishes": bool,
        "rayClusterSpec": CLUSTER,
    },
    ("monitoring.coreos.com/v1", "ServiceMonitor"): {
        "selector!": k8s.V1LabelSelector,
        "endpoints!": [{"port": str, "path": str, "interval": str}],
    },
}


def documents(text: str) -> list[dict[str, Any]]:
    return [document for document in yaml.load_all(text, _Unique) if document is not None]


class _Unique(yaml.SafeLoader):
    """Refuses a key that is there twice, which YAML readers take silently."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        names = [key.value for key, _ in node.value]
        assert len(names) == len(set(names)), f"{node.start_mark}: {names} has a key twice"
        return super().construct_mapping(node, deep)


def check(document: dict[str, Any]) -> None:
    """Raises for a kind that is not known, an unknown field, or a value of another type."""
    kind = document["apiVersion"], document["kind"]
    if kind in KINDS:
        _fit(document, KINDS[kind], "")
    else:
        _fit(document.get("metadata"), k8s.V1ObjectMeta, "metadata")
        assert set(document) == {"apiVersion", "kind", "metadata", "spec"}
        _fit(document["spec"], SPECS[kind], "spec")


def _fit(value: Any, spec: Any, where: str) -> None:
    if isinstance(spec, list):
        assert isinstance(value, list), f"{where} is {value!r} and must be a list"
        for index, each in enumerate(value):
            _fit(each, spec[0], f"{where}[{index}]")
    elif isinstance(spec, dict) and str in spec:
        for name, each in value.items():
            _fit(each, spec[str], f"{where}.{name}")
    elif isinstance(spec, dict):
        fields = {name.rstrip("!"): each for name, each in spec.items()}
        unknown = set(value) - set(fields)
        missing = {name[:-1] for name in spec if name.endswith("!")} - set(value)
        assert not unknown and not missing, f"{where}: unknown {unknown}, missing {missing}"
        for name, each in value.items():
            _fit(each, fields[name], f"{where}.{name}")
    elif issubclass(spec, pydantic.BaseModel):
        spec.model_validate(value, by_alias=True, by_name=False)
    else:
        assert type(value) is spec, f"{where} is {value!r} and must be {spec.__name__}"


def options_of(arguments: Iterable[str]) -> dict[str, Any]:
    """What `quire serve` makes of these arguments; raises for a flag it does not have."""
    return dict(command.make_context("serve", list(arguments)).params)


def served_paths() -> set[str]:
    """The paths that answer without a key, as probes and scrapers need."""
    from quire.server.gate import OPEN

    return {path.decode() for path in OPEN} | {"/metrics"}
