package validate

import "github.com/agent-rollout/planner/model"

// reportsByNode indexes the reports by node: 0 is none, else the report's index plus one. It judges each by itself.
func (s *scene) reportsByNode() (reports []int32, found []Violation) {
	p := s.plan
	reports = make([]int32, s.cluster.Len())
	pointed := make([]bool, len(p.Actions))
	next := 0 // mostly the reports are in the order of the nodes
	for r := range p.Nodes {
		report := &p.Nodes[r]
		k := int(report.Action) - 1
		n, known := next, next < len(reports) && s.cluster.Node(next).Name == report.Node
		if !known {
			n, known = s.cluster.Find(report.Node)
		}
		next = n + 1
		switch {
		case !known:
			found = append(found, planBreaks(S13, report.Node, "a report of a node that is not in the snapshot")...)
			continue
		case reports[n] != 0:
			found = append(found, planBreaks(S13, report.Node, "a second report")...)
		case (report.Verdict == model.Acts) != (k >= 0):
			found = append(found, planBreaks(S13, report.Node, "the verdict is %s, and the report names action %d", report.Verdict, k)...)
		case k >= len(p.Actions) || (k >= 0 && p.Actions[k].Node != report.Node):
			found = append(found, planBreaks(S13, report.Node, "the report names action %d, which is not of this node", k)...)
		case k >= 0:
			pointed[k] = true
		}
		reports[n] = int32(r) + 1
	}
	for k := range p.Actions {
		if a := &p.Actions[k]; a.Node != "" && !pointed[k] {
			found = append(found, act{a, k, a.Node}.breaks(S13, "no report points at the %s", a.Kind)...)
		}
	}
	return reports, found
}

// answered: an eligible node that the desired revision does not serve has a report, and that is not Done.
func (s *scene) answered(at *stand, report int32) []Violation {
	switch {
	case !at.eligible || at.done || s.tearing() || s.plan.Phase == model.PhaseGone:
	case report == 0:
		return planBreaks(S13, at.node.Name, "the node is not served by the desired revision %q, and has no report", s.plan.Revision)
	case s.plan.Nodes[report-1].Verdict == model.Done:
		return planBreaks(S13, at.node.Name, "the node is not served by the desired revision %q, and its report is Done (%s)", s.plan.Revision, s.plan.Nodes[report-1].Reason)
	}
	return nil
}
