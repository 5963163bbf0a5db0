package command

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the golden files")

// call runs the command as a shell would.
func call(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Program{Name: "rollout"}.Run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

const (
	conventional = "../../snapshots/conventional.yaml"
	twoWorkers   = "../../snapshots/two-workers.yaml"
	threeZones   = "../../snapshots/three-zones.yaml"
	halfWay      = "../../snapshots/half-way.yaml"
	fresh        = "testdata/fresh.yaml"
)

// TestGolden compares what a person sees: command line, standard output, standard error and exit code.
func TestGolden(t *testing.T) {
	tests := []struct {
		name string
		args []string
	}{
		{"plan-fresh", []string{"plan", fresh}},
		{"plan-conventional", []string{"plan", "-f", conventional}},
		{"plan-two-workers", []string{"plan", "-f", twoWorkers}},
		{"plan-three-zones-wide", []string{"plan", "-f", threeZones, "-o", "wide"}},
		{"plan-half-way-nodes", []string{"plan", "-f", halfWay, "--nodes"}},
		{"plan-quiet", []string{"plan", "-f", halfWay, "--quiet"}},
		{"plan-half-way-json", []string{"plan", "-f", halfWay, "-o", "json"}},
		{"plan-half-way-yaml", []string{"plan", "-f", halfWay, "-o", "yaml"}},
		{"plan-fresh-patches", []string{"plan", "-f", fresh, "--patches"}},
		{"plan-two-workers-patches", []string{"plan", "-f", twoWorkers, "--patches"}},
		{"plan-half-way-more-budget", []string{"plan", "-f", halfWay, "--set", "strategy.maxUnavailable=2", "--set", "strategy.maxSurge=4"}},
		{"plan-frozen", []string{"plan", "-f", halfWay, "--set", "strategy.frozen=true"}},
		{"explain-three-zones", []string{"explain", "-f", threeZones}},
		{"explain-half-way", []string{"explain", "-f", halfWay}},
		{"explain-half-way-all", []string{"explain", "--all", "-f", halfWay}},
		{"explain-reason", []string{"explain", "WaitingForBudget"}},
		{"explain-reason-no-end", []string{"explain", "OnTarget"}},
		{"explain-reason-misspelled", []string{"explain", "waitingforbudget"}},
		{"explain-reason-json", []string{"explain", "FailedAndHeld", "-o", "json"}},
		{"explain-half-way-yaml", []string{"explain", "worker-4", "-f", halfWay, "-o", "yaml", "--set", "strategy.maxUnavailable=2"}},
		{"tree-half-way", []string{"tree", "-f", halfWay}},
		{"tree-three-zones", []string{"tree", "-f", threeZones}},
		{"tree-half-way-yaml", []string{"tree", "-f", halfWay, "-o", "yaml"}},
		{"plan-diff", []string{"plan", "--diff", twoWorkers, "-f", halfWay}},
		{"plan-diff-nothing", []string{"plan", "--diff", halfWay, "-f", halfWay}},
		{"plan-diff-yaml", []string{"plan", "--diff", twoWorkers, "-f", halfWay, "-o", "yaml"}},
		{"plan-diff-bad-flags", []string{"plan", "--diff", twoWorkers, "-f", halfWay, "-o", "wide"}},
		{"simulate-two-workers-yaml", []string{"simulate", "-f", twoWorkers, "-o", "yaml", "--timeline", "none"}},
		{"check-refused-json", []string{"check-template", "testdata/refused.yaml", "-o", "json"}},
		{"check-ok-yaml", []string{"check-template", "testdata/daemonset.yaml", "-o", "yaml"}},
		{"render-fresh-json", []string{"render", "-f", fresh, "-o", "json", "--slot", "blue"}},
		{"explain-half-way-waits", []string{"explain", "worker-4", "-f", halfWay}},
		{"explain-half-way-acts", []string{"explain", "worker-4", "-f", halfWay, "--set", "strategy.maxUnavailable=2"}},
		{"simulate-fresh", []string{"simulate", fresh}},
		{"simulate-conventional", []string{"simulate", "-f", conventional}},
		{"simulate-two-workers", []string{"simulate", "-f", twoWorkers}},
		{"simulate-conventional-rolling", []string{"simulate", "-f", conventional, "--set", "strategy.type=RollingUpdate"}},
		{"simulate-rolling-back", []string{"simulate", "-f", conventional, "--set", "strategy.type=RollingUpdate", "--fault", "90s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady", "--decide", "recover=Back"}},
		{"explain-conventional-rolling", []string{"explain", "worker-2", "-f", conventional, "--set", "strategy.type=RollingUpdate"}},
		{"plan-three-zones-other-strategy", []string{"plan", "-f", threeZones, "--set", "strategy.type=RollingUpdate"}},
		{"simulate-conventional-surge", []string{"simulate", "-f", conventional, "--set", "strategy={type: Surge, overlap: Locked}", "--set", "lock.preset=datadog"}},
		{"simulate-bad-faults", []string{"simulate", "-f", twoWorkers, "--fault", "1m Breaknode worker-1", "--fault", "1m KillPod worker-1", "--fault", "1m RebootNode worker-1 until=2m", "--fault", "1m CordonNode worker-9", "--crash", "0"}},
		{"advise-rolling", []string{"advise", "-f", conventional, "--within", "4m", "--set", "strategy.type=RollingUpdate"}},
		{"simulate-two-workers-full", []string{"simulate", "-f", twoWorkers, "--timeline", "full", "--seed", "7", "--jitter", "0"}},
		{"simulate-two-workers-json", []string{"simulate", "-f", twoWorkers, "-o", "json"}},
		{"simulate-two-workers-never", []string{"simulate", "-f", twoWorkers, "--set", "strategy.overlap=Never"}},
		{"simulate-canary-spread", []string{"simulate", "-f", threeZones, "--set", "strategy.canary.replicas=2", "--set", `strategy.canary.nodeAntiAffinityKeys=["topology.kubernetes.io/zone"]`}},
		{"simulate-canary-fails", []string{"simulate", "-f", twoWorkers, "--set", "strategy.canary.replicas=1", "--image", "agent@gcr.io/datadoghq/agent:7.81.1=CrashLoops"}},
		{"explain-canary", []string{"explain", "-f", halfWay, "--set", "strategy.canary.replicas=1"}},
		{"plan-canary", []string{"plan", "-f", halfWay, "--set", "strategy.canary.replicas=1"}},
		{"simulate-lost-node", []string{"simulate", "-f", twoWorkers, "--fault", "1m LoseNode worker-2 until=20m"}},
		{"simulate-never-ready", []string{"simulate", "-f", twoWorkers, "--image", "agent@gcr.io/datadoghq/agent:7.81.1=NeverReady"}},
		{"simulate-crash", []string{"simulate", "-f", twoWorkers, "--crash", "5", "--timeline", "short"}},
		{"simulate-paused", []string{"simulate", "-f", halfWay, "--set", "strategy.paused=true"}},
		{"simulate-half-way", []string{"simulate", "-f", halfWay}},
		{"simulate-recover-back", []string{"simulate", "-f", halfWay, "--fault", "30s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady", "--decide", "recover=Back"}},
		{"simulate-recover-forward-json", []string{"simulate", "-f", halfWay, "--fault", "30s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady until=15m", "--decide", "recover=Forward", "-o", "json", "--timeline", "none"}},
		{"simulate-retry", []string{"simulate", "-f", twoWorkers, "--fault", "0s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady until=11m", "--decide", "retry"}},
		{"simulate-canary", []string{"simulate", "-f", twoWorkers, "--set", "strategy.canary={validationMode: manual}", "--decide", "canary=Pause", "--decide", "canary=Resume", "--decide", "canary=Promote"}},
		{"simulate-unasked", []string{"simulate", "-f", twoWorkers, "--timeline", "none", "--decide", "recover=Back"}},
		{"simulate-bad-decision", []string{"simulate", "-f", twoWorkers, "--decide", "recover=Sideways", "--decide", "retry=1", "--decide", "forward"}},
		{"verify-half-way", []string{"verify", "-f", halfWay, "--faults", "0"}},
		{"verify-half-way-json", []string{"verify", "-f", halfWay, "--faults", "0", "-o", "json"}},
		{"verify-limit", []string{"verify", "-f", twoWorkers, "--nodes", "1", "--max-states", "200"}},
		{"verify-paused", []string{"verify", "-f", halfWay, "--nodes", "1", "--faults", "0", "--set", "strategy.paused=true"}},
		{"render-fresh", []string{"render", "-f", fresh}},
		{"render-lone-diff", []string{"render", "testdata/daemonset.yaml", "--diff"}},
		{"render-two-workers-diff", []string{"render", "-f", twoWorkers, "--diff", "--slot", "green"}},
		{"render-refused", []string{"render", "-f", "testdata/refused.yaml"}},
		{"check-ok", []string{"check-template", "testdata/daemonset.yaml"}},
		{"check-selected", []string{"check-template", "testdata/daemonset.yaml", "testdata/selected.yaml", "--set", "slots.selectorLabel=app"}},
		{"check-refused", []string{"check-template", "testdata/refused.yaml"}},
		{"check-refused-never", []string{"check-template", "testdata/refused.yaml", "--set", "strategy.overlap=Never", "--set", "slots.selectorLabel=tier"}},
		{"compare-two-workers", []string{"compare", "-f", twoWorkers}},
		{"compare-two-workers-json", []string{"compare", "-f", twoWorkers, "-o", "json"}},
		{"compare-three-zones", []string{"compare", "-f", threeZones}},
		{"compare-three-zones-seeds", []string{"compare", "-f", threeZones, "--set", "strategy.maxUnavailable=2", "--seeds", "3", "--window"}},
		{"compare-conventional", []string{"compare", "-f", conventional}},
		{"compare-fresh", []string{"compare", fresh}},
		{"compare-deployed", []string{"compare", "-f", twoWorkers, "--set", "desiredFrom.images=null"}},
		{"compare-bad-flags", []string{"compare", "-f", twoWorkers, "--seeds", "0", "-o", "table"}},
		{"advise-three-zones", []string{"advise", "-f", threeZones, "--within", "6m"}},
		{"advise-conventional", []string{"advise", "-f", conventional, "--within", "3m"}},
		{"advise-half-way-json", []string{"advise", "-f", halfWay, "--within", "2m", "-o", "json"}},
		{"advise-never", []string{"advise", "-f", twoWorkers, "--within", "2m", "--set", "strategy.overlap=Never"}},
		{"advise-forbidden", []string{"advise", "-f", threeZones, "--within", "1m"}},
		{"advise-forbidden-json", []string{"advise", "-f", threeZones, "--within", "1m", "-o", "json"}},
		{"advise-no-deadline", []string{"advise", "-f", threeZones}},
		{"import", []string{"import", "testdata/extendeddaemonset.yaml"}},
		{"import-json", []string{"import", "testdata/extendeddaemonset.yaml", "-o", "json"}},
		{"import-least", []string{"import", "-f", "testdata/extendeddaemonset-least.yaml"}},
		{"import-unknown", []string{"import", "-f", "testdata/extendeddaemonset-unknown.yaml"}},
		{"import-refused", []string{"import", "-f", "testdata/extendeddaemonset-refused.yaml"}},
		{"import-nothing", []string{"import", "-f", fresh}},
		{"help-import", []string{"import", "--help"}},
		{"help-compare", []string{"compare", "--help"}},
		{"help-advise", []string{"advise", "--help"}},
		{"help", []string{"--help"}},
		{"explain-file", []string{"explain", halfWay}},
		{"help-explain", []string{"explain", "--help"}},
		{"help-plan", []string{"plan", "--help"}},
		{"help-render", []string{"render", "--help"}},
		{"help-check-template", []string{"check-template", "--help"}},
		{"help-verify", []string{"verify", "--help"}},
		{"help-simulate", []string{"simulate", "--help"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := call("", test.args...)
			got := fmt.Sprintf("$ rollout %s\n-- stdout\n%s-- stderr\n%s-- exit code %d\n", shellWords(test.args), stdout, stderr, code)
			golden := filepath.Join("testdata", test.name+".golden")
			if *rewrite {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err, "run the tests with -rewrite once")
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("output differs (-want +got); -rewrite accepts it:\n%s", diff)
			}
		})
	}
	t.Run("every golden file has its test", func(t *testing.T) {
		files, err := filepath.Glob("testdata/*.golden")
		require.NoError(t, err)
		require.Len(t, files, len(tests))
	})
}

