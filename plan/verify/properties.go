package verify

import (
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
)

// offers is what the model can show of this scope.
func (m *Model) offers() property.Offer {
	offers := property.Plans | property.Planner | property.States | property.Steps | property.Excused
	if m.scope.Lasting {
		offers |= property.BrokenNode | property.Ends
		if m.scope.OpenWorld && m.back() {
			offers |= property.WayBack
		}
		return offers
	}
	offers |= property.Ends
	if m.scope.Crashes > 0 {
		offers |= property.Crashes
	}
	if slices.ContainsFunc(m.scope.Documents, func(d Document) bool { return d.Bad }) {
		offers |= property.BadImages
	}
	if m.back() {
		offers |= property.WayBack
	}
	return offers
}

// back tells whether a document returns to the first one's revision, opts out or tears down.
func (m *Model) back() bool {
	first := m.scope.Documents[0].Name
	return slices.ContainsFunc(m.scope.Documents[1:], func(d Document) bool {
		return d.Rollout.Spec.Intent == model.OptOut || d.Rollout.Spec.Intent == model.Teardown || d.Name == first
	})
}

// judged are the properties of what the model offers. Of a surge without locks the old Pod and the new one run side by side: that is
// S1's to forbid, and what who chooses it accepts. Without locks it is so too when a DaemonSet, or a Node with its label, is
// made anew: no plan comes before the controller.
func (m *Model) judged() property.List {
	list := property.For(m.offers())
	if m.scope.OpenWorld {
		if m.scope.Lasting { // who says that it ends served asks for too much while something stays bad
			list = slices.DeleteFunc(list, func(p *property.Property) bool { return p.End != nil })
		}
		for _, p := range property.OpenFor(m.offers()) {
			if slices.Contains(m.scope.Judges, p.Name) {
				list = append(list, p)
			}
		}
	}
	strategy := m.scope.Documents[0].Rollout.WithDefaults().Spec.Strategy
	anew := func(f Fault) bool { return f.Kind == world.RemakeSet || f.Kind == world.RenewNode }
	remade := strategy.Overlap != model.Locked && slices.ContainsFunc(m.scope.Faults, anew)
	if remade || strategy.Type == model.Surge && strategy.Overlap == model.Never {
		list = slices.DeleteFunc(list, func(p *property.Property) bool { return p.Name == "S1" })
	}
	return list
}

// Judged returns the properties that the scope is judged by.
func (m *Model) Judged() property.List { return m.judges }

// moment is what the properties see of a state.
func (m *Model) moment(s *State) property.State {
	excused := m.unserved + m.scope.Most - s.faults
	if s.faults < m.scope.Most && m.scope.wipes() {
		excused = s.world.Len() // a person who deletes a DaemonSet with its Pods takes all nodes
	}
	torn := false
	for i := range s.desired + 1 {
		torn = torn || m.scope.Documents[i].Rollout.Spec.Intent == model.Teardown
	}
	return property.State{
		World: s.world, Rollout: m.scope.Documents[s.desired].Rollout, Now: s.now, Excused: excused, Installing: m.scope.Fresh || torn,
	}
}

// endOf takes the state for the end of a run.
func (m *Model) endOf(s *State) *property.End {
	p := m.plan(s)
	end := &property.End{State: m.moment(s), Last: p.whole, Crashes: m.scope.Crashes}
	if end.Last == nil {
		end.Last = &model.Plan{}
	}
	if m.scope.Lasting {
		for _, t := range s.world.Faults(s.now) {
			if endsFault(t.Kind) && !slices.Contains(m.ill, t) {
				end.Broken = t.Node
			}
		}
	}
	return end
}

// end tells whether the state is the end that a property wants. Where the document lets the rollout stop on its way, it
// is that every node is served and that the plan rests.
func (m *Model) end(s *State, wanted func(*property.End) error) bool {
	if s.sending != nil || !s.listed() {
		return false
	}
	p, d := m.plan(s), &m.scope.Documents[s.desired]
	switch {
	case (d.Bad || d.MayFail && p.remembered) && !p.complete:
		return p.remembered && len(p.actions) == 0 && m.restsAt(s, m.former(s.desired))
	case (d.Held || d.Refused && p.blocked) && !p.complete:
		return len(p.actions) == 0 && len(m.endOf(s).Unserved()) == 0
	case !p.complete:
		return false
	}
	return wanted(m.endOf(s)) == nil
}

