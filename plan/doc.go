// Package plan plans the rollout of a node agent: one Pod per node, run by DaemonSets, replaced revision by
// revision. Next takes a snapshot of the cluster and returns the next actions, each with its guards, its reason and its
// cost, and for every node that does not move the reason why.
//
// A rollout is a prepared pair, two DaemonSets, or on one DaemonSet a native surge or a delete-first rolling update:
// see [model.StrategyType]. All three go the same way through a step, keep the same budget and give the same kind of plan.
//
// # One step
//
//	observe   a Snapshot: a model.Cluster, shared by all rollouts, and one model.Rollout with its facts
//	classify  each node gets one stage
//	propose   at most one move a node, with its cost
//	admit     four limits admit a subset, in one deterministic order
//	explain   a move that is held carries the limit that held it; a node without a move what it waits for
//
// The package is pure: no clock (the snapshot has one), no I/O, no randomness, no goroutine, and the snapshot is never
// changed. The same snapshot gives the same plan to the byte, whatever the order of its lists.
//
// # Using it
//
// Any prefix of a plan's actions may be carried out; whatever happened, plan again from a new snapshot. The actions build on
// each other in their order, so an executor stops at the first write that is refused. It
// switches on the form of a write (create, patch, delete), never on the kind of the action. Before an action with premises, paid or
// free, it reads their objects live and asks Validate. What was sent is listed in the snapshot's Issued until the caches show it: with
// a stale cache the budget would be spent twice otherwise. Package execute, below this one, does all that but the requests.
//
// # What it is not
//
// It carries nothing out, watches nothing and remembers nothing that a plan would depend on: all state is in the cluster's
// objects. A Planner keeps what it would otherwise make anew, and plans what Next does in less time; so does a Validator for Validate. Nothing judges
// whether an agent works beyond what its Pods' readiness says. Packages world and simulate, below this one, model the rest
// of a cluster, so that a rollout can be seen before it touches a node.
package plan
