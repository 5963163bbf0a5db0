package pair

import (
	"reflect"
	"slices"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/former/step"
	appsv1 "k8s.io/api/apps/v1"
)

// Memo keeps between the plans of one rollout what they have in common: the rendering of what is desired, and what was found
// on nodes where nothing has changed. It never changes a plan: whatever a kept value was made from is kept beside it and
// compared. Objects are compared by their addresses first, so those that were given in a snapshot must not be changed later.
//
// A nil Memo keeps nothing. The zero value is ready for use, by one caller at a time.
type Memo struct {
	renderings []*keptRendering // the newest first
	nodes      nodeMemo
}

// keptRenderings bounds what is kept: a rollout goes to and fro between few revisions.
const keptRenderings = 8

// renderInputs is all that a rendering is made from.
type renderInputs struct {
	owner    model.Owner
	settings model.SlotSettings
	lock     model.LockSettings
	overlap  model.OverlapMode
	desired  *appsv1.DaemonSet
	disable  bool
	// What follows is left out where the desired DaemonSet is given.
	from   *model.DesiredFrom
	active model.Slot
	sets   [2]*appsv1.DaemonSet
}

// keptRendering is a rendering with what is derived from it.
type keptRendering struct {
	inputs    renderInputs
	rendering *Rendering
	placement *step.Placement
	slots     [2][2]keptSlot // by slot, and by whether it owns unlabelled nodes
}

// keptSlot is a slot's DaemonSet as it is to be, and live ones that were compared with it.
type keptSlot struct {
	want    *appsv1.DaemonSet
	covered [2]*appsv1.DaemonSet
}

// renderInputs collects what the rendering is made from. Of deployed DaemonSets that is not their resourceVersion or status.
func (p *planner) renderInputs() renderInputs {
	spec, owner := &p.rollout.Spec, &p.rollout.Metadata
	in := renderInputs{
		owner:    model.Owner{Namespace: owner.Namespace, Name: owner.Name},
		settings: p.settings, lock: spec.Lock, overlap: spec.Strategy.Overlap, desired: spec.Desired,
	}
	if spec.Desired != nil {
		in.disable = p.handsBack()
		return in
	}
	in.from, in.active = spec.DesiredFrom, p.pair.record.active
	for i := range p.pair.slots {
		if set := p.pair.slots[i].set; set != nil {
			bare := *set
			bare.ResourceVersion, bare.ManagedFields, bare.Status = "", nil, appsv1.DaemonSetStatus{}
			in.sets[i] = &bare
		}
	}
	return in
}

// recall takes over a rendering that was made from the same; it tells whether there is one.
func (p *planner) recall(in *renderInputs) bool {
	if p.memo == nil {
		return false
	}
	list := p.memo.renderings
	for i, kept := range list {
		if reflect.DeepEqual(&kept.inputs, in) {
			copy(list[1:i+1], list[:i])
			list[0] = kept
			p.kept, p.render, p.placement = kept, kept.rendering, kept.placement
			return true
		}
	}
	return false
}

// keep remembers the rendering that was just made.
func (p *planner) keep(in renderInputs) {
	p.kept = &keptRendering{inputs: in, rendering: p.render, placement: p.placement}
	if p.memo != nil {
		list := append([]*keptRendering{p.kept}, p.memo.renderings...)
		p.memo.renderings = list[:min(len(list), keptRenderings)]
	}
}

// wanted returns the slot's DaemonSet as it is to be. It belongs to the memo, and is for comparing only: what is written is rendered anew.
func (p *planner) wanted(slot model.Slot, owns bool) *keptSlot {
	kept := &p.kept.slots[boolToInt(slot == model.Green)][boolToInt(owns)]
	if kept.want == nil {
		kept.want = p.render.Slot(slot, owns)
	}
	return kept
}

// covers tells whether the live spec says all that the slot's is to say. Only what was covered is remembered: drift is
// repaired, and does not last.
func (k *keptSlot) covers(live *appsv1.DaemonSet) bool {
	for _, known := range k.covered {
		if known != nil && (known == live || reflect.DeepEqual(&known.Spec, &live.Spec)) {
			return true
		}
	}
	if !step.Covers(&live.Spec, &k.want.Spec) {
		return false
	}
	k.covered[1], k.covered[0] = k.covered[0], live
	return true
}

// nodeMemo keeps what was found on the nodes of one cluster.
type nodeMemo struct {
	cluster *model.Cluster
	inputs  nodeInputs
	now     time.Time
	entries []nodeEntry // by the node's number in the cluster
	reports []model.NodeReport
	tallies []tally // what entries add, each once
}

