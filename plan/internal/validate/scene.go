package validate

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// scene is what the snapshot and the plan show, read once; nothing changes it.
type scene struct {
	record
	cluster *model.Cluster
	rollout *model.Rollout
	plan    *model.Plan
	keys    model.Keys
	now     time.Time
	owner   types.UID
	// slots are blue and green; a rollout on one DaemonSet has blue alone.
	slots [2]slotSeen
	// placement says where the desired Pod should run; nil where that cannot be judged. settle is how long a Pod is Ready before
	// it counts as available.
	placement *capacity.Placement
	settle    time.Duration
	// measured are the slots' DaemonSets with what their revision's live Pods ask for above the template, read once when first asked for.
	measured [2]func() *appsv1.DaemonSet
	// unseen are the issued actions by node that do not show yet.
	unseen map[int][]*model.Issued
	// first is the first action of each object and node.
	first map[string]int
}

// slotSeen is the DaemonSet of a slot; a missing one has a nil set and no UID.
type slotSeen struct {
	name     string
	set      *appsv1.DaemonSet
	uid      types.UID
	revision string
	edited   model.EditedGenerations
	admits   admission
}

// newScene reads the snapshot. The error is a record that is not readable.
func newScene(snapshot *model.Snapshot, p *model.Plan) (s *scene, err error) {
	r := snapshot.Rollout.WithDefaults()
	s = &scene{
		cluster: snapshot.Cluster, rollout: r, plan: p, now: snapshot.Now(), first: firstOf(p.Actions),
		keys: model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name),
	}
	for i, name := range slotNames(r) {
		s.slots[i] = s.readSlot(name)
	}
	s.measured = [2]func() *appsv1.DaemonSet{s.readMeasured(model.Blue), s.readMeasured(model.Green)}
	s.owner = s.readOwner()
	s.unseen = unseenIn(s.cluster, r.Status.Issued)
	if !s.isPair() {
		s.slots[1] = slotSeen{}
		s.record, err = s.read(s.readOne)
		s.placement, s.settle = s.demands(s.slots[0].set, r.Spec.Desired)
		return s, err
	}
	s.record, err = s.read(s.readPair)
	s.placement, s.settle = s.demands(r.Spec.Desired, s.slot(s.active).set, s.slot(s.active.Other()).set)
	return s, err
}

// read reads the record. Who ends the rollout needs none: what is not readable is taken for a pair, or a DaemonSet, at rest.
func (s *scene) read(from func() (record, error)) (record, error) {
	r, err := from()
	if err != nil && (s.tearing() || s.rollout.Spec.Intent == model.OptOut) {
		return record{active: model.Blue, to: model.Blue}, nil
	}
	return r, err
}

func (s *scene) isPair() bool { return s.rollout.Spec.Strategy.Type == model.Pair }

func (s *scene) slot(slot model.Slot) *slotSeen { return &s.slots[max(slot, model.Blue)-1] }

func slotNames(r *model.Rollout) [2]string {
	blue, suffix := r.Metadata.Name, r.Spec.Slots.Green.Suffix
	switch {
	case r.Spec.Desired != nil:
		blue = r.Spec.Desired.Name
	case r.Spec.DesiredFrom != nil:
		blue = r.Spec.DesiredFrom.Name
	}
	cut := strings.TrimRight(blue[:min(len(blue), max(0, model.GreenNameLimit-len(suffix)))], "-")
	return [2]string{blue, cut + suffix}
}

func (s *scene) readSlot(name string) slotSeen {
	set := s.cluster.DaemonSet(s.rollout.Metadata.Namespace, name)
	if set == nil {
		return slotSeen{name: name}
	}
	revision := set.Annotations[s.keys.Revision]
	if revision == "" {
		revision = set.Spec.Template.Annotations[s.keys.Revision]
	}
	return slotSeen{
		name: name, set: set, uid: set.UID, revision: revision,
		edited: model.ParseEditedGenerations(set.Annotations[s.keys.Edited]),
		admits: admissionOf(&set.Spec.Template.Spec, s.keys.NodeSlot),
	}
}

