// Package single plans a rollout on one DaemonSet: delete-first (the strategy RollingUpdate), or as a native surge.
//
// # Delete-first
//
// The DaemonSet is OnDelete. The next template is written, and a Pod of another revision is deleted under its UID, within
// the budget; the DaemonSet controller makes the next one. The budget is the strict one of the pair, not the native
// controller's: a deletion that takes an available agent needs committed + ambient − exempt + 1 ≤ limit, one of a Pod that
// is unavailable already needs committed + 1 ≤ limit.
//
// # Surge
//
// The native controller has maxSurge and no maxUnavailable: it makes the next Pod beside the old one, and deletes the old one
// once the next is available. What it does not do, and the plan does: it hands over to a replacement that waits behind locks
// (overlap Locked), gives the room of an old Pod to a replacement that does not fit beside it, and stops the controller, by
// writing OnDelete, while the rollout is paused, frozen or held, and while more nodes are unavailable than the budget: outside
// maxSurge the controller would replace every unready Pod at once.
//
// A revision whose Pods may not stand beside the present ones (locks that do not exclude each other, an anti-affinity that is
// being narrowed, a wrapper that is being installed), or that comes while more nodes are unavailable than the budget, is
// rolled delete-first, by the same code; from then on the surge goes on.
//
// # What is remembered
//
// On one DaemonSet a Pod that is made takes the newest template. So a node without a Pod of another revision belongs to the
// target, whoever took the last one: where a node stands, and who is to blame for it, is derived from its Pods alone, and no
// node gets a label or an annotation. The DaemonSet's annotations hold the rest: the mode, the revision, the state, and, as
// long as a target is being rolled out, the former template, so that a failed target can be taken back. Each is written
// with the spec that it belongs to, in one request.
//
// # How a plan is made
//
// Plan is a pipeline: each stage makes a value from values, and no stage writes what another has written. The files in reading order:
//
//	plan.go       the stages, one after the other
//	view.go       observe: what the snapshot shows of the whole, what is desired, what is refused
//	record.go     the DaemonSet as it is deployed, with what it remembers of the rollout
//	life.go       what the rollout's life needs now: to install, to adopt, to pace, to leave
//	render.go     what is to run, made of the conventional DaemonSet, and the native strategy
//	facts.go      what the snapshot shows of one node
//	judge.go      judge: the table of what a node does next, or waits for, by its facts
//	fit.go        whether the next Pod finds room on the node
//	stray.go      whether the next Pod is what the template says
//	deadline.go   when the target has failed on the node
//	traits.go     what is counted of the node, and who is to blame for it
//	steer.go      steer: the course of the whole, by the record and what was counted
//	templates.go  the writes of the template, of the native strategy and of the record
//	coexist.go    whether Pods of two templates may run on one node
//	leave.go      opt-out and teardown
//	admit.go      admit: which deletions the limits let through, with their premises
//	report.go     report: the status, the conditions, and what clears a standstill
//	memo.go       what a Planner keeps from one plan to the next
package single
