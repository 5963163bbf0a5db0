package plan

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
)

// oneSet judges a plan of a rollout on one DaemonSet. A Pod counts for the revision in its annotation: old ones have another
// than the DaemonSet's template.
type oneSet struct {
	*validation
	set      *appsv1.DaemonSet
	revision string
	// served and stale count eligible nodes with an available Pod of the template's revision, and with a live old Pod.
	served, stale int
}

// ownNotes are the annotations that the rollout may write on its DaemonSets.
func (v *validation) ownNotes() []string {
	if v.rollout.Spec.Strategy.Type == model.Pair {
		return v.keys.OnPair()
	}
	return v.keys.OnSingle()
}

// validateSingle is Validate for one DaemonSet.
func (v *validation) validateSingle() []Violation {
	v.slots[1] = slotSeen{}
	v.active = model.Blue
	s := &oneSet{validation: v, set: v.slots[0].set}
	if s.set != nil {
		var err error
		if v.state, err = model.ParseState(s.set.Annotations[v.keys.State]); err != nil {
			if len(v.plan.Actions) > 0 {
				v.say(Form, -1, "", "%d actions although the record is not readable: %v", len(v.plan.Actions), err)
			}
			return v.found
		}
		s.revision = s.set.Spec.Template.Annotations[v.keys.Revision]
	}
	s.placeAndTime()
	v.wholePlan()
	s.lookAtNodes()
	taken := map[string]int{}
	for k := range v.plan.Actions {
		a := &v.plan.Actions[k]
		v.onlyOne(k, taken, a.Write.Object.String())
		if a.Node != "" {
			v.onlyOne(k, taken, "node "+a.Node)
		}
		if !v.sound(k, a) {
			continue
		}
		switch a.Write.Object.Kind {
		case "Pod":
			s.deletion(k, a)
		case "Node":
			v.say(S9, k, a.Node, "a rollout on one DaemonSet writes no node")
		case "DaemonSet":
			s.record(k, a)
		}
	}
	return v.found
}

func (s *oneSet) recorded() bool { return s.state.TargetSince != nil && s.state.Return == nil }

func (s *oneSet) isProven() bool { return s.recorded() && s.state.Proven == s.revision }

func (s *oneSet) goesHome() bool { return s.state.Return != nil }

func (s *oneSet) deletesFirst() bool {
	return s.rollout.Spec.Strategy.Type == model.RollingUpdate || s.state.DeleteFirst
}

func (s *oneSet) placeAndTime() {
	s.settle = time.Duration(*s.rollout.Spec.Strategy.SettleSeconds) * time.Second
	set := s.set
	if set == nil {
		set = s.rollout.Spec.Desired
	}
	if set == nil {
		return
	}
	s.settle = max(s.settle, time.Duration(set.Spec.MinReadySeconds)*time.Second)
	s.placement, _ = capacity.NewPlacement(&set.Spec.Template) // nil where it cannot be judged
}

// stand is what the snapshot says of one node.
type stand struct {
	node                   *corev1.Node
	index                  int
	eligible, ready, bound bool
	// old and fresh are the live Pods of another, and of the template's revision.
	old, fresh []*corev1.Pod
	// Whether one of them is available.
	oldAvailable, freshAvailable bool
	// serving: an old one is Ready, for however short a while.
	serving bool
}

// stands reads one node; gone is a Pod that is taken as deleted.
func (s *oneSet) stands(i int, gone types.UID) stand {
	at := stand{node: s.cluster.Node(i), index: i}
	at.ready = model.NodeReady(at.node)
	held := false
	for _, pod := range s.cluster.Pods(i) {
		if s.slotOf(pod) == model.NoSlot || model.Terminal(pod) {
			continue
		}
		held, at.bound = true, at.bound || model.Bound(pod)
		if model.Terminating(pod) || pod.UID == gone {
			continue
		}
		if s.isOf(pod, model.Blue, s.revision) {
			at.fresh = append(at.fresh, pod)
			at.freshAvailable = at.freshAvailable || s.available(pod)
		} else {
			at.old = append(at.old, pod)
			ready, _ := model.ReadySince(pod)
			at.serving = at.serving || ready
			at.oldAvailable = at.oldAvailable || s.available(pod)
		}
	}
	at.eligible = s.eligible(at.node, held)
	return at
}

