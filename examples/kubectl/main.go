// Command kubectl-node_rollout is the command rollout as a plugin of kubectl: what the files do not name is read from the cluster, with the rights
// of who calls it. It writes nothing there.
//
//	kubectl node-rollout plan  -f rollout.yaml
//	kubectl node-rollout watch -f rollout.yaml
//
// Installed as kubectl-node_rollout in the PATH; krew.yaml is the template of its manifest for krew, filled in by a release.
package main

import (
	"os"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/agent-rollout/planner/examples/rollout/command"
)

func main() {
	os.Exit(program().Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func program() command.Program {
	flags := genericclioptions.NewConfigFlags(true)
	return command.Program{
		Name:    "kubectl node-rollout",
		Live:    (&cluster{config: flags}).read,
		Prepare: func(root *cobra.Command) { flags.AddFlags(root.PersistentFlags()) },
	}
}
