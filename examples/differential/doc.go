// Package differential holds the model of the native DaemonSet controller in package world against the
// real one, k8s.io/kubernetes/pkg/controller/daemon.
//
// Each test builds a random cluster around one DaemonSet, lets the real controller sync it once, asks a world
// that was built from the same objects what its controller does next, and compares the Pods that are made, the
// Pods that are deleted, and the counts in the status. Where the real controller takes candidates in
// the random order of a map, how many of them are taken must agree, and everything else by name.
//
// The real controller is that of Kubernetes 1.35.3, the version of the libraries that the planner is built
// with. What it decides in a sync is what 1.34 decides: between the two releases its package only passes a
// logger on, waits for its workers, and asks a feature gate that is off (TaintTolerationComparisonOperators).
//
//	go test ./...                              the default run: 12,000 clusters
//	go test -run Sync -clusters 500000 -seed 7 more of them, others
//	go test -run Sync -only 4711               one of them, drawn
//
// What the world leaves out on purpose has a test each: a sync's limit of 250 creations and deletions in
// the manage step, the back-off of failed Pods, and Pods whose node does not exist.
package differential