// readOwner returns the owner's UID, which may be left out of the document.
func (s *scene) readOwner() types.UID {
	owner := s.rollout.Metadata.UID
	for _, set := range [...]*appsv1.DaemonSet{s.rollout.Spec.Desired, s.slots[0].set, s.slots[1].set} {
		if set != nil && owner == "" {
			owner = model.ControllerUID(set)
		}
	}
	return owner
}

func unseenIn(cluster *model.Cluster, issued []model.Issued) map[int][]*model.Issued {
	unseen := map[int][]*model.Issued{}
	for i := range issued {
		if n, ok := cluster.Find(issued[i].Action.Node); ok && !issued[i].Visible(cluster) {
			unseen[n] = append(unseen[n], &issued[i])
		}
	}
	return unseen
}

// demands returns what the first of the DaemonSets that is there asks of nodes and time. A pair's own affinity is none of it.
func (s *scene) demands(sets ...*appsv1.DaemonSet) (*capacity.Placement, time.Duration) {
	settle := time.Duration(*s.rollout.Spec.Strategy.SettleSeconds) * time.Second
	i := slices.IndexFunc(sets, func(set *appsv1.DaemonSet) bool { return set != nil })
	if i < 0 {
		return nil, settle
	}
	template := &sets[i].Spec.Template
	if s.isPair() && len(requiredTerms(&template.Spec)) > 0 {
		template = withoutAdmission(template, s.keys.NodeSlot)
	}
	placement, _ := capacity.NewPlacement(template) // nil where it cannot be judged
	return placement, max(settle, time.Duration(sets[i].Spec.MinReadySeconds)*time.Second)
}

// slotOf returns the slot whose DaemonSet controls the Pod.
func (s *scene) slotOf(pod *corev1.Pod) model.Slot {
	switch controller := model.ControllerUID(pod); controller {
	case "":
		return model.NoSlot
	case s.slots[0].uid:
		return model.Blue
	case s.slots[1].uid:
		return model.Green
	}
	return model.NoSlot
}

// isOf tells whether the slot's Pod is of the revision: it carries it, and no person had edited the template that it was made from.
func (s *scene) isOf(pod *corev1.Pod, slot model.Slot, revision string) bool {
	return pod.Annotations[s.keys.Revision] == revision && !s.slot(slot).edited.Made(pod)
}

// available tells whether the Pod is Ready for long enough.
func (s *scene) available(pod *corev1.Pod) bool {
	ready, since := model.ReadySince(pod)
	return ready && model.Bound(pod) && !s.now.Before(since.Add(s.settle))
}

// eligible tells whether the desired Pod should run there. A node that the rollout holds does not leave for the taints of
// a Node that is not Ready: an agent that breaks its nodes would drop them from its own budget.
func (s *scene) eligible(node *corev1.Node, held bool) bool {
	if s.placement == nil {
		return false
	}
	verdict := s.placement.Judge(node)
	if verdict == capacity.KeepsRunning && held {
		bare := *node
		bare.Spec.Taints = slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(taint corev1.Taint) bool {
			return taint.Key == corev1.TaintNodeNotReady || taint.Key == corev1.TaintNodeUnreachable
		})
		verdict = s.placement.Judge(&bare)
	}
	return verdict == capacity.Eligible
}

// question asks whether a Pod that is not bound finds room on the node once others leave.
func (s *scene) question(at *stand, pod *corev1.Pod, leaves func(*corev1.Pod) bool) capacity.Question {
	q := capacity.Question{
		Pod: pod, Node: at.node,
		OthersListed:  s.rollout.Status.OtherPods.Listed(at.node.Name),
		CountPodSlots: s.rollout.Spec.Capacity.CountPodSlots,
	}
	for _, other := range s.cluster.Pods(at.index) {
		if other.UID == pod.UID {
			continue
		}
		q.Others = append(q.Others, other)
		if leaves(other) {
			q.Leaving = append(q.Leaving, other.UID)
		}
	}
	return q
}

