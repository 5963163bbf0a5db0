package dump_test

import (
	"fmt"
	"strings"

	"github.com/agent-rollout/planner/model/dump"
)

// What kubectl prints and a Rollout document make a snapshot; what is left out is filled in, and told.
func Example() {
	d, err := dump.Read(strings.NewReader(`
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: worker-1, uid: n1, resourceVersion: "7", creationTimestamp: "2026-01-05T09:00:00Z"}}
- {apiVersion: v1, kind: Secret, metadata: {name: token}}
---
apiVersion: agent-rollout/v1alpha1
kind: Rollout
metadata: {namespace: monitoring, name: agent}
spec:
  desiredFrom: {image: "agent:2"}
  strategy: {maxUnavailable: 5%}
`), "cluster.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	snapshot, err := d.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(snapshot.Cluster.Len(), "node, maxUnavailable", snapshot.Rollout.Spec.Strategy.MaxUnavailable)
	fmt.Println("not read:", d.SkippedKinds())
	for _, note := range d.Notes {
		fmt.Println("note:", note)
	}
	// Output:
	// 1 node, maxUnavailable 5%
	// not read: 1 Secret
	// note: status.observedAt is left out: the newest time in the objects, 2026-01-05T09:00:00Z, is taken.
	// note: status.otherPods is left out: the Pods of all workloads are taken to be in the inputs (kubectl get -A).
}

// All faults come at once, each with its place.
func ExampleError() {
	_, err := dump.Read(strings.NewReader(`
apiVersion: agent-rollout/v1alpha1
kind: Rollout
metadata: {name: agent}
spec:
  desiredFrom: {}
  strategy: {maxUnavailabel: 5%, maxWrites: 0, slowStart: {interval: soon}}
`), "rollout.yaml")
	fmt.Println(err)
	// Output:
	// rollout.yaml: document 1 (line 7): Rollout: spec.strategy.maxUnavailabel: unknown field
	// rollout.yaml: document 1 (line 7): Rollout: spec.strategy.slowStart.interval: must be a duration such as "90s" or "5m", not "soon"
	// rollout.yaml: document 1 (line 7): Rollout: spec.strategy.maxWrites: Invalid value: 0: must be at least 1
}