// column is the node's column of the ledger. A node without an old Pod belongs to the target: what is made there next has the
// newest template.
func (s *oneSet) column(at *stand) model.Blame {
	switch {
	case !at.eligible:
		return model.NotEligible
	case at.oldAvailable || at.freshAvailable:
		return model.Available
	case len(at.old) > 0:
		return model.Ambient
	case s.recorded() && (at.ready || !s.isProven()):
		return model.Committed
	case s.goesHome() && at.ready && s.comesHome(at):
		return model.Committed
	}
	return model.Ambient
}

// comesHome: the former revision's Pod is being made since the return began, or starts, and its deadline has not passed.
func (s *oneSet) comesHome(at *stand) bool {
	deadline := time.Duration(*s.rollout.Spec.Failure.ProgressDeadlineSeconds) * time.Second
	return !slices.ContainsFunc(at.fresh, func(pod *corev1.Pod) bool {
		made := pod.CreationTimestamp.Time
		return made.Before(s.state.Return.Since.Time) || !s.now.Before(made.Add(deadline))
	})
}

func (s *oneSet) mayBeExempt(at *stand) bool {
	switch {
	case s.recorded():
		older := func(pod *corev1.Pod) bool { return pod.CreationTimestamp.Before(s.state.TargetSince) }
		return len(at.old) > 0 && (!at.ready || slices.ContainsFunc(at.old, older))
	case s.goesHome():
		return !at.ready && len(at.old) == 0
	}
	return !at.ready
}

// book adds the node's column to the ledger, or with -1 takes it off.
func (s *oneSet) book(at *stand, column model.Blame, n int) {
	s.bookColumn(column, s.mayBeExempt(at), n)
}

// lookAtNodes recomputes the account from every node, and judges the reports beside it.
func (s *oneSet) lookAtNodes() {
	reports := s.reportsByNode()
	for i := range s.cluster.Len() {
		at := s.stands(i, "")
		column := s.column(&at)
		for _, issued := range s.unseen[i] {
			// What was issued may have landed or not: the worse of both is charged.
			if issued.Action.Write.Delete != nil {
				then := s.stands(i, issued.Action.Write.Object.UID)
				column = max(column, s.column(&then))
			}
		}
		s.book(&at, column, 1)
		if at.eligible {
			s.served += boolToInt(at.freshAvailable)
			s.stale += boolToInt(len(at.old) > 0)
		}
		s.answered(&at, reports[i])
	}
	elapsed := time.Duration(math.MaxInt64)
	if s.recorded() {
		elapsed = s.now.Sub(s.state.TargetSince.Time)
	}
	s.limits = s.rollout.Spec.Strategy.Limits(s.ledger.Eligible, elapsed)
}

// answered: an eligible node that the desired revision does not serve has a report, and that is not Done.
func (s *oneSet) answered(at *stand, report int32) {
	done := at.freshAvailable && s.revision == s.plan.Revision && s.plan.Revision != ""
	switch {
	case !at.eligible || done || s.tearing() || s.plan.Phase == model.PhaseGone:
	case report == 0:
		s.say(S13, -1, at.node.Name, "the node is not served by the desired revision %q, and has no report", s.plan.Revision)
	case s.plan.Nodes[report-1].Verdict == model.Done:
		s.say(S13, -1, at.node.Name, "the node is not served by the desired revision %q, and its report is Done (%s)", s.plan.Revision, s.plan.Nodes[report-1].Reason)
	}
}

