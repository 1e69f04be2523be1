{{/* The pod of an agent: beside an engine in the pod, or for the engine of its node. */}}
{{- define "penstock.agentPod" -}}
{{- $root := .root }}
{{- $agents := $root.Values.agents }}
{{- $isSidecar := eq $agents.mode "sidecar" }}
{{- $name := printf "%s-agent" (include "penstock.name" $root) }}
metadata:
  labels:
    {{- include "penstock.labels" $root | nindent 4 }}
    app.kubernetes.io/component: agent
  annotations:
    checksum/config: {{ toJson (list $agents.router $agents.engines $agents.ca) | sha256sum }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $agents.terminationGracePeriodSeconds }}
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- if $isSidecar }}
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
    {{- else }}
    {{- include "penstock.podSecurity" $root | nindent 4 }}
    {{- end }}
  {{- with $agents.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $agents.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  initContainers:
    {{- if not $isSidecar }}
    # The folder of the node belongs to root until the agent gets it.
    - name: folder
      image: {{ $agents.image.repository }}:{{ $agents.image.tag | default $root.Chart.AppVersion }}
      imagePullPolicy: {{ $agents.image.pullPolicy }}
      command: [sh, -c, "chown 10001:10001 /var/lib/penstock-agent && chmod 0700 /var/lib/penstock-agent"]
      securityContext:
        runAsNonRoot: false
        runAsUser: 0
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL], add: [CHOWN, FOWNER] }
      resources: { requests: { cpu: 10m, memory: 16Mi }, limits: { memory: 64Mi } }
      volumeMounts: [{ name: data, mountPath: /var/lib/penstock-agent }]
    {{- end }}
    - name: configuration
      image: {{ $agents.image.repository }}:{{ $agents.image.tag | default $root.Chart.AppVersion }}
      imagePullPolicy: {{ $agents.image.pullPolicy }}
      command:
        - node
        - -e
        - |-
          const { readFileSync, writeFileSync } = require('node:fs');
          // Only the first start of an agent needs its join token.
          let token = '';
          try {
            token = readFileSync(`/join-tokens/${process.env.AGENT_NAME}`, 'utf8').trim();
          } catch (error) {
            if (error.code !== 'ENOENT') throw error;
          }
          const values = { ...process.env, JOIN: token };
          const text = readFileSync('/template/config.yaml', 'utf8');
          const lines = token === '' ? text.replace(/^join:.*$/m, '') : text;
          const filled = lines.replace(/\$\{(\w+)\}/g, (whole, name) => {
            const value = values[name];
            if (value === undefined) throw new Error(`${name} is not set`);
            return value;
          });
          writeFileSync('/etc/penstock/agent.yaml', filled, { mode: 0o600 });
      env:
        - { name: AGENT_NAME, valueFrom: { fieldRef: { fieldPath: {{ ternary "metadata.name" "spec.nodeName" $isSidecar }} } } }
        - { name: HOST_IP, valueFrom: { fieldRef: { fieldPath: status.hostIP } } }
      securityContext:
        {{- if $isSidecar }}
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        {{- end }}
        {{- include "penstock.containerSecurity" $root | nindent 8 }}
      resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { memory: 128Mi } }
      volumeMounts:
        - { name: template, mountPath: /template, readOnly: true }
        - { name: join-tokens, mountPath: /join-tokens, readOnly: true }
        - { name: config, mountPath: /etc/penstock }
  containers:
    - name: agent
      image: {{ $agents.image.repository }}:{{ $agents.image.tag | default $root.Chart.AppVersion }}
      imagePullPolicy: {{ $agents.image.pullPolicy }}
      args: [--config, /etc/penstock/agent.yaml]
      ports: [{ name: metrics, containerPort: 9465 }]
      livenessProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
      # Not ready until an engine serves and a router is joined.
      readinessProbe: { httpGet: { path: /readyz, port: metrics }, periodSeconds: 5, timeoutSeconds: 2 }
      resources: {{- toYaml $agents.resources | nindent 8 }}
      securityContext:
        {{- if $isSidecar }}
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        {{- end }}
        {{- include "penstock.containerSecurity" $root | nindent 8 }}
      volumeMounts:
        - { name: config, mountPath: /etc/penstock, readOnly: true }
        - { name: data, mountPath: /var/lib/penstock-agent }
        {{- if $agents.ca.secret }}
        - { name: ca, mountPath: /etc/penstock-ca, readOnly: true }
        {{- end }}
        - { name: tmp, mountPath: /tmp }
    {{- if $isSidecar }}
    {{- with $agents.sidecar.engine }}
    - name: engine
      image: {{ .image }}
      args: {{- toYaml .args | nindent 8 }}
      env: {{- toYaml .env | nindent 8 }}
      # The engine finishes the answers that the agent waits for.
      lifecycle: { preStop: { exec: { command: [sh, -c, "sleep {{ $agents.sidecar.engineStopDelaySeconds }}"] } } }
      resources: {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        {{- with .volumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        - { name: shm, mountPath: /dev/shm }
    {{- end }}
    {{- end }}
  volumes:
    - { name: template, configMap: { name: {{ $name }} } }
    - { name: join-tokens, secret: { secretName: {{ $agents.joinTokens }}, optional: true, defaultMode: 0440 } }
    {{- if $agents.ca.secret }}
    - { name: ca, secret: { secretName: {{ $agents.ca.secret }}, items: [{ key: {{ $agents.ca.key }}, path: ca.crt }] } }
    {{- end }}
    - { name: config, emptyDir: { medium: Memory, sizeLimit: 1Mi } }
    - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
    {{- if $isSidecar }}
    - { name: shm, emptyDir: { medium: Memory } }
    {{- with $agents.sidecar.volumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- else }}
    - { name: data, hostPath: { path: {{ $agents.hostPath }}, type: DirectoryOrCreate } }
    {{- end }}
{{- end }}
