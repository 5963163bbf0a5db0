// Package arena rolls one cluster in every way there is, each from its own steady state, so that the results can be set side
// by side: the strategies of this planner, and the baselines of package baseline, which are there to be compared with only.
//
// Call [New] on a snapshot, and make the Row of each of the [Ways]:
//
//	a, err := arena.New(snapshot)
//	for _, way := range arena.Ways() {
//		row, err := a.Row(ctx, way, arena.Options{Seed: 1})
//	}
//
// A way's steady state is the deployed revision, installed in that way on the nodes of the snapshot with their other
// workloads. A pair is armed by then; if the snapshot shows a conventional DaemonSet, Row.Arming is what arming costs once.
//
// The files, in reading order:
//
//	ways.go   what is compared
//	rows.go   a row: install, roll, arm
//	arena.go  the cluster without the rollout, and the steady state of a way
package arena