// deletion judges the deletion of a Pod, and changes the account as it does.
func (s *oneSet) deletion(k int, a *model.Action) {
	i, _ := s.cluster.Find(a.Node)
	if len(s.unseen[i]) > 0 {
		s.say(S7, k, a.Node, "%d issued actions of the node do not show yet, the first a %s", len(s.unseen[i]), s.unseen[i][0].Action.Kind)
		return
	}
	before, after := s.stands(i, ""), s.stands(i, a.Write.Object.UID)
	pods := slices.Concat(before.old, before.fresh)
	p := slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return pod.UID == a.Write.Object.UID })
	switch {
	case p < 0:
		s.say(S4, k, a.Node, "Pod %s is terminating or over: it goes without a plan", a.Write.Object.Name)
		return
	case !before.eligible:
		if before.bound {
			s.say(S9, k, a.Node, "the node is not eligible: its Pod %s is not the rollout's to delete", pods[p].Name)
		}
		return
	}
	old := p < len(before.old)
	if why := s.keepsPod(&before, pods[p], old); why != "" {
		s.say(S4, k, a.Node, "Pod %s would be deleted: %s", pods[p].Name, why)
	}
	memory := s.state.Failed != nil && s.state.Failed.Revision == s.plan.Revision
	if old && !before.freshAvailable && !s.goesHome() && !memory && s.plan.Revision != "" && s.revision != s.plan.Revision {
		s.say(S8, k, a.Node, "a handover to revision %q, while %s is desired", s.revision, s.plan.Revision)
	}
	from, to := s.column(&before), s.column(&after)
	s.seat(k, a.Node, from, to, old, before.serving)
	s.book(&before, from, -1)
	s.book(&after, to, 1)
}

// keepsPod says why the Pod must not be deleted, and "" if it may.
func (s *oneSet) keepsPod(at *stand, pod *corev1.Pod, old bool) string {
	switch {
	case s.set.Status.ObservedGeneration < s.set.Generation:
		return "the controller has not seen the template, and makes the same Pod again"
	case !old && at.freshAvailable:
		return "it has the template's revision, and is available"
	case !old && !at.oldAvailable:
		return "it has the template's revision, and nothing else serves"
	case !old || at.freshAvailable:
		return ""
	case !at.ready:
		return "its Node is not Ready, so nothing would come in its place"
	case s.deletesFirst():
		return s.keepsFirst(at)
	case len(at.fresh) != 1 || len(at.old) != 1:
		return "there is not exactly one Pod of each revision"
	}
	return s.keepsBeside(at, at.fresh[0])
}

// keepsFirst: where Pods are deleted first, the native controller must not act, and the next Pod must have a place.
func (s *oneSet) keepsFirst(at *stand) string {
	switch {
	case s.set.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType || s.set.Status.ObservedGeneration < s.set.Generation:
		return "the native controller is not known to be stopped"
	case len(at.fresh) > 0:
		return "a new Pod stands beside it, which the controller deletes"
	case s.goesHome():
		return ""
	case at.oldAvailable && model.Pressure(at.node) != "":
		return "it is available, and the kubelet evicts Pods here for " + string(model.Pressure(at.node))
	}
	next := &corev1.Pod{ObjectMeta: s.set.Spec.Template.ObjectMeta, Spec: s.set.Spec.Template.Spec}
	for _, short := range capacity.Fit(next, at.node, nil) {
		if short.AboveAllocatable {
			return "the next one never fits: " + short.String()
		}
	}
	return ""
}

