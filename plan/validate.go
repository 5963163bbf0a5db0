package plan

import (
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/validate"
)

// Property names what a violation breaks, as a string. The set is closed: see [Properties].
type Property = validate.Property

const (
	// Form: a write has one form and one known object, a node and an object have one action, and a Blocked plan has none.
	Form = validate.Form
	// S2: no action makes an available eligible node unavailable above the budget, and every handoff has a seat.
	S2 = validate.S2
	// S4: a source is removed only for a prepared exact candidate, by the capacity rule, where the exact target serves,
	// on a Node that is not Ready, or by release where the two may not overlap.
	S4 = validate.S4
	// S5: the source slot keeps its template while a target is recorded, and the generation of a template that a person edited is
	// remembered when it is put right.
	S5 = validate.S5
	// S6: every write tests what it rests on: UID, former values, generation, resourceVersion.
	S6 = validate.S6
	// S7: what was issued and does not show yet is waited for, and no predecessor's request can still land.
	S7 = validate.S7
	// S8: no handoff to a target that is not desired any more, except to finish a proven one.
	S8 = validate.S8
	// S9: nothing is done to foreign objects, and an ineligible node with a bound Pod is left as it is.
	S9 = validate.S9
	// S11: no action raises overlap above the window, and no plan has more than maxWrites writes.
	S11 = validate.S11
	// S13: every eligible node that the desired revision does not serve has an action, a wait or a block, exactly one.
	S13 = validate.S13
	// S14: two Pods whose locks do not exclude each other are not admitted to one node, nor one after the other before the first
	// is gone.
	S14 = validate.S14
	// Cohort: no action raises the nodes off the source above the cohort, which is the canary's size until that is validated.
	// It is validated by a person, or by its time with every node of it served; while it is paused, or has failed, no node
	// leaves the source.
	Cohort = validate.Cohort
	// L3: a plan without actions that is not complete says what it waits for.
	L3 = validate.L3
)

// Properties returns the closed set, in a fixed order.
func Properties() []Property { return validate.Properties() }

// Violation is one way in which a plan breaks a property on a snapshot: the Property, the index of the Action in the plan (-1 if it is
// not of one action), the Node (empty if it is about none) and a Message. It is an error; String puts all of it in one line.
type Violation = validate.Violation

// Validate judges a plan by the snapshot's API objects alone: it shares no code with the mechanisms, and reads neither the
// plan's ledger nor its costs. An empty answer means that any prefix of the actions may be carried out, in order.
//
// Call it on the freshest snapshot right before an action is sent that costs availability. The snapshot need not be the one
// that the plan was made from: of actions that were sent already, whose former values are gone, the violations are to be
// passed over (see Violation.Action). It takes one look at every node, and one more for every action.
func Validate(snapshot *model.Snapshot, p *model.Plan) []Violation {
	return validate.Plan(snapshot, p, nil)
}

// Validator judges like Validate, and remembers between the plans of one rollout what it found on each node that has nothing new: its answers are
// those of Validate in less time. Use one a rollout. What was given in a snapshot must not be changed afterwards, in the way of an informer's cache.
//
// The zero value is ready for use. A Validator is not safe for concurrent use, and holds the last cluster that it has seen.
type Validator struct{ memo validate.Memo }

// Validate judges a plan as the function of that name does.
func (v *Validator) Validate(snapshot *model.Snapshot, p *model.Plan) []Violation {
	return validate.Plan(snapshot, p, &v.memo)
}
