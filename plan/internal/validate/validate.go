package validate

import (
	"slices"

	"github.com/agent-rollout/planner/model"
)

// Plan judges a plan on a snapshot: the whole of it, then every node's report, then the actions in their order, each on the
// account that the former ones leave. The memo may be nil.
func Plan(snapshot *model.Snapshot, p *model.Plan, memo *Memo) []Violation {
	s, err := newScene(snapshot, p)
	if err != nil {
		if len(p.Actions) > 0 {
			return planBreaks(Form, "", "%d actions although the record is not readable: %v", len(p.Actions), err)
		}
		return nil
	}
	m := s.mechanism()
	found := s.whole()
	memo.follow(s)
	a, more := s.survey(m, memo)
	found = append(found, more...)
	for k := range p.Actions {
		x := act{&p.Actions[k], k, p.Actions[k].Node}
		a, more = s.judge(m, a, x)
		found = append(found, more...)
	}
	return found
}

// mechanism is what a pair and one DaemonSet do each in its own way.
type mechanism interface {
	// stand is what the i-th node comes to, as it is or, unless the write is nil, as that leaves it.
	stand(i int, w *model.Write) stand
	// judge judges an action on the account that it finds. Sound tells whether its write is well formed and its object known.
	judge(a account, x act, sound bool) (account, []Violation)
}

func (s *scene) mechanism() mechanism {
	switch s.rollout.Spec.Strategy.Type {
	case model.Surge, model.RollingUpdate:
		return single{s}
	case model.Pair:
	}
	return pair{s}
}

// whole judges what is not of one action.
func (s *scene) whole() (found []Violation) {
	p, meta := s.plan, &s.rollout.Metadata
	if p.Namespace != meta.Namespace || p.Name != meta.Name {
		found = append(found, planBreaks(Form, "", "the plan is of %s/%s, the snapshot of %s/%s", p.Namespace, p.Name, meta.Namespace, meta.Name)...)
	}
	if p.Phase == "" {
		found = append(found, planBreaks(Form, "", "the plan has no phase")...)
	}
	if blocked := p.Blocked(); blocked != nil && len(p.Actions) > 0 {
		found = append(found, planBreaks(Form, "", "%d actions although the plan is Blocked: %s", len(p.Actions), blocked.Reason)...)
	}
	if most := int(*s.rollout.Spec.Strategy.MaxWrites); len(p.Actions) > most {
		found = append(found, planBreaks(S11, "", "%d writes > maxWrites %d", len(p.Actions), most)...)
	}
	said := p.Complete() || len(p.Actions)+len(p.Waits) > 0 || p.Blocked() != nil ||
		slices.ContainsFunc(p.Nodes, func(r model.NodeReport) bool { return r.Verdict == model.Waits || r.Verdict == model.Blocks })
	if !said {
		found = append(found, planBreaks(L3, "", "no action, no wait and no block in phase %s, which is not complete", p.Phase)...)
	}
	return found
}

// judge judges one action: that it is the only one of its object and node, its write by itself, and what it does.
func (s *scene) judge(m mechanism, a account, x act) (account, []Violation) {
	found := s.onlyOne(x, x.Write.Object.String())
	if x.Node != "" {
		found = append(found, s.onlyOne(x, "node "+x.Node)...)
	}
	sound, more := s.sound(x)
	found = append(found, more...)
	a, more = m.judge(a, x, sound)
	return a, append(found, more...)
}

func (s *scene) onlyOne(x act, what string) []Violation {
	if first := s.first[what]; first != x.index {
		return x.breaks(Form, "%s has action %d already", what, first)
	}
	return nil
}

// firstOf returns the first action of each object and node.
func firstOf(actions []model.Action) map[string]int {
	first := map[string]int{}
	for k := len(actions) - 1; k >= 0; k-- {
		first[actions[k].Write.Object.String()] = k
		if node := actions[k].Node; node != "" {
			first["node "+node] = k
		}
	}
	return first
}

// notYet waits for what was issued for the node and does not show.
func (s *scene) notYet(x act, i int) []Violation {
	if unseen := s.unseen[i]; len(unseen) > 0 {
		return x.breaks(S7, "%d issued actions of the node do not show yet, the first a %s", len(unseen), unseen[0].Action.Kind)
	}
	return nil
}
