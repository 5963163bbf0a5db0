package verify_test

import (
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/verify"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// trial is a small scope in which a rule of the design shows what it protects from, with what the scopes of TestScopes do not have:
// another start, other settings, and further properties of what really is. Its start and its documents follow from the fields
// here.
type trial struct {
	verify.Scope
	nodes int
	// full nodes hold one agent and no second one.
	full int
	// revisions that are desired one after the other; bad is one of them, or 0.
	revisions []int
	bad       int
	// surge is maxSurge and maxRestarts that of the document; 0 are all nodes and the default.
	surge       int
	maxRestarts int32
	// settle is settleSeconds in seconds; no trace is as long.
	settle int32
	// change edits the document of every revision.
	change func(*model.Rollout)
	// only are beginnings of the faults that may happen, none are all of the scope's kinds; when says in which states.
	only []string
	when func(*verify.State) bool
	// always and steps are further properties; end by its name replaces those of package property that judge ends.
	always  []explore.Invariant[*verify.State]
	steps   []explore.StepInvariant[*verify.State]
	endName string
	end     func(trialModel) func(*verify.State) bool
	// strict trials have faults that cost no agent by themselves.
	strict bool
	// endless trials have no end that every run reaches.
	endless bool
}

// trialModel is the trial's scope with the faults that the trial chooses.
type trialModel struct {
	*verify.Model
	trial *trial
}

// Next leaves out faults.
func (m trialModel) Next(s *verify.State, yield func(string, *verify.State)) {
	m.Model.Next(s, func(name string, next *verify.State) {
		if fault, ok := strings.CutPrefix(name, "fault "); !ok || m.trial.allows(s, fault) {
			yield(name, next)
		}
	})
}

func (c *trial) allows(s *verify.State, fault string) bool {
	if c.when != nil && !c.when(s) {
		return false
	}
	return len(c.only) == 0 || slices.ContainsFunc(c.only, func(prefix string) bool { return strings.HasPrefix(fault, prefix) })
}

// model makes the trial's model.
func (c trial) model() (trialModel, error) {
	c.Prompt, c.Coarse = true, true
	c.Start = model.Objects{Nodes: verify.Nodes(c.nodes, c.full, c.revisions...)}
	c.Documents = nil
	for _, revision := range c.revisions {
		document := verify.Revision(revision, c.settings)
		document.Bad = revision == c.bad
		c.Documents = append(c.Documents, document)
	}
	m, err := verify.New(c.Scope)
	return trialModel{m, &c}, err
}

func (c *trial) settings(r *model.Rollout) {
	if c.surge > 0 {
		surge := intstr.FromInt(c.surge)
		r.Spec.Strategy.MaxSurge = &surge
	}
	if c.maxRestarts > 0 {
		r.Spec.Failure.MaxRestarts = &c.maxRestarts
	}
	if c.settle > 0 {
		r.Spec.Strategy.SettleSeconds = &c.settle
	}
	if c.change != nil {
		c.change(r)
	}
}

// judges are the scope's properties and the trial's own. Unguarded, none of them judges a plan.
func (m trialModel) judges(guarded bool) explore.Properties[*verify.State] {
	p, c := m.Properties(), m.trial
	if !guarded {
		p.Always = slices.DeleteFunc(p.Always, func(i explore.Invariant[*verify.State]) bool { return judgesPlans(i.Name) })
	}
	if c.strict {
		p.Always = append(p.Always, explore.Invariant[*verify.State]{Name: orphans, Holds: costsNone})
	}
	p.Always = append(p.Always, c.always...)
	p.Steps = append(p.Steps, c.steps...)
	p.Steps = append(p.Steps, explore.StepInvariant[*verify.State]{Name: unwanted, Holds: m.noUnwantedHandoff})
	switch {
	case c.endless:
		p.Goals = nil
	case c.end != nil:
		p.Goals = []explore.Goal[*verify.State]{{Name: c.endName, Again: true, Reached: c.end(m)}}
	}
	return p
}

// judgesPlans tells whether the property is one of package property that judges what is planned, beside or instead of what
// is.
func judgesPlans(name string) bool {
	return slices.ContainsFunc(property.All(), func(p *property.Property) bool { return p.Name == name && p.Plan != nil })
}
