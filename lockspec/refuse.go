package lockspec

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/model"
)

// Refuse returns everything that keeps the template from being protected by locks: the Pod as a whole,
// then each init container, each container, volumes and affinity. Field paths lie below path, below
// "template" if it is nil. An empty list means that Wrap accepts the template. The specification must be
// valid, as Resolve returns it. Nothing is changed.
func Refuse(template *corev1.PodTemplateSpec, spec *model.LockSpec, path *field.Path) field.ErrorList {
	if path == nil {
		path = field.NewPath("template")
	}
	r := refusal{template: template, pod: &template.Spec, spec: spec, path: path.Child("spec"), labels: path.Child("metadata", "labels"), wrapped: touched(template, spec)}
	r.platform()
	r.toolContainer()
	for i := range r.pod.InitContainers {
		r.initContainer(&r.pod.InitContainers[i], r.path.Child("initContainers").Index(i))
	}
	for i := range r.pod.Containers {
		r.component(&r.pod.Containers[i], r.path.Child("containers").Index(i))
	}
	for i := range r.pod.EphemeralContainers {
		r.forbid(r.path.Child("ephemeralContainers").Index(i), "an ephemeral container holds no lock: remove it from the template")
	}
	r.volumes()
	r.faults = append(r.faults, refuseAntiAffinity(template, spec, r.wrapped, path)...)
	if r.wrapped {
		r.halfWrapped()
	} else {
		r.otherWrapper()
	}
	return r.faults
}

// refusal collects the faults of one template.
type refusal struct {
	template *corev1.PodTemplateSpec
	pod      *corev1.PodSpec
	spec     *model.LockSpec
	path     *field.Path // of pod
	labels   *field.Path // of the template
	wrapped  bool        // the wrapper's traces are there
	faults   field.ErrorList
}

func (r *refusal) forbid(p *field.Path, format string, args ...any) {
	r.faults = append(r.faults, field.Forbidden(p, fmt.Sprintf(format, args...)))
}

func (r *refusal) require(p *field.Path, detail string) {
	r.faults = append(r.faults, field.Required(p, detail))
}

func (r *refusal) invalid(p *field.Path, value any, detail string) {
	r.faults = append(r.faults, field.Invalid(p, value, detail))
}

// platform refuses what concerns the Pod as a whole.
func (r *refusal) platform() {
	const windows = "the lock tool runs on Linux only: roll Windows nodes with a DaemonSet and strategy of their own"
	if r.pod.OS != nil && r.pod.OS.Name == corev1.Windows {
		r.invalid(r.path.Child("os", "name"), r.pod.OS.Name, windows)
	}
	for _, key := range []string{corev1.LabelOSStable, "beta.kubernetes.io/os"} {
		if value := r.pod.NodeSelector[key]; value == string(corev1.Windows) {
			r.invalid(r.path.Child("nodeSelector").Key(key), value, windows)
		}
	}
	if s := r.pod.SecurityContext; s != nil {
		r.root(s.RunAsUser, s.RunAsNonRoot, r.path.Child("securityContext"))
	}
	if class := r.pod.RuntimeClassName; class != nil && sandboxed(*class) {
		r.invalid(r.path.Child("runtimeClassName"), *class, "a sandbox has a kernel of its own, whose locks keep nobody on the node out: roll such Pods with overlap Never")
	}
	for _, a := range r.spec.Allowlists {
		if value, ok := r.template.Labels[a.Label.Key]; ok && (a.Label.Value == "" || a.Label.Value == value) {
			r.invalid(r.labels.Key(a.Label.Key), value, a.Platform+" admits the template's exact commands only, and the wrapper changes them: roll it with overlap Never")
		}
	}
}

// sandboxed tells whether a runtime class has the name of a sandbox: gVisor's runsc, Kata Containers, Firecracker.
func sandboxed(class string) bool {
	return slices.ContainsFunc([]string{"gvisor", "runsc", "kata", "firecracker"}, func(name string) bool { return strings.HasPrefix(class, name) })
}

// root refuses a user who cannot open lock files that root made.
func (r *refusal) root(user *int64, nonRoot *bool, p *field.Path) {
	if user != nil && *user != 0 {
		r.invalid(p.Child("runAsUser"), *user, "the lock directory on the node belongs to root: run as user 0")
	}
	if nonRoot != nil && *nonRoot {
		r.invalid(p.Child("runAsNonRoot"), true, "the lock directory on the node belongs to root: remove this, or set it to false")
	}
}

func (r *refusal) toolContainer() {
	i := slices.IndexFunc(r.pod.Containers, func(c corev1.Container) bool { return c.Name == r.spec.ToolContainer })
	if i < 0 {
		r.require(r.path.Child("containers"), fmt.Sprintf("container %q, whose image has %s, is missing: add it or name another toolContainer",
			r.spec.ToolContainer, r.spec.Tool))
		return
	}
	if r.pod.Containers[i].Image == "" {
		r.require(r.path.Child("containers").Index(i).Child("image"), "the tool is copied from this image: name it")
	}
}

// volumes refuses foreign volumes under the wrapper's names.
func (r *refusal) volumes() {
	if r.wrapped {
		return // halfWrapped looks at them
	}
	for i, v := range r.pod.Volumes {
		if r.reserved(v.Name) {
			r.invalid(r.path.Child("volumes").Index(i).Child("name"), v.Name, "the lock wrapper adds a volume of this name: rename this one")
		}
	}
}

func (r *refusal) reserved(volume string) bool {
	return volume == r.spec.Volumes.Host || volume == r.spec.Volumes.State || volume == r.spec.Volumes.Tools
}

// otherWrapper refuses components that another specification has wrapped: two host locks, one inside
// the other, would not exclude Pods of either wrapper alone.
func (r *refusal) otherWrapper() {
	wrapping, _ := Inspect(r.pod)
	for i, c := range r.pod.Containers {
		if slices.ContainsFunc(wrapping.Components, func(w Component) bool { return w.Container == c.Name }) {
			r.forbid(r.path.Child("containers").Index(i).Child("command"),
				"behind the lock of another specification, in %s: give the template as it was before wrapping, or that specification", wrapping.HostDirectory)
		}
	}
}

// ports refuses host ports, which would keep a second Pod off the node. Under hostNetwork declared
// ports go away; a wrapped template has none left.
func (r *refusal) ports(c *corev1.Container, p *field.Path) {
	for i, port := range c.Ports {
		pp := p.Child("ports").Index(i)
		switch {
		case !r.pod.HostNetwork && port.HostPort != 0:
			r.invalid(pp.Child("hostPort"), port.HostPort, "two Pods cannot have this port on one node: remove it (use a Unix socket, a Service with internalTrafficPolicy Local or hostNetwork)")
		case r.pod.HostNetwork && port.HostPort != 0 && port.HostPort != port.ContainerPort:
			r.invalid(pp.Child("hostPort"), port.HostPort, fmt.Sprintf("under hostNetwork it must equal containerPort %d: correct it or remove the declaration", port.ContainerPort))
		case r.pod.HostNetwork && r.wrapped:
			r.forbid(pp, "%sa port declared under hostNetwork keeps a second Pod off the node; %s", inPart, adviceHalf)
		}
	}
}
