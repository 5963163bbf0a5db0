package step

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// SameTemplate tells whether two templates are one to the API server: what it fills in by itself says nothing. What it fills in and is not known
// here makes a difference of none, which costs a roll at most.
func SameTemplate(a, b *corev1.PodTemplateSpec) bool {
	a, b = defaulted(a), defaulted(b)
	return Covers(a, b) && Covers(b, a)
}

// defaulted is a copy of the template with the defaults that the API reference has for what agents' Pods say.
func defaulted(template *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	t := template.DeepCopy()
	pod := &t.Spec
	fill(&pod.RestartPolicy, corev1.RestartPolicyAlways)
	fill(&pod.DNSPolicy, corev1.DNSClusterFirst)
	fill(&pod.SchedulerName, corev1.DefaultSchedulerName)
	fill(&pod.DeprecatedServiceAccount, pod.ServiceAccountName)
	fillPointer(&pod.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	for _, containers := range [...][]corev1.Container{pod.InitContainers, pod.Containers} {
		for i := range containers {
			defaultContainer(&containers[i], pod.HostNetwork)
		}
	}
	for i := range pod.Volumes {
		defaultVolume(&pod.Volumes[i].VolumeSource)
	}
	return t
}

func fill[T comparable](value *T, with T) {
	var none T
	if *value == none {
		*value = with
	}
}

func fillPointer[T any](value **T, with T) {
	if *value == nil {
		*value = &with
	}
}

func defaultContainer(c *corev1.Container, hostNetwork bool) {
	fill(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	fill(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	fill(&c.ImagePullPolicy, pullPolicy(c.Image))
	for i := range c.Ports {
		fill(&c.Ports[i].Protocol, corev1.ProtocolTCP)
		if hostNetwork {
			fill(&c.Ports[i].HostPort, c.Ports[i].ContainerPort)
		}
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.FieldRef != nil {
			fill(&from.FieldRef.APIVersion, "v1")
		}
	}
	for _, probe := range [...]*corev1.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
		if probe != nil {
			defaultProbe(probe)
		}
	}
	if hooks := c.Lifecycle; hooks != nil {
		for _, hook := range [...]*corev1.LifecycleHandler{hooks.PostStart, hooks.PreStop} {
			if hook != nil {
				defaultGet(hook.HTTPGet)
			}
		}
	}
}

// pullPolicy is Always for an image that is not named to the letter: without tag and digest, or tagged latest.
func pullPolicy(image string) corev1.PullPolicy {
	if name := repository(image); !strings.Contains(image, "@") && (name == image || strings.TrimPrefix(image, name) == ":latest") {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func defaultProbe(p *corev1.Probe) {
	fill(&p.TimeoutSeconds, 1)
	fill(&p.PeriodSeconds, 10)
	fill(&p.SuccessThreshold, 1)
	fill(&p.FailureThreshold, 3)
	defaultGet(p.HTTPGet)
	if p.GRPC != nil {
		fillPointer(&p.GRPC.Service, "")
	}
}

func defaultGet(get *corev1.HTTPGetAction) {
	if get != nil {
		fill(&get.Path, "/")
		fill(&get.Scheme, corev1.URISchemeHTTP)
	}
}

func defaultVolume(v *corev1.VolumeSource) {
	const mode = 0o644
	if *v == (corev1.VolumeSource{}) {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if v.HostPath != nil {
		fillPointer(&v.HostPath.Type, corev1.HostPathUnset)
	}
	if v.Secret != nil {
		fillPointer(&v.Secret.DefaultMode, mode)
	}
	if v.ConfigMap != nil {
		fillPointer(&v.ConfigMap.DefaultMode, mode)
	}
	if v.DownwardAPI != nil {
		fillPointer(&v.DownwardAPI.DefaultMode, mode)
		defaultFields(v.DownwardAPI.Items)
	}
	if v.Projected != nil {
		fillPointer(&v.Projected.DefaultMode, mode)
		for i := range v.Projected.Sources {
			if source := &v.Projected.Sources[i]; source.DownwardAPI != nil {
				defaultFields(source.DownwardAPI.Items)
			} else if source.ServiceAccountToken != nil {
				fillPointer(&source.ServiceAccountToken.ExpirationSeconds, 3600)
			}
		}
	}
}

func defaultFields(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		if items[i].FieldRef != nil {
			fill(&items[i].FieldRef.APIVersion, "v1")
		}
	}
}
