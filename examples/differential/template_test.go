package differential

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	"k8s.io/kubernetes/pkg/apis/apps/validation"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"pgregory.net/rapid"

	"github.com/agent-rollout/planner/plan"
)

// What CheckDaemonSet refuses, the API server refuses at the same field; and a DaemonSet that it accepts is accepted there, as long
// as it is made of the parts that are checked.
func TestTemplateRulesAreTheServers(t *testing.T) {
	refused, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		set := anyDaemonSet(t)
		ours, servers := plan.CheckDaemonSet(set), serverFaults(t, set)
		for _, fault := range ours {
			at := fault.Field
			if fault.Type == field.ErrorTypeDuplicate {
				at = at[:strings.LastIndex(at, "[")] // the server does not look for a second one of what it has refused already
			}
			require.True(t, slices.ContainsFunc(servers, func(s *field.Error) bool { return related(s.Field, at) }), "we refuse %v, the server says %v", fault, servers)
		}
		for _, fault := range servers {
			require.True(t, slices.ContainsFunc(ours, func(o *field.Error) bool { return related(fault.Field, o.Field) }), "the server refuses %v, we say %v", fault, ours)
		}
		if len(ours) == 0 {
			accepted++
		} else {
			refused++
		}
	})
	require.Positive(t, refused)
	require.Positive(t, accepted)
}

// subPath of a mount: the server names it without the mount's number.
var subPath = regexp.MustCompile(`volumeMounts\[\d+\]\.subPath`)

// related: one names the field, or an object that holds it. The server's own version of a Pod has the host's namespaces in the security context.
func related(a, b string) bool {
	a = strings.Replace(a, "securityContext.shareProcessNamespace", "shareProcessNamespace", 1)
	a, b = subPath.ReplaceAllString(a, "volumeMounts.subPath"), subPath.ReplaceAllString(b, "volumeMounts.subPath")
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// serverFaults asks the validation of the API server, after its defaults.
func serverFaults(t require.TestingT, set *appsv1.DaemonSet) field.ErrorList {
	defaulted := set.DeepCopy()
	defaulted.Namespace = "default"
	legacyscheme.Scheme.Default(defaulted)
	internal := &apps.DaemonSet{}
	require.NoError(t, legacyscheme.Scheme.Convert(defaulted, internal, nil))
	return validation.ValidateDaemonSet(internal, podutil.GetValidationOptionsFromPodTemplate(&internal.Spec.Template, nil))
}

// anyDaemonSet draws a sound DaemonSet with up to three edits, each of which may break a rule.
func anyDaemonSet(t *rapid.T) *appsv1.DaemonSet {
	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "agent"}}
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}}
	set.Spec.Template.Labels = map[string]string{"app": "agent"}
	set.Spec.Template.Spec = corev1.PodSpec{
		Volumes:        []corev1.Volume{{Name: "run", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/run"}}}, {Name: "tmp"}},
		InitContainers: []corev1.Container{{Name: "prepare", Image: "agent:1", VolumeMounts: []corev1.VolumeMount{{Name: "tmp", MountPath: "/tmp"}}}},
		Containers: []corev1.Container{
			{Name: "agent", Image: "agent:1", VolumeMounts: []corev1.VolumeMount{{Name: "run", MountPath: "/host"}}, Ports: []corev1.ContainerPort{{Name: "statsd", ContainerPort: 8125}}},
			{Name: "trace", Image: "agent:1"},
		},
	}
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		edits[rapid.IntRange(0, len(edits)-1).Draw(t, "edit")](t, set)
	}
	return set
}

func draw[T any](t *rapid.T, values ...T) T { return rapid.SampledFrom(values).Draw(t, "value") }

func container(t *rapid.T, set *appsv1.DaemonSet) *corev1.Container {
	p := &set.Spec.Template.Spec
	return draw(t, &p.InitContainers[0], &p.Containers[0], &p.Containers[1])
}

