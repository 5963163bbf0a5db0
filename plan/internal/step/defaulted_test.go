package step

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

// written is a template as a person writes it, and served the same as the API server gives it back.
const written = `
metadata: {labels: {app: agent}}
spec:
  hostNetwork: true
  serviceAccountName: agent
  initContainers: [{name: init, image: "agent@sha256:0"}]
  containers:
  - name: agent
    image: registry:5000/agent
    ports: [{containerPort: 8125, protocol: UDP}, {containerPort: 8126}]
    env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
    livenessProbe: {httpGet: {path: /live, port: 5555}}
    readinessProbe: {grpc: {port: 5000}, periodSeconds: 3}
    lifecycle: {preStop: {httpGet: {port: 80}}}
  - {name: trace-agent, image: "agent:7"}
  volumes:
  - {name: tmp}
  - {name: proc, hostPath: {path: /proc}}
  - {name: config, configMap: {name: c}}
  - {name: auth, secret: {secretName: s, defaultMode: 256}}
  - {name: pod, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}
  - {name: all, projected: {sources: [{serviceAccountToken: {path: token}}, {downwardAPI: {items: [{path: name, fieldRef: {fieldPath: metadata.name}}]}}]}}
`

const served = `
metadata: {creationTimestamp: null, labels: {app: agent}}
spec:
  hostNetwork: true
  restartPolicy: Always
  dnsPolicy: ClusterFirst
  schedulerName: default-scheduler
  serviceAccount: agent
  serviceAccountName: agent
  securityContext: {}
  terminationGracePeriodSeconds: 30
  initContainers: [{name: init, image: "agent@sha256:0", imagePullPolicy: IfNotPresent, resources: {}, terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}]
  containers:
  - name: agent
    image: registry:5000/agent
    imagePullPolicy: Always
    resources: {}
    terminationMessagePath: /dev/termination-log
    terminationMessagePolicy: File
    ports: [{containerPort: 8125, hostPort: 8125, protocol: UDP}, {containerPort: 8126, hostPort: 8126, protocol: TCP}]
    env: [{name: NODE, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: spec.nodeName}}}]
    livenessProbe: {httpGet: {path: /live, port: 5555, scheme: HTTP}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}
    readinessProbe: {grpc: {port: 5000, service: ""}, timeoutSeconds: 1, periodSeconds: 3, successThreshold: 1, failureThreshold: 3}
    lifecycle: {preStop: {httpGet: {path: /, port: 80, scheme: HTTP}}}
  - {name: trace-agent, image: "agent:7", imagePullPolicy: IfNotPresent, resources: {}, terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}
  volumes:
  - {name: tmp, emptyDir: {}}
  - {name: proc, hostPath: {path: /proc, type: ""}}
  - {name: config, configMap: {name: c, defaultMode: 420}}
  - {name: auth, secret: {secretName: s, defaultMode: 256}}
  - {name: pod, downwardAPI: {defaultMode: 420, items: [{path: labels, fieldRef: {apiVersion: v1, fieldPath: metadata.labels}}]}}
  - {name: all, projected: {defaultMode: 420, sources: [{serviceAccountToken: {path: token, expirationSeconds: 3600}}, {downwardAPI: {items: [{path: name, fieldRef: {apiVersion: v1, fieldPath: metadata.name}}]}}]}}
`

func TestSameTemplate(t *testing.T) {
	read := func(text string) *corev1.PodTemplateSpec {
		template := new(corev1.PodTemplateSpec)
		require.NoError(t, yaml.UnmarshalStrict([]byte(text), template))
		return template
	}
	require.True(t, SameTemplate(read(written), read(served)))
	require.True(t, SameTemplate(read(served), read(written)))
	for name, edit := range map[string]func(*corev1.PodTemplateSpec){
		"another image":      func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].Image = "agent:8" },
		"a probe less":       func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].LivenessProbe = nil },
		"another probe":      func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].LivenessProbe.PeriodSeconds = 11 },
		"an annotation":      func(p *corev1.PodTemplateSpec) { p.Annotations = map[string]string{"a": "b"} },
		"a variable":         func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].Env = []corev1.EnvVar{{Name: "A"}} },
		"another pull":       func(p *corev1.PodTemplateSpec) { p.Spec.Containers[1].ImagePullPolicy = corev1.PullAlways },
		"another mode":       func(p *corev1.PodTemplateSpec) { p.Spec.Volumes[3].Secret.DefaultMode = nil },
		"another host port":  func(p *corev1.PodTemplateSpec) { p.Spec.HostNetwork = false },
		"another probe port": func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].LivenessProbe.HTTPGet.Port = intstr.FromInt32(1) },
	} {
		changed := read(written)
		edit(changed)
		require.False(t, SameTemplate(changed, read(served)), name)
		require.False(t, SameTemplate(read(served), changed), name)
	}
}
