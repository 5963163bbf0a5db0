package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
)

func TestExitCodes(t *testing.T) {
	tests := []struct {
		args   string
		code   int
		stderr string
	}{
		{"plan -f " + twoWorkers, exitDone, ""},
		{"explain -f " + twoWorkers, exitDone, ""},
		{"simulate -f " + twoWorkers, exitDone, ""},
		{"render -f " + twoWorkers, exitDone, ""},
		{"check-template -f " + twoWorkers, exitDone, ""},
		{"simulate -f " + halfWay + " --set strategy.paused=true", exitNotDone, "error: the rollout ends blocked: RolloutPaused"},
		{"simulate -f " + twoWorkers + " --set strategy.partition=1", exitNotDone, "error: the rollout ends blocked: PartitionReached"},
		{"plan -f " + twoWorkers + " --set images.nothing=agent:1", exitNotDone, "error: the rollout is blocked: DesiredMissing"},
		{"explain -f " + twoWorkers + " --set images.nothing=agent:1", exitNotDone, "error: the rollout is blocked: DesiredMissing"},
		{"render -f " + twoWorkers + " --set images.nothing=agent:1", exitNotDone, "error: DesiredMissing"},
		{"check-template -f " + twoWorkers + " --set images.nothing=agent:1", exitNotDone, "error: DesiredMissing"},
		{"render -f testdata/refused.yaml", exitNotDone, "error: the template is refused"},
		{"check-template -f testdata/refused.yaml", exitNotDone, "error: the template is refused (2)"},
		{"plan", exitBadInput, "error: no input"},
		{"--help", exitDone, ""},
		{"--version", exitDone, ""},
		{"", exitDone, ""},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			code, _, stderr := call("", strings.Fields(test.args)...)
			require.Equal(t, test.code, code, stderr)
			if test.stderr == "" {
				require.NotContains(t, stderr, "error:")
				return
			}
			require.Contains(t, stderr, test.stderr)
		})
	}
}

// TestGuard: a plan that breaks a property is printed as an error with every violation.
func TestGuard(t *testing.T) {
	d, err := dump.Files(halfWay)
	require.NoError(t, err)
	d, err = withSettings(d, []string{"strategy.maxUnavailable=2"})
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	next, err := plan.Next(snapshot)
	require.NoError(t, err)
	require.NotEmpty(t, next.Actions)
	require.NoError(t, judge(snapshot, &next))

	next.Actions = append(next.Actions, next.Actions[0])
	next.Actions[0].Write.Patch.ResourceVersion = ""
	err = judge(snapshot, &next)
	var answer *notDoneError
	require.ErrorAs(t, err, &answer)
	require.ErrorContains(t, err, "bug of the planner")
	require.Greater(t, strings.Count(err.Error(), "\n"), 1)
}

// TestPlanOutput: JSON and YAML are the plan itself, with a message for every node.
func TestPlanOutput(t *testing.T) {
	d, err := dump.Files(halfWay)
	require.NoError(t, err)
	snapshot, err := d.Snapshot()
	require.NoError(t, err)
	want, err := plan.Next(snapshot)
	require.NoError(t, err)
	for _, output := range []string{"json", "yaml"} {
		t.Run(output, func(t *testing.T) {
			_, stdout, _ := call("", "plan", "-f", halfWay, "-o", output)
			var got model.Plan
			require.NoError(t, yaml.Unmarshal([]byte(stdout), &got))
			wanted, err := json.Marshal(want)
			require.NoError(t, err)
			again, err := json.Marshal(got)
			require.NoError(t, err)
			require.JSONEq(t, string(wanted), string(again))
			var messages struct {
				Nodes []struct{ Node, Message string }
			}
			require.NoError(t, yaml.Unmarshal([]byte(stdout), &messages))
			require.Len(t, messages.Nodes, len(want.Nodes))
			for i := range want.Nodes {
				require.Equal(t, plan.Message(&want, &want.Nodes[i]), messages.Nodes[i].Message)
			}
		})
	}
}

// TestRenderedSets: what is printed is what plan.Render makes, as a strict decoder of apps/v1 reads it.
func TestRenderedSets(t *testing.T) {
	for _, path := range []string{fresh, twoWorkers, "testdata/daemonset.yaml"} {
		for slot, names := range map[string]int{"blue": 1, "green": 1, "both": 2} {
			t.Run(path+" "+slot, func(t *testing.T) {
				code, stdout, stderr := call("", "render", "-f", path, "--slot", slot)
				require.Equal(t, exitDone, code, stderr)
				documents := strings.Split(strings.TrimPrefix(stdout, "---\n"), "\n---\n")
				require.Len(t, documents, names)
				for _, document := range documents {
					var set appsv1.DaemonSet
					require.NoError(t, yaml.UnmarshalStrict([]byte(document), &set))
					require.Equal(t, "apps/v1 DaemonSet", set.APIVersion+" "+set.Kind)
					require.Equal(t, appsv1.OnDeleteDaemonSetStrategyType, set.Spec.UpdateStrategy.Type)
					require.Empty(t, set.UID)
				}
			})
		}
	}
}

// TestDeterminism: every command, twice, gives the same bytes.
func TestDeterminism(t *testing.T) {
	for _, args := range [][]string{
		{"plan", "-f", threeZones, "-o", "wide", "--patches"}, {"plan", "-f", threeZones, "-o", "json"},
		{"explain", "-f", threeZones}, {"explain", "--all", "-f", threeZones},
		{"simulate", "-f", twoWorkers, "--seed", "3"}, {"simulate", "-f", twoWorkers, "-o", "json", "--timeline", "full"},
		{"render", "-f", threeZones, "--diff"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			_, first, _ := call("", args...)
			require.NotEmpty(t, first)
			_, second, _ := call("", args...)
			require.Equal(t, first, second)
		})
	}
}

// TestSeeds: another seed is another draw of durations, and no jitter is no draw at all.
func TestSeeds(t *testing.T) {
	duration := func(args ...string) float64 {
		_, stdout, _ := call("", append([]string{"simulate", "-f", twoWorkers, "-o", "json", "--timeline", "none"}, args...)...)
		var result resultView
		require.NoError(t, json.Unmarshal([]byte(stdout), &result))
		require.Equal(t, "Complete", result.Outcome)
		return result.Duration
	}
	require.NotEqual(t, duration("--seed", "1"), duration("--seed", "2"))
	require.Equal(t, duration("--seed", "1", "--jitter", "0"), duration("--seed", "2", "--jitter", "0"))
	require.Greater(t, duration("--pull", "5m"), duration("--pull", "0"), "0 is no time, not the default")
}

// TestMissedFaults: a fault that could not happen is told, since the run looks as if it had been borne.
func TestMissedFaults(t *testing.T) {
	_, _, stderr := call("", "simulate", "-f", twoWorkers, "--fault", "10s KillPod worker-1 pod=datadog/no-such-pod", "--fault", "9h BreakNode worker-1 until=10h",
		"--fault", "10s Crash worker-1 pod=datadog/no-such-pod container=agent")
	require.Contains(t, stderr, `"Crash worker-1 datadog/no-such-pod agent" could not happen`)
	require.Contains(t, stderr, `"KillPod worker-1 datadog/no-such-pod" could not happen`)
	require.NotContains(t, stderr, "BreakNode", "the run goes on until every fault has happened")
}
