package lockspec

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	inPart     = "wrapped in part: "
	adviceHalf = "give the template as it was before wrapping, or the whole one that this specification wrapped"
)

// halfWrapped refuses a template that has traces of the wrapper but is not what the specification
// renders. Image, pull policy and resources of the copying init container may differ, what the API
// server fills in may be there, and so may a liveness threshold of any height: what it was before is lost.
func (r *refusal) halfWrapped() {
	r.copierAsRendered()
	r.volumesAsRendered()
	r.foreignMounts()
	for i := range r.pod.Containers {
		r.componentAsRendered(&r.pod.Containers[i], r.path.Child("containers").Index(i))
	}
}

func (r *refusal) half(p *field.Path, format string, args ...any) {
	r.forbid(p, "%s%s; %s", inPart, fmt.Sprintf(format, args...), adviceHalf)
}

func (r *refusal) copierAsRendered() {
	at := r.path.Child("initContainers")
	named := func(c corev1.Container) bool { return c.Name == r.spec.InitContainer }
	i := slices.IndexFunc(r.pod.InitContainers, named)
	if i < 0 {
		r.half(at, "init container %q, which copies the tool, is missing", r.spec.InitContainer)
		return
	}
	at = at.Index(i)
	if i != len(r.pod.InitContainers)-1 {
		r.half(at, "it must be the last of the init containers")
	}
	have, want := &r.pod.InitContainers[i], copier(r.spec, &corev1.Container{})
	if !slices.Equal(slices.Concat(have.Command, have.Args), want.Command) {
		r.half(at.Child("command"), "it must be %q", strings.Join(want.Command, " "))
	}
	for _, m := range want.VolumeMounts {
		r.mountAsRendered(have, m, at)
	}
	if s := have.SecurityContext; s == nil || !equality.Semantic.DeepEqual(s.RunAsUser, want.SecurityContext.RunAsUser) ||
		!equality.Semantic.DeepEqual(s.ReadOnlyRootFilesystem, want.SecurityContext.ReadOnlyRootFilesystem) {
		r.half(at.Child("securityContext"), "it must be user 0 with a read-only root file system")
	}
	if restartable(have) {
		r.half(at.Child("restartPolicy"), "it must end before the components start")
	}
}

func (r *refusal) volumesAsRendered() {
	at := r.path.Child("volumes")
	for _, want := range volumes(r.spec) {
		i := slices.IndexFunc(r.pod.Volumes, func(v corev1.Volume) bool { return v.Name == want.Name })
		switch {
		case i < 0:
			r.half(at, "volume %q is missing", want.Name)
		case !equality.Semantic.DeepEqual(r.pod.Volumes[i], want):
			r.half(at.Index(i), "volume %q is not the one that the specification renders", want.Name)
		}
	}
}

// foreignMounts refuses init containers that reach into the wrapper's volumes: one could replace the tool.
func (r *refusal) foreignMounts() {
	for i, c := range r.pod.InitContainers {
		if c.Name == r.spec.InitContainer {
			continue
		}
		for j, m := range c.VolumeMounts {
			if r.reserved(m.Name) {
				r.half(r.path.Child("initContainers").Index(i).Child("volumeMounts").Index(j), "volume %q is the wrapper's own", m.Name)
			}
		}
	}
}

func (r *refusal) componentAsRendered(c *corev1.Container, p *field.Path) {
	want := prefix(r.spec, c.Name)
	if words := slices.Concat(c.Command, c.Args); len(words) < len(want) || !slices.Equal(words[:len(want)], want) {
		r.half(p.Child("command"), "it must begin with %q", strings.Join(want, " "))
	}
	if !equality.Semantic.DeepEqual(c.StartupProbe, startupProbe(r.spec, c.Name)) {
		r.half(p.Child("startupProbe"), "it must be the lock's: sh -c %q every second, without limit", startupProbe(r.spec, c.Name).Exec.Command[2])
	}
	for _, m := range componentMounts(r.spec) {
		r.mountAsRendered(c, m, p)
	}
}

// mountAsRendered refuses a container that lacks the mount, has it in another form, or has another one of that volume.
func (r *refusal) mountAsRendered(c *corev1.Container, want corev1.VolumeMount, p *field.Path) {
	found := false
	for i, m := range c.VolumeMounts {
		if m.Name != want.Name {
			continue
		}
		if found || !equality.Semantic.DeepEqual(m, want) {
			r.half(p.Child("volumeMounts").Index(i), "volume %q must be mounted once, at %s, read-only: %v", want.Name, want.MountPath, want.ReadOnly)
		}
		found = true
	}
	if !found {
		r.half(p.Child("volumeMounts"), "volume %q must be mounted at %s", want.Name, want.MountPath)
	}
}