// Help, tables and sentences for people fit a line of a terminal.
func TestGoldenLinesFit(t *testing.T) {
	for _, pattern := range []string{"compare-*", "advise-*", "help*", "plan-*", "simulate-*", "explain-*", "verify-*"} {
		files, err := filepath.Glob("testdata/" + pattern + ".golden")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			_, stdout, _ := strings.Cut(string(text), "-- stdout\n")
			stdout, _, _ = strings.Cut(stdout, "-- stderr\n")
			if strings.Contains(file, "json") || strings.Contains(file, "yaml") || strings.Contains(file, "patches") || strings.Contains(file, "wide") {
				continue // for programs, and for wide terminals
			}
			for _, line := range strings.Split(stdout, "\n") {
				require.LessOrEqual(t, utf8.RuneCountInString(line), widest, "%s: %s", file, line)
				require.Equal(t, strings.TrimRight(line, " "), line, file)
			}
		}
	}
}

// shellWords quotes what a shell would take apart.
func shellWords(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		if words[i] = arg; strings.ContainsAny(arg, " '\"") {
			words[i] = "'" + arg + "'"
		}
	}
	return strings.Join(words, " ")
}

// The README shows what the commands print.
func TestReadmeShowsRealOutput(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	for _, name := range []string{"compare-two-workers", "advise-three-zones"} {
		golden, err := os.ReadFile(filepath.Join("testdata", name+".golden"))
		require.NoError(t, err)
		_, stdout, _ := strings.Cut(string(golden), "-- stdout\n")
		stdout, _, _ = strings.Cut(stdout, "-- stderr\n")
		shown := strings.ReplaceAll("    "+strings.ReplaceAll(strings.TrimSuffix(stdout, "\n"), "\n", "\n    "), "\n    \n", "\n\n")
		require.Contains(t, string(readme), shown, name)
	}
	code, stdout, _ := call("", "simulate", "-f", halfWay, "--timeline", "none", "--decide", "recover=Back",
		"--fault", "30s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady until=15m")
	require.Equal(t, exitNotDone, code)
	_, block, found := strings.Cut(string(readme), "    Recovery ")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "\n\n")
	require.Contains(t, stdout, "Recovery "+strings.ReplaceAll(block, "\n    ", "\n"))

	_, stdout, _ = call("", "simulate", "-f", twoWorkers)
	_, block, found = strings.Cut(string(readme), "simulate -f examples/snapshots/two-workers.yaml\n\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "\n\n")
	requireExcerpt(t, stdout, block)

	_, stdout, _ = call("", "import", "testdata/extendeddaemonset.yaml")
	_, block, found = strings.Cut(string(readme), "> rollout.yaml\n\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "\n\n")
	requireExcerpt(t, stdout, block)

	_, stdout, _ = call("", "verify", "-f", halfWay, "--nodes", "1", "--faults", "0")
	_, block, found = strings.Cut(string(readme), "--nodes 1 --faults 0\n\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "\n\n")
	requireExcerpt(t, stdout, block)
}

// requireExcerpt requires the lines of an indented block in the output, in their order; a line of … is what was left out.
func requireExcerpt(t *testing.T, output, block string) {
	t.Helper()
	for _, line := range strings.Split(block, "\n") {
		line = strings.TrimPrefix(line, "    ")
		if strings.HasSuffix(line, "…") {
			continue
		}
		_, rest, found := strings.Cut(output, line+"\n")
		require.True(t, found, "%q is not printed, or not in this place", line)
		output = rest
	}
}
