// Package model has the nouns of a rollout: the Cluster that is planned on, the Rollout that is planned, the Snapshot
// that puts them together, and the Plan that comes out, with its Actions, Writes, Reasons and reports.
//
// Begin with NewCluster, which takes API objects as a cache or a dump has them, once for all rollouts; Cluster.Apply is the cluster
// after what a watch has told. It and a Rollout, which is the document that says what is desired and how, make a Snapshot, the only
// argument of plan.Next. Package dump makes one of files.
//
//	cluster.go          Cluster, NewCluster          changes.go          Cluster.Apply
//	nameindex.go        nodes by name                trim.go             Transforms of a cache
//	facts.go            Snapshot: what it was told   issued.go           whether what was sent is visible
//	rollout.go          Rollout: the document        canary_settings.go  its canary
//	lock.go             its locks                    defaults.go         its defaults
//	validate.go         its faults                   validate_single.go  those of one DaemonSet
//	keys.go             all persisted keys           slot.go             Slot and a node's label
//	moved.go            when a node moved            edited.go           edits of a template by hand
//	emptied.go          nodes that one DaemonSet's rollout emptied
//	written.go          which generation was written when
//	state.go            State: the record            state_check.go      its faults
//	state_plain.go      the usual ones, read quickly canary.go           the record of a canary
//	pod.go              what a Pod shows             plan.go             Plan
//	action.go           Action                       write.go            Write and its JSON patch
//	report.go           NodeReport                   reason.go           Reason: why a node does not move
//	selecting.go        what selects Pods by labels
//
// # What is read of API objects
//
// A Cluster holds the objects as they are and copies none. Of a Node are read: name, UID, resourceVersion, labels,
// annotations, taints, spec.unschedulable, status.allocatable and status.conditions. Of a Pod: name, namespace, UID,
// resourceVersion, labels, annotations, owner references, creation and deletion timestamps, the spec without the
// containers' environment, and of the status phase, reason, start time, nominated node, conditions and container statuses.
// Of a DaemonSet: everything but managed fields. TrimNode, TrimPod and TrimDaemonSet are informer Transforms that keep
// just these. Objects without UID or resourceVersion are refused: every write is guarded by them.
//
// Pods of other workloads are optional: without those of a node its capacity is not judged, and the plan names it in Needs.
//
// # Compatibility
//
// The annotations and labels that a rollout persists, and the JSON of Rollout, Plan and Action, are kept. Reasons, kinds
// of actions and stages are closed sets that may grow: print them, switch on the form of a write only.
package model
