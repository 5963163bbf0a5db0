package plan

import (
	"math"
	"time"

	"github.com/agent-rollout/planner/model"
)

// lookAtNodes recomputes the account from every node, and judges the reports beside it.
func (v *validation) lookAtNodes() {
	reports := v.reportsByNode()
	for i := range v.cluster.Len() {
		live := v.look(i, v.marksOf(v.cluster.Node(i)), "")
		column, off, place := v.blame(&live), v.offSource(&live), live.holdsPlace()
		for _, issued := range v.unseen[i] {
			// What was issued may have landed or not: the worse of both is charged.
			then := v.outcome(i, &live, issued)
			column, off, place = max(column, v.blame(&then)), off || v.offSource(&then), place || then.holdsPlace()
		}
		v.book(&live, column, 1)
		v.countCanary(&live)
		v.overlap += boolToInt(place)
		v.offRoute += boolToInt(off)
		v.answered(&live, reports[i])
	}
	v.setLimits()
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// outcome is the node as the issued action leaves it.
func (v *validation) outcome(i int, live *sight, issued *model.Issued) sight {
	w := &issued.Action.Write
	switch {
	case w.Patch != nil && w.Object.Kind == "Node":
		return v.look(i, live.after(w.Patch, &v.keys), "")
	case w.Delete != nil:
		return v.look(i, live.marks, w.Object.UID)
	}
	return *live
}

// setLimits resolves the limits for the eligible nodes. Nodes that go home are no cohort, and have no slow start;
// that begins with the promotion of a canary.
func (v *validation) setLimits() {
	elapsed := time.Duration(math.MaxInt64)
	switch canary := v.state.Canary; {
	case v.home:
	case v.canary.holds:
		elapsed = 0
	case canary != nil && canary.Revision == v.targetRevision && canary.Verdict == model.CanaryIsValidated && canary.Since != nil:
		elapsed = v.now.Sub(canary.Since.Time)
	case v.state.TargetSince != nil:
		elapsed = v.now.Sub(v.state.TargetSince.Time)
	}
	v.limits = v.rollout.Spec.Strategy.Limits(v.ledger.Eligible, elapsed)
	v.limitCanary()
}

// reportsByNode indexes the reports by node: 0 is none, else the report's index plus one. It judges each by itself.
func (v *validation) reportsByNode() []int32 {
	p := v.plan
	reports := make([]int32, v.cluster.Len())
	pointed := make([]bool, len(p.Actions))
	for r := range p.Nodes {
		report := &p.Nodes[r]
		k := int(report.Action) - 1
		n, known := v.cluster.Find(report.Node)
		switch {
		case !known:
			v.say(S13, -1, report.Node, "a report of a node that is not in the snapshot")
			continue
		case reports[n] != 0:
			v.say(S13, -1, report.Node, "a second report")
		case (report.Verdict == model.Acts) != (k >= 0):
			v.say(S13, -1, report.Node, "the verdict is %s, and the report names action %d", report.Verdict, k)
		case k >= len(p.Actions) || (k >= 0 && p.Actions[k].Node != report.Node):
			v.say(S13, -1, report.Node, "the report names action %d, which is not of this node", k)
		case k >= 0:
			pointed[k] = true
		}
		reports[n] = int32(r) + 1
	}
	for k := range p.Actions {
		if a := &p.Actions[k]; a.Node != "" && !pointed[k] {
			v.say(S13, k, a.Node, "no report points at the %s", a.Kind)
		}
	}
	return reports
}

// answered: an eligible node that the desired revision does not serve has a report, and that is not Done.
func (v *validation) answered(s *sight, report int32) {
	done := s.admits[0] && s.desired[0] || s.admits[1] && s.desired[1]
	if !s.eligible || (done && v.plan.Revision != "") || v.tearing() || v.plan.Phase == model.PhaseGone {
		return
	}
	switch {
	case report == 0:
		v.say(S13, -1, s.node.Name, "the node is not served by the desired revision %q, and has no report", v.plan.Revision)
	case v.plan.Nodes[report-1].Verdict == model.Done:
		v.say(S13, -1, s.node.Name, "the node is not served by the desired revision %q, and its report is Done (%s)", v.plan.Revision, v.plan.Nodes[report-1].Reason)
	}
}
