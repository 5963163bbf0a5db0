package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/verify"
)

// mostStates is where a search ends that is not told otherwise: some minutes.
const mostStates = 50_000

// verifyFlags are the flags of one call.
type verifyFlags struct {
	in      input
	nodes   int
	faults  int
	states  int
	output  string
	planner verify.Planner
}

func newVerify(live Live, planner verify.Planner) *cobra.Command {
	f := verifyFlags{in: input{live: live}, planner: planner}
	cmd := &cobra.Command{
		Use:   "verify {-f FILE | FILE}...",
		Short: "Visit every state of a rollout on a few nodes, and check every promise",
		Long: `Explore the rollout from the state that the dump shows: everything that can happen next, in every order, with --faults also what may go wrong. A few nodes
are kept, so that the states can be visited at all; nodes in flight, not Ready, cordoned or tainted are kept first, and it
is said which ones, and what they stand for.

In every state, of every plan, and on every run that is fair, the promises of the planner are checked: they are listed with their
sentences. A promise that is broken is printed with the shortest way there, and the exit code is 1.

What is not checked is listed as well. A search that ends at --max-states has not seen every state, and says so.`,
		Example: `  # Two nodes, nothing goes wrong
  rollout verify -f examples/snapshots/half-way.yaml

  # One node, one fault and one crash of the executor
  rollout verify -f examples/snapshots/half-way.yaml --nodes 1 --faults 1 --max-states 0`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.in.flags(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.nodes, "nodes", 2, "how many nodes are kept: every further one multiplies the states by ten or more")
	flags.IntVar(&f.faults, "faults", 0, "how many faults may happen; with any, the executor may crash once as well, and few snapshots end within a minute")
	flags.IntVar(&f.states, "max-states", mostStates, "how many states are visited at most; 0 is no limit")
	flags.StringVarP(&f.output, "output", "o", "text", "text, json or yaml")
	return cmd
}

func (f *verifyFlags) run(cmd *cobra.Command, files []string) error {
	err := oneOf("output", f.output, "text", "json", "yaml")
	if f.nodes < 1 {
		err = errors.Join(err, fmt.Errorf("--nodes %d: at least one node must be kept", f.nodes))
	}
	if f.faults < 0 || f.faults > verify.MostFaults {
		err = errors.Join(err, fmt.Errorf("--faults %d is not between 0 and %d", f.faults, verify.MostFaults))
	}
	if f.states < 0 {
		err = errors.Join(err, fmt.Errorf("--max-states %d is negative", f.states))
	}
	if err != nil {
		return asUsageError(cmd, err)
	}
	snapshot, err := f.in.read(cmd, files...)
	if err != nil {
		return err
	}
	cut, err := verify.Cut(snapshot, verify.CutOptions{Nodes: f.nodes, Faults: f.faults, Planner: f.planner})
	if err != nil {
		return err
	}
	model, err := verify.New(cut.Scope)
	if err != nil {
		return err
	}
	line := newProgress(cmd.ErrOrStderr(), isQuiet(cmd))
	result, err := model.Run(verify.Options{MaxStates: f.states, OnProgress: func(p explore.Progress) {
		if p.Goal != "" {
			line.step("judging "+p.Goal, p.Judged, p.Goals, "goals")
			return
		}
		line.step("visiting", p.Expanded, f.states, "states")
	}})
	line.clear()
	if err != nil {
		return err
	}
	answer := &verified{cut: cut, judged: model.Judged(), result: result}
	if isObject(f.output) {
		err = printObject(cmd.OutOrStdout(), kindVerification, answer.view(), f.output)
	} else {
		err = answer.print(cmd.OutOrStdout())
	}
	if err == nil && len(result.Violations) > 0 {
		err = notDone("%d promises are broken, the first one is %s", len(result.Violations), result.Violations[0].Property)
	}
	return err
}

func newVerifyOfPlanner(live Live) *cobra.Command { return newVerify(live, new(plan.Planner).Next) }

// broken is the violation of a property, if there is one.
func broken(result *explore.Result, property string) *explore.Violation {
	for i := range result.Violations {
		if result.Violations[i].Property == property {
			return &result.Violations[i]
		}
	}
	return nil
}
