package step

import (
	"time"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
)

// WrittenAt is since when the controller of the DaemonSet is awaited to see its present spec: when that was written, as far as it is
// noted, or when the DaemonSet was made. A spec that somebody else has written is not noted: then the instant is not known.
func WrittenAt(keys *model.Keys, set *appsv1.DaemonSet) (at time.Time, known bool) {
	if set.Generation <= 1 && !set.CreationTimestamp.IsZero() {
		return set.CreationTimestamp.Time, true
	}
	w, ok := model.ParseWritten(set.Annotations[keys.Written])
	return w.At, ok && w.Generation == set.Generation
}

// NoteWritten notes the generation that the write of a spec makes of the live DaemonSet.
func (e *Edits) NoteWritten(keys *model.Keys, live *appsv1.DaemonSet, now time.Time) {
	e.Set(keys.Written, model.Written{Generation: live.Generation + 1, At: now}.String())
}

// NotePresent notes the present generation, of a spec that somebody else has written: its controller is awaited from now on.
func (e *Edits) NotePresent(keys *model.Keys, live *appsv1.DaemonSet, now time.Time) {
	e.Set(keys.Written, model.Written{Generation: live.Generation, At: now}.String())
}
