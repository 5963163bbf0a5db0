package execute

import (
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// Status is the status of one DaemonSet as the plan's DaemonSets have it together, in the numbers that kubectl shows: desired, current, ready,
// up-to-date and available. Those of a pair's single DaemonSets say nothing about the agent. Current are the eligible nodes with a Pod of the
// rollout, misscheduled the others. A node with two Pods counts once. The snapshot is the one that the plan was made from; the observed generation
// is left 0: it is that of the owner.
func Status(snapshot *model.Snapshot, next *model.Plan) appsv1.DaemonSetStatus {
	pair := &next.Pair
	status := appsv1.DaemonSetStatus{
		DesiredNumberScheduled: count(pair.Desired), UpdatedNumberScheduled: count(pair.Updated),
		NumberReady: count(pair.Ready), NumberAvailable: count(pair.Available), NumberUnavailable: count(pair.Unavailable),
	}
	sets := setsOf(snapshot)
	for i := range next.Nodes {
		report := &next.Nodes[i]
		n, ok := snapshot.Cluster.Find(report.Node)
		if !ok || !slices.ContainsFunc(snapshot.Cluster.Pods(n), func(pod *corev1.Pod) bool {
			return !model.Terminal(pod) && slices.ContainsFunc(sets, func(set *appsv1.DaemonSet) bool { return model.ControllerUID(pod) == set.UID })
		}) {
			continue
		}
		if report.Blame == model.NotEligible {
			status.NumberMisscheduled++
		} else {
			status.CurrentNumberScheduled++
		}
	}
	return status
}

func count(n int) int32 { return int32(min(n, math.MaxInt32)) }

// setsOf are the DaemonSets of the rollout: those with its marks, and the one of the desired name.
func setsOf(snapshot *model.Snapshot) (sets []*appsv1.DaemonSet) {
	r := snapshot.Rollout.WithDefaults()
	keys, name := model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name), ""
	switch {
	case r.Spec.Desired != nil:
		name = r.Spec.Desired.Name
	case r.Spec.DesiredFrom != nil:
		name = r.Spec.DesiredFrom.Name
	}
	for _, set := range snapshot.Cluster.DaemonSets() {
		if set.Namespace == r.Metadata.Namespace && (set.Name == name || set.Annotations[keys.Revision] != "") {
			sets = append(sets, set)
		}
	}
	return sets
}

// BlockedError is a rollout that stands still until a person changes what is desired, or an object of the cluster.
type BlockedError struct {
	Reason  model.Reason
	Message string
}

// Error puts the reason before the message.
func (e *BlockedError) Error() string { return string(e.Reason) + ": " + e.Message }

// Blocked returns a *BlockedError if the plan is blocked by what somebody has to mend: a template, a DaemonSet, a record. To try that again by
// itself mends nothing: return it as an error that is not retried, or only show it. Nil for what is the rollout's own course, though the condition
// Blocked is True: a failed target, a decision or a canary that is awaited, a partition, a budget that broken nodes have spent; those belong to the
// status.
func Blocked(next *model.Plan) error {
	condition := next.Blocked()
	if condition == nil || !isFault(model.Reason(condition.Reason)) {
		return nil
	}
	return &BlockedError{Reason: model.Reason(condition.Reason), Message: condition.Message}
}

func isFault(reason model.Reason) bool {
	switch reason {
	case model.TemplateRefused, model.DesiredMissing, model.ForeignDaemonSet, model.SelectorChanged, model.ComponentsChanged,
		model.SchemaUnknown, model.StateDiverged, model.StateUnreadable, model.StrategyChanged:
		return true
	}
	return false
}

// Metric is a gauge of one rollout. The embedder adds what names the rollout as labels.
type Metric struct {
	Name, Help string
	Value      float64
}

// Metrics returns the gauges of a plan and of the run that carries it out, always the same ones in the same order.
func Metrics(run *Run, next *model.Plan) []Metric {
	is := func(kind string) (value int) {
		if c := next.Condition(kind); c != nil && c.Status == "True" {
			value = 1
		}
		return value
	}
	unknowns := 0
	for i := range run.state.Issued {
		if run.state.Issued[i].Result == nil {
			unknowns++
		}
	}
	gauge := func(name, help string, value int) Metric {
		return Metric{Name: "agent_rollout_" + name, Help: help, Value: float64(value)}
	}
	return []Metric{
		gauge("nodes_eligible", "Nodes where the agent should run.", next.Ledger.Eligible),
		gauge("nodes_available", "Eligible nodes that are served.", next.Ledger.Available),
		gauge("nodes_committed", "Eligible nodes that are unavailable since the rollout moved them.", next.Ledger.Committed),
		gauge("nodes_ambient", "Eligible nodes that are unavailable for any other cause.", next.Ledger.Ambient),
		gauge("nodes_exempt", "Ambient nodes that the budget does not charge.", next.Ledger.Exempt),
		gauge("nodes_updated", "Eligible nodes that the desired revision serves.", next.Pair.Updated),
		gauge("nodes_in_overlap", "Nodes on which the target prepares beside the source.", next.Pair.InOverlap),
		gauge("limit_unavailable", "The most nodes that may be unavailable now.", next.Limits.Unavailable),
		gauge("actions", "Actions of the last plan.", len(next.Actions)),
		gauge("issued", "Actions whose effect the caches do not show yet.", len(run.state.Issued)),
		gauge("issued_unknown", "Issued actions whose outcome is not known.", unknowns),
		gauge("held", "Requests that wait for a cache that is too old.", len(run.state.Holds)),
		gauge("degraded", "1 if the condition Degraded is True.", is(model.ConditionDegraded)),
		gauge("blocked", "1 if the condition Blocked is True.", is(model.ConditionBlocked)),
	}
}
