package world

import (
	"time"
)

// kubeletEnabled lists what the kubelet of the Pod's node can do with it next.
func (w *World) kubeletEnabled(list []Transition, p *pod) []Transition {
	n := p.node
	if !p.bound || !n.ready || p.static {
		return list
	}
	if p.terminating() {
		return w.terminationEnabled(list, p)
	}
	if p.failed {
		return list
	}
	if n.pressed && !p.begun() {
		return append(list, podTransition(FailPod, p))
	}
	if p.init != initDone {
		return w.initEnabled(list, p)
	}
	// The kubelet starts containers one after the other; one that fails to be pulled or crashes does not
	// hold the others.
	for i := range p.containers {
		switch p.containers[i].state {
		case waiting:
			return w.containersEnabled(w.startEnabled(list, p, i), p)
		case pullFailed:
			if w.pullable(p, &p.shape.components[i]) {
				list = w.startEnabled(list, p, i)
			}
		}
	}
	return w.containersEnabled(list, p)
}

// terminationEnabled: every process gets its signal at once, and the object goes with the last.
func (w *World) terminationEnabled(list []Transition, p *pod) []Transition {
	if p.stuck || p.over {
		return list
	}
	left := false
	for i := range p.containers {
		if p.containers[i].state.process() {
			left = true
			list = append(list, w.containerTransition(StopContainer, p, i))
		}
	}
	if !left {
		list = append(list, podTransition(RemovePod, p))
	}
	return list
}

func podTransition(kind Kind, p *pod) Transition {
	return Transition{Kind: kind, Node: p.node.object.Name, Pod: p.name()}
}

func (w *World) containerTransition(kind Kind, p *pod, i int) Transition {
	t := podTransition(kind, p)
	t.Container = p.shape.components[i].name
	return t
}

func (w *World) initEnabled(list []Transition, p *pod) []Transition {
	for i := range p.shape.inits {
		what := &p.shape.inits[i]
		if !p.node.hasImage(what.image) {
			t := podTransition(PullImage, p)
			t.Value = what.image
			if !w.pullable(p, what) {
				if p.init == initPullFailed {
					return list
				}
				t.Kind = PullError
			}
			return append(list, t)
		}
		if w.behaviour(what.name, what.image) == CrashLoops {
			t := podTransition(InitError, p)
			t.Container = what.name
			return append(list, t)
		}
	}
	return append(list, podTransition(RunInit, p))
}

// pullable tells whether a pull of the image would succeed.
func (w *World) pullable(p *pod, c *component) bool {
	return p.node.hasImage(c.image) || p.node.pulls && w.behaviour(c.name, c.image) != PullFails
}

func (w *World) startEnabled(list []Transition, p *pod, i int) []Transition {
	what := &p.shape.components[i]
	if p.node.hasImage(what.image) {
		return append(list, w.containerTransition(StartContainer, p, i))
	}
	t := w.containerTransition(PullImage, p, i)
	if t.Value = what.image; !w.pullable(p, what) {
		t.Kind = PullError
	}
	return append(list, t)
}

// containersEnabled: probes, crashes of the image's own making, and restarts.
func (w *World) containersEnabled(list []Transition, p *pod) []Transition {
	for i := range p.containers {
		what := &p.shape.components[i]
		does := w.behaviour(what.name, what.image)
		switch p.containers[i].state {
		case running:
			list = append(list, w.containerTransition(PassStartup, p, i))
		case started:
			switch does {
			case CrashLoops:
				list = append(list, w.containerTransition(Crash, p, i))
			case NeverReady:
			case Good, PullFails, ReadyThenCrashes, SlowStart:
				list = append(list, w.containerTransition(PassReadiness, p, i))
			}
		case ready:
			if does == ReadyThenCrashes {
				list = append(list, w.containerTransition(Crash, p, i))
			}
		case crashed:
			list = append(list, w.containerTransition(RestartContainer, p, i))
		case waiting, pullFailed, ended, waitingForLock:
		}
	}
	return list
}

// end lets a process end; its lock is free from here on.
func (c *container) end(now time.Time, state containerState, exit int32) {
	c.lastStart, c.lastEnd, c.exit = c.since, now, exit
	c.state = state
}

// begin starts a process; behind the wrapper it asks for its lock.
func (w *World) begin(p *pod, i int) {
	c := &p.containers[i]
	c.since, c.state = w.now, running
	if p.shape.components[i].file != "" {
		c.state, c.queued = waitingForLock, w.queue()
	}
}

// settle brings the Pod's conditions in line with its containers after a change.
func (w *World) settle(p *pod) {
	all := p.bound && !p.failed && p.init == initDone && len(p.containers) > 0
	for i := range p.containers {
		all = all && p.containers[i].state == ready
	}
	if p.allReady != all || p.allReadyAt.IsZero() {
		p.allReady, p.allReadyAt = all, w.now
	}
	if is := all && p.node.ready; p.ready != is || p.readyAt.IsZero() {
		p.ready, p.readyAt = is, w.now
	}
	w.changed(p)
}

