package world

// Container is what a driver with a clock has to know of a container to time its next transition.
type Container struct {
	// Restarts of the container; of an init container the restarts of the Pod's init phase, and of an image that
	// failed to be pulled 0.
	Restarts int
	// Behaviour of its image.
	Behaviour Behaviour
	// WaitsForLock: its process is the wrapper, which ends as soon as it is told to.
	WaitsForLock bool
	// PullFailed: the last pull of its image failed.
	PullFailed bool
}

// Container returns what is known of the container that the transition names. An init container is
// looked up by InitError only, and a pull for an init container by its image.
func (w *World) Container(t Transition) (Container, bool) {
	n := w.findNode(t.Node)
	if n == nil {
		return Container{}, false
	}
	p := n.find(t.Pod)
	if p == nil || p.static {
		return Container{}, false
	}
	if i := p.index(t.Container); i >= 0 && t.Kind != InitError {
		c, what := &p.containers[i], &p.shape.components[i]
		return Container{
			Restarts: int(c.restarts), Behaviour: w.behaviour(what.name, what.image),
			WaitsForLock: c.state == waitingForLock, PullFailed: c.state == pullFailed,
		}, true
	}
	for i := range p.shape.inits {
		what := &p.shape.inits[i]
		if what.name == t.Container || t.Container == "" && what.image == t.Value {
			return Container{
				Restarts: int(p.initRestarts), Behaviour: w.behaviour(what.name, what.image), PullFailed: p.init == initPullFailed,
			}, true
		}
	}
	return Container{}, false
}

// Image returns the image of the first container of the Pod on the node: two Pods of one DaemonSet are told apart by what
// they run. It is empty if there is no such Pod.
func (w *World) Image(node, pod string) string {
	if n := w.findNode(node); n != nil {
		if p := n.find(pod); p != nil && len(p.base.Spec.Containers) > 0 {
			return p.base.Spec.Containers[0].Image
		}
	}
	return ""
}
