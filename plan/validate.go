package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Property names what a violation breaks. The set is closed: see [Properties].
type Property string

const (
	// Form: a write has one form and one known object, a node and an object have one action, and a Blocked plan has none.
	Form Property = "Form"
	// S2: no action makes an available eligible node unavailable above the budget, and every handoff has a seat.
	S2 Property = "S2"
	// S4: a source is removed only for a prepared exact candidate, by the capacity rule, where the exact target serves,
	// on a Node that is not Ready, or by release where the two may not overlap.
	S4 Property = "S4"
	// S5: the source slot keeps its template while a target is recorded, and the generation of a template that a person edited is
	// remembered when it is put right.
	S5 Property = "S5"
	// S6: every write tests what it rests on: UID, former values, generation, resourceVersion.
	S6 Property = "S6"
	// S7: what was issued and does not show yet is waited for, and no predecessor's request can still land.
	S7 Property = "S7"
	// S8: no handoff to a target that is not desired any more, except to finish a proven one.
	S8 Property = "S8"
	// S9: nothing is done to foreign objects, and an ineligible node with a bound Pod is left as it is.
	S9 Property = "S9"
	// S11: no action raises overlap above the window, and no plan has more than maxWrites writes.
	S11 Property = "S11"
	// S13: every eligible node that the desired revision does not serve has an action, a wait or a block, exactly one.
	S13 Property = "S13"
	// S14: two Pods whose locks do not exclude each other are not admitted to one node, nor one after the other before the first
	// is gone.
	S14 Property = "S14"
	// Cohort: no action raises the nodes off the source above the cohort, which is the canary's size until that is validated.
	// It is validated by a person, or by its time with every node of it served; while it is paused, or has failed, no node
	// leaves the source.
	Cohort Property = "Cohort"
	// L3: a plan without actions that is not complete says what it waits for.
	L3 Property = "L3"
)

// Properties returns the closed set, in a fixed order.
func Properties() []Property {
	return []Property{Form, S2, S4, S5, S6, S7, S8, S9, S11, S13, S14, Cohort, L3}
}

// Violation is one way in which a plan breaks a property on a snapshot.
type Violation struct {
	Property Property `json:"property"`
	// Action is the index in the plan's actions, and -1 if the violation is not of one action.
	Action int `json:"action"`
	// Node is the node that it is about; empty if it is about none.
	Node    string `json:"node,omitempty"`
	Message string `json:"message"`
}

// String puts property, action and node before the message.
func (v Violation) String() string {
	text := string(v.Property)
	if v.Action >= 0 {
		text += fmt.Sprintf(", action %d", v.Action)
	}
	if v.Node != "" {
		text += ", node " + v.Node
	}
	return text + ": " + v.Message
}

// Error makes a violation an error.
func (v Violation) Error() string { return v.String() }

// Validate judges a plan by the snapshot's API objects alone: it shares no code with the mechanisms, and reads neither the
// plan's ledger nor its costs. An empty answer means that any prefix of the actions may be carried out, in order.
//
// Call it on the freshest snapshot right before an action is sent that costs availability. The snapshot need not be the one
// that the plan was made from: of actions that were sent already, whose former values are gone, the violations are to be
// passed over (see Violation.Action). It takes one look at every node, and one more for every action.
func Validate(snapshot *model.Snapshot, p *model.Plan) []Violation {
	v := newValidation(snapshot, p)
	if v.rollout.Spec.Strategy.Type != model.Pair {
		return v.validateSingle()
	}
	if err := v.readRecord(); err != nil {
		if len(p.Actions) > 0 {
			v.say(Form, -1, "", "%d actions although the record is not readable: %v", len(p.Actions), err)
		}
		return v.found
	}
	v.wholePlan()
	v.lookAtNodes()
	taken := map[string]int{}
	for k := range p.Actions {
		a := &p.Actions[k]
		v.onlyOne(k, taken, a.Write.Object.String())
		if a.Node != "" {
			v.onlyOne(k, taken, "node "+a.Node)
		}
		if v.sound(k, a) && a.Node != "" {
			v.move(k, a)
		}
		v.rules(k, a)
	}
	return v.found
}

// slotSeen is one DaemonSet of the pair; a missing one has a nil set and no UID.
type slotSeen struct {
	name     string
	set      *appsv1.DaemonSet
	uid      types.UID
	revision string
	edited   model.EditedGenerations
	admits   admission
}

// validation is one judgement.
type validation struct {
	cluster   *model.Cluster
	rollout   *model.Rollout
	plan      *model.Plan
	keys      model.Keys
	now       time.Time
	settle    time.Duration
	owner     types.UID
	slots     [2]slotSeen
	placement *capacity.Placement
	unseen    map[int][]*model.Issued

	// The record: the slots' roles, and what the nodes go to. home says that they go to the active slot.
	active, target, to model.Slot
	targetRevision     string
	state              model.State
	home, proven       bool

	// The account, which the plan's own actions change one by one.
	limits                        budget.Limits
	ledger                        budget.Ledger
	exemptable, overlap, offRoute int
	canary                        canarySeen
	found                         []Violation
}

func (v *validation) say(property Property, action int, node, format string, args ...any) {
	v.found = append(v.found, Violation{Property: property, Action: action, Node: node, Message: fmt.Sprintf(format, args...)})
}

func (v *validation) slot(s model.Slot) *slotSeen { return &v.slots[max(s, model.Blue)-1] }

