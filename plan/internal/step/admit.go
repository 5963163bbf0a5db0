package step

import (
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
	// Record is the request that has to be sent before the moves that take a seat; it is given their reports. Nil if none is needed.
	Record func(reports []int32) model.Action
	// Deed looks at the node once more, with all that only an admitted move needs.
	Deed func(*Move) Deed
}

// Deed is what an admitted move comes to.
type Deed struct {
	// Move is the move as it is to be charged; Kind 0 if there is none after all. Action is its request, which says that cost.
	Move   Move
	Action func(budget.Cost) model.Action
	// Other says that the closer look came to something else than was judged; Verdict, Reason and Detail are what the node says then.
	Other   bool
	Verdict model.Verdict
	Reason  model.Reason
	Detail  string
	// NeedsPods says that the node's other Pods must be listed first.
	NeedsPods bool
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
// turns, then names. As long as the budget has a seat for one that works, nodes that could prove nothing go last: where it has none they are what spends it. What is held gets what held it as its reason.
func Admit(s *Survey, c *Course, a Admission) Admitted {
	out := Admitted{Actions: c.Actions}
	if c.Still || len(s.Moves) == 0 {
		return out
	}
	account := s.Account
	moves := inOrder(s.Moves, a.Turns, account.Holds(c.Limits, budget.Cost{Seat: budget.PaidSeat}) == budget.Admitted)
	account.Writes += len(c.Actions)
	out.Outcomes = make([]Outcome, 0, len(moves))
	taking := seatTaking{record: a.Record}
	for i := range moves {
		o := Outcome{Report: moves[i].Report}
		if o.Reason = held(&account, &a, &moves[i], c.Limits); o.Reason != "" {
			o.Verdict = model.Waits
			out.Outcomes = append(out.Outcomes, o)
			continue
		}
		out.admit(&account, &a, &moves[i], c, s, o, &taking)
	}
	if len(taking.reports) > 0 {
		out.Actions[taking.at] = a.Record(taking.reports)
	}
	return out
}

// seatTaking are the admitted moves that take a seat, if they need a record before them.
type seatTaking struct {
	record  func([]int32) model.Action
	reports []int32
	// at is the place of the record among the actions.
	at int
}

// fits tells whether the move and what has to be written before it fit into the plan.
func (t *seatTaking) fits(account *budget.Account, limits budget.Limits, m *Move) bool {
	return t.record == nil || m.Seat == budget.NoSeat || len(t.reports) > 0 || account.Writes+2 <= limits.Writes
}

// add keeps a place for the record before the first of them.
func (t *seatTaking) add(out *Admitted, account *budget.Account, m *Move, report int32) {
	if t.record == nil || m.Seat == budget.NoSeat {
		return
	}
	if len(t.reports) == 0 {
		t.at = len(out.Actions)
		out.Actions = append(out.Actions, model.Action{})
		account.Writes++
	}
	t.reports = append(t.reports, report)
}

// held says what holds the move: the mechanism, or a limit.
func held(account *budget.Account, a *Admission, m *Move, limits budget.Limits) model.Reason {
	if hold := a.Holds(m); hold != "" {
		return hold
	}
	return heldBy(account.Holds(limits, m.Cost()))
}

// admit looks at the node once more, and charges the move unless that came to something that may not be.
func (out *Admitted) admit(account *budget.Account, a *Admission, m *Move, c *Course, s *Survey, o Outcome, taking *seatTaking) {
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
	if hold == "" && !taking.fits(account, c.Limits, &d.Move) {
		hold = model.WaitingForWrites
	}
	if hold != "" {
		o.Verdict, o.Reason = model.Waits, hold
		out.Outcomes = append(out.Outcomes, o)
		return
	}
	taking.add(out, account, &d.Move, o.Report)
	cost := d.Move.Cost()
	cost.Unsure = account.Unsure(c.Limits, cost)
	account.Charge(cost)
	out.Actions = append(out.Actions, d.Action(cost))
	o.Verdict, o.Action = model.Acts, int32(len(out.Actions))
	out.Outcomes = append(out.Outcomes, o)
}

// inOrder returns the moves in the one order of admission. What decides is one number a move, with its index below: rank, loss, place.
func inOrder(moves []Move, turns []int32, seat bool) []Move {
	keys := make([]uint64, len(moves))
	for i := range moves {
		place := moves[i].Node
		if turns != nil {
			place = turns[place]
		}
		rank := uint64(moves[i].Rank)
		if moves[i].Late && seat {
			rank = lastRank
		}
		keys[i] = rank<<56 | uint64(moves[i].loses())<<54 | uint64(place)<<placeBits | uint64(i)
	}
	slices.Sort(keys)
	ordered := make([]Move, len(moves))
	for k, key := range keys {
		ordered[k] = moves[key&(1<<placeBits-1)]
	}
	return ordered
}

// lastRank is above those of the mechanisms.
const lastRank = 15

// placeBits are enough for the numbers of a hundred million nodes.
const placeBits = 27

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
