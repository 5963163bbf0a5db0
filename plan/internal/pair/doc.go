// Package pair plans the prepared blue-green pair: two OnDelete DaemonSets, of which the next revision
// prepares beside the serving one.
//
// One step is a pipeline of values, in which no stage writes another's. In reading order:
//
//	plan.go           the pipeline: observe, sum, steer, admit, report
//
//	view.go           observe: what the snapshot shows, and what is rendered from it, before a look at a node
//	record.go         both DaemonSets and the record of the rollout, which their annotations hold
//	life.go           what the pair's life needs now
//	direction.go      from which slot to which the nodes go, and where a label puts a node on the way
//	render.go         what a pair makes of one conventional DaemonSet: revision, slots, affinity
//	desired.go        the conventional DaemonSet behind a deployed slot
//	presets.go        what two agents on one node must not share, by lock preset
//	memo.go           what is kept from one plan to the next
//
//	facts.go          judge: what the snapshot says of one node
//	judge.go          one node's report, traits and move; the table of its way, a function a place
//	overlapping.go    the same for a node in overlap, where the target prepares; capacity
//	room.go           is there room for the target before the source is released?
//	exclusion.go      may two Pods overlap, by the locks that they really hold?
//	deadline.go       when a target has failed on a node
//	traits.go         what is counted of a node; whose account it is on, and which node may be exempt
//	canary_probe.go   what a node tells of a canary
//
//	steer.go          steer: limits and holds; the record of target, proof, failure, return and completion
//	canary.go         what is decided of a canary
//	canary_choice.go  which nodes are to be the canary
//	arm.go            how a pair is made: install, wrapper, a missing slot
//	templates.go      the slots' templates, and who owns unlabelled nodes
//	leave.go          opt-out and teardown
//	admission.go      may a slot be written beside the other one?
//	writes.go         the requests on DaemonSets and their record
//
//	admit.go          admit: the rank and cost of a move; what holds it, where a canary waits; what it comes to (a seat is charged in step.Admit)
//	actions.go        the requests on nodes: where a label is written
//
//	report.go         report: the plan's conditions, and what clears a standstill
//	canary_report.go  how a canary stands
package pair
