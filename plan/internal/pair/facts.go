package pair

import (
	"fmt"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// facts are what the snapshot says of one node.
type facts struct {
	index    int
	node     *corev1.Node
	label    model.NodeLabel
	place    place
	eligible capacity.Eligibility
	ready    bool
	from, to step.Podset
	// legacy says that the label's value is an old spelling, which no slot's affinity knows.
	legacy bool
	// orphaned says that a Pod without a controller runs there that carries a slot's labels.
	orphaned bool
	// foreign is a Pod under another controller that carries a slot's labels, the first by name; nil for none.
	foreign *corev1.Pod
	// issued says that an action on the node was sent whose effect does not show yet.
	issued bool

	// Availability of the two Pods, the label aside, and of the node.
	fromAvailable, toAvailable bool
	available                  bool
	// joining says that the node is new and has never had an available agent.
	joining bool
	// settling says that a Pod that the label admits is Ready, though the node does not count as available.
	settling bool
	// exact says that the destination's live Pod has the destination's revision.
	exact bool
	moved model.Moved
	// wake is when one of the Pods becomes available by time alone; zero for never.
	wake time.Time
	// faults are what is odd about the node's Pods.
	faults []string
}

// look reads the facts of the i-th node.
func (v *view) look(i int) facts {
	node := v.cluster.Node(i)
	value, labelled := node.Labels[v.keys.NodeSlot]
	f := facts{
		index: i, node: node, ready: model.NodeReady(node),
		label: model.ParseNodeLabel(value, labelled),
	}
	f.place = v.direction.place(f.label)
	if now, known := f.label.Value(); known && labelled && value != now {
		f.legacy, f.place = true, unrecognised
	}
	from, to := v.pair.slot(v.direction.from).uid(), v.pair.slot(v.direction.to).uid()
	for _, pod := range v.cluster.Pods(i) {
		switch controller := model.ControllerUID(pod); controller {
		case "":
			f.noteOrphan(v.orphanFaults(pod))
		case from:
			f.from.Add(pod)
		case to:
			f.to.Add(pod)
		default:
			if f.foreign == nil && v.identity.Foreign(pod) {
				f.foreign = pod
			}
		}
	}
	f.eligible = v.eligibility(&f, labelled)
	if labelled {
		f.moved = model.ParseMoved(node.Annotations[v.keys.NodeMoved])
	}
	f.issued = v.issuedNodes[i]
	v.judgeAvailability(&f)
	v.judgeJoining(&f)
	return f
}

// judgeJoining tells whether the node joins: its Node is younger than the deadline, and nothing shows that it has had an agent: no mark of a
// node that was moved after it had joined, and no Pod that has been Ready. After the deadline it is a node without an agent like any other.
func (v *view) judgeJoining(f *facts) {
	marked := f.label.Kind != model.Unlabelled && !f.moved.Joins
	if f.available || f.eligible != capacity.Eligible || f.place.overlaps() || marked || f.from.Served || f.to.Served {
		return
	}
	passed, at := v.limit().Passed(f.node.CreationTimestamp.Time)
	if f.joining = !passed && !at.IsZero(); f.joining {
		f.wake = step.Sooner(f.wake, at)
	}
}

// eligibility judges the node; the rollout holds it by its label or by a Pod.
func (v *view) eligibility(f *facts, labelled bool) capacity.Eligibility {
	return v.placement.Judge(f.node, labelled || !f.from.Gone() || !f.to.Gone())
}

// orphanFaults says of a Pod without a controller that carries a slot's labels that it may hold locks, and is left alone. One that carries green's
// may carry blue's too.
func (v *view) orphanFaults(pod *corev1.Pod) []string {
	for _, slot := range [...]model.Slot{model.Green, model.Blue} {
		if set := v.pair.slot(slot).set; set != nil && step.Orphaned(pod, set) {
			return []string{fmt.Sprintf("Pod %s has the labels of DaemonSet %s and no controller: it is left alone, and may hold locks", pod.Name, set.Name)}
		}
	}
	return nil
}

func (f *facts) noteOrphan(faults []string) {
	f.orphaned = f.orphaned || len(faults) > 0
	f.faults = append(f.faults, faults...)
}

// judgeAvailability settles availability. A Pod counts only where its node's label admits its slot: what the label
// turns away is as good as gone, though it is still Ready.
func (v *view) judgeAvailability(f *facts) {
	var fromAt, toAt time.Time
	f.fromAvailable, fromAt = step.AvailableFrom(f.from.Live, v.now, v.settle)
	f.toAvailable, toAt = step.AvailableFrom(f.to.Live, v.now, v.settle)
	f.wake = step.Sooner(fromAt, toAt)
	f.exact = f.to.Live != nil && v.isExact(f.to.Live)
	to := f.toAvailable && (f.exact || v.direction.back || f.place != atTo || v.leftBehind(f))
	f.available = (f.place.admitsFrom() && f.fromAvailable) || (f.place.admitsTo() && to)
	f.settling = !f.available && (f.place.admitsFrom() && step.PodReady(f.from.Live) || f.place.admitsTo() && step.PodReady(f.to.Live))
}

// leftBehind tells whether the node has been labelled for the destination's slot since before the target was recorded: an exception of the last
// rollout, which found no room on it. Its Pod of an older revision serves, and goes like any other: with a seat.
func (v *view) leftBehind(f *facts) bool {
	return f.label.Kind == model.Serves && !f.moved.At.IsZero() && f.moved.At.Before(v.direction.targetSince.Truncate(time.Second))
}

// isExact tells whether a Pod of the destination has the destination's revision, and was not made from a template that a person
// had edited.
func (v *view) isExact(pod *corev1.Pod) bool {
	return pod.Annotations[v.keys.Revision] == v.direction.toRevision && !v.pair.slot(v.direction.to).edited.Made(pod)
}

// serves tells whether the exact destination Pod is available.
func (f *facts) serves() bool { return f.exact && f.toAvailable }

// prepared tells whether the destination's Pod has everything but, perhaps, the locks: exact, bound, every
// container running, and not restarted since it began to wait.
func (v *view) prepared(f *facts) bool {
	pod := f.to.Live
	return f.ready && f.exact && pod != nil && model.Bound(pod) && model.AllRunning(pod) && !model.RestartedSince(pod, v.waitBegan(f))
}

// waitBegan is when the destination's Pod began to wait behind the locks: when its node entered overlap, or
// when it was made, whichever was later.
func (v *view) waitBegan(f *facts) time.Time {
	began := f.moved.At
	if f.to.Live != nil && f.to.Live.CreationTimestamp.After(began) {
		began = f.to.Live.CreationTimestamp.Time
	}
	return began
}

// candidate returns the recorded candidate's UID.
func (v *view) candidate(f *facts) types.UID {
	return types.UID(f.node.Annotations[v.keys.NodeCandidate])
}

// fenced tells whether this executor has written the overlapping node's marks.
func (v *view) fenced(f *facts) bool {
	return v.executor.ID == "" || f.node.Annotations[v.keys.NodeFence] == v.executor.ID
}

// sourceBroken tells whether the source was unready before this destination Pod existed: then deleting
// the destination again would not bring the source back.
func (f *facts) sourceBroken() bool {
	if f.from.Live == nil {
		return true
	}
	ready, since := model.ReadySince(f.from.Live)
	return !ready && f.to.Live != nil && since.Before(f.to.Live.CreationTimestamp.Time)
}

// sourceHolds tells whether the source's Pod still holds some of the locks.
func (f *facts) sourceHolds() bool {
	return f.from.Live != nil && model.StartedContainers(f.from.Live) > 0
}

// sourceFell returns when the source's Pod became unready; zero while it is Ready.
func (f *facts) sourceFell() time.Time {
	if f.from.Live == nil {
		return time.Time{}
	}
	ready, since := model.ReadySince(f.from.Live)
	if ready {
		return time.Time{}
	}
	return since
}
