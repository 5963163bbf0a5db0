// Package validate judges a plan on a snapshot: it is the second opinion, and imports nothing of the planner. Call [Plan].
//
// The snapshot is read once into a scene, which nothing changes. One account goes from action to action: each check is a function of
// the scene, the account and the action, and returns violations and the account that the next action finds.
//
//	violation.go        Property and Violation, and the action under judgement
//	validate.go         Plan, the way of a judgement; the whole plan (Form, L3, the writes of S11), issued actions (S7)
//	scene.go            what the snapshot shows: slots, owner, eligible nodes, available Pods, issued actions
//	record.go           what the annotations record: roles, target, return, proof, canary
//	admission.go        what a template's affinity says of the slot label
//	ledger.go           what a node comes to, the columns, the account, limits, and the seats of handoffs (S2, S7, Cohort while halted)
//	memo.go             what the nodes came to, kept from one plan of a rollout to the next
//	report.go           the reports of the nodes (S13)
//	write.go            the form, object and guards of a write (Form, S6, S9), and the source's template (S5)
//	locks.go            which Pods may meet (S14)
//	pair_sight.go       one node of a pair under its label
//	pair_move.go        what a label or a deletion does to it (S4, S8, S9), window and cohort (S11, Cohort)
//	pair_canary.go      who may decide of a canary (Cohort)
//	single_sight.go     one node of a rollout on one DaemonSet
//	single_deletion.go  the deletion of a Pod (S4, S8, S9)
//	single_write.go     the template, what is kept of the former one (S4, S5), and the native controller (S2, S5, S11, S14)
//
// S1, S3 and S10 are judged of what really happens, S12 of the planner: see package property.
package validate