// stopped tells whether the executor rests over a plan that a property takes for an end.
func (m *Model) stopped(s *State, wanted func(*model.Plan) error) bool {
	if s.sending != nil || !s.listed() {
		return false
	}
	p := m.plan(s)
	return p.whole != nil && !p.again && wanted(p.whole) == nil
}

// former is the last document before that desired another revision, or -1.
func (m *Model) former(document int) int {
	image := func(i int) string {
		return m.scope.Documents[i].Rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Image
	}
	for i := document - 1; i >= 0; i-- {
		if image(i) != image(document) {
			return i
		}
	}
	return -1
}

// restsAt tells whether every node is served by an earlier document's revision; what came before the first one is not known.
func (m *Model) restsAt(s *State, document int) bool {
	end := m.endOf(s)
	if document < 0 {
		return len(end.Unserved()) == 0
	}
	end.Rollout = m.scope.Documents[document].Rollout
	return property.Served(end) == nil
}

// reached asks once a state for every property.
func (m *Model) reached(s *State, p *property.Property) bool {
	is, known := s.reached[p.Name]
	if !known {
		is = p.End != nil && m.end(s, p.End) || p.Stop != nil && m.stopped(s, p.Stop)
		if s.reached == nil {
			s.reached = map[string]bool{}
		}
		s.reached[p.Name] = is
	}
	return is
}

// complete tells whether the plan says so: an end on the way need not last.
func (m *Model) complete(s *State) bool { return s.sending == nil && s.listed() && m.plan(s).complete }

// letGo tells whether the plan still says that the rollout is over and its owner released, in a run with a fault: the Pod that a
// person deletes serves on for a while, and what its end takes is not the rollout's any more.
func (m *Model) letGo(s *State) bool {
	return s.faults < m.scope.Most && m.complete(s) && m.plan(s).whole.ReleaseOwner
}

// joins tells whether the plan is complete without a node that joins: the agent of a Node that is made anew ends after it.
func (m *Model) joins(s *State) bool { return m.complete(s) && m.plan(s).whole.Ledger.Joining > 0 }

// Properties are those that the scope can be judged by, and its witnesses.
func (m *Model) Properties() explore.Properties[*State] {
	p := explore.Properties[*State]{Always: []explore.Invariant[*State]{{Name: "the model itself", Holds: func(s *State) error { return s.broken }}}}
	for _, judge := range m.judges {
		if judge.State != nil || judge.Plan != nil {
			p.Always = append(p.Always, explore.Invariant[*State]{Name: judge.Name, Holds: func(s *State) error { return m.judge(s, judge) }})
		}
		if judge.Step != nil {
			p.Steps = append(p.Steps, explore.StepInvariant[*State]{Name: judge.Name, Holds: func(from *State, name string, to *State) error {
				before := m.complete(from) && m.reached(from, judge)
				return judge.Step(&property.Step{
					Name: name, Disturbs: !Fair(name) || strings.HasPrefix(name, endOf) || m.letGo(to) || m.joins(from),
					CompleteBefore: before, CompleteAfter: before && m.reached(to, judge),
				})
			}})
		}
		if judge.End != nil || judge.Stop != nil {
			p.Goals = append(p.Goals, explore.Goal[*State]{Name: judge.Name, Again: true, Reached: func(s *State) bool { return m.reached(s, judge) }})
		}
	}
	for _, witness := range m.scope.Witnesses {
		p.Sometimes = append(p.Sometimes, m.witness(witness.What))
	}
	return p
}

// judge looks at the state and at the plan that is made there.
func (m *Model) judge(s *State, p *property.Property) error {
	if p.State != nil {
		moment := m.moment(s)
		if err := p.State(&moment); err != nil {
			return err
		}
	}
	if p.Plan == nil || s.sending != nil || s.asleep {
		return nil
	}
	planned := m.plan(s)
	if planned.err != nil {
		return planned.err
	}
	return planned.found[p.Name]
}

func (m *Model) witness(what string) explore.Witness[*State] {
	w := explore.Witness[*State]{Name: what}
	ask := func(of func(*planned) bool) func(*State) bool {
		return func(s *State) bool { return s.sending == nil && s.listed() && of(m.plan(s)) }
	}
	switch what {
	case "Blocked":
		w.State = ask(func(p *planned) bool { return p.blocked })
	case "Complete":
		w.State = ask(func(p *planned) bool { return p.complete })
	case "Remembered":
		w.State = ask(func(p *planned) bool { return p.remembered })
	default:
		w.Step = func(_ *State, name string, _ *State) bool {
			return strings.HasPrefix(name, what) || slices.Contains(strings.Fields(name), what)
		}
	}
	return w
}
