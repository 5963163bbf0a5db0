package world

import "fmt"

// Behaviour is what an image does. The set is closed.
type Behaviour uint8

const (
	// Good: it is pulled, starts and becomes ready.
	Good Behaviour = iota
	// PullFails: the registry has no such image.
	PullFails
	// CrashLoops: the program starts and ends with an error before it is ready, again and again. An
	// init container ends with an error every time.
	CrashLoops
	// ReadyThenCrashes: the program is ready for a moment, then ends with an error, again and again.
	ReadyThenCrashes
	// NeverReady: the program runs, and its readiness probe never succeeds.
	NeverReady
	// SlowStart: as Good, but a driver with a clock lets the start take longer.
	SlowStart
)

// String names the behaviour.
func (b Behaviour) String() string {
	switch b {
	case Good:
		return "Good"
	case PullFails:
		return "PullFails"
	case CrashLoops:
		return "CrashLoops"
	case ReadyThenCrashes:
		return "ReadyThenCrashes"
	case NeverReady:
		return "NeverReady"
	case SlowStart:
		return "SlowStart"
	}
	return fmt.Sprintf("Behaviour(%d)", uint8(b))
}

// Behaviours lists the closed set.
func Behaviours() []Behaviour {
	return []Behaviour{Good, PullFails, CrashLoops, ReadyThenCrashes, NeverReady, SlowStart}
}

// behaviour looks a container up by container@image, then by image; everything else is Good.
func (w *World) behaviour(container, image string) Behaviour {
	if len(w.options.Behaviour) == 0 {
		return Good
	}
	if b, ok := w.options.Behaviour[container+"@"+image]; ok {
		return b
	}
	return w.options.Behaviour[image]
}

// Behaviour returns what the container's image does, on any node.
func (w *World) Behaviour(container, image string) Behaviour { return w.behaviour(container, image) }

// SetBehaviour changes what an image does from now on; the key is image or container@image. What
// already failed is tried again. It returns what the key stood for, Good if for nothing.
func (w *World) SetBehaviour(key string, b Behaviour) (former Behaviour) {
	former = w.options.Behaviour[key]
	changed := make(map[string]Behaviour, len(w.options.Behaviour)+1)
	for k, v := range w.options.Behaviour {
		changed[k] = v
	}
	changed[key] = b
	w.options.Behaviour = changed
	for _, n := range w.nodes {
		w.touchNode(n)
	}
	return former
}
