package lockspec

import (
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/model"
)

// RefusedError says why a template cannot be protected. Open it with errors.As.
type RefusedError struct {
	// Faults are all the refusals, each with the field, what it is and what to do. Paths begin at the
	// DaemonSet: spec.template...; those of a malformed specification begin with lock.
	Faults field.ErrorList
}

// Error lists every fault.
func (e *RefusedError) Error() string {
	return "the template cannot be protected by locks: " + e.Faults.ToAggregate().Error()
}

// Wrap returns the template with every container behind its lock. The input is not changed and shares
// nothing with the result. The error is a *RefusedError that carries every reason at once.
//
// A template that the same specification has wrapped already is returned as it is, with one exception:
// image and pull policy of the init container that copies the tool follow the tool container. An
// image that was edited in a wrapped template therefore reaches both. A template that is wrapped in
// part, or otherwise than the specification says, is refused.
//
// The template's annotations are left to the caller. Named ports that go away under hostNetwork can no
// longer be a Service's named target port.
func Wrap(template corev1.PodTemplateSpec, spec model.LockSpec) (corev1.PodTemplateSpec, error) {
	faults := validateSpec(&spec, field.NewPath("lock"))
	if len(faults) == 0 {
		faults = Refuse(&template, &spec, field.NewPath("spec", "template"))
	}
	if len(faults) > 0 {
		return corev1.PodTemplateSpec{}, &RefusedError{Faults: faults}
	}
	wrapped := *template.DeepCopy()
	if !touched(&template, &spec) {
		render(&wrapped, &spec)
	}
	tool, copier := container(&wrapped.Spec, spec.ToolContainer), &wrapped.Spec.InitContainers[len(wrapped.Spec.InitContainers)-1]
	copier.Image, copier.ImagePullPolicy = tool.Image, tool.ImagePullPolicy
	return wrapped, nil
}

// render wraps a template that nothing speaks against.
func render(t *corev1.PodTemplateSpec, spec *model.LockSpec) {
	pod := &t.Spec
	if pod.HostNetwork {
		dropPorts(pod)
	}
	narrow(t, spec)
	for i := range pod.Containers {
		renderComponent(&pod.Containers[i], spec)
	}
	pod.Volumes = append(pod.Volumes, volumes(spec)...)
	pod.InitContainers = append(pod.InitContainers, copier(spec, container(pod, spec.ToolContainer)))
}

func renderComponent(c *corev1.Container, spec *model.LockSpec) {
	if c.LivenessProbe != nil {
		c.LivenessProbe.FailureThreshold = livenessThreshold(c.LivenessProbe, c.StartupProbe)
	}
	c.StartupProbe = startupProbe(spec, c.Name)
	c.Command = append(prefix(spec, c.Name), c.Command...)
	c.VolumeMounts = append(c.VolumeMounts, componentMounts(spec)...)
}

// prefix is what comes before a component's own command: the host lock, then the Pod-local one. Both
// calls lock and execute in place, so one process holds both locks and is the component.
func prefix(spec *model.LockSpec, name string) []string {
	return []string{toolPath(spec), path.Join(spec.HostDirectory, name+".lock"), toolPath(spec), activeLock(spec, name)}
}

func activeLock(spec *model.LockSpec, name string) string {
	return path.Join(spec.StateDirectory, name+".active.lock")
}

// toolPath is where the components find the copied tool.
func toolPath(spec *model.LockSpec) string {
	return path.Join(spec.ToolsDirectory, path.Base(spec.Tool))
}

func volumes(spec *model.LockSpec) []corev1.Volume {
	create := corev1.HostPathDirectoryOrCreate
	return []corev1.Volume{
		{Name: spec.Volumes.Host, VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: spec.HostDirectory, Type: &create}}},
		{Name: spec.Volumes.State, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{Name: spec.Volumes.Tools, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
	}
}

func componentMounts(spec *model.LockSpec) []corev1.VolumeMount {
	return []corev1.VolumeMount{
		{Name: spec.Volumes.Host, MountPath: spec.HostDirectory},
		{Name: spec.Volumes.State, MountPath: spec.StateDirectory},
		{Name: spec.Volumes.Tools, MountPath: spec.ToolsDirectory, ReadOnly: true},
	}
}

// copier is the init container that copies the tool out of the tool container's image. It takes that
// container's requests and limits: it never runs at the same time, so the Pod's sum stays the same,
// and a Guaranteed Pod stays one.
func copier(spec *model.LockSpec, tool *corev1.Container) corev1.Container {
	root, readOnly := int64(0), true
	resources := tool.Resources.DeepCopy()
	resources.Claims = nil
	return corev1.Container{
		Name:            spec.InitContainer,
		Command:         []string{spec.CopyCommand, spec.Tool, toolPath(spec)},
		Resources:       *resources,
		SecurityContext: &corev1.SecurityContext{RunAsUser: &root, ReadOnlyRootFilesystem: &readOnly},
		VolumeMounts:    []corev1.VolumeMount{{Name: spec.Volumes.Tools, MountPath: spec.ToolsDirectory}},
	}
}

// dropPorts removes the declared ports, which the API server turns into host ports under hostNetwork:
// the scheduler would keep a second generation off the node. The programs listen all the same.
func dropPorts(pod *corev1.PodSpec) {
	for _, list := range [][]corev1.Container{pod.Containers, pod.InitContainers} {
		for i := range list {
			list[i].Ports = nil
		}
	}
}

// touched reports whether anything of the wrapper is in the template: then it is judged as a wrapped
// one. A reserved volume name alone is a collision, not a trace.
func touched(t *corev1.PodTemplateSpec, spec *model.LockSpec) bool {
	return slices.ContainsFunc(t.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == spec.InitContainer }) ||
		slices.ContainsFunc(t.Spec.Containers, func(c corev1.Container) bool { return word(&c, 0) == toolPath(spec) })
}