var edits = []func(*rapid.T, *appsv1.DaemonSet){
	func(t *rapid.T, s *appsv1.DaemonSet) { s.Name = draw(t, "", "Agent", "a.b", strings.Repeat("a", 254)) },
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Selector = draw(t, &metav1.LabelSelector{}, &metav1.LabelSelector{MatchLabels: map[string]string{"app": "-"}})
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Template.Labels = draw(t, nil, map[string]string{"app": "agent", "x": "y"}, map[string]string{"app": "other"})
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		numbers := []*intstr.IntOrString{nil}
		for _, text := range []string{"0", "1", "-1", "0%", "10%", "101%"} {
			value := intstr.Parse(text)
			numbers = append(numbers, &value)
		}
		s.Spec.UpdateStrategy.Type = draw(t, appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType, "Recreate")
		s.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: draw(t, numbers...), MaxSurge: draw(t, numbers...)}
		if s.Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
			s.Spec.UpdateStrategy.RollingUpdate = nil
		}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) { s.Spec.MinReadySeconds = draw[int32](t, -1, 0, 5) },
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Template.Spec.RestartPolicy = draw(t, corev1.RestartPolicyNever, corev1.RestartPolicyAlways)
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		seconds := draw[int64](t, 0, 5)
		s.Spec.Template.Spec.ActiveDeadlineSeconds = &seconds
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		seconds := draw[int64](t, -1, 0, 5)
		s.Spec.Template.Spec.TerminationGracePeriodSeconds = &seconds
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		share := draw(t, true, false)
		s.Spec.Template.Spec.HostPID, s.Spec.Template.Spec.ShareProcessNamespace = true, &share
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Template.Spec.DNSPolicy = draw(t, corev1.DNSDefault, "Other")
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Template.Spec.ServiceAccountName = draw(t, "agent", "A b")
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Template.Spec.NodeSelector = draw(t, map[string]string{"a": "b"}, map[string]string{"a b": "c"}, map[string]string{"a": "b c"})
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		seconds := int64(3)
		s.Spec.Template.Spec.Tolerations = []corev1.Toleration{draw(t,
			corev1.Toleration{Operator: corev1.TolerationOpExists}, corev1.Toleration{Operator: corev1.TolerationOpEqual, Value: "x"}, corev1.Toleration{Key: "a b", Operator: corev1.TolerationOpExists},
			corev1.Toleration{Key: "a", Operator: corev1.TolerationOpExists, Value: "x"}, corev1.Toleration{Key: "a", Effect: "Evict"},
			corev1.Toleration{Key: "a", TolerationSeconds: &seconds}, corev1.Toleration{Key: "a", Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds})}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		term := draw(t, corev1.NodeSelectorTerm{}, requirement("a", corev1.NodeSelectorOpIn), requirement("a", corev1.NodeSelectorOpIn, "b"), requirement("a", corev1.NodeSelectorOpExists, "b"),
			requirement("a", corev1.NodeSelectorOpGt), requirement("a", corev1.NodeSelectorOpLt, "3"), requirement("a", corev1.NodeSelectorOpGt, "x"), requirement("a", "Like", "b"), requirement("a b", corev1.NodeSelectorOpExists))
		terms := draw(t, []corev1.NodeSelectorTerm{}, []corev1.NodeSelectorTerm{term})
		s.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		preferred := []corev1.PreferredSchedulingTerm{{Weight: draw[int32](t, 0, 1, 100, 101), Preference: requirement("a", corev1.NodeSelectorOpExists)}}
		s.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: preferred}}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		term := corev1.PodAffinityTerm{TopologyKey: draw(t, "", corev1.LabelHostname), LabelSelector: draw(t, nil, &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}})}
		s.Spec.Template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term}}}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		container(t, s).Name = draw(t, "", "agent", "trace", "A", "other")
	},
	func(t *rapid.T, s *appsv1.DaemonSet) { container(t, s).Image = draw(t, "", "agent:2") },
	func(t *rapid.T, s *appsv1.DaemonSet) {
		container(t, s).ImagePullPolicy = draw(t, corev1.PullAlways, "Sometimes")
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Template.Spec.Containers = nil
		s.Spec.Template.Spec.InitContainers = nil
		s.Spec.Template.Spec.Containers = []corev1.Container{{Name: "x", Image: "y"}, {Name: "z", Image: "y"}}
		s.Spec.Template.Spec.InitContainers = []corev1.Container{{Name: "w", Image: "y"}}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		c := container(t, s)
		for range 2 {
			c.Ports = append(c.Ports, corev1.ContainerPort{Name: draw(t, "", "http", "statsd", "UP", "a_b"), ContainerPort: draw[int32](t, 0, 80, 99999), HostPort: draw[int32](t, 0, 80, 81, 99999), Protocol: draw(t, "", corev1.ProtocolUDP, "ICMP")})
		}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) { s.Spec.Template.Spec.HostNetwork = true },
	func(t *rapid.T, s *appsv1.DaemonSet) {
		from := &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "spec.nodeName"}}
		c := container(t, s)
		c.Env = append(c.Env, draw(t, corev1.EnvVar{Name: "A", Value: "b"}, corev1.EnvVar{Value: "b"}, corev1.EnvVar{Name: "a=b"}, corev1.EnvVar{Name: "A", ValueFrom: from}, corev1.EnvVar{Name: "A", Value: "b", ValueFrom: from}, corev1.EnvVar{Name: "A", ValueFrom: &corev1.EnvVarSource{}}))
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		c := container(t, s)
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: draw(t, "", "run", "gone"), MountPath: draw(t, "", "/host", "/other"), SubPath: draw(t, "", "a/b", "/a", "a/../b"), SubPathExpr: draw(t, "", "c")})
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		s.Spec.Template.Spec.Volumes = append(s.Spec.Template.Spec.Volumes, draw(t,
			corev1.Volume{Name: "run"}, corev1.Volume{Name: ""}, corev1.Volume{Name: "A"}, corev1.Volume{Name: "more"},
			corev1.Volume{Name: "two", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}, HostPath: &corev1.HostPathVolumeSource{Path: "/x"}}},
			corev1.Volume{Name: "path", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{}}},
			corev1.Volume{Name: "up", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/a/../b"}}},
			corev1.Volume{Name: "map", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}},
			corev1.Volume{Name: "secret", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{}}}))
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		some := func(texts ...string) corev1.ResourceList {
			list := corev1.ResourceList{}
			for _, name := range []corev1.ResourceName{"cpu", "hugepages-2Mi", "example.com/nic"} {
				if text := draw(t, texts...); text != "" {
					list[name] = resource.MustParse(text)
				}
			}
			return list
		}
		container(t, s).Resources = corev1.ResourceRequirements{Requests: some("", "", "2Mi", "4Mi", "-2Mi"), Limits: some("", "2Mi", "4Mi")}
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		port := draw(t, intstr.FromInt32(80), intstr.FromInt32(70000), intstr.FromString("http"), intstr.FromString("A_b"))
		probe := draw(t, &corev1.Probe{}, &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{}}}, &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: port}}},
			&corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: port}, TCPSocket: &corev1.TCPSocketAction{Port: port}}},
			&corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: port}}, PeriodSeconds: draw[int32](t, -1, 0, 3), SuccessThreshold: draw[int32](t, 0, 1, 2)})
		c := container(t, s)
		*draw(t, &c.LivenessProbe, &c.ReadinessProbe, &c.StartupProbe) = probe
	},
	func(t *rapid.T, s *appsv1.DaemonSet) {
		container(t, s).Lifecycle = draw(t, &corev1.Lifecycle{}, &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{}}, &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"x"}}}})
	},
}

func requirement(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: operator, Values: values}}}
}