// keepsBeside: a replacement takes over if it waits, prepared, behind locks, or by the capacity rule.
func (s *oneSet) keepsBeside(at *stand, next *corev1.Pod) string {
	if !model.Bound(next) {
		q := capacity.Question{
			Pod: next, Node: at.node, OthersListed: s.rollout.Status.OtherPods.Listed(at.node.Name),
			CountPodSlots: s.rollout.Spec.Capacity.CountPodSlots, Leaving: []types.UID{at.old[0].UID},
		}
		for _, other := range s.cluster.Pods(at.index) {
			if other.UID != next.UID {
				q.Others = append(q.Others, other)
			}
			if s.slotOf(other) != model.NoSlot && !s.isOf(other, model.Blue, s.revision) {
				q.Leaving = append(q.Leaving, other.UID)
			}
		}
		if answer := capacity.Fallback(q); answer.Verdict != capacity.FitsOnceSourceGone {
			return "by the capacity rule the answer is " + answer.Verdict.String() + ": " + answer.Detail
		}
		return ""
	}
	switch {
	case s.rollout.Spec.Strategy.Overlap != model.Locked:
		return "the new Pod is not available, and waits for no lock"
	case !model.AllRunning(next) || model.RestartedSince(next, next.CreationTimestamp.Time):
		return "the new Pod is not prepared"
	case lockspec.MayOverlap(&at.old[0].Spec, &next.Spec) != nil:
		return "the new Pod does not wait for the locks of this one"
	}
	for i := range next.Spec.Containers {
		if template := s.set.Spec.Template.Spec.Containers; i >= len(template) || next.Spec.Containers[i].Image != template[i].Image {
			return "the new Pod does not run the template's images"
		}
	}
	return ""
}

// record judges a write on the DaemonSet: its record, its native strategy and its template.
func (s *oneSet) record(k int, a *model.Action) {
	patch := a.Write.Patch
	if patch == nil || s.rollout.Spec.Intent != model.Run {
		return
	}
	notes, _ := model.ApplyEdits(s.set.Annotations, patch.Annotations)
	state, err := model.ParseState(notes[s.keys.State])
	if err != nil {
		s.say(Form, k, "", "the state would not be readable: %v", err)
		return
	}
	if state.Proven != "" && state.Proven != s.state.Proven && (s.served == 0 || state.Proven != s.revision) {
		s.say(S4, k, "", "revision %s would be recorded as proven, and serves on no node", state.Proven)
	}
	s.native(k, a, &state)
	template := s.set.Spec.Template
	if patch.Spec != nil {
		template = patch.Spec.Template
	}
	changes := !equality.Semantic.DeepEqual(template, s.set.Spec.Template) &&
		template.Annotations[s.keys.Revision] != s.revision
	s.keepsFormer(k, &state, &template, changes, notes[s.keys.Source])
}

// keepsFormer: the former template is kept as long as its successor is not proven, and a return writes that very one.
func (s *oneSet) keepsFormer(k int, state *model.State, template *corev1.PodTemplateSpec, changes bool, text string) {
	var kept, former struct {
		Template corev1.PodTemplateSpec `json:"template"`
	}
	for _, read := range [...]struct {
		text string
		into any
	}{{text, &kept}, {s.set.Annotations[s.keys.Source], &former}} {
		if err := json.Unmarshal([]byte(read.text), read.into); read.text != "" && err != nil {
			s.say(Form, k, "", "the former template is not readable: %v", err)
			return
		}
	}
	inFlight := s.recorded() && !s.isProven()
	switch desired := template.Annotations[s.keys.Revision] == s.plan.Revision; {
	case state.TargetSince != nil && !changes && text != s.set.Annotations[s.keys.Source]:
		s.say(S5, k, "", "the former template would be given up while revision %q is being rolled out", s.revision)
	case !changes:
	case state.Return != nil && !desired && !equality.Semantic.DeepEqual(*template, former.Template):
		s.say(S5, k, "", "the return would write another template than the kept one")
	case state.Return != nil && (state.Failed == nil) == (state.Return.Cause != model.ReturnSuperseded):
		s.say(S5, k, "", "a return for the cause %s is recorded, and the failed revision is not", state.Return.Cause)
	case state.Return == nil && inFlight && text != s.set.Annotations[s.keys.Source]:
		s.say(S5, k, "", "the last proven template would be given up for one that was never proven")
	case state.Return == nil && !inFlight && text != "" && !equality.Semantic.DeepEqual(kept.Template, s.set.Spec.Template):
		s.say(S5, k, "", "the template that is kept is not the one that serves")
	case state.Return == nil && !inFlight && text == "" && s.small():
		s.say(S5, k, "", "the template that serves would not be kept")
	}
}

