package property

import (
	"fmt"
	"strings"

	"github.com/agent-rollout/planner/model"
)

// Offer is what a driver can show, as a set.
type Offer uint16

const (
	// Plans: every plan with the snapshot that it was made from, and the world at that moment.
	Plans Offer = 1 << iota
	// Planner: the planner itself, to be asked again.
	Planner
	// States: the world after every change.
	States
	// Steps: what led from one state to the next.
	Steps
	// Excused: how many nodes faults and people may have left without an agent, beside what the rollout may cost.
	Excused
	// LateHandoffs: how many handoffs of a dead executor had an effect after its successor's first.
	LateHandoffs
	// Labelled: how often each node was labelled since a person did.
	Labelled
	// Ends: the end of a run whose faults have ended.
	Ends
	// Counted: how many plans the end took, and how many it may take.
	Counted
	// Crashes: an executor died on the way.
	Crashes
	// WayBack: the run ends with a return to the former revision, an opt-out or a teardown.
	WayBack
	// BadImages: desired revisions on the way were bad.
	BadImages
	// BrokenNode: a node is broken while the others go on.
	BrokenNode
	// Memory: beside the planner that remembers its former plans one that does not, or the other way round.
	Memory

	offers // one more than the last
)

var offerNames = []string{"Plans", "Planner", "States", "Steps", "Excused", "LateHandoffs", "Labelled", "Ends", "Counted", "Crashes", "WayBack", "BadImages", "BrokenNode", "Memory"}

// String joins the names of what is offered.
func (o Offer) String() string {
	var words []string
	for i, name := range offerNames {
		if o&(1<<i) != 0 {
			words = append(words, name)
		}
	}
	if rest := o &^ (offers - 1); rest != 0 {
		words = append(words, fmt.Sprintf("Offer(%d)", uint16(rest)))
	}
	return strings.Join(words, "|")
}

// Property is one promise of the planner.
type Property struct {
	// Name is that of design and validator: S1, L1, Form.
	Name string
	// Sentence says what holds.
	Sentence string
	// Needs is what a driver must offer for it to be judged at all.
	Needs Offer
	// Mutants are the names of planners with one fault each that the property kills.
	Mutants []string

	// State, Plan, Step and End judge what the driver shows; those that are nil judge nothing.
	State func(*State) error
	Plan  func(*Planned) error
	Step  func(*Step) error
	End   func(*End) error
	// Stop judges the last plan alone, wherever the run has come to rest.
	Stop func(*model.Plan) error
}

// Kinds names what the property judges: state, plan, step, end.
func (p *Property) Kinds() (kinds []string) {
	for _, kind := range []struct {
		name string
		set  bool
	}{{"state", p.State != nil}, {"plan", p.Plan != nil}, {"step", p.Step != nil}, {"end", p.End != nil || p.Stop != nil}} {
		if kind.set {
			kinds = append(kinds, kind.name)
		}
	}
	return kinds
}

// Violation is one promise broken.
type Violation struct {
	Property string `json:"property"`
	Message  string `json:"message"`

	cause error
}

// Error puts the property before the message.
func (v *Violation) Error() string { return v.Property + ": " + v.Message }

// Unwrap returns what the predicate returned.
func (v *Violation) Unwrap() error { return v.cause }

func violation(p *Property, err error) *Violation {
	return &Violation{Property: p.Name, Message: err.Error(), cause: err}
}

// List is what one driver judges.
type List []*Property

// For returns the properties that a driver can judge that offers so much, in the order of All.
func For(offer Offer) List { return All().within(offer) }

// within returns those of the list that need no more than the offer.
func (l List) within(offer Offer) List {
	var list List
	for _, p := range l {
		if p.Needs&^offer == 0 {
			list = append(list, p)
		}
	}
	return list
}

// Names of the properties.
func (l List) Names() []string {
	names := make([]string, len(l))
	for i, p := range l {
		names[i] = p.Name
	}
	return names
}

// State returns the first violation of a state, as a *Violation, or nil.
func (l List) State(s *State) error {
	for _, p := range l {
		if p.State != nil {
			if err := p.State(s); err != nil {
				return violation(p, err)
			}
		}
	}
	return nil
}

// Plan returns the first violation of a plan, as a *Violation, or nil.
func (l List) Plan(s *Planned) error {
	for _, p := range l {
		if p.Plan != nil {
			if err := p.Plan(s); err != nil {
				return violation(p, err)
			}
		}
	}
	return nil
}

// End returns the first violation of an end, as a *Violation, or nil.
func (l List) End(e *End) error {
	for _, p := range l {
		if p.Stop != nil {
			if err := p.Stop(e.Last); err != nil {
				return violation(p, err)
			}
		}
		if p.End != nil {
			if err := p.End(e); err != nil {
				return violation(p, err)
			}
		}
	}
	return nil
}
