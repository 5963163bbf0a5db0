package step

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func agentSpec() *appsv1.DaemonSetSpec {
	limit := intstr.FromString("10%")
	return &appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "agent"}},
			Spec: corev1.PodSpec{
				HostPID: true,
				Containers: []corev1.Container{{
					Name: "agent", Image: "agent:1", Command: []string{"agent", "run"},
					Env:       []corev1.EnvVar{{Name: "A", Value: "1"}},
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("200m")}},
				}},
				Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			},
		},
		UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &limit}},
	}
}

func TestCovers(t *testing.T) {
	seconds := int64(30)
	tests := []struct {
		name string
		// defaulted changes the live object, edited the desired one.
		defaulted, edited func(*appsv1.DaemonSetSpec)
		want              bool
	}{
		{name: "the same", want: true},
		{name: "what the API server fills in", want: true, defaulted: func(s *appsv1.DaemonSetSpec) {
			s.Template.Spec.RestartPolicy = corev1.RestartPolicyAlways
			s.Template.Spec.TerminationGracePeriodSeconds = &seconds
			s.Template.Spec.Containers[0].TerminationMessagePath = "/dev/termination-log"
			s.Template.Spec.SecurityContext = &corev1.PodSecurityContext{}
			zero := intstr.FromInt32(0)
			s.UpdateStrategy.RollingUpdate.MaxSurge = &zero
		}},
		{name: "the same quantity in other words", want: true, edited: func(s *appsv1.DaemonSetSpec) {
			s.Template.Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("0.2")
		}},
		{name: "an empty object asks for nothing", want: true, edited: func(s *appsv1.DaemonSetSpec) {
			s.Template.Spec.SecurityContext = &corev1.PodSecurityContext{}
		}},
		{name: "another quantity", edited: func(s *appsv1.DaemonSetSpec) {
			s.Template.Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("300m")
		}},
		{name: "a request more", edited: func(s *appsv1.DaemonSetSpec) {
			s.Template.Spec.Containers[0].Resources.Requests["memory"] = resource.MustParse("1Gi")
		}},
		{name: "another image", edited: func(s *appsv1.DaemonSetSpec) { s.Template.Spec.Containers[0].Image = "agent:2" }},
		{name: "a word of the command less", edited: func(s *appsv1.DaemonSetSpec) { s.Template.Spec.Containers[0].Command = []string{"agent"} }},
		{name: "a container more", edited: func(s *appsv1.DaemonSetSpec) {
			s.Template.Spec.Containers = append(s.Template.Spec.Containers, corev1.Container{Name: "trace-agent"})
		}},
		{name: "an object that the live one has not", edited: func(s *appsv1.DaemonSetSpec) {
			yes := true
			s.Template.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsNonRoot: &yes}
		}},
		{name: "a label more", edited: func(s *appsv1.DaemonSetSpec) { s.Template.Labels["tier"] = "node" }},
		{name: "another percentage", edited: func(s *appsv1.DaemonSetSpec) {
			limit := intstr.FromString("20%")
			s.UpdateStrategy.RollingUpdate.MaxUnavailable = &limit
		}},
		{name: "a number for a percentage", edited: func(s *appsv1.DaemonSetSpec) {
			limit := intstr.FromInt32(1)
			s.UpdateStrategy.RollingUpdate.MaxUnavailable = &limit
		}},
		{name: "another strategy", edited: func(s *appsv1.DaemonSetSpec) { s.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			live, desired := agentSpec(), agentSpec()
			if test.defaulted != nil {
				test.defaulted(live)
			}
			if test.edited != nil {
				test.edited(desired)
			}
			require.Equal(t, test.want, Covers(live, desired))
		})
	}
}