// doKubelet carries out one of the kubelet's or the kernel's transitions of a Pod.
func (w *World) doKubelet(t Transition, p *pod) ([]Event, error) {
	n := p.node
	if t.Kind != GrantLock && !n.ready {
		return nil, impossible(t, "the node's kubelet is silent")
	}
	if !p.bound || p.static {
		return nil, impossible(t, "the Pod does not run here")
	}
	i := p.index(t.Container)
	if t.Container != "" && i < 0 && t.Kind != InitError && t.Kind != PullImage && t.Kind != PullError {
		return nil, impossible(t, "there is no such container")
	}
	if why := w.doContainer(t, p, i); why != "" {
		return nil, impossible(t, why)
	}
	if p.gone {
		return []Event{{Transition: t}}, nil
	}
	w.settle(p)
	return []Event{{Transition: t}}, nil
}

func (p *pod) index(name string) int {
	for i := range p.shape.components {
		if p.shape.components[i].name == name {
			return i
		}
	}
	return -1
}

// doContainer changes the state, or says why it cannot.
func (w *World) doContainer(t Transition, p *pod, i int) string {
	if p.terminating() != (t.Kind == StopContainer || t.Kind == RemovePod) && t.Kind != GrantLock {
		return "the Pod's termination forbids or demands it"
	}
	if p.failed && t.Kind != StopContainer && t.Kind != RemovePod {
		return "the Pod has failed"
	}
	switch t.Kind {
	case PullImage, PullError:
		return w.doPull(t, p, i)
	case RunInit:
		if p.init == initDone {
			return "the init containers are done"
		}
		p.init, p.initializedAt = initDone, w.now
	case InitError:
		if p.init == initDone {
			return "the init containers are done"
		}
		if p.init == initCrashed {
			p.initRestarts++
		}
		p.init, p.initFailedAt, p.initAt = initCrashed, w.now, p.initIndex(t.Container)
	case StopContainer:
		c := &p.containers[i]
		if p.stuck {
			return "its processes do not end"
		}
		if !c.state.process() {
			return "the container has no process"
		}
		c.end(w.now, ended, 0)
	case RemovePod:
		for j := range p.containers {
			if p.containers[j].state.process() {
				return "a process is left"
			}
		}
		if p.stuck || p.over {
			return "the object stays"
		}
		if p.held() {
			p.over = true
			p.node.room++
			w.changed(p)
			return ""
		}
		w.drop(p)
	default:
		return w.doProcess(t.Kind, p, i)
	}
	return ""
}

func (p *pod) initIndex(name string) int32 {
	for i := range p.shape.inits {
		if p.shape.inits[i].name == name {
			return int32(i)
		}
	}
	return 0
}

func (w *World) doPull(t Transition, p *pod, i int) string {
	if p.node.hasImage(t.Value) {
		return "the node has the image"
	}
	if t.Kind == PullImage {
		p.node.images = append(p.node.images, t.Value)
	}
	w.touchNode(p.node)
	if i < 0 {
		if p.init == initDone {
			return "the init containers are done"
		}
		p.init = initWaiting
		for j := range p.shape.inits {
			if t.Kind == PullError && p.shape.inits[j].image == t.Value {
				p.init, p.initAt = initPullFailed, int32(j)
				break
			}
		}
		return ""
	}
	c := &p.containers[i]
	if c.state != waiting && c.state != pullFailed {
		return "the container runs"
	}
	c.state, c.since = waiting, w.now
	if t.Kind == PullError {
		c.state = pullFailed
	}
	return ""
}

// doProcess changes the state of one container's process.
func (w *World) doProcess(kind Kind, p *pod, i int) string {
	c := &p.containers[i]
	switch kind {
	case StartContainer:
		if c.state != waiting && c.state != pullFailed || p.init != initDone || !p.node.hasImage(p.shape.components[i].image) {
			return "the container cannot start yet"
		}
		w.begin(p, i)
	case RestartContainer:
		if c.state != crashed {
			return "the container has not crashed"
		}
		c.restarts++
		w.begin(p, i)
	case GrantLock:
		if c.state != waitingForLock || p.node.lost {
			return "the container does not wait for its lock"
		}
		if holder := p.node.holder(p, i); holder != nil {
			return "the lock is held by " + holder.name()
		}
		c.state = running
	case PassStartup:
		if c.state != running {
			return "the container does not run"
		}
		c.state = started
	case PassReadiness:
		if c.state != started {
			return "the container is not started, or ready already"
		}
		c.state = ready
	case StopReadiness:
		if c.state != ready {
			return "the container is not ready"
		}
		c.state = started
	case Crash:
		if !c.state.process() {
			return "the container has no process"
		}
		c.end(w.now, crashed, 1)
	default:
		return "it is not a container's transition"
	}
	return ""
}

// drop takes the Pod out of the API.
func (w *World) drop(p *pod) {
	p.gone = true
	p.node.remove(p)
	p.node.room++
	delete(w.names, namespacedName(p.base))
	w.changed(p)
	w.goneFromView(p)
}
