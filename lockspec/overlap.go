package lockspec

import (
	"path"

	corev1 "k8s.io/api/core/v1"
)

// MayOverlap reports, with nil, that two Pods may share a node: both are wholly wrapped, they have
// the same components, and each component of either locks the same file of the node with a lock
// that excludes the other's. Otherwise it returns an *OverlapError that names the first difference,
// containers taken in the order of a. It is symmetric: nil for (a, b) is nil for (b, a).
//
// It reads the Pod specs alone; see CheckSchema for the schema annotation. It allocates nothing when
// it returns nil, and takes microseconds: it may be asked for every node.
//
// What a Pod spec does not show it cannot judge: another release of the same tool in another image
// may take another lock (the package comment tells how to look), and two paths that a link on the
// node makes one are two directories here.
func MayOverlap(a, b *corev1.PodSpec) error {
	if name, reason := unprotected(a); reason != "" {
		return &OverlapError{Difference: NotWrapped, Container: name, A: reason, B: "", Advice: adviceWrapped}
	}
	if name, reason := unprotected(b); reason != "" {
		return &OverlapError{Difference: NotWrapped, Container: name, A: "", B: reason, Advice: adviceWrapped}
	}
	for i := range a.Containers {
		if err := sameLock(a, b, a.Containers[i].Name); err != nil {
			return err
		}
	}
	for i := range b.Containers {
		if name := b.Containers[i].Name; container(a, name) == nil {
			return &OverlapError{Difference: DifferentComponents, Container: name, B: name, Advice: adviceComponents}
		}
	}
	return nil
}

const (
	adviceWrapped    = "roll the wrapped template out conventionally first, and keep webhooks from adding containers to these Pods"
	adviceComponents = "roll the change of the component set out without overlap"
	adviceKind       = "these locks do not exclude each other: roll the new tool out without overlap"
	adviceDirectory  = "roll the new host directory out without overlap"
	adviceFile       = "roll the new lock file name out without overlap"
)

// sameLock compares the locks of one component of a, which has it, with b's.
func sameLock(a, b *corev1.PodSpec, name string) error {
	other := container(b, name)
	if other == nil {
		return &OverlapError{Difference: DifferentComponents, Container: name, A: name, Advice: adviceComponents}
	}
	la, _ := heldBy(a, container(a, name))
	lb, _ := heldBy(b, other)
	switch {
	case !la.kind.Excludes(lb.kind):
		return &OverlapError{Difference: DifferentKind, Container: name, A: string(la.kind), B: string(lb.kind), Advice: adviceKind}
	case la.directory != lb.directory:
		return &OverlapError{Difference: DifferentDirectory, Container: name, A: la.directory, B: lb.directory, Advice: adviceDirectory}
	case la.file != lb.file:
		return &OverlapError{Difference: DifferentFile, Container: name,
			A: path.Join(la.directory, la.file), B: path.Join(lb.directory, lb.file), Advice: adviceFile}
	}
	return nil
}

// unprotected returns the first container that keeps the Pod from being wholly wrapped, and why;
// no reason means that the Pod is. It says what Inspect says, without building anything.
func unprotected(spec *corev1.PodSpec) (name, reason string) {
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; restartable(c) {
			return c.Name, reasonRestartable
		}
	}
	if len(spec.Containers) == 0 {
		return "", reasonCommand
	}
	var first lock
	for i := range spec.Containers {
		c := &spec.Containers[i]
		held, reason := heldBy(spec, c)
		if reason == "" && i > 0 {
			reason = disagreement(first, held)
		}
		if reason != "" {
			return c.Name, reason
		}
		if i == 0 {
			first = held
		}
	}
	return "", ""
}

// disagreement returns why two components of one Pod do not belong to one wrapper, "" if they do.
func disagreement(first, l lock) string {
	switch {
	case l.kind != first.kind:
		return reasonOtherKind
	case l.directory != first.directory:
		return reasonOtherDirectory
	}
	return ""
}

func container(spec *corev1.PodSpec, name string) *corev1.Container {
	for i := range spec.Containers {
		if c := &spec.Containers[i]; c.Name == name {
			return c
		}
	}
	return nil
}

// MayOverlap compares what Inspect returned, for callers that keep a Wrapping for each template. It
// agrees with the function of the same name, and also judges the schemas that the caller filled in.
func (w Wrapping) MayOverlap(o Wrapping) error {
	for _, schema := range []string{w.Schema, o.Schema} {
		if err := CheckSchema(schema); err != nil {
			return err
		}
	}
	switch {
	case len(w.Unprotected) > 0:
		u := w.Unprotected[0]
		return &OverlapError{Difference: NotWrapped, Container: u.Container, A: u.Reason, Advice: adviceWrapped}
	case len(o.Unprotected) > 0:
		u := o.Unprotected[0]
		return &OverlapError{Difference: NotWrapped, Container: u.Container, B: u.Reason, Advice: adviceWrapped}
	case len(w.Components) == 0:
		return &OverlapError{Difference: NotWrapped, A: reasonCommand, Advice: adviceWrapped}
	case len(o.Components) == 0:
		return &OverlapError{Difference: NotWrapped, B: reasonCommand, Advice: adviceWrapped}
	case !w.Kind.Excludes(o.Kind):
		return &OverlapError{Difference: DifferentKind, A: string(w.Kind), B: string(o.Kind), Advice: adviceKind}
	case w.HostDirectory != o.HostDirectory:
		return &OverlapError{Difference: DifferentDirectory, A: w.HostDirectory, B: o.HostDirectory, Advice: adviceDirectory}
	}
	return sameComponents(w.Components, o.Components)
}

// sameComponents compares two lists sorted by container.
func sameComponents(a, b []Component) error {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Container < b[0].Container:
			return &OverlapError{Difference: DifferentComponents, Container: a[0].Container, A: a[0].Container, Advice: adviceComponents}
		case len(a) == 0 || b[0].Container < a[0].Container:
			return &OverlapError{Difference: DifferentComponents, Container: b[0].Container, B: b[0].Container, Advice: adviceComponents}
		case a[0].LockFile != b[0].LockFile:
			return &OverlapError{Difference: DifferentFile, Container: a[0].Container, A: a[0].LockFile, B: b[0].LockFile, Advice: adviceFile}
		}
		a, b = a[1:], b[1:]
	}
	return nil
}
