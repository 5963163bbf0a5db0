package plan_test

import (
	"fmt"
	"strings"

	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
)

// fresh is a cluster of one node without the agent, and the least document that installs one on it.
const fresh = `
apiVersion: v1
kind: Node
metadata: {name: worker-1, uid: n1, resourceVersion: "7"}
---
apiVersion: agent-rollout/v1alpha1
kind: Rollout
metadata: {namespace: monitoring, name: agent, uid: owner}
spec:
  desired:
    metadata: {namespace: monitoring, name: agent, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: agent, uid: owner, controller: true}]}
    spec:
      selector: {matchLabels: {app: agent}}
      template:
        metadata: {labels: {app: agent}}
        spec: {containers: [{name: agent, image: "agent:1"}]}
  strategy: {type: RollingUpdate}
status: {observedAt: "2026-01-05T09:00:00Z"}
`

// One step: the next actions, and what every node waits for. An executor sends the actions in their order and plans again.
func ExampleNext() {
	d, err := dump.Read(strings.NewReader(fresh), "snapshot")
	if err != nil {
		fmt.Println(err)
		return
	}
	snapshot, err := d.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := plan.Next(snapshot)
	if err != nil {
		fmt.Println(err) // the document is malformed
		return
	}
	fmt.Println(next.Phase)
	for i := range next.Actions {
		a := &next.Actions[i]
		fmt.Printf("%s %s: %s\n", a.Write.Verb(), a.Write.Object, a.Reason)
	}
	for i := range next.Nodes {
		r := &next.Nodes[i]
		fmt.Printf("%s %s %s: %s\n", r.Node, r.Verdict, r.Reason, plan.Message(&next, r))
	}
	fmt.Println("violations:", len(plan.Validate(snapshot, &next)))
	// Output:
	// Installing
	// create DaemonSet/monitoring/agent: SlotMissing
	// worker-1 Wait WaitingForSlot: waiting for a DaemonSet: it, or the record on it, is being written first
	// violations: 0
}
