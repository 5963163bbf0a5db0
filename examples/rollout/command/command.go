package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/model/dump"
)

// Exit codes.
const (
	exitDone     = 0
	exitNotDone  = 1 // blocked, stuck or refused, or a plan that the validator does not accept
	exitBadInput = 2
)

// notDoneError is an answer and no mistake of the caller: the rollout is blocked, stuck or refused.
type notDoneError struct{ message string }

func (e *notDoneError) Error() string { return e.message }

func notDone(format string, args ...any) error {
	return &notDoneError{fmt.Sprintf(format, args...)}
}

// usageError is a wrong flag or a wrong number of arguments: the command whose help says more is named after it.
type usageError struct {
	cause   error
	command string
}

func (e *usageError) Error() string { return e.cause.Error() }
func (e *usageError) Unwrap() error { return e.cause }

// Program is the command line under a name.
type Program struct {
	// Name is how people call it: "rollout", or "kubectl node-rollout".
	Name string
	// Live reads a cluster where the files name no object of one; nil: files alone are read.
	Live Live
	// Prepare adds what is the program's own, such as flags, to the root command; nil for nothing.
	Prepare func(*cobra.Command)
}

// Live reads the objects of a cluster as its API server gives them, and with a document where there is none, the Rollout.
type Live func(ctx context.Context, document bool) ([]dump.Input, error)

// Run is the whole program but for the process around it. It returns the exit code.
func (p Program) Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := p.root()
	root.Annotations[callKey] = shellLine(append(strings.Fields(p.Name), args...))
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	report(stderr, err)
	var answer *notDoneError
	if errors.As(err, &answer) {
		return exitNotDone
	}
	return exitBadInput
}

// report prints the error, and each fault of several on a line of its own.
func report(stderr io.Writer, err error) {
	var faults *dump.Error
	if errors.As(err, &faults) {
		for _, line := range strings.Split(faults.Error(), "\n") {
			_, _ = fmt.Fprintf(stderr, "error: %s\n", line)
		}
		return
	}
	var usage *usageError
	if !errors.As(err, &usage) {
		_, _ = fmt.Fprintf(stderr, "error: %v\n", err)
		return
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		_, _ = fmt.Fprintf(stderr, "error: %s\n", line)
	}
	_, _ = fmt.Fprintf(stderr, "See %q.\n", usage.command+" -h")
}

func (p Program) root() *cobra.Command {
	root := &cobra.Command{
		Use:         strings.ReplaceAll(p.Name, " ", "-"),
		Annotations: map[string]string{cobra.CommandDisplayNameAnnotation: p.Name},
		Short:       "Plan the rollout of a node agent offline, on a dump of a cluster",
		Long: `rollout shows what the planner would do on a dump of your cluster. It reads files, talks to no cluster and
changes nothing.

The input is what kubectl prints, and one Rollout document:

  kubectl get nodes,pods,daemonsets -A -o yaml > cluster.yaml

Exit codes: 0 done; 1 blocked, stuck or refused; 2 bad input, with all faults listed.`,
		Example: `  # The next actions
  rollout plan -f examples/snapshots/two-workers.yaml

  # Why does a node not move?
  rollout explain worker-4 -f examples/snapshots/half-way.yaml

  # How long will it take, and how long does each node go without an agent?
  rollout simulate -f examples/snapshots/three-zones.yaml`,
		Version: versionOf(readBuild()).Version,
		Args:    noSuchCommand,
		// Names that differ in two letters are suggested.
		SuggestionsMinimumDistance: 2,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors:              true,
		SilenceUsage:               true,
	}
	root.PersistentFlags().BoolP(quietFlag, "q", false, "no notes and no progress on standard error")
	root.AddCommand(newPlan(p.Live), newExplain(p.Live), newTree(p.Live), newSimulate(p.Live), newVerifyOfPlanner(p.Live), newCompare(p.Live), newAdvise(p.Live), newImport(), newRender(p.Live),
		newCheckTemplate(p.Live), newDecide(p.Live), newVersion())
	if p.Live != nil {
		root.AddCommand(newWatch(p.Live))
	}
	if p.Prepare != nil {
		p.Prepare(root)
	}
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", widest)))
	for _, cmd := range append(root.Commands(), root) {
		cmd.Long = fitted(paragraphs(cmd.Long), widest)
		cmd.SetFlagErrorFunc(asUsageError)
		accepts := cmd.Args
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := accepts(cmd, args); err != nil {
				return asUsageError(cmd, err)
			}
			return nil
		}
	}
	return root
}

// noSuchCommand refuses every argument of the root, which takes commands alone, and names the commands that are spelt alike.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if alike := cmd.SuggestionsFor(args[0]); len(alike) > 0 {
		text += ": did you mean " + strings.Join(alike, " or ") + "?"
	}
	return errors.New(text)
}

func asUsageError(cmd *cobra.Command, err error) error {
	if !cmd.HasParent() { // the flags behind a misspelled command are not the root's
		err = cmp.Or(noSuchCommand(cmd, cmd.Flags().Args()), err)
	}
	var number *strconv.NumError
	if errors.As(err, &number) {
		before, _, _ := strings.Cut(err.Error(), ": strconv.")
		kind := map[string]string{"ParseInt": "a whole number", "ParseUint": "a whole number of 0 or more", "ParseFloat": "a number", "ParseBool": "true or false"}[number.Func]
		err = fmt.Errorf("%s: not %s", before, cmp.Or(kind, "understood"))
	}
	return &usageError{cause: err, command: cmd.CommandPath()}
}

// quietFlag silences what is said beside the answer.
const quietFlag = "quiet"

func isQuiet(cmd *cobra.Command) bool {
	quiet, _ := cmd.Flags().GetBool(quietFlag)
	return quiet
}

// notesOf is where notes go.
func notesOf(cmd *cobra.Command) io.Writer {
	if isQuiet(cmd) {
		return io.Discard
	}
	return cmd.ErrOrStderr()
}

// interrupted makes an answer of what was ended by a person; nil of another error.
func interrupted(err error, where string) error {
	if !errors.Is(err, context.Canceled) {
		return nil
	}
	return notDone("interrupted %s", where)
}
