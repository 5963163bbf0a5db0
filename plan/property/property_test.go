package property_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/stretchr/testify/require"
)

func TestForTakesWhatTheOfferCovers(t *testing.T) {
	require.Empty(t, property.For(0))
	require.Len(t, property.For(^property.Offer(0)), len(property.All()))
	for _, p := range property.All() {
		require.Contains(t, property.For(p.Needs).Names(), p.Name)
		for bit := property.Offer(1); bit != 0; bit <<= 1 {
			if p.Needs&bit != 0 {
				require.NotContains(t, property.For(p.Needs&^bit).Names(), p.Name, "%s without %s", p.Name, bit)
			}
		}
	}
}

func TestEveryPromiseOfTheDesignHasItsProperty(t *testing.T) {
	names := property.All().Names()
	for _, name := range strings.Fields("S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 L1 L2 L3 L4 L5 L6 L7") {
		require.Contains(t, names, name)
	}
	for _, name := range plan.Properties() {
		require.Contains(t, names, string(name))
	}
}

func TestOffersAreNamed(t *testing.T) {
	require.Equal(t, "Plans|Ends", (property.Plans | property.Ends).String())
	require.Equal(t, "Memory|Offer(32768)", (property.Memory | 1<<15).String())
	require.Empty(t, property.Offer(0).String())
}

func TestAViolationNamesItsProperty(t *testing.T) {
	wrong := errors.New("it is wrong")
	list := property.List{{Name: "S0", State: func(*property.State) error { return wrong }, End: func(*property.End) error { return nil }}}
	err := list.State(&property.State{})
	require.EqualError(t, err, "S0: it is wrong")
	require.ErrorIs(t, err, wrong)
	require.NoError(t, list.Plan(&property.Planned{}))
	require.NoError(t, list.End(&property.End{}))
	require.Equal(t, []string{"state", "end"}, list[0].Kinds())
}

func TestStepAndCounts(t *testing.T) {
	for _, c := range []struct {
		step   property.Step
		broken bool
	}{
		{property.Step{CompleteBefore: true}, true},
		{property.Step{CompleteBefore: true, Disturbs: true}, false},
		{property.Step{CompleteBefore: true, CompleteAfter: true}, false},
		{property.Step{}, false},
	} {
		for _, p := range property.For(property.Ends) {
			if p.Step != nil {
				require.Equal(t, c.broken, p.Step(&c.step) != nil)
			}
		}
	}
	err := property.For(property.Ends | property.Counted).End(&property.End{Last: &model.Plan{Phase: model.PhaseAdvancing}})
	require.ErrorContains(t, err, "it ended Advancing")
}
