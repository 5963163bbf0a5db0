package template

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const sound = `
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}
  template:
    metadata: {labels: {app: agent, tier: node}}
    spec:
      hostPID: true
      nodeSelector: {kubernetes.io/os: linux}
      tolerations: [{operator: Exists}]
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{}, {matchExpressions: [{key: a, operator: In, values: [b]}, {key: c, operator: Gt, values: ["3"]}]}]
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: agent}}}]
      volumes: [{name: run, hostPath: {path: /var/run}}, {name: scratch}, {name: config, configMap: {name: agent}}]
      initContainers:
      - {name: prepare, image: "agent:1", ports: [{containerPort: 8125, hostPort: 8125}]}
      - {name: proxy, image: "proxy:1", restartPolicy: Always, startupProbe: {exec: {command: ["true"]}}}
      containers:
      - name: agent
        image: "agent:1"
        env: [{name: A, value: b}, {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
        ports: [{name: statsd, containerPort: 8125, hostPort: 8125, protocol: UDP}, {containerPort: 8125, hostPort: 8125}]
        volumeMounts: [{name: run, mountPath: /host/run}, {name: scratch, mountPath: /tmp, subPath: a/b}]
        resources: {requests: {cpu: 200m, memory: 1Gi, example.com/nic: 1}, limits: {memory: 1Gi, example.com/nic: 1}}
        livenessProbe: {httpGet: {path: /live, port: 5555}, periodSeconds: 15}
        readinessProbe: {tcpSocket: {port: statsd}}
        lifecycle: {preStop: {sleep: {seconds: 1}}}
`