// nodeInputs is all that a node's report and proposal are made from, beside the node itself, its Pods, what is issued, and the
// time. What a proposal reads must stand here.
type nodeInputs struct {
	settings nodeSettings
	slots    [2]slotInputs
}

type nodeSettings struct {
	keys      model.Keys
	spec      model.Spec
	executor  model.Executor
	otherPods model.OtherPods
	rendering *Rendering
	settle    time.Duration
	journey   journey
	record    record
}

// slotInputs are of the DaemonSet its namespace, UID and spec alone.
type slotInputs struct {
	set      *appsv1.DaemonSet
	revision string
	edited   model.EditedGenerations
}

func (s *slotInputs) same(o *slotInputs) bool {
	return s.revision == o.revision && slices.Equal(s.edited, o.edited) && (s.set == o.set || s.set != nil && o.set != nil &&
		s.set.Namespace == o.set.Namespace && s.set.UID == o.set.UID && reflect.DeepEqual(&s.set.Spec, &o.set.Spec))
}

func (in *nodeInputs) same(o *nodeInputs) bool {
	return in.settings.rendering == o.settings.rendering && in.slots[0].same(&o.slots[0]) && in.slots[1].same(&o.slots[1]) &&
		reflect.DeepEqual(&in.settings, &o.settings)
}

// nodeEntry is what a node adds to the survey as long as nothing changes on it.
type nodeEntry struct {
	proposal nodeProposal
	tally    uint8 // its number plus one; 0 if nothing is known of the node
	reported bool
}

// maxTallies bounds the different tallies; nodes beyond are not remembered.
const maxTallies = 100

// nodeInputs collects what the nodes are judged by.
func (p *planner) nodeInputs() nodeInputs {
	status := &p.rollout.Status
	in := nodeInputs{settings: nodeSettings{
		keys: p.keys, spec: p.rollout.Spec, executor: status.Executor, otherPods: status.OtherPods,
		rendering: p.render, settle: p.clock.Settle, journey: p.journey, record: p.pair.record,
	}}
	for i := range p.pair.slots {
		view := &p.pair.slots[i]
		in.slots[i] = slotInputs{view.set, view.revision, view.edited}
	}
	return in
}

// recallNodes forgets the entries of nodes that have changed since; all of them if what they are judged by has, or if time ran
// backwards.
func (p *planner) recallNodes() {
	if p.memo == nil {
		return
	}
	m := &p.memo.nodes
	in := p.nodeInputs()
	same := m.cluster != nil && p.canary == nil && // a canary looks at each of its nodes
		!p.now.Before(m.now) && m.inputs.same(&in)
	switch {
	case !same:
		m.begin(p.cluster.Len())
		m.tallies = m.tallies[:0]
	case m.cluster != p.cluster:
		m.follow(p.cluster)
	}
	m.cluster, m.inputs, m.now = p.cluster, in, p.now
}

// begin makes room for so many nodes, of which nothing is known.
func (m *nodeMemo) begin(n int) {
	m.entries, m.reports = make([]nodeEntry, n), make([]model.NodeReport, n)
}

// follow brings the entries to another cluster: both have their nodes in the order of names.
func (m *nodeMemo) follow(next *model.Cluster) {
	former, reports := m.entries, m.reports
	if next.Len() != m.cluster.Len() || !sameNames(m.cluster, next) {
		m.begin(next.Len())
	}
	j := 0
	for i := range next.Len() {
		for j < len(former) && m.cluster.Node(j) != next.Node(i) && m.cluster.Node(j).Name < next.Node(i).Name {
			j++
		}
		if j < len(former) && unchanged(m.cluster, j, next, i) {
			m.entries[i], m.reports[i] = former[j], reports[j]
		} else {
			m.entries[i].tally = 0
		}
	}
}

// sameNames tells whether both clusters number the same nodes alike.
func sameNames(a, b *model.Cluster) bool {
	for i := range a.Len() {
		if a.Node(i) != b.Node(i) && a.Node(i).Name != b.Node(i).Name {
			return false
		}
	}
	return true
}

// unchanged tells whether the node and its Pods are the very same objects in both clusters.
func unchanged(a *model.Cluster, i int, b *model.Cluster, j int) bool {
	if a.Node(i) != b.Node(j) {
		return false
	}
	former, present := a.Pods(i), b.Pods(j)
	if len(former) != len(present) {
		return false
	}
	for k, pod := range former {
		if present[k] != pod {
			return false
		}
	}
	return true
}

// steady tells whether the entry of a node holds until something changes on it: it serves, so that no deadline and no blame
// depends on the time, and it adds nothing to the plan but its report and its proposal.
func (f *facts) steady(pr *proposal) bool {
	return f.available && !f.issued && !f.orphaned && !pr.failed && !pr.needsPods
}