func newValidation(snapshot *model.Snapshot, p *model.Plan) *validation {
	r := snapshot.Rollout.WithDefaults()
	v := &validation{cluster: snapshot.Cluster, rollout: r, plan: p, now: snapshot.Now(), unseen: map[int][]*model.Issued{}}
	v.keys = model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name)
	blue := r.Metadata.Name
	switch {
	case r.Spec.Desired != nil:
		blue = r.Spec.Desired.Name
	case r.Spec.DesiredFrom != nil:
		blue = r.Spec.DesiredFrom.Name
	}
	suffix := r.Spec.Slots.Green.Suffix
	cut := strings.TrimRight(blue[:min(len(blue), max(0, model.GreenNameLimit-len(suffix)))], "-")
	v.owner = r.Metadata.UID
	for i, name := range [...]string{blue, cut + suffix} {
		v.slots[i] = v.readSlot(name)
	}
	for _, set := range [...]*appsv1.DaemonSet{r.Spec.Desired, v.slots[0].set, v.slots[1].set} {
		if set != nil && v.owner == "" {
			v.owner = model.ControllerUID(set)
		}
	}
	for i := range r.Status.Issued {
		issued := &r.Status.Issued[i]
		if n, ok := v.cluster.Find(issued.Action.Node); ok && !issued.Visible(v.cluster) {
			v.unseen[n] = append(v.unseen[n], issued)
		}
	}
	return v
}

func (v *validation) readSlot(name string) slotSeen {
	set := v.cluster.DaemonSet(v.rollout.Metadata.Namespace, name)
	if set == nil {
		return slotSeen{name: name}
	}
	seen := slotSeen{name: name, set: set, uid: set.UID, revision: set.Annotations[v.keys.Revision]}
	seen.edited = model.ParseEditedGenerations(set.Annotations[v.keys.Edited])
	if seen.revision == "" {
		seen.revision = set.Spec.Template.Annotations[v.keys.Revision]
	}
	seen.admits = admissionOf(&set.Spec.Template.Spec, v.keys.NodeSlot)
	return seen
}

// readRecord settles the roles: the half with the higher sequence holds, and of equal ones a target on one is recorded.
func (v *validation) readRecord() error {
	first := true
	for i := range v.slots {
		set := v.slots[i].set
		if set == nil {
			continue
		}
		state, err := model.ParseState(set.Annotations[v.keys.State])
		if err != nil {
			return fmt.Errorf("DaemonSet %s: %w", set.Name, err)
		}
		target, _ := model.ParseSlot(set.Annotations[v.keys.TargetSlot])
		revision := set.Annotations[v.keys.TargetRevision]
		switch {
		case first || state.Sequence > v.state.Sequence:
			v.active, _ = model.ParseSlot(set.Annotations[v.keys.ActiveSlot])
			v.target, v.targetRevision, v.state = target, revision, state
		case state.Sequence < v.state.Sequence || target == model.NoSlot:
		case v.target == model.NoSlot:
			v.target, v.targetRevision = target, revision
		case v.target != target || v.targetRevision != revision:
			return fmt.Errorf("the DaemonSets record different targets: %s at %s and %s at %s", v.target, v.targetRevision, target, revision)
		}
		first = false
	}
	if v.target != model.NoSlot {
		v.active = v.target.Other()
	}
	v.active = max(v.active, model.Blue)
	v.home = v.target == model.NoSlot || v.state.Return != nil
	v.to, v.proven = v.active, v.target != model.NoSlot && v.state.Proven == v.targetRevision
	if !v.home {
		v.to = v.target
	}
	v.placeAndTime()
	v.seeCanary()
	return nil
}

// placeAndTime settles where the desired Pod should run, and how long one is Ready before it counts.
func (v *validation) placeAndTime() {
	v.settle = time.Duration(*v.rollout.Spec.Strategy.SettleSeconds) * time.Second
	for _, set := range [...]*appsv1.DaemonSet{v.rollout.Spec.Desired, v.slot(v.active).set, v.slot(v.active.Other()).set} {
		if set == nil {
			continue
		}
		v.settle = max(v.settle, time.Duration(set.Spec.MinReadySeconds)*time.Second)
		template := &set.Spec.Template
		if len(requiredTerms(&template.Spec)) > 0 {
			template = withoutAdmission(template, v.keys.NodeSlot)
		}
		if placement, err := capacity.NewPlacement(template); err == nil {
			v.placement = placement
		}
		return
	}
}

// wholePlan judges what is not of one action.
func (v *validation) wholePlan() {
	p := v.plan
	if p.Namespace != v.rollout.Metadata.Namespace || p.Name != v.rollout.Metadata.Name {
		v.say(Form, -1, "", "the plan is of %s/%s, the snapshot of %s/%s", p.Namespace, p.Name, v.rollout.Metadata.Namespace, v.rollout.Metadata.Name)
	}
	if p.Phase == "" {
		v.say(Form, -1, "", "the plan has no phase")
	}
	if blocked := p.Blocked(); blocked != nil && len(p.Actions) > 0 {
		v.say(Form, -1, "", "%d actions although the plan is Blocked: %s", len(p.Actions), blocked.Reason)
	}
	if most := int(*v.rollout.Spec.Strategy.MaxWrites); len(p.Actions) > most {
		v.say(S11, -1, "", "%d writes > maxWrites %d", len(p.Actions), most)
	}
	said := p.Complete() || len(p.Actions)+len(p.Waits) > 0 || p.Blocked() != nil ||
		slices.ContainsFunc(p.Nodes, func(r model.NodeReport) bool { return r.Verdict == model.Waits || r.Verdict == model.Blocks })
	if !said {
		v.say(L3, -1, "", "no action, no wait and no block in phase %s, which is not complete", p.Phase)
	}
}

func (v *validation) onlyOne(k int, taken map[string]int, what string) {
	if former, ok := taken[what]; ok {
		v.say(Form, k, v.plan.Actions[k].Node, "%s has action %d already", what, former)
		return
	}
	taken[what] = k
}
