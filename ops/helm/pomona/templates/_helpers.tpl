{{- /* Names are quoted wherever they stand: 12 and 1e3 may be names, and are numbers without. */}}
{{- define "pomona.labels" -}}
app.kubernetes.io/name: pomona
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}
{{- define "pomona.metadata" -}}
name: {{ .Release.Name | quote }}
labels:
  {{- include "pomona.labels" . | nindent 2 }}
{{- end }}
