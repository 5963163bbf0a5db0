// Package model has the nouns of a rollout: the Cluster that is planned on, the Rollout that is planned, the Snapshot
// that puts them together, and the Plan that comes out, with its Actions, Writes, Reasons and reports. All persisted keys
// are in keys.go.
//
// Begin with NewCluster, which takes API objects as a cache or a dump has them, once for all rollouts. It and a Rollout, which
// is the document that says what is desired and how, make a Snapshot, the only argument of plan.Next. Package dump makes one of files.
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
