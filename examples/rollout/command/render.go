package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
)

func newRender(live Live) *cobra.Command {
	in := input{live: live, lone: true}
	var slot, output string
	var diff bool
	cmd := &cobra.Command{
		Use:   "render {-f FILE | FILE}...",
		Short: "Print the DaemonSets of the two slots, or the only one",
		Long: `Print what the planner makes of the desired DaemonSet: the DaemonSets of the two slots, with the lock wrapper,
their affinity and their revision; for a Surge and a RollingUpdate the one DaemonSet, which --slot blue prints.

A file that holds just one DaemonSet will do: the least Rollout document is then taken. With --diff the output is what
would change in the deployed DaemonSets, or, for such a file, in the file itself. Fields that the API server fills in
show as removed if the desired DaemonSet does not name them.`,
		Example: `  # Both slots
  rollout render -f examples/snapshots/two-workers.yaml

  # What the wrapper changes in the Pods of a DaemonSet
  rollout render daemonset.yaml --slot blue --diff

  # Without the wrapper
  rollout render -f examples/snapshots/conventional.yaml --set strategy.overlap=Never`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := errors.Join(oneOf("slot", slot, "blue", "green", "both"), oneOf("output", output, "yaml", "json"))
			if diff && output == "json" {
				err = errors.Join(err, errors.New("--diff is text: it goes with no --output"))
			}
			if err != nil {
				return asUsageError(cmd, err)
			}
			snapshot, err := in.read(cmd, args...)
			if err != nil {
				return err
			}
			rendering, err := plan.Render(snapshot)
			if err != nil {
				return refusal(err)
			}
			out := cmd.OutOrStdout()
			if output == "json" {
				return printList(out, chosen(&rendering, slot))
			}
			for _, set := range chosen(&rendering, slot) {
				if diff {
					err = printDiff(out, snapshot, set)
				} else {
					err = printManifest(out, set)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVar(&slot, "slot", "both", "blue, green or both")
	cmd.Flags().StringVarP(&output, "output", "o", "yaml", "yaml, or json: one List")
	cmd.Flags().BoolVar(&diff, "diff", false, "print the difference to what is deployed, as unified diff")
	return cmd
}

func chosen(r *plan.Rendering, slot string) []*appsv1.DaemonSet {
	switch slot {
	case model.Blue.String():
		return present(r.Blue)
	case model.Green.String():
		return present(r.Green)
	}
	return append(present(r.Blue), present(r.Green)...)
}

// present leaves out a slot that the strategy does not have: a rollout on one DaemonSet has only blue.
func present(set *appsv1.DaemonSet) []*appsv1.DaemonSet {
	if set == nil {
		return nil
	}
	return []*appsv1.DaemonSet{set}
}

// refusal makes an answer of a BlockedError.
func refusal(err error) error {
	var blocked *plan.BlockedError
	if !errors.As(err, &blocked) {
		return err
	}
	if faults := refusals(err); len(faults) > 0 {
		return notDone("the template is refused:\n  %s", strings.Join(faults, "\n  "))
	}
	return notDone("%s: %s", blocked.Reason, blocked.Message)
}

// refusals lists what keeps a template from being rolled out, each with its field path.
func refusals(err error) []string {
	var refused *plan.RefusedError
	if !errors.As(err, &refused) {
		return nil
	}
	lines := make([]string, len(refused.Faults))
	for i, fault := range refused.Faults {
		lines[i] = fault.Error()
	}
	return lines
}

// counterpart returns what a rendered DaemonSet is compared with, and what that is called: the deployed one of its
// name, or the manifest where the inputs are nothing else; nil if there is neither.
func counterpart(snapshot *model.Snapshot, set *appsv1.DaemonSet) (*appsv1.DaemonSet, string) {
	if live := snapshot.Cluster.DaemonSet(set.Namespace, set.Name); live != nil {
		return live, "deployed " + titled(live)
	}
	desired := snapshot.Rollout.Spec.Desired
	if desired != nil && len(snapshot.Cluster.DaemonSets()) == 0 && snapshot.Cluster.Len() == 0 {
		return desired, "given " + titled(desired)
	}
	return nil, "/dev/null"
}

func titled(set *appsv1.DaemonSet) string {
	return "DaemonSet " + strings.TrimPrefix(set.Namespace+"/"+set.Name, "/")
}

func printManifest(out io.Writer, set *appsv1.DaemonSet) error {
	text, err := manifest(set)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "---\n%s\n", text)
	return err
}

// printList prints the DaemonSets as a List, which kubectl applies.
func printList(out io.Writer, sets []*appsv1.DaemonSet) error {
	list := map[string]any{"apiVersion": "v1", "kind": "List"}
	items := []map[string]any{}
	for _, set := range sets {
		fields, err := manifestFields(set)
		if err != nil {
			return err
		}
		items = append(items, fields)
	}
	list["items"] = items
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", text)
	return err
}

// manifest is the DaemonSet as a person would apply it, in YAML.
func manifest(set *appsv1.DaemonSet) (string, error) {
	fields, err := manifestFields(set)
	if err != nil {
		return "", err
	}
	text, err := yaml.Marshal(fields)
	return strings.TrimSuffix(string(text), "\n"), err
}

// manifestFields are a DaemonSet's without what the server fills in.
func manifestFields(set *appsv1.DaemonSet) (map[string]any, error) {
	fields, err := dump.Fields(set)
	if err != nil {
		return nil, err
	}
	fields["apiVersion"], fields["kind"] = "apps/v1", "DaemonSet"
	delete(fields, "status")
	if metadata, ok := fields["metadata"].(map[string]any); ok {
		for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"} {
			delete(metadata, field)
		}
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			delete(annotations, appsv1.DeprecatedTemplateGeneration)
			delete(annotations, corev1.LastAppliedConfigAnnotation)
			if len(annotations) == 0 {
				delete(metadata, "annotations")
			}
		}
	}
	return fields, nil
}

func printDiff(out io.Writer, snapshot *model.Snapshot, set *appsv1.DaemonSet) error {
	from, name := counterpart(snapshot, set)
	var before []string
	if from != nil {
		text, err := manifest(from)
		if err != nil {
			return err
		}
		before = strings.Split(text, "\n")
	}
	text, err := manifest(set)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, unifiedDiff(name, "rendered "+titled(set), before, strings.Split(text, "\n")))
	return err
}
