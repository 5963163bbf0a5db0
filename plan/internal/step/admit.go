package step

import (
	"cmp"
	"slices"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
)

// Admission is what a mechanism says of its moves.
type Admission struct {
	// Turns are the nodes' places in the spread; nil where the order of names holds.
	Turns []int32
	// Holds says why a move may not be admitted now, whatever the limits say; "" if it may.
	Holds func(*Move) model.Reason
	// Deed looks at the node once more, with all that only an admitted move needs.
	Deed func(*Move) Deed
}

// Deed is what an admitted move comes to.
type Deed struct {
	// Move is the move as it is to be charged; Kind 0 if there is none after all. Action is its request.
	Move   Move
	Action func() model.Action
	// Other says that the closer look came to something else than was judged; Verdict, Reason and Detail are what the node says then.
	Other   bool
	Verdict model.Verdict
	Reason  model.Reason
	Detail  string
	// NeedsPods says that the node's other Pods must be listed first.
	NeedsPods bool
	// First is a record that has to be written before the action, once a plan, for all moves that have one; nil for none.
	First *model.Action
}

// Outcome is what became of a node's move. It belongs to a report.
type Outcome struct {
	Report, Action int32
	Verdict        model.Verdict
	Reason         model.Reason
}

// Detail replaces the detail of a report.
type Detail struct {
	Report int32
	Text   string
}

// Admitted is what the limits let through.
type Admitted struct {
	// Actions are those of the course and then those of the nodes.
	Actions  []model.Action
	Outcomes []Outcome
	Details  []Detail
	Needs    []string
}

// Admit lets the moves pass the four limits, one by one, in the one order: by rank, unavailable nodes first, then the spread's
// turns, then names. What is held gets what held it as its reason.
func Admit(s *Survey, c *Course, a Admission) Admitted {
	out := Admitted{Actions: c.Actions}
	if c.Still || len(s.Moves) == 0 {
		return out
	}
	moves := slices.Clone(s.Moves)
	inOrder(moves, a.Turns)
	account := s.Account
	account.Writes += len(c.Actions)
	out.Outcomes = make([]Outcome, 0, len(moves))
	first := false
	for i := range moves {
		o := Outcome{Report: moves[i].Report}
		if o.Reason = held(&account, &a, &moves[i], c.Limits); o.Reason != "" {
			o.Verdict = model.Waits
			out.Outcomes = append(out.Outcomes, o)
			continue
		}
		out.admit(&account, &a, &moves[i], c, s, o, &first)
	}
	return out
}

// held says what holds the move: the mechanism, or a limit.
func held(account *budget.Account, a *Admission, m *Move, limits budget.Limits) model.Reason {
	if hold := a.Holds(m); hold != "" {
		return hold
	}
	return heldBy(account.Holds(limits, m.Cost()))
}

// admit looks at the node once more, and charges the move unless that came to something that may not be.
func (out *Admitted) admit(account *budget.Account, a *Admission, m *Move, c *Course, s *Survey, o Outcome, first *bool) {
	d := a.Deed(m)
	if d.NeedsPods {
		out.Needs = append(out.Needs, s.Reports[o.Report].Node)
	}
	o.Verdict, o.Reason = model.Acts, s.Reports[o.Report].Reason
	if d.Other {
		o.Verdict, o.Reason = d.Verdict, d.Reason
		out.Details = append(out.Details, Detail{o.Report, d.Detail})
	}
	hold := model.Reason("")
	switch {
	case d.Move.Kind == 0:
		out.Outcomes = append(out.Outcomes, o)
		return
	case d.Other:
		hold = held(account, a, &d.Move, c.Limits)
	}
	if hold == "" && d.First != nil && !*first && account.Writes+2 > c.Limits.Writes {
		hold = model.WaitingForWrites
	}
	if hold != "" {
		o.Verdict, o.Reason = model.Waits, hold
		out.Outcomes = append(out.Outcomes, o)
		return
	}
	if d.First != nil && !*first {
		*first = true
		account.Writes++
		out.Actions = append(out.Actions, *d.First)
	}
	account.Charge(d.Move.Cost())
	out.Actions = append(out.Actions, d.Action())
	o.Verdict, o.Action = model.Acts, int32(len(out.Actions))
	out.Outcomes = append(out.Outcomes, o)
}

// inOrder brings the moves into the one order of admission.
func inOrder(moves []Move, turns []int32) {
	slices.SortFunc(moves, func(a, b Move) int {
		if d := cmp.Or(int(a.Rank)-int(b.Rank), a.loses()-b.loses()); d != 0 {
			return d
		}
		if turns != nil {
			return int(turns[a.Node] - turns[b.Node])
		}
		return int(a.Node - b.Node)
	})
}

func heldBy(limit budget.Limit) model.Reason {
	switch limit {
	case budget.Admitted:
		return ""
	case budget.Cohort:
		return model.WaitingForCohort
	case budget.Unavailable:
		return model.WaitingForBudget
	case budget.Window:
		return model.WaitingForWindow
	case budget.Writes:
	}
	return model.WaitingForWrites
}
