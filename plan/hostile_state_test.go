package plan_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var hostileStates = map[string]string{
	"no JSON":                       "{",
	"no object":                     "[]",
	"null":                          "null",
	"no version":                    "{}",
	"a later version":               `{"version":2}`,
	"a version of many digits":      `{"version":` + strings.Repeat("9", 200_000) + "}",
	"brackets without end":          `{"version":1,"x":` + strings.Repeat("[", 200_000),
	"an instant that is none":       `{"version":1,"targetSince":"tomorrow"}`,
	"a sequence below 0":            `{"version":1,"sequence":-5}`,
	"a sequence that cannot grow":   `{"version":1,"sequence":9223372036854775807}`,
	"a return for an unknown cause": `{"version":1,"return":{"revision":"r","cause":"` + strings.Repeat("x", 200_000) + `"}}`,
	"an unknown verdict":            `{"version":1,"canary":{"revision":"r","verdict":"Perhaps"}}`,
	"not UTF-8":                     "\xff\xfe",
}

// clearing is the command that a message tells.
var clearing = regexp.MustCompile(`kubectl -n datadog annotate daemonset (\S+) (\S+)-$`)

// Whatever stands in the annotations of a rollout under way, the plan has no action and says in few words what clears it;
// once that is done it goes on. Every strategy, at the moment when its next plan would spend the budget.
func TestHostileState(t *testing.T) {
	one, rolling := intstr.FromInt32(1), strategyOf(model.RollingUpdate, "", intstr.FromInt32(1))
	for _, place := range []struct {
		name  string
		lab   *lab
		slots []model.Slot
	}{
		{"pair", preparedLab(t, workers(2), one), []model.Slot{model.Blue, model.Green}},
		{"surge", templateWritten(t, strategyOf(model.Surge, model.Never, one)), []model.Slot{model.Blue}},
		{"rolling update", templateWritten(t, rolling), []model.Slot{model.Blue}},
	} {
		for _, slot := range place.slots {
			for name, text := range hostileStates {
				t.Run(place.name+" "+slot.String()+": "+name, func(t *testing.T) {
					s := momentOf(place.lab)
					s.t = t
					s.set(slot).Annotations[s.keys.State] = text
					requireCleared(t, s, s.keys.State)
				})
			}
		}
	}
	for name, text := range map[string]string{"no JSON": "{", "no template": "{}", "null": "null", "a number of many digits": strings.Repeat("9", 200_000)} {
		t.Run("the template to go back to: "+name, func(t *testing.T) {
			s := momentOf(templateWritten(t, rolling))
			require.NotEmpty(t, s.set(model.Blue).Annotations[s.keys.Source])
			s.set(model.Blue).Annotations[s.keys.Source] = text
			requireCleared(t, s, s.keys.Source)
		})
	}
}

// templateWritten is a rollout on one DaemonSet whose template is the next revision's, while no node has it yet.
func templateWritten(t *testing.T, change func(*model.Rollout)) *lab {
	t.Helper()
	l := newLab(t, workers(2), rolloutOf("1", change))
	steady := l.run()
	require.True(t, steady.Complete())
	l.desire("2")
	require.Equal(t, model.NewRevision, l.step().Actions[0].Reason)
	return l
}

// The same of the other annotations that hold the record.
func TestHostileRecord(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, test := range []struct {
		name, key, value string
		with             string // set as well
	}{
		{"an active slot that is none", "active-slot", long, ""},
		{"a target slot that is none", "target-slot", long, "target-revision"},
		{"a target slot without a revision", "target-slot", "green", ""},
		{"a target revision without a slot", "target-revision", long, ""},
	} {
		for _, slot := range []model.Slot{model.Blue, model.Green} {
			t.Run(test.name+" on "+slot.String(), func(t *testing.T) {
				s := momentOf(steady(t, 2))
				notes := s.set(slot).Annotations
				notes[prefix+test.key] = test.value
				if test.with != "" {
					notes[prefix+test.with] = "r"
				}
				p := s.plan()
				requireHeld(t, p)
				told := clearing.FindStringSubmatch(p.Blocked().Message)
				require.Equal(t, []string{s.set(slot).Name, prefix + test.key}, told[1:], p.Blocked().Message)
			})
		}
	}
}

func requireHeld(t *testing.T, p *model.Plan) {
	t.Helper()
	require.Empty(t, p.Actions, "the serving Pods are left alone")
	require.NotNil(t, p.Blocked())
	require.Equal(t, model.StateUnreadable, model.Reason(p.Blocked().Reason))
	require.Less(t, len(p.Blocked().Message), 1000, "an API server takes it as a condition's message")
	require.Regexp(t, clearing, p.Blocked().Message)
	told, err := plan.Explain(p, plan.ExplainOptions{})
	require.NoError(t, err)
	require.Contains(t, told, p.Blocked().Message)
}

// requireCleared does what the plan says, after which it is blocked no more.
func requireCleared(t *testing.T, s *moment, key string) {
	t.Helper()
	before := s.plan()
	requireHeld(t, before)
	told := clearing.FindStringSubmatch(before.Blocked().Message)
	require.Equal(t, key, told[2])
	for _, set := range s.objects.DaemonSets {
		if set.Name == told[1] {
			delete(set.Annotations, told[2])
		}
	}
	after := s.plan()
	require.Nil(t, after.Blocked())
	require.False(t, after.Complete())
}
