package lockspec

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// Wrapping is what a Pod really runs, as far as locks go.
type Wrapping struct {
	// Schema is the schema annotation, "" if it is missing or not known: Inspect reads the Pod spec
	// alone and leaves it empty.
	Schema string
	// Kind is the lock that every component takes.
	Kind model.LockKind
	// HostDirectory is the directory on the node that holds the lock files, from the hostPath volume.
	HostDirectory string
	// Components are the containers that run behind a lock, sorted by name.
	Components []Component
	// Unprotected are the containers that do not, sorted by name. A restartable init container is one.
	Unprotected []Unprotected
}

// Component is a container behind its lock.
type Component struct {
	Container string
	// LockFile is the path on the node.
	LockFile string
	// ActiveLock is the path, inside the container, of the Pod-local lock that the startup probe asks.
	ActiveLock string
}

// Unprotected is a container that runs whatever the other generation does.
type Unprotected struct {
	Container string
	Reason    string
}

// Inspect reads from a Pod spec alone, of a template or of a live Pod, which containers run behind
// a lock. It reports true when all of them do, with one lock kind in one host directory. What the
// API server adds to a live Pod does not matter; a container that a webhook adds does, because the
// other generation gets its own one and nothing keeps the two apart. Ephemeral containers do not
// count: a person adds one to one Pod, and no other generation has it.
func Inspect(spec *corev1.PodSpec) (Wrapping, bool) {
	var w Wrapping
	var first lock
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; restartable(c) {
			w.Unprotected = append(w.Unprotected, Unprotected{c.Name, reasonRestartable})
		}
	}
	for i := range spec.Containers {
		c := &spec.Containers[i]
		held, reason := heldBy(spec, c)
		if reason == "" && len(w.Components) > 0 {
			reason = disagreement(first, held)
		}
		if reason != "" {
			w.Unprotected = append(w.Unprotected, Unprotected{c.Name, reason})
			continue
		}
		if len(w.Components) == 0 {
			first, w.Components = held, make([]Component, 0, len(spec.Containers)-i)
		}
		w.Components = append(w.Components, Component{c.Name, path.Clean(held.directory + "/" + held.file), held.active})
	}
	w.Kind, w.HostDirectory = first.kind, first.directory
	slices.SortFunc(w.Components, func(a, b Component) int { return strings.Compare(a.Container, b.Container) })
	slices.SortFunc(w.Unprotected, func(a, b Unprotected) int { return strings.Compare(a.Container, b.Container) })
	return w, len(w.Components) > 0 && len(w.Unprotected) == 0
}

// lock is the host lock of one container, in strings that the Pod spec holds already: reading it
// allocates nothing.
type lock struct {
	kind      model.LockKind
	directory string // on the node
	file      string // in directory
	active    string // in the container
}

const (
	reasonRestartable    = "a restartable init container holds no lock"
	reasonHook           = "a lifecycle hook runs outside the lock"
	reasonCommand        = "the command does not begin with TOOL HOSTLOCK TOOL ACTIVELOCK"
	reasonTool           = "the tool is not the file that one init container copies into an emptyDir"
	reasonToolKind       = "the lock kind of the copied tool is not known"
	reasonHostDirectory  = "the lock file does not lie right in a hostPath volume mounted whole"
	reasonOtherKind      = "another lock kind than the Pod's other components"
	reasonOtherDirectory = "another host directory than the Pod's other components"
)

// prefixWords is the number of words that the wrapper puts before a command.
const prefixWords = 4

// heldBy returns the host lock that the container's program runs behind, or why there is none.
func heldBy(spec *corev1.PodSpec, c *corev1.Container) (lock, string) {
	if hooked(c) {
		return lock{}, reasonHook
	}
	tool, file, active := word(c, 0), word(c, 1), word(c, 3)
	if word(c, prefixWords) == "" || word(c, 2) != tool || !path.IsAbs(file) || !path.IsAbs(active) || file == active {
		return lock{}, reasonCommand
	}
	kind, reason := copiedTool(spec, c, tool)
	if reason != "" {
		return lock{}, reason
	}
	volume, name := locate(spec, c, file)
	if volume == nil || volume.HostPath == nil || name == "" || strings.Contains(name, "/") {
		return lock{}, reasonHostDirectory
	}
	return lock{kind: kind, directory: rooted(volume.HostPath.Path), file: name, active: active}, ""
}

// copiedTool returns the lock kind of the file at tool in container c, judged by the one init
// container that fills the volume.
func copiedTool(spec *corev1.PodSpec, c *corev1.Container, tool string) (model.LockKind, string) {
	volume, name := locate(spec, c, tool)
	if volume == nil || volume.EmptyDir == nil || name == "" {
		return "", reasonTool
	}
	var source string
	for i := range spec.InitContainers {
		init := &spec.InitContainers[i]
		if !mounts(init, volume.Name) {
			continue
		}
		if source != "" || path.Base(word(init, 0)) != "cp" || word(init, 3) != "" {
			return "", reasonTool
		}
		source = word(init, 1)
		if v, copied := locate(spec, init, word(init, 2)); v != volume || copied != name {
			return "", reasonTool
		}
	}
	if source == "" {
		return "", reasonTool
	}
	kind, ok := toolKinds[path.Base(source)]
	if !ok {
		return "", reasonToolKind
	}
	return kind, ""
}

// locate returns the volume that a path inside the container lies in and the path's rest below the
// mount, "" for the mount itself. It returns nil where the path lies in no volume, or below a mount
// of a part of one.
func locate(spec *corev1.PodSpec, c *corev1.Container, p string) (*corev1.Volume, string) {
	if !path.IsAbs(p) || rooted(p) != p {
		return nil, ""
	}
	var deepest *corev1.VolumeMount
	var at string
	for i := range c.VolumeMounts {
		m := &c.VolumeMounts[i]
		mountPath := rooted(m.MountPath)
		if (p == mountPath || below(p, mountPath)) && (deepest == nil || len(mountPath) > len(at)) {
			deepest, at = m, mountPath
		}
	}
	if deepest == nil || deepest.SubPath != "" || deepest.SubPathExpr != "" {
		return nil, ""
	}
	for i := range spec.Volumes {
		if v := &spec.Volumes[i]; v.Name == deepest.Name {
			return v, strings.TrimPrefix(p[len(at):], "/")
		}
	}
	return nil, ""
}

// rooted returns the clean absolute form of a path in a container: the kubelet takes a relative mount
// path from the root. Paths are nearly always clean, and seeing that is cheaper than cleaning.
func rooted(p string) string {
	if !strings.HasPrefix(p, "/") || strings.Contains(p, "//") || strings.Contains(p, "/.") {
		return path.Join("/", p)
	}
	if len(p) > 1 {
		return strings.TrimSuffix(p, "/")
	}
	return p
}

func mounts(c *corev1.Container, volume string) bool {
	for i := range c.VolumeMounts {
		if c.VolumeMounts[i].Name == volume {
			return true
		}
	}
	return false
}

// word returns the i-th word of command and args together, "" past the end.
func word(c *corev1.Container, i int) string {
	switch n := len(c.Command); {
	case i < n:
		return c.Command[i]
	case i-n < len(c.Args):
		return c.Args[i-n]
	}
	return ""
}

func restartable(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

func hooked(c *corev1.Container) bool {
	return c.Lifecycle != nil && (c.Lifecycle.PostStart != nil || c.Lifecycle.PreStop != nil)
}
