package lockspec

import (
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/model"
)

// component refuses what keeps one container from running behind its lock.
func (r *refusal) component(c *corev1.Container, p *field.Path) {
	r.componentCommand(c, p)
	if c.Lifecycle != nil {
		const hook = "a hook runs without the lock, beside the other generation: move its work into the component"
		if c.Lifecycle.PostStart != nil {
			r.forbid(p.Child("lifecycle", "postStart"), hook)
		}
		if c.Lifecycle.PreStop != nil {
			r.forbid(p.Child("lifecycle", "preStop"), hook)
		}
	}
	if s := c.SecurityContext; s != nil {
		r.root(s.RunAsUser, s.RunAsNonRoot, p.Child("securityContext"))
	}
	if !r.wrapped && c.StartupProbe != nil && c.LivenessProbe == nil {
		r.require(p.Child("livenessProbe"), "the startup probe becomes the lock's, and nothing else would end a start that hangs: add a liveness probe or remove the startup probe")
	}
	r.ports(c, p)
	r.probePorts(c, p)
	r.mountPaths(c, p)
}

func (r *refusal) componentCommand(c *corev1.Container, p *field.Path) {
	words := r.ownWords(c)
	if len(c.Command) == 0 || len(words) == 0 || words[0] == "" {
		r.require(p.Child("command"), "the entrypoint of the image is not known here: write the command out")
		return
	}
	if len(r.spec.Components) == 0 {
		return
	}
	i := slices.IndexFunc(r.spec.Components, func(a model.LockComponent) bool { return a.Container == c.Name })
	if i < 0 {
		r.invalid(p.Child("name"), c.Name, "not a known component, so nothing tells whether two of it may be kept apart by a lock: remove it or add it to the lock specification's components")
		return
	}
	if r.spec.Components[i].StartsOthers && sharesProcesses(r.pod) {
		r.invalid(p.Child("name"), c.Name, "it starts processes that outlive it under hostPID and shareProcessNamespace, beside the next generation's: give the Pod its own process namespaces, run this container in a DaemonSet of its own, or roll with overlap Never")
	}
	if forms := r.spec.Components[i].Commands; !matchesAny(words, forms) {
		r.invalid(p.Child("command"), strings.Join(words, " "), "not a known command of this component, which must have "+describeForms(forms))
	}
}

// ownWords returns command and args, without the wrapper's prefix if it is there.
func (r *refusal) ownWords(c *corev1.Container) []string {
	words := slices.Concat(c.Command, c.Args)
	if before := prefix(r.spec, c.Name); len(words) >= len(before) && slices.Equal(words[:len(before)], before) {
		return words[len(before):]
	}
	return words
}

// initContainer refuses what must not run beside the other generation: init containers hold no lock.
func (r *refusal) initContainer(c *corev1.Container, p *field.Path) {
	if c.Name == r.spec.InitContainer {
		return // halfWrapped looks at it
	}
	if restartable(c) {
		r.invalid(p.Child("restartPolicy"), *c.RestartPolicy, "a restartable init container holds no lock and runs beside the other generation: make it a component")
	}
	var writable []string
	if len(r.spec.InitContainers) > 0 {
		i := slices.IndexFunc(r.spec.InitContainers, func(a model.LockInitContainer) bool { return a.Container == c.Name })
		if i < 0 {
			r.invalid(p.Child("name"), c.Name, "not a known init container, and it runs beside the other generation: remove it or add it to the lock specification's initContainers")
		} else {
			allowed := r.spec.InitContainers[i]
			writable = allowed.WritableHostPaths
			if words := slices.Concat(c.Command, c.Args); !matchesAny(words, allowed.Commands) {
				r.invalid(p.Child("command"), strings.Join(words, " "), "not a known command of this init container, which must have "+describeForms(allowed.Commands))
			}
		}
	}
	r.ports(c, p)
	r.hostWrites(c, writable, p)
	r.mountPaths(c, p)
}

// hostWrites refuses mounts through which an init container can change what the other generation uses.
func (r *refusal) hostWrites(c *corev1.Container, allowed []string, p *field.Path) {
	for i, m := range c.VolumeMounts {
		v := slices.IndexFunc(r.pod.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name })
		if m.ReadOnly || v < 0 || r.pod.Volumes[v].HostPath == nil {
			continue
		}
		dir := path.Clean(r.pod.Volumes[v].HostPath.Path)
		if !slices.ContainsFunc(allowed, func(a string) bool { return dir == a || below(dir, a) }) {
			r.forbid(p.Child("volumeMounts").Index(i).Child("readOnly"),
				"it can write to %s on the node beside the other generation: mount it read-only or move the work into a component", dir)
		}
	}
}

// mountPaths refuses mounts over, in or around the wrapper's directories.
func (r *refusal) mountPaths(c *corev1.Container, p *field.Path) {
	for i, m := range c.VolumeMounts {
		if r.wrapped && r.reserved(m.Name) {
			continue // halfWrapped looks at it
		}
		for _, o := range componentMounts(r.spec) {
			if overlaps(m.MountPath, o.MountPath) {
				r.invalid(p.Child("volumeMounts").Index(i).Child("mountPath"), m.MountPath,
					fmt.Sprintf("overlaps %s, which the lock wrapper mounts: use another path", o.MountPath))
			}
		}
	}
}

// probePorts refuses probes by the name of a port whose declaration goes away. The startup probe is
// replaced, so what it names does not matter.
func (r *refusal) probePorts(c *corev1.Container, p *field.Path) {
	if !r.pod.HostNetwork {
		return
	}
	for _, probe := range []struct {
		name  string
		probe *corev1.Probe
	}{{"livenessProbe", c.LivenessProbe}, {"readinessProbe", c.ReadinessProbe}} {
		if probe.probe == nil {
			continue
		}
		if h := probe.probe.HTTPGet; h != nil && h.Port.Type == intstr.String {
			r.namedPort(h.Port.StrVal, p.Child(probe.name, "httpGet", "port"))
		}
		if t := probe.probe.TCPSocket; t != nil && t.Port.Type == intstr.String {
			r.namedPort(t.Port.StrVal, p.Child(probe.name, "tcpSocket", "port"))
		}
	}
}

func (r *refusal) namedPort(name string, p *field.Path) {
	r.invalid(p, name, "ports declared under hostNetwork keep a second Pod off the node and are removed, this name with them: give the number")
}
