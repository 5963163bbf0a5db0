package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agent-rollout/planner/examples/rollout/extendeddaemonset"
	"github.com/agent-rollout/planner/model/dump"
)

func newImport() *cobra.Command {
	var files []string
	var output string
	cmd := &cobra.Command{
		Use:   "import -f FILE...",
		Short: "Make a Rollout document of an ExtendedDaemonSet",
		Long: `Make a Rollout document of an ExtendedDaemonSet (datadoghq.com/v1alpha1), with a DaemonSet made of its template, and say
field by field what becomes of it, the defaults that it leaves implicit included:

  same      it means the same here
  differs   it has a counterpart that does not do quite the same; the next line says how
  none      it has no counterpart; the next line says what to do instead

The document goes to standard output with the list as a comment above it. Its strategy is a pair without overlap, which is
ExtendedDaemonSet's behaviour: revisions stay pinned to nodes, and a canary is a canary. Whether the template may be rolled
out with overlap, so that nodes keep their agent while the next one is pulled, says rollout check-template.

ExtendedDaemonsetSettings and Nodes in the inputs are looked at too: neither resources by node have a counterpart. The
manifest is read strictly: unknown fields and values that ExtendedDaemonSet itself refuses are errors, and all are listed.`,
		Example: `  # From a manifest, and is its template fit for overlap?
  rollout import -f extendeddaemonset.yaml > rollout.yaml
  rollout check-template -f rollout.yaml --set strategy.overlap=Locked

  # From a cluster, with what it says of resources by node
  kubectl get eds,extendeddaemonsetsettings,nodes -A -o yaml | rollout import -f -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "yaml", "json"); err != nil {
				return asUsageError(cmd, err)
			}
			if files = append(files, args...); len(files) == 0 {
				return errors.New("no input: name a file with -f, or -f - for standard input")
			}
			inputs, err := dump.Options{Stdin: cmd.InOrStdin(), Keep: extendeddaemonset.Kinds()}.Files(files...)
			if err != nil {
				return err
			}
			manifest, err := extendeddaemonset.Read(inputs)
			if err != nil {
				return err
			}
			noteSkipped(notesOf(cmd), inputs)
			result, err := manifest.Convert()
			if err != nil {
				return err
			}
			for _, fault := range result.Refused {
				note(notesOf(cmd), fmt.Sprintf("the planner refuses the document as it stands: %v", fault))
			}
			if output == "json" {
				return printObject(cmd.OutOrStdout(), kindImport, result, "json")
			}
			return result.Write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringArrayVarP(&files, "filename", "f", nil, `a manifest or what kubectl prints, YAML or JSON; "-" is standard input (repeatable)`)
	cmd.Flags().StringVarP(&output, "output", "o", "yaml", "yaml or json")
	return cmd
}
