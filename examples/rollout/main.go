// Command rollout shows offline what the planner would do on a dump of a cluster: the next actions, why a node does
// not move, and how long a rollout takes and what it costs before it touches a node. It reads files and talks to no
// cluster.
//
//	kubectl get nodes,pods,daemonsets -A -o yaml > cluster.yaml
//	rollout plan -f cluster.yaml -f rollout.yaml
//	rollout simulate -f cluster.yaml -f rollout.yaml --set strategy.maxUnavailable=10%
//
// Exit codes: 0 done; 1 blocked, stuck or refused; 2 bad input, with all faults listed.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
