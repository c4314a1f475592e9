{{- define "pomona.labels" -}}
app.kubernetes.io/name: pomona
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "pomona.metadata" -}}
name: {{ .Release.Name }}
labels:
  {{- include "pomona.labels" . | nindent 2 }}
{{- end }}
