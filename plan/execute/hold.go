package execute

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

// Hold keeps a request from being sent again against the same cache: the API server, or a fresh look, has told that the cache is older
// than the truth. It ends when the cache shows the object in any other way; after Patience the request is sent once more all the same.
type Hold struct {
	// Held is the object of the request, and On the one that the cache has to show anew: mostly the same. Node is where to look for a Pod.
	Held model.ObjectRef `json:"held"`
	On   model.ObjectRef `json:"on"`
	Node string          `json:"node,omitempty"`
	// UID and Version are what the cache showed, empty for nothing; of an owner the values of the keys that the request writes.
	UID     types.UID `json:"uid,omitempty"`
	Version string    `json:"version,omitempty"`
	Keys    []string  `json:"keys,omitempty"`
	// Since is when the run was told; zero until the next snapshot. Times counts refusals against the same version.
	Since metav1.Time `json:"since,omitzero"`
	Times int         `json:"times"`
	// Why is what the API server or the fresh look said.
	Why string `json:"why,omitempty"`
}

// hold notes that the request of an action waits for the cache to show another object, and how often it was refused for that.
func (r *Run) hold(a *model.Action, on model.ObjectRef, refusals int, why string) (times int) {
	h := Hold{Held: a.Write.Object, On: on, Node: a.Node, Times: refusals, Why: why}
	if !inCluster(on) && a.Write.Patch != nil {
		for _, edit := range a.Write.Patch.Annotations {
			h.Keys = append(h.Keys, edit.Key)
		}
	}
	h.UID, h.Version = h.now(r.view)
	r.state.Holds = keep(r.state.Holds, func(former *Hold) bool {
		if !sameObject(former.Held, h.Held) || !sameObject(former.On, h.On) {
			return true
		}
		if former.UID == h.UID && former.Version == h.Version {
			h.Times += former.Times
		}
		return false
	})
	r.state.Holds = append(r.state.Holds, h)
	return h.Times
}

// now is the identity of the object as the snapshot shows it.
func (h *Hold) now(s *model.Snapshot) (types.UID, string) {
	if !inCluster(h.On) {
		return h.On.UID, valuesOf(s.Rollout.Metadata.Annotations, h.Keys)
	}
	object, _ := s.Cluster.Object(h.On, h.Node)
	if object == nil {
		return "", ""
	}
	return object.GetUID(), object.GetResourceVersion()
}

// seen tells whether the snapshot still shows the object as it was when the hold began.
func (h *Hold) seen(s *model.Snapshot) bool {
	uid, version := h.now(s)
	return uid == h.UID && version == h.Version
}

// lasts tells whether the hold is younger than that.
func (h *Hold) lasts(now time.Time, most time.Duration) bool {
	return h.Since.IsZero() || now.Before(h.Since.Add(most))
}

// held tells whether the action is not to be sent now.
func (r *Run) held(a *model.Action, now time.Time) bool {
	for i := range r.state.Holds {
		h := &r.state.Holds[i]
		if sameObject(h.Held, a.Write.Object) && h.seen(r.view) && h.lasts(now, r.patience()) {
			return true
		}
	}
	return false
}

// sameObject compares what two references name, whatever they test.
func sameObject(a, b model.ObjectRef) bool {
	return a.Kind == b.Kind && a.Name == b.Name && a.Namespace == b.Namespace
}

// inCluster tells whether a cluster holds objects of that kind: all that a rollout writes but its owner.
func inCluster(ref model.ObjectRef) bool {
	return ref.Kind == "Node" || ref.Kind == "DaemonSet" || ref.Kind == "Pod"
}

// valuesOf writes the values of the keys; a missing one is not an empty one.
func valuesOf(values map[string]string, keys []string) string {
	var text strings.Builder
	for _, key := range keys {
		if value, there := values[key]; there {
			text.WriteString("=" + value)
		}
		text.WriteString(";")
	}
	return text.String()
}
