package step

import (
	"slices"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
)

// Survey is the sum of all judgments.
type Survey struct {
	// Count is how many nodes have each trait.
	Count Counts
	// Account is what stands against the limits before the plan takes anything of them.
	Account budget.Account
	// Reports are in the order of names, and so are Moves, of the nodes that would move.
	Reports []model.NodeReport
	Moves   []Move
	Needs   []string
	Faults  []string
	// Failure is the first failed target in the order of names; node "" if there is none.
	Failure model.Failed
	// Exceptions are the nodes that are set aside, and Failed those where the target has failed; in the order of names.
	Exceptions, Failed []model.Exception
	// Canary is what the canary's nodes show.
	Canary CanaryView
	// Wake is the nearest instant at which a node is to be looked at again, ReturnedUntil the last until which one counts as just
	// returned.
	Wake, ReturnedUntil time.Time

	exemptable []int32
	// doubtful are the failures that prove nothing, and doubt is the first of them.
	doubtful []model.Exception
	doubt    model.Failed
}

// Sum judges n nodes and sums up what was found. With a memo, which the mechanism has brought to the present cluster, nodes on
// which nothing has changed are taken over from it: equal ones in a row are counted at once. The memo may be nil.
func Sum(n int, judge func(int) Judgment, memo *NodeMemo) Survey {
	s := Survey{Reports: make([]model.NodeReport, 0, n)}
	for i := 0; i < n; {
		if run := memo.run(i, n); run > 0 {
			s.take(memo, i, run)
			i += run
			continue
		}
		j := judge(i)
		memo.keep(i, &j)
		s.add(i, &j)
		i++
	}
	s.weigh()
	s.Account = budget.Account{
		Ledger: budget.Ledger{
			Eligible: s.Count.Of(Eligible), Available: s.Count.Of(Available), Ambient: s.Count.Of(Ambient), Committed: s.Count.Of(Committed),
		},
		OffSource: s.Count.Of(OffSource), Overlap: s.Count.Of(InWindow),
	}
	s.Account.Joining, s.Account.Exempt = s.Count.Of(Joining), s.Count.Of(Forgiven)
	return s
}

// add adds one judgment.
func (s *Survey) add(i int, j *Judgment) {
	s.Count.add(j.Traits, 1)
	s.Wake = Sooner(s.Wake, j.Wake)
	if j.ReturnedUntil.After(s.ReturnedUntil) {
		s.ReturnedUntil = j.ReturnedUntil
	}
	for _, fault := range j.Faults {
		if !slices.Contains(s.Faults, fault) {
			s.Faults = append(s.Faults, fault)
		}
	}
	if !j.Reported {
		return
	}
	s.fails(j)
	if j.Aside != "" {
		s.Exceptions = append(s.Exceptions, j.exception(j.Aside))
	}
	if j.NeedsPods {
		s.Needs = append(s.Needs, j.Report.Node)
	}
	if j.Exemptable {
		s.exemptable = append(s.exemptable, int32(len(s.Reports)))
	}
	if j.Probe != nil {
		s.Canary.add(i, j.Report.Node, j.Probe)
	}
	s.propose(j.Move, i, len(s.Reports))
	s.Reports = append(s.Reports, j.Report)
}

// fails notes where the target has failed, and where that proves nothing.
func (s *Survey) fails(j *Judgment) {
	list, first := &s.Failed, &s.Failure
	switch {
	case j.Traits.Has(Doubtful):
		list, first = &s.doubtful, &s.doubt
	case !j.Traits.Has(Failed):
		return
	}
	*list = append(*list, j.exception(model.TargetFailed))
	if first.Node == "" {
		*first = model.Failed{Reason: model.TargetFailed, Node: j.Report.Node, Detail: j.Report.Detail}
	}
}

// weigh sets aside the failures that prove nothing, unless no node is left that could tell better: then they are all that there is.
func (s *Survey) weigh() {
	if s.Count.Of(Telling) > 0 || s.Count.Of(Failed) > 0 {
		s.Exceptions = MergeExceptions(s.Exceptions, s.doubtful)
		return
	}
	s.Count.move(Doubtful, Failed)
	s.Failed, s.Failure = s.doubtful, s.doubt
}

// take adds a run of nodes of the memo.
func (s *Survey) take(memo *NodeMemo, first, nodes int) {
	row := &memo.rows[first]
	s.Count.add(row.traits, nodes)
	for i := first; i < first+nodes; i++ {
		s.Wake = Sooner(s.Wake, memo.rows[i].wake)
	}
	if !row.reported {
		return
	}
	for i := first; i < first+nodes; i++ {
		s.propose(memo.rows[i].move, i, len(s.Reports)+i-first)
	}
	s.Reports = append(s.Reports, memo.reports[first:first+nodes]...)
}

func (s *Survey) propose(move Move, node, report int) {
	if move.Kind == 0 {
		return
	}
	move.Node, move.Report = int32(node), int32(report)
	if len(s.Moves) == cap(s.Moves) {
		s.Moves = slices.Grow(s.Moves, max(16, len(s.Moves))) // append grows a long slice by a quarter, again and again
	}
	s.Moves = append(s.Moves, move)
}

// Exempt takes the first of the ambient nodes that may be exempt off the charge, in the order of names, and no more than so many.
func (s *Survey) Exempt(most int) {
	exempt := s.exemptable[:min(most, len(s.exemptable))]
	for _, report := range exempt {
		s.Account.Exempt++
		s.Reports[report].Blame = model.Exempt
	}
	for i := range s.Moves {
		if len(exempt) > 0 {
			s.Moves[i].Exempt = s.Reports[s.Moves[i].Report].Blame == model.Exempt
		}
	}
}
