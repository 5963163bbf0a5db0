package execute

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// DefaultRequestTimeout is how long a request can be under way unless the document's status.executor.requestTimeout says
// otherwise: the API server's --request-timeout has this default.
const DefaultRequestTimeout = time.Minute

// Patience is how long a refused request waits for a cache that has not changed. After that it is sent once more: what is
// refused then is not refused for a stale cache.
const Patience = time.Minute

// State is all that a Run remembers: a plain value, whose order is that of what happened. It is not to be changed.
type State struct {
	Executor model.Executor `json:"executor,omitzero"`
	// Issued are the actions whose effect the caches may not show yet; one without a result has an unknown outcome.
	Issued []model.Issued `json:"issued,omitempty"`
	// Holds are requests that are not sent again before a cache has moved on.
	Holds []Hold `json:"holds,omitempty"`
	// Patience is the run's own; 0 for the constant.
	Patience metav1.Duration `json:"patience,omitzero"`
}

// Run is the bookkeeping of one rollout in one life of the process that carries it out. It is not safe for concurrent use.
type Run struct {
	state State
	// view is the last snapshot, and list a live list, asked for then, that the caches are not known to be as new as.
	view  *model.Snapshot
	list  *model.Cluster
	asked time.Time
}

// New begins a run. The ID is a fresh one for every start of the process and for every leadership: by it the planner tells requests of
// a predecessor from its own. An empty ID says that nobody else has ever acted, as in a run without an API server; then nothing is fenced.
func New(id string) *Run {
	return Resume(State{Executor: model.Executor{ID: id, RequestTimeout: metav1.Duration{Duration: DefaultRequestTimeout}}})
}

// Resume goes on from a state within the same life: for simulations, which keep states. A process that starts anew calls New.
func Resume(state State) *Run {
	state.Issued, state.Holds = slices.Clip(state.Issued), slices.Clip(state.Holds)
	return &Run{state: state}
}

// Clone returns a run that goes its own way from here. It copies no object and no list.
func (r *Run) Clone() *Run {
	next := *r
	next.state = r.State()
	return &next
}

// State returns what the run remembers now. It shares its lists with the run, which replaces and never changes them.
func (r *Run) State() State {
	return State{r.state.Executor, slices.Clip(r.state.Issued), slices.Clip(r.state.Holds), r.state.Patience}
}

// Snapshot returns what the next plan is made from: the cluster as the caches show it, and the document with its facts. The instant is now,
// the executor this run, and of what was issued what the cluster does not show yet; watched and otherPods stay as the document has them. It copies
// the document and none of its lists.
func (r *Run) Snapshot(cluster *model.Cluster, rollout *model.Rollout, now time.Time) *model.Snapshot {
	document := *rollout
	r.view = &model.Snapshot{Cluster: cluster, Rollout: &document}
	r.begin(rollout.Status.Executor.RequestTimeout, now)
	if r.list != nil && caughtUp(cluster, r.list) {
		r.state.Executor.Listed, r.list = true, nil
	}
	r.forget(now)
	document.Status.ObservedAt = metav1.NewTime(now)
	r.fill(&document.Status)
	return r.view
}

func (r *Run) fill(facts *model.Facts) {
	facts.Executor, facts.Issued = r.state.Executor, slices.Clip(r.state.Issued)
}

// begin notes the instant of what has none yet: of the run itself, of unknown outcomes and of holds. A request was sent before the first
// snapshot after it, so that its deadline is not taken too early.
func (r *Run) begin(timeout metav1.Duration, now time.Time) {
	x := &r.state.Executor
	x.RequestTimeout.Duration = cmp.Or(timeout.Duration, x.RequestTimeout.Duration)
	if x.Since.IsZero() && x.ID != "" {
		x.Since = metav1.NewTime(now)
	}
	if slices.ContainsFunc(r.state.Issued, func(i model.Issued) bool { return i.At.IsZero() }) {
		r.state.Issued = slices.Clone(r.state.Issued)
		for i := range r.state.Issued {
			stamp(&r.state.Issued[i].At, now)
		}
	}
	if slices.ContainsFunc(r.state.Holds, func(h Hold) bool { return h.Since.IsZero() }) {
		r.state.Holds = slices.Clone(r.state.Holds)
		for i := range r.state.Holds {
			stamp(&r.state.Holds[i].Since, now)
		}
	}
}

func stamp(at *metav1.Time, now time.Time) {
	if at.IsZero() {
		*at = metav1.NewTime(now)
	}
}

// forget drops what the view shows: issued actions, and holds whose object has changed there, or which nobody asks for any more.
func (r *Run) forget(now time.Time) {
	r.state.Issued = keep(r.state.Issued, func(i *model.Issued) bool { return !r.shown(i, now) })
	r.state.Holds = keep(r.state.Holds, func(h *Hold) bool { return h.seen(r.view) && h.lasts(now, 2*r.patience()) })
}

// shown tells whether the action's effect shows, or can no longer come. A kind that no cluster holds, the owner, costs nothing, and its
// patch tests what it replaces: there the deadline is enough.
func (r *Run) shown(i *model.Issued, now time.Time) bool {
	if !inCluster(i.Action.Write.Object) {
		return i.Result != nil || !now.Before(r.deadline(i))
	}
	return i.Visible(r.view.Cluster)
}

// deadline is the instant from which a request that has got no answer cannot land any more.
func (r *Run) deadline(i *model.Issued) time.Time {
	return i.At.Add(r.state.Executor.RequestTimeout.Duration)
}

// keep returns the items for which the function holds: the same list if all do, else a new one.
func keep[T any](list []T, stays func(*T) bool) []T {
	for i := range list {
		if stays(&list[i]) {
			continue
		}
		kept := slices.Clone(list[:i])
		for j := i + 1; j < len(list); j++ {
			if stays(&list[j]) {
				kept = append(kept, list[j])
			}
		}
		return kept
	}
	return list
}

func (r *Run) patience() time.Duration { return cmp.Or(r.state.Patience.Duration, Patience) }

// soon is when to look again for what has no instant of its own: caches that are older than a list.
const soon = time.Second

// After says when to reconcile again although nothing changes; 0 means never. It is the plan's RequeueAfter, or earlier what the run waits
// for: the end of the predecessor's requests, a live read, the end of a hold.
func (r *Run) After(next *model.Plan, now time.Time) time.Duration {
	after := next.RequeueAfter
	earlier := func(at time.Time) {
		if wait := max(at.Sub(now), soon); after == 0 || wait < after {
			after = wait
		}
	}
	if x := r.state.Executor; x.ID != "" && !x.Listed {
		earlier(x.Since.Add(x.RequestTimeout.Duration))
	}
	for i := range r.state.Issued {
		issued := r.state.Issued[i]
		stamp(&issued.At, now)
		if at, ever := r.opens(&issued); ever {
			earlier(at)
		}
	}
	for i := range r.state.Holds {
		if end := cmp.Or(r.state.Holds[i].Since.Time, now).Add(r.patience()); end.After(now) {
			earlier(end)
		}
	}
	return after
}
