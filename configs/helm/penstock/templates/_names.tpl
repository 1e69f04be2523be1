{{- define "penstock.name" -}}
{{- if contains "penstock" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-penstock{{ end }}
{{- end }}

{{- define "penstock.labels" -}}
app.kubernetes.io/name: penstock
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "penstock.selector" -}}
app.kubernetes.io/name: penstock
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "penstock.routers" -}}
{{ include "penstock.name" . }}-routers
{{- end }}

{{- define "penstock.routersDomain" -}}
{{ include "penstock.routers" . }}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end }}

{{- define "penstock.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "penstock.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Writes the configuration of one pod: ${NAME} becomes the value of the environment variable. */}}
{{- define "penstock.fillIn" -}}
- node
- -e
- |-
  const { readFileSync, writeFileSync } = require('node:fs');
  const text = readFileSync('/template/config.yaml', 'utf8');
  const filled = text.replace(/\$\{(\w+)\}/g, (whole, name) => {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set`);
    return value;
  });
  writeFileSync('/etc/penstock/config.yaml', filled, { mode: 0o600 });
{{- end }}