// The faults that follow are of the sound DaemonSet with one edit each.
func TestCheck(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"sound", "", "", ""},
		{"no selector", "selector: {matchLabels: {app: agent}}", "selector: {}", "spec.selector: Required value"},
		{"a selector that takes other labels", "labels: {app: agent, tier: node}", "labels: {app: other}", "spec.template.metadata.labels: Invalid value"},
		{"a name that is no DNS name", "metadata: {name: agent}", "metadata: {name: Agent}", "metadata.name: Invalid value"},
		{"both numbers of the strategy", "maxUnavailable: 10%", "maxUnavailable: 10%, maxSurge: 1", "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value"},
		{"neither number of the strategy", "maxUnavailable: 10%", "maxUnavailable: 0", "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value"},
		{"a restart policy", "hostPID: true", "restartPolicy: Never", "spec.template.spec.restartPolicy: Unsupported value"},
		{"a shared namespace under hostPID", "hostPID: true", "hostPID: true\n      shareProcessNamespace: true", "spec.template.spec.shareProcessNamespace: Invalid value"},
		{"a toleration without key", "{operator: Exists}", "{value: x}", "spec.template.spec.tolerations[0].operator: Invalid value"},
		{"an empty list of terms", "nodeSelectorTerms: [{}, {matchExpressions: [{key: a, operator: In, values: [b]}, {key: c, operator: Gt, values: [\"3\"]}]}]", "nodeSelectorTerms: []",
			"spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value"},
		{"In without values", "operator: In, values: [b]", "operator: In", "nodeSelectorTerms[1].matchExpressions[0].values: Required value"},
		{"no topology key", "topologyKey: kubernetes.io/hostname, ", "", "podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value"},
		{"a mount without a volume", "{name: run, mountPath: /host/run}", "{name: gone, mountPath: /host/run}", "spec.template.spec.containers[0].volumeMounts[0].name: Not found: \"gone\""},
		{"an init container's mount without a volume", "{name: prepare, ", "{name: prepare, volumeMounts: [{name: gone, mountPath: /x}], ", "spec.template.spec.initContainers[0].volumeMounts[0].name: Not found"},
		{"two mounts at one path", "mountPath: /tmp", "mountPath: /host/run", "volumeMounts[1].mountPath: Invalid value"},
		{"a sub path that leaves", "subPath: a/b", "subPath: a/../../b", "volumeMounts[1].subPath: Invalid value"},
		{"two volumes of one name", "{name: scratch}", "{name: run}, {name: scratch}", "spec.template.spec.volumes[1].name: Duplicate value"},
		{"two sources", "configMap: {name: agent}", "configMap: {name: agent}, emptyDir: {}", "spec.template.spec.volumes[2]: Forbidden: emptyDir and configMap exclude each other"},
		{"no image", "- name: agent\n        image: \"agent:1\"", "- name: agent", "spec.template.spec.containers[0].image: Required value"},
		{"two containers of one name", "{name: proxy,", "{name: agent,", "spec.template.spec.initContainers[1].name: Duplicate value"},
		{"a port too big", "containerPort: 8125, hostPort: 8125, protocol: UDP", "containerPort: 99999, protocol: UDP", "spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 99999"},
		{"a host port twice", "protocol: UDP", "protocol: TCP", "spec.template.spec.containers[0].ports[1].hostPort: Duplicate value"},
		{"another host port under hostNetwork", "hostPID: true", "hostNetwork: true", ""},
		{"a variable without name", "{name: A, value: b}", "{value: b}", "spec.template.spec.containers[0].env[0].name: Required value"},
		{"a value and its source", "{name: NODE, valueFrom", "{name: NODE, value: x, valueFrom", "env[1].valueFrom: Invalid value"},
		{"a request above its limit", "limits: {memory: 1Gi", "limits: {memory: 1Mi", "spec.template.spec.containers[0].resources.requests[memory]: Invalid value: \"1Gi\": must be at most the limit of memory, 1Mi"},
		{"an extended resource without limit", "limits: {memory: 1Gi, example.com/nic: 1}", "limits: {}", "spec.template.spec.containers[0].resources.limits: Required value: example.com/nic needs a limit too"},
		{"a probe of two kinds", "{tcpSocket: {port: statsd}}", "{tcpSocket: {port: statsd}, exec: {command: [x]}}", "readinessProbe: Forbidden: exec and tcpSocket exclude each other"},
		{"a probe of no kind", "{tcpSocket: {port: statsd}}", "{periodSeconds: 1}", "readinessProbe: Required value"},
		{"a probe's port too big", "port: 5555", "port: 70000", "livenessProbe.httpGet.port: Invalid value: 70000"},
		{"a probe's number below 0", "periodSeconds: 15", "periodSeconds: -1", "livenessProbe.periodSeconds: Invalid value: -1"},
		{"a probe of an init container that ends", "{name: prepare, ", "{name: prepare, livenessProbe: {exec: {command: [x]}}, ", "spec.template.spec.initContainers[0].livenessProbe: Forbidden"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, sound, test.old)
			faults := Check(read(t, strings.Replace(sound, test.old, test.new, 1)))
			if test.want == "" {
				require.Empty(t, faults)
				return
			}
			require.Len(t, faults, 1, "%v", faults)
			require.Contains(t, faults[0].Error(), test.want)
		})
	}
}

// Nothing hides anything else: what is empty has a fault for each thing that is missing.
func TestCheckListsAll(t *testing.T) {
	set := &appsv1.DaemonSet{}
	set.Spec.Template.Spec.Containers = []corev1.Container{{VolumeMounts: []corev1.VolumeMount{{}}, Ports: []corev1.ContainerPort{{}}}}
	var paths []string
	for _, fault := range Check(set) {
		paths = append(paths, fault.Field)
	}
	require.Equal(t, []string{
		"metadata.name", "spec.selector", "spec.template.spec.containers[0].name", "spec.template.spec.containers[0].image",
		"spec.template.spec.containers[0].ports[0].containerPort", "spec.template.spec.containers[0].volumeMounts[0].name", "spec.template.spec.containers[0].volumeMounts[0].mountPath",
	}, paths)
}

func read(t *testing.T, text string) *appsv1.DaemonSet {
	t.Helper()
	set := &appsv1.DaemonSet{}
	require.NoError(t, yaml.UnmarshalStrict([]byte(text), set))
	return set
}
