package validate

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// baked is a canary of two nodes that may be validated: begun an hour ago, both served.
func baked() (pair, account) {
	last := metav1.NewTime(noon.Add(-20 * time.Minute))
	s := &scene{keys: model.NewKeys("", "datadog", "agent"), now: noon, rollout: &model.Rollout{}}
	s.rollout.Spec.Strategy.Canary = &model.Canary{
		ValidationMode: model.CanaryAuto, Duration: &metav1.Duration{Duration: time.Hour}, NoRestartsDuration: &metav1.Duration{Duration: 10 * time.Minute},
	}
	s.state.Canary = &model.CanaryRecord{Revision: "two", Begun: metav1.NewTime(noon.Add(-time.Hour)), LastRestart: &last}
	s.targetRevision, s.advancing, s.canary.holds = "two", true, true
	return pair{s}, account{onTarget: 2, offSource: 2, fitting: 5, limits: budget.Limits{Cohort: 2}}
}

// recording is a write of the state.
func recording(s pair, text string) act {
	return act{Action: &model.Action{Write: model.Write{Patch: &model.Patch{Annotations: []model.Edit{{Key: s.keys.State, To: &text}}}}}}
}

func TestVerdictsOfCanaries(t *testing.T) {
	validated, runs := model.CanaryIsValidated, model.CanaryRuns
	halt := func(s pair, verdict model.CanaryVerdict) { s.canary.verdict, s.canary.halted = verdict, true }
	tests := []struct {
		name   string
		next   model.CanaryVerdict
		change func(pair, *account)
		want   string
	}{
		{"its time is over", validated, func(pair, *account) {}, ""},
		{"its time is not over", validated, func(s pair, _ *account) { s.state.Canary.Begun = metav1.NewTime(noon.Add(-59 * time.Minute)) }, "duration of 1h0m0s is not over"},
		{"it never began", validated, func(s pair, _ *account) {
			s.state.Canary, s.rollout.Status.ObservedAt = nil, metav1.NewTime(noon)
		}, "is not over"},
		{"a node is not served", validated, func(_ pair, a *account) { a.onTarget = 1 }, "1 nodes are served by the target, the canary has 2"},
		{"a node is missing", validated, func(_ pair, a *account) { a.onTarget, a.offSource = 1, 1 }, "is to have 2"},
		{"no more nodes fit", validated, func(_ pair, a *account) { a.onTarget, a.offSource, a.fitting = 1, 1, 1 }, ""},
		{"a restart", validated, func(s pair, _ *account) { s.state.Canary.LastRestart.Time = noon.Add(-9 * time.Minute) }, "is not 10m0s ago"},
		{"a restart that only its Pod shows", validated, func(_ pair, a *account) { a.restarted = noon.Add(-9 * time.Minute) }, "is not 10m0s ago"},
		{"a node that became available later", validated, func(_ pair, a *account) { a.availableSince = noon.Add(-59 * time.Minute) }, "duration of 1h0m0s is not over"},
		{"it was suspended", validated, func(s pair, _ *account) {
			until := metav1.NewTime(noon.Add(-30 * time.Minute))
			s.state.Canary.Suspended = &model.Suspension{Until: &until, Seconds: 60}
		}, "duration of 1h0m0s is not over"},
		{"it is suspended until now", validated, func(s pair, _ *account) {
			since := metav1.NewTime(noon.Add(-10 * time.Minute))
			s.state.Canary.Suspended = &model.Suspension{Since: &since}
		}, "duration of 1h0m0s is not over"},
		{"while the rollout is paused", validated, func(s pair, _ *account) { s.rollout.Spec.Strategy.Paused = true }, "while the rollout is paused or frozen"},
		{"by itself in mode manual", validated, func(s pair, _ *account) { s.rollout.Spec.Strategy.Canary.ValidationMode = model.CanaryManual }, "nobody has promoted it"},
		{"by itself in a pause", validated, func(s pair, _ *account) { halt(s, model.CanaryIsPaused) }, "nobody has promoted it"},
		{"promoted in a pause", validated, func(s pair, a *account) {
			halt(s, model.CanaryIsPaused)
			s.rollout.Spec.Decision = model.Decision{Revision: "two", Canary: model.PromoteCanary}
		}, ""},
		{"promoted for another revision", validated, func(s pair, a *account) {
			halt(s, model.CanaryIsPaused)
			s.rollout.Spec.Decision = model.Decision{Revision: "one", Canary: model.PromoteCanary}
		}, "nobody has promoted it"},
		{"failed and validated", validated, func(s pair, _ *account) { halt(s, model.CanaryHasFailed) }, "a failed canary would be validated"},
		{"failed and running", runs, func(s pair, _ *account) { halt(s, model.CanaryHasFailed) }, "the canary has failed"},
		{"paused and running", runs, func(s pair, _ *account) { halt(s, model.CanaryIsPaused) }, ""},
		{"an older record", validated, func(s pair, a *account) { s.state.Sequence, a.onTarget = 9, 0 }, ""},
		{"no canary holds", validated, func(s pair, a *account) { s.canary.holds, a.onTarget = false, 0 }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, a := baked()
			test.change(s, &a)
			next := model.State{Version: model.StateVersion, Sequence: 5, Canary: &model.CanaryRecord{Revision: "two", Begun: metav1.NewTime(noon), Verdict: test.next}}
			found := s.verdicts(a, recording(s, next.Text()))
			if test.want == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, Cohort, found[0].Property)
			require.Contains(t, found[0].Message, test.want)
		})
	}
	s, a := baked()
	found := s.verdicts(a, recording(s, "{"))
	require.Len(t, found, 1)
	require.Equal(t, Form, found[0].Property)
	require.Contains(t, found[0].Message, "the state is not readable")
}

// What is not validated holds, and is the whole cohort; the ramp begins with the promotion.
func TestReadCanary(t *testing.T) {
	tests := []struct {
		name          string
		noted         *model.CanaryRecord
		intent        model.Intent
		advancing     bool
		holds, halted bool
	}{
		{"not begun", nil, model.Run, true, true, false},
		{"of another revision", &model.CanaryRecord{Revision: "one", Verdict: model.CanaryIsValidated}, model.Run, true, true, false},
		{"validated", &model.CanaryRecord{Revision: "two", Verdict: model.CanaryIsValidated}, model.Run, true, false, false},
		{"paused", &model.CanaryRecord{Revision: "two", Verdict: model.CanaryIsPaused}, model.Run, true, true, true},
		{"failed", &model.CanaryRecord{Revision: "two", Verdict: model.CanaryHasFailed}, model.Run, true, true, true},
		{"failed and on its way back", &model.CanaryRecord{Revision: "two", Verdict: model.CanaryHasFailed}, model.Run, false, false, false},
		{"opting out", nil, model.OptOut, true, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, _ := baked()
			s.rollout.Spec.Intent, s.state.Canary, s.advancing = test.intent, test.noted, test.advancing
			c := s.readCanary(&s.record)
			require.Equal(t, test.holds, c.holds)
			require.Equal(t, test.halted, c.halted)
		})
	}
}
