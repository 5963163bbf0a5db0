package baseline

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
)

// NativeUnavailable writes the desired template once into the one DaemonSet, with the native rolling update at
// maxUnavailable; the DaemonSet controller does the rest.
//
// What it leaves unsafe: every node is without its agent while the new image is pulled and started; a Pod that is Ready
// for a moment counts (minReadySeconds is all there is); a node that is down holds its place in the budget for good;
// old Pods that are not available are all replaced at once, whatever the budget; and nothing stops a bad revision but
// the nodes that it has taken.
func NativeUnavailable(snapshot *model.Snapshot) (model.Plan, error) {
	return new(NativePlanner).Next(snapshot)
}

// NativeSurge is NativeUnavailable with maxSurge instead: a node's old Pod goes once its new one is available.
//
// What it leaves unsafe: two processes of one agent run on a node at the same time, on the same files and sockets;
// Pods that declare host ports, or whose new one does not fit beside the old one, wait for good.
func NativeSurge(snapshot *model.Snapshot) (model.Plan, error) {
	return (&NativePlanner{Surge: true}).Next(snapshot)
}

// NativePlanner is NativeUnavailable, or NativeSurge, with a memory of the desired DaemonSet: its plans are the same, and take less time. It is not
// safe for concurrent use.
type NativePlanner struct {
	Surge   bool
	desired kept[*appsv1.DaemonSet]
}

// Next plans the next step.
func (n *NativePlanner) Next(snapshot *model.Snapshot) (model.Plan, error) {
	desired, err := n.desired.get(snapshot.Rollout, func() (*appsv1.DaemonSet, error) { return Conventional(snapshot) })
	if err != nil {
		return model.Plan{}, err
	}
	desired, surge := desired.DeepCopy(), n.Surge // it goes into the plan
	rollout := snapshot.Rollout.WithDefaults()
	p := model.Plan{
		Namespace: rollout.Metadata.Namespace, Name: rollout.Metadata.Name, ObservedAt: rollout.Status.ObservedAt,
		Phase: model.PhaseAdvancing, WakeOn: []string{"DaemonSet", "Node", "Pod"},
	}
	desired.Spec.UpdateStrategy = nativeStrategy(*rollout.Spec.Strategy.MaxUnavailable, surge)
	live := snapshot.Cluster.DaemonSet(desired.Namespace, desired.Name)
	switch {
	case live == nil:
		p.Phase = model.PhaseInstalling
		p.Actions = []model.Action{{Kind: model.CreateSlot, Reason: model.SlotMissing, Write: model.Write{Object: setRef(desired), Create: desired}}}
	case !equality.Semantic.DeepEqual(live.Spec.Template, desired.Spec.Template) || !equality.Semantic.DeepEqual(live.Spec.UpdateStrategy, desired.Spec.UpdateStrategy):
		spec := live.Spec.DeepCopy()
		spec.Template, spec.UpdateStrategy = desired.Spec.Template, desired.Spec.UpdateStrategy
		p.Actions = []model.Action{{Kind: model.UpdateSlot, Reason: model.NewRevision, Write: model.Write{
			Object: setRef(live), Patch: &model.Patch{Generation: live.Generation, Spec: spec}}}}
	}
	if err := countNodes(&p, snapshot, desired, live); err != nil {
		return model.Plan{}, err
	}
	p.Limits = rollout.Spec.Strategy.Limits(p.Ledger.Eligible, 0)
	return p, nil
}

func nativeStrategy(limit intstr.IntOrString, surge bool) appsv1.DaemonSetUpdateStrategy {
	zero := intstr.FromInt32(0)
	rolling := &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &limit, MaxSurge: &zero}
	if surge {
		rolling = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &zero, MaxSurge: &limit}
	}
	return appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: rolling}
}

// countNodes fills in the ledger, and ends the rollout when every eligible node whose Node is Ready has an available
// Pod of the desired template and no other.
func countNodes(p *model.Plan, snapshot *model.Snapshot, desired, live *appsv1.DaemonSet) error {
	placement, err := capacity.NewPlacement(&desired.Spec.Template)
	if err != nil {
		return err
	}
	updated, first, message := 0, "", ""
	made := templates{of: &desired.Spec.Template}
	alive := 0
	for i := range snapshot.Cluster.Len() {
		node := snapshot.Cluster.Node(i)
		if placement.Judge(node) != capacity.Eligible {
			continue
		}
		p.Ledger.Eligible++
		state := nodeState{}
		if live != nil {
			state = look(snapshot, i, desired, live, &made)
		}
		if state.available {
			p.Ledger.Available++
		} else {
			p.Ledger.Ambient++
		}
		if !model.NodeReady(node) {
			continue
		}
		if alive++; state.updated {
			updated++
		} else if first == "" || message == "" && state.refused != "" {
			first, message = node.Name, state.refused
		}
	}
	switch {
	case len(p.Actions) > 0:
	case updated == alive:
		p.Phase = model.PhaseSteady
	default:
		text := fmt.Sprintf("%d of %d nodes have the new template; %s has not", updated, alive, first)
		if message != "" {
			text += ": its new Pod is Pending: " + message
		}
		p.Waits = []model.Wait{{Reason: model.TargetCreating, Message: text}}
	}
	return nil
}

// nodeState is what the DaemonSet's Pods on one node come to.
type nodeState struct {
	available, updated bool
	// refused is the scheduler's word on a Pod of the desired template.
	refused string
}

func look(snapshot *model.Snapshot, i int, desired, live *appsv1.DaemonSet, made *templates) (s nodeState) {
	fresh, others := false, false
	for _, pod := range snapshot.Cluster.Pods(i) {
		if model.ControllerUID(pod) != live.UID || model.Terminal(pod) {
			continue
		}
		available := availableFor(pod, snapshot, desired.Spec.MinReadySeconds)
		s.available = s.available || available
		if !made.has(pod) {
			others = true
			continue
		}
		fresh = fresh || available
		if message, no := model.Unschedulable(pod); no {
			s.refused = message
		}
	}
	s.updated = fresh && !others
	return s
}

// templates tells which Pods were made from one template. Pods that were made from the same one share its containers, so
// that one comparison a call does for all of them.
type templates struct {
	of    *corev1.PodTemplateSpec
	known map[sharedContainers]bool
}

// sharedContainers are the lists of a Pod by their place in memory: Pods with the same lists run the same.
type sharedContainers struct {
	containers, inits *corev1.Container
	count, initCount  int
}

func firstOf(list []corev1.Container) *corev1.Container {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// has tells whether the Pod was made from the template, or from one that differs in nothing that a Pod runs.
func (t *templates) has(pod *corev1.Pod) bool {
	shared := sharedContainers{firstOf(pod.Spec.Containers), firstOf(pod.Spec.InitContainers), len(pod.Spec.Containers), len(pod.Spec.InitContainers)}
	same, ok := t.known[shared]
	if !ok {
		same = equality.Semantic.DeepEqual(pod.Spec.Containers, t.of.Spec.Containers) &&
			equality.Semantic.DeepEqual(pod.Spec.InitContainers, t.of.Spec.InitContainers)
		if t.known == nil {
			t.known = map[sharedContainers]bool{}
		}
		t.known[shared] = same
	}
	return same && carries(pod.Annotations, t.of.Annotations) && carries(pod.Labels, t.of.Labels)
}

func carries(have, want map[string]string) bool {
	for key, value := range want {
		if have[key] != value {
			return false
		}
	}
	return true
}

func setRef(set *appsv1.DaemonSet) model.ObjectRef {
	return model.ObjectRef{APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: set.Namespace, Name: set.Name, UID: set.UID}
}
