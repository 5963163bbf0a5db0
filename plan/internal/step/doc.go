// Package step holds what every mechanism needs for one planning step, whatever the number of its DaemonSets. It decides nothing
// about a rollout: no function here knows a slot or a record. The values of a step, in the order in which they are made:
//
//	traits.go      what is true of one node, a bit each; the numbers of nodes by trait
//	judgment.go    all that is said of one node: report, traits, move; what it tells of a canary
//	survey.go      the sum of all judgments
//	memo.go        judgments kept from one plan to the next
//	course.go      what is decided of the whole; other answers for nodes
//	await.go       what the whole waits for, since when, and what it comes to past the deadline
//	admit.go       the four limits, one order: where a seat is charged
//	plan.go        the plan put together; its conditions
//	report.go      the ledger, the wake-up, and the words in which a plan says what holds it
//	standstill.go  the first cause of a standstill, and what clears it
//	failed.go      the memory of a failed revision
//
// What the values are made from:
//
//	clock.go       is the Pod available, at this instant?
//	podset.go      one DaemonSet's Pods on one node
//	placement.go   is the node eligible?
//	fit.go         would the next Pod stand on a node once those have gone that leave for it? whom would it push off?
//	unschedulable.go  what a Pod that is not placed means to its node
//	deadline.go    has what is awaited lasted too long?
//	lost.go        what a rollout that leaves the cluster leaves on Nodes that are lost
//	strangers.go   who else holds what is the rollout's own
//	forgiven.go    what a person went on without
//	issued.go      what was sent and does not show yet
//	spread.go      the nodes' turns, by topology
//	orphan.go      Pods without a controller; may a DaemonSet be made now?
//	owner.go       whose the DaemonSet is
//	revision.go    the revision of a template; does a person ask for new Pods of it?
//	defaulted.go   what the API server fills into a template: are two of them one?
//	drift.go       does the live object say what it should?
//	images.go      other images for a template
//	canary.go      the words of a canary
//	wording.go     the words of a way back
//	blocked.go     why nothing may proceed
//	refused.go     what any API server refuses
//	written.go     which generation of a spec was written when
//	request.go     the requests on DaemonSets and owners, and their premises
//	writes.go      guarded edits, and the requests on nodes and Pods
package step
