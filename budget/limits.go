package budget

// Limit names what held a move back.
type Limit uint8

const (
	// Admitted means that no limit held the move.
	Admitted Limit = iota
	// Cohort bounds the nodes off the source.
	Cohort
	// Unavailable bounds the nodes without an available agent.
	Unavailable
	// Window bounds the nodes in overlap.
	Window
	// Writes bounds the writes of one plan.
	Writes
)

// String returns the word that design and messages use.
func (l Limit) String() string {
	switch l {
	case Admitted:
		return "admitted"
	case Cohort:
		return "cohort"
	case Unavailable:
		return "budget"
	case Window:
		return "window"
	case Writes:
		return "writes"
	}
	return "unknown"
}

// Seat says what a move takes of the budget.
type Seat uint8

const (
	// NoSeat takes nothing: the node's exact target serves already, or nothing changes for the node.
	NoSeat Seat = iota
	// FreeSeat moves a node that is unavailable already.
	FreeSeat
	// PaidSeat takes an available node.
	PaidSeat
)

// String returns none, free or paid.
func (s Seat) String() string {
	switch s {
	case NoSeat:
		return "none"
	case FreeSeat:
		return "free"
	case PaidSeat:
		return "paid"
	}
	return "unknown"
}

// Cost is what one move takes of the four limits.
type Cost struct {
	Seat Seat
	// OffSource and Overlap are the nodes that it adds to the cohort and to the window; negative where
	// it gives one back.
	OffSource, Overlap int
	// Writes is the number of API requests.
	Writes int
	// Exempt says that the free move takes a node that was exempt.
	Exempt bool
	// Settling says that the free move takes a node whose Pod is Ready, though not for long enough to count as available: it
	// serves, as far as one can see. It is charged already, so nothing else may be above the limit.
	Settling bool
	// Unsure says that the free move would cost more than the limit if the node is served in truth, though the view does not
	// show it: see Account.Unsure.
	Unsure bool
}

// Limits are the numbers in force.
type Limits struct {
	// Cohort is the most nodes that may be off the source.
	Cohort int `json:"cohort"`
	// Unavailable is the most nodes that may be without an available agent.
	Unavailable int `json:"unavailable"`
	// Window is the most nodes in overlap.
	Window int `json:"window"`
	// Writes is the most writes of one plan.
	Writes int `json:"writes"`
}

// Account is what stands against the limits. Admit charges it.
type Account struct {
	Ledger
	// OffSource are the nodes off the source, Overlap those in overlap, Writes those planned so far.
	OffSource, Overlap, Writes int
}

// Holds returns the limit that the move does not pass, or Admitted. The account is not changed.
func (a *Account) Holds(limits Limits, cost Cost) Limit {
	switch {
	case cost.OffSource > 0 && a.OffSource+cost.OffSource > limits.Cohort:
		return Cohort
	case !a.seatFree(limits, cost):
		return Unavailable
	case cost.Overlap > 0 && a.Overlap+cost.Overlap > limits.Window:
		return Window
	case a.Writes+cost.Writes > limits.Writes:
		return Writes
	}
	return Admitted
}

// seatFree applies maxUnavailable. Worked example, limit 1: with one node that serves and has not settled, and no other
// unavailable one, its move is admitted; with another unavailable one it is not, since two would be without an agent.
func (a *Account) seatFree(limits Limits, cost Cost) bool {
	switch cost.Seat {
	case NoSeat:
		return true
	case FreeSeat:
		return a.Committed+1 <= limits.Unavailable && (!cost.Settling || a.chargedWith(cost) <= limits.Unavailable)
	case PaidSeat:
		return a.Charged()+1 <= limits.Unavailable
	}
	return false
}

// Unsure tells whether a free move costs more than the limit if the view is stale and the node is served in truth: what is charged,
// the node itself included, is above the limit. Worked example, limit 2: with this node and one other unavailable, the move costs
// nothing either way, since two may be out; with this node and two others it does, if this one serves in truth.
func (a *Account) Unsure(limits Limits, cost Cost) bool {
	return cost.Seat == FreeSeat && a.chargedWith(cost) > limits.Unavailable
}

// chargedWith is what is charged once the node of the free move is, though it may be exempt now.
func (a *Account) chargedWith(cost Cost) int {
	if cost.Exempt {
		return a.Charged() + 1
	}
	return a.Charged()
}

// Admit charges the move if no limit holds it, and otherwise returns the limit and changes nothing.
func (a *Account) Admit(limits Limits, cost Cost) Limit {
	if limit := a.Holds(limits, cost); limit != Admitted {
		return limit
	}
	a.Charge(cost)
	return Admitted
}

// Charge books a move without asking, as for one that was issued already.
func (a *Account) Charge(cost Cost) {
	a.OffSource += cost.OffSource
	a.Overlap += cost.Overlap
	a.Writes += cost.Writes
	switch cost.Seat {
	case PaidSeat:
		a.Available--
		a.Committed++
	case FreeSeat:
		a.Ambient--
		a.Committed++
		if cost.Exempt {
			a.Exempt--
		}
	case NoSeat:
	}
}
