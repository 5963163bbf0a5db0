// Package embed_test shows how an operator embeds the planner. The README carries the same lines.
package embed_test

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
)

// send is the operator's client: one API request.
type send func(*model.Write) error

// reconcile plans one step and carries it out. A refused write is no fault: the next plan knows better.
func reconcile(objects model.Objects, rollout *model.Rollout, send send) (*model.Plan, error) {
	cluster, err := model.NewCluster(objects) // once for all rollouts
	if err != nil {
		return nil, err
	}
	snapshot := &model.Snapshot{Cluster: cluster, Rollout: rollout}
	next, err := plan.Next(snapshot)
	if err != nil {
		return nil, err // the document is malformed: every fault is listed
	}
	if violations := plan.Validate(snapshot, &next); len(violations) > 0 {
		return nil, violations[0]
	}
	for i := range next.Actions {
		if err := send(&next.Actions[i].Write); err != nil {
			return nil, err
		}
	}
	return &next, nil // plan again on next.WakeOn, or after next.RequeueAfter
}

func Example() {
	d, err := dump.Files("../snapshots/two-workers.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	snapshot, err := d.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := reconcile(d.Objects, snapshot.Rollout, func(w *model.Write) error {
		fmt.Println(w.Verb(), w.Object)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(next.Phase, "for", next.Ledger)
	// Output:
	// patch DaemonSet/datadog/datadog-agent-green
	// Preparing for 2 eligible = 2 available + 0 ambient + 0 committed
}
