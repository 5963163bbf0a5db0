// Command rollout shows offline what the planner would do on a dump of a cluster: the next actions, why a node does
// not move, and how long a rollout takes and what it costs before it touches a node. It reads files and talks to no
// cluster.
//
//	kubectl get nodes,pods,daemonsets -A -o yaml > cluster.yaml
//	rollout plan -f cluster.yaml -f rollout.yaml
//	rollout simulate -f cluster.yaml -f rollout.yaml --set strategy.maxUnavailable=10%
//
// Exit codes: 0 done; 1 blocked, stuck or refused; 2 bad input, with all faults listed.
//
// Its commands are package command, so that a program that reads clusters can have them too.
package main

import (
	"os"

	"github.com/agent-rollout/planner/examples/rollout/command"
)

func main() {
	os.Exit(command.Program{Name: "rollout"}.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
