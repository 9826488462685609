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
app.kubernetes.io/name: {{ include "quire.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
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

{{- /* A tag, or a digest behind an @. */ -}}
{{- define "quire.image" -}}
{{- $tag := default (ternary "cuda" "cpu" .Values.gpu.enabled) .Values.image.tag -}}
{{- .Values.image.repository }}{{ ternary "@" ":" (hasPrefix "sha256:" $tag) }}{{ $tag -}}
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
{{- if and (eq .Values.modelVolume.type "emptyDir") .Values.modelVolume.readOnly -}}
{{- fail "modelVolume.readOnly is set and an emptyDir begins empty; set modelVolume.type to pvc or hostPath" -}}
{{- end -}}
{{- if and (eq .Values.mode "data-parallel") (ne (int .Values.replicas) 1) -}}
{{- fail "replicas is for the mode single; with data-parallel set dataParallel.size, and dataParallel.style to replicas" -}}
{{- end -}}
{{- $resources := default dict .Values.resources -}}
{{- range list $resources.requests $resources.limits -}}
{{- if hasKey (default dict .) $.Values.gpu.resource -}}
{{- fail (printf "resources names %s, which is counted from parallel and dataParallel; leave it out and set gpu.enabled" $.Values.gpu.resource) -}}
{{- end -}}
{{- end -}}
{{- $set := dict "--port" "port" "--host" "service" "--api-key" "auth" "--shutdown-timeout" "shutdown.drainSeconds" "--device" "gpu.enabled" "--storage-dir" "storage" "--tensor-parallel-size" "parallel.tensor" "-tp" "parallel.tensor" "--pipeline-parallel-size" "parallel.pipeline" "-pp" "parallel.pipeline" "--context-parallel-size" "parallel.context" "--enable-expert-parallel" "parallel.experts" "--data-parallel-size" "dataParallel.size" "-dp" "dataParallel.size" -}}
{{- range .Values.extraArgs -}}
{{- $flag := first (splitList "=" .) -}}
{{- if hasKey $set $flag -}}
{{- fail (printf "extraArgs has %s, which the rest of the chart has to know; set the value %s" $flag (get $set $flag)) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- fail (printf "autoscaling.minReplicas is %v and maxReplicas %v; raise the one or lower the other" .Values.autoscaling.minReplicas .Values.autoscaling.maxReplicas) -}}
{{- end -}}
{{- $update := .Values.strategy.rollingUpdate -}}
{{- if and (eq .Values.strategy.type "RollingUpdate") (has (toString $update.maxSurge) (list "0" "0%")) (has (toString $update.maxUnavailable) (list "0" "0%")) -}}
{{- fail "strategy.rollingUpdate allows neither a pod more nor a pod less; raise maxSurge, or set strategy.type to Recreate" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "ingress.enabled is set and ingress.host is empty; give the name that clients call" -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt $engines 1) -}}
{{- fail "autoscaling changes the number of pods, and data-parallel engines are one pod; set dataParallel.style to replicas" -}}
{{- end -}}
{{- if and .Values.storage.existingClaim $several -}}
{{- fail "storage.existingClaim is for one pod, and there may be several; leave it empty" -}}
{{- end -}}
{{- end -}}
