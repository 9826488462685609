{{- define "quire.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "quire.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "quire.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "quire.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "quire.selector" -}}
app.kubernetes.io/name: {{ include "quire.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quire.labels" -}}
{{ include "quire.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* Engines in one pod. */ -}}
{{- define "quire.engines" -}}
{{- if and (eq .Values.mode "data-parallel") (eq .Values.dataParallel.style "engines") -}}
{{- .Values.dataParallel.size -}}
{{- else -}}
1
{{- end -}}
{{- end -}}

{{- define "quire.replicas" -}}
{{- if ne .Values.mode "data-parallel" -}}
{{- .Values.replicas -}}
{{- else if eq .Values.dataParallel.style "replicas" -}}
{{- .Values.dataParallel.size -}}
{{- else -}}
1
{{- end -}}
{{- end -}}

{{- define "quire.gpus" -}}
{{- $p := .Values.parallel -}}
{{- mul $p.tensor $p.pipeline $p.context (include "quire.engines" . | int) -}}
{{- end -}}

{{- define "quire.secret" -}}
{{- if .Values.auth.existingSecret -}}
{{- .Values.auth.existingSecret -}}
{{- else if .Values.auth.value -}}
{{- printf "%s-keys" (include "quire.fullname" .) -}}
{{- end -}}
{{- end -}}

{{- define "quire.claim" -}}
{{- default (printf "%s-models" (include "quire.fullname" .)) .Values.modelVolume.existingClaim -}}
{{- end -}}

{{- /* What cannot work together, said before anything is made. */ -}}
{{- define "quire.check" -}}
{{- $engines := include "quire.engines" . | int -}}
{{- $several := or .Values.autoscaling.enabled (gt (include "quire.replicas" . | int) 1) -}}
{{- if and .Values.auth.existingSecret .Values.auth.value -}}
{{- fail "auth.existingSecret and auth.value are both set; keep one" -}}
{{- end -}}
{{- if and (eq .Values.modelVolume.type "hostPath") (not .Values.modelVolume.hostPath) -}}
{{- fail "modelVolume.type is hostPath and modelVolume.hostPath is empty; name the node's folder" -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt $engines 1) -}}
{{- fail "autoscaling changes the number of pods, and data-parallel engines are one pod; set dataParallel.style to replicas" -}}
{{- end -}}
{{- if and .Values.storage.existingClaim $several -}}
{{- fail "storage.existingClaim is for one pod, and there may be several; leave it empty" -}}
{{- end -}}
{{- end -}}