// small tells whether the present template may be kept: what is larger than half of what all annotations may have is not.
func (s *oneSet) small() bool {
	text, err := json.Marshal(s.set.Spec.Template)
	return err == nil && len(text) < 120<<10
}

// native judges the strategy that the native controller would follow.
func (s *oneSet) native(k int, a *model.Action, state *model.State) {
	spec := a.Write.Patch.Spec
	if spec == nil {
		return
	}
	moves := spec.Template.Annotations[s.keys.Revision] != s.revision
	was, is := s.set.Spec.UpdateStrategy, spec.UpdateStrategy
	if moves && !equality.Semantic.DeepEqual(was.Type, is.Type) {
		s.say(S5, k, "", "template and strategy would change in one write: the controller could act by the wrong one")
	}
	if is.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return
	}
	surge, unavailable := rollingNumbers(&is, s.ledger.Eligible)
	switch l := s.charged(); {
	case s.deletesFirst() && !moves || s.rollout.Spec.Strategy.Type == model.RollingUpdate || moves && state.DeleteFirst:
		s.say(S2, k, "", "the native controller would delete Pods that are rolled delete-first")
	case unavailable > 0:
		s.say(S2, k, "", "the native controller would have maxUnavailable %d", unavailable)
	case surge > s.limits.Window || surge > s.limits.Unavailable:
		s.say(S11, k, "", "maxSurge %d > the window of %d or maxUnavailable %d", surge, s.limits.Window, s.limits.Unavailable)
	case s.rollout.Spec.Strategy.Paused || s.rollout.Spec.Strategy.Frozen:
		s.say(S2, k, "", "the native controller would go on although the rollout is paused or frozen")
	case (moves || s.stale > 0) && l.Charged() > s.limits.Unavailable:
		s.say(S2, k, "", "the native controller would replace every unready Pod at once: %d committed + %d ambient − %d exempt > maxUnavailable %d", l.Committed, l.Ambient, l.Exempt, s.limits.Unavailable)
	}
	if moves || was.Type == appsv1.OnDeleteDaemonSetStrategyType {
		s.mayStand(k, spec)
	}
}

// mayStand: no Pod of the written template is made beside one that its locks do not exclude, or whose anti-affinity keeps it off.
func (s *oneSet) mayStand(k int, spec *appsv1.DaemonSetSpec) {
	next := &corev1.Pod{ObjectMeta: spec.Template.ObjectMeta, Spec: spec.Template.Spec}
	next.Namespace = s.set.Namespace
	for i := range s.cluster.Len() {
		at := s.stands(i, "")
		for _, pod := range slices.Concat(at.old, at.fresh) {
			if s.isOf(pod, model.Blue, spec.Template.Annotations[s.keys.Revision]) {
				continue
			}
			if err := lockspec.MayOverlap(&pod.Spec, &next.Spec); s.rollout.Spec.Strategy.Overlap == model.Locked && err != nil {
				s.say(S14, k, at.node.Name, "the locks of Pod %s and of the written template do not exclude each other: %v", pod.Name, err)
			}
			if why := capacity.Apart(pod, next); why != "" {
				s.say(S14, k, at.node.Name, "no Pod of the written template is scheduled beside %s: %s", pod.Name, why)
			}
		}
	}
}

// rollingNumbers resolves a native rolling update with the API's defaults.
func rollingNumbers(strategy *appsv1.DaemonSetUpdateStrategy, nodes int) (surge, unavailable int) {
	unavailable = 1
	if r := strategy.RollingUpdate; r != nil && r.MaxSurge != nil {
		surge, _ = budget.Resolve(*r.MaxSurge, nodes)
	}
	if r := strategy.RollingUpdate; r != nil && r.MaxUnavailable != nil {
		unavailable, _ = budget.Resolve(*r.MaxUnavailable, nodes)
	}
	return surge, unavailable
}