// promised says why a Pod that is not bound gets the node though nobody leaves for it, and "" if nothing promises that.
func (s *scene) promised(at *stand, pod *corev1.Pod) string {
	if pod.Status.NominatedNodeName == at.node.Name {
		return "the scheduler has nominated the node for Pod " + pod.Name
	}
	if first := capacity.Yielding(pod, at.node, s.cluster.Pods(at.index)); first != nil {
		return "Pod " + first.Name + " ends, and gives room to Pod " + pod.Name
	}
	return ""
}

// readMeasured reads the slot's DaemonSet as its next Pod will ask for room.
func (s *scene) readMeasured(slot model.Slot) func() *appsv1.DaemonSet {
	return sync.OnceValue(func() *appsv1.DaemonSet {
		seen := s.slot(slot)
		return capacity.Measured(seen.set, s.cluster, func(pod *corev1.Pod) bool { return s.slotOf(pod) == slot && s.isOf(pod, slot, seen.revision) })
	})
}

// noRoom says what the next Pod of the slot lacks on the node once the Pods that leave for it have gone, and "" if nothing. Where the Pod may run
// at all is the controller's to judge.
func (s *scene) noRoom(at *stand, slot model.Slot, leaves func(*corev1.Pod) bool) string {
	set := s.measured[max(slot, model.Blue)-1]()
	next := &corev1.Pod{ObjectMeta: set.Spec.Template.ObjectMeta, Spec: set.Spec.Template.Spec}
	others := slices.DeleteFunc(slices.Clone(s.cluster.Pods(at.index)), leaves)
	if s.rollout.Spec.Capacity.Preemption == model.AllowPreemption && s.preempts(at, slot, others) {
		return ""
	}
	for _, short := range capacity.Fit(next, at.node, others) {
		if short.Kind == capacity.ShortPort || short.Kind == capacity.ShortPods || short.Kind == capacity.ShortResource {
			return short.String()
		}
	}
	return ""
}

// preempts tells whether the scheduler would make room on the node for the slot's next Pod by evicting some of the others. Where that may run at all
// is the controller's to judge. Its priority is that of the rollout's Pods of the same class there, and the highest where there is none.
func (s *scene) preempts(at *stand, slot model.Slot, others []*corev1.Pod) bool {
	template, priority := s.measured[max(slot, model.Blue)-1]().Spec.Template.Spec, int32(math.MaxInt32)
	next := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: template.Containers, InitContainers: template.InitContainers, Overhead: template.Overhead, HostNetwork: template.HostNetwork, Resources: template.Resources,
		Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}}, Priority: &priority, PreemptionPolicy: template.PreemptionPolicy,
	}}
	for _, pod := range s.cluster.Pods(at.index) {
		if s.slotOf(pod) != model.NoSlot && pod.Spec.PriorityClassName == template.PriorityClassName {
			priority, next.Spec.PreemptionPolicy = capacity.Priority(pod), pod.Spec.PreemptionPolicy
		}
	}
	return len(capacity.Preempt(next, at.node, others, nil).Victims) > 0
}

// tearing tells whether the rollout takes itself down.
func (s *scene) tearing() bool {
	return s.rollout.Spec.Intent == model.Teardown || s.rollout.Metadata.Annotations[s.keys.Cleanup] != ""
}

// ownNotes are the annotations that the rollout may write on its DaemonSets.
func (s *scene) ownNotes() []string {
	if s.isPair() {
		return s.keys.OnPair()
	}
	return s.keys.OnSingle()
}

// selects tells whether the Pod has the labels of the DaemonSet's Pods.
func selects(set *appsv1.DaemonSet, pod *corev1.Pod) bool {
	return pod.Namespace == set.Namespace && set.Spec.Selector != nil && len(set.Spec.Selector.MatchLabels) > 0 &&
		labels.SelectorFromSet(set.Spec.Selector.MatchLabels).Matches(labels.Set(pod.Labels))
}
