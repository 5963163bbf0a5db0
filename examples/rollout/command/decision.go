package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/model"
)

// verb is what a person may decide.
type verb struct {
	word, says string
	decision   func(p *model.Plan) (model.Decision, error)
}

// verbs are all decisions, each bound to the revision that the plan speaks of.
var verbs = []verb{
	{"promote", "end the canary well", ofCanary(model.PromoteCanary)},
	{"fail", "end the canary badly: its nodes go back", ofCanary(model.FailCanary)},
	{"pause", "hold the canary", ofCanary(model.PauseCanary)},
	{"resume", "end the pause of the canary", ofCanary(model.ResumeCanary)},
	{"forward", "go on without the nodes where the target has failed", recovering(model.Forward)},
	{"back", "return to the source", recovering(model.Back)},
	{"retry", "try the desired revision again, which is remembered as failed", func(p *model.Plan) (model.Decision, error) {
		if p.Revision == "" {
			return model.Decision{}, notDone("nothing is desired that could be tried again")
		}
		return model.Decision{Retry: p.Revision}, nil
	}},
}

func ofCanary(canary model.CanaryVerb) func(*model.Plan) (model.Decision, error) {
	return func(p *model.Plan) (model.Decision, error) {
		if p.Canary == nil {
			return model.Decision{}, notDone("no canary is under way")
		}
		return model.Decision{Revision: p.Pair.TargetRevision, Canary: canary}, nil
	}
}

func recovering(to model.Direction) func(*model.Plan) (model.Decision, error) {
	return func(p *model.Plan) (model.Decision, error) {
		if p.Pair.TargetRevision == "" {
			return model.Decision{}, notDone("no target is recorded: there is nothing to go forward with, and nothing to return from")
		}
		return model.Decision{Revision: p.Pair.TargetRevision, Recover: to}, nil
	}
}

func newDecide(live Live) *cobra.Command {
	in := input{live: live}
	var words, lines []string
	for _, v := range verbs {
		words = append(words, v.word)
		lines = append(lines, fmt.Sprintf("  %-9s %s", v.word, v.says))
	}
	cmd := &cobra.Command{
		Use:   "decide {" + strings.Join(words, "|") + "} -f FILE...",
		Short: "Print a decision as a patch of the document",
		Long: "Print what has to be merged into the Rollout document for a decision, bound to the revision that the plan speaks of, so that it says nothing\nabout the next one:\n\n" +
			strings.Join(lines, "\n") + "\n\nNothing is changed. What a decision would cost tells simulate --decide.",
		Example: `  # The canary is good
  rollout decide promote -f cluster.yaml -f rollout.yaml > decision.yaml

  # Merge it into a resource whose spec is the document
  kubectl patch RESOURCE NAME --type merge --patch-file decision.yaml`,
		ValidArgs: words,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, next, err := in.plan(cmd)
			if err != nil {
				return err
			}
			at := slices.IndexFunc(verbs, func(v verb) bool { return v.word == args[0] })
			decision, err := verbs[at].decision(next)
			if err != nil {
				return err
			}
			return printYAML(cmd.OutOrStdout(), map[string]any{"spec": map[string]any{"decision": decision}})
		},
	}
	in.flags(cmd)
	return cmd
}
