package controller

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/examples/operator/agents"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/execute"
)

// Metrics are those of all rollouts, each with its namespace and name. Register it, once.
type Metrics struct {
	writes *prometheus.CounterVec

	mu     sync.Mutex
	gauges map[types.NamespacedName][]execute.Metric
}

// NewMetrics returns metrics of no rollout.
func NewMetrics() *Metrics {
	return &Metrics{
		writes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agent_rollout_writes_total",
			Help: "Actions by what became of them: applied, refused, unknown, or withheld, which a live look has stopped.",
		}, append(labels[:], "result")),
		gauges: map[types.NamespacedName][]execute.Metric{},
	}
}

var labels = [...]string{"namespace", "name"}

// Show takes the place of what the rollout showed before.
func (m *Metrics) Show(name types.NamespacedName, spec *model.Spec, turn *agents.Turn) {
	list := append(turn.Metrics, own(spec, &turn.Plan)...)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gauges[name] = list
}

// Count counts an action.
func (m *Metrics) Count(name types.NamespacedName, result string) {
	m.writes.WithLabelValues(name.Namespace, name.Name, result).Inc()
}

// Forget ends the series of a rollout that is gone.
func (m *Metrics) Forget(name types.NamespacedName) {
	m.writes.DeletePartialMatch(prometheus.Labels{labels[0]: name.Namespace, labels[1]: name.Name})
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.gauges, name)
}

// Describe sends nothing: the gauges are those of the plans.
func (m *Metrics) Describe(chan<- *prometheus.Desc) {}

// Collect sends what was shown last.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	m.writes.Collect(out)
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, list := range m.gauges {
		for _, gauge := range list {
			desc := prometheus.NewDesc(gauge.Name, gauge.Help, labels[:], nil)
			out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, gauge.Value, name.Namespace, name.Name)
		}
	}
}

// own are the gauges beside those of execute.Metrics.
func own(spec *model.Spec, next *model.Plan) []execute.Metric {
	verdict := func(v model.CanaryVerdict) bool { return next.Canary != nil && next.Canary.Verdict == v }
	flag := func(name, help string, is bool) execute.Metric {
		m := execute.Metric{Name: "agent_rollout_" + name, Help: help}
		if is {
			m.Value = 1
		}
		return m
	}
	return []execute.Metric{
		flag("canary_active", "1 while a canary is neither validated nor failed.", verdict(model.CanaryRuns) || verdict(model.CanaryIsPaused)),
		flag("canary_paused", "1 while a canary is paused.", verdict(model.CanaryIsPaused)),
		flag("canary_failed", "1 while a failed canary goes back.", verdict(model.CanaryHasFailed)),
		flag("paused", "1 while the settings pause the rollout.", spec.Strategy.Paused),
		flag("frozen", "1 while the settings freeze it.", spec.Strategy.Frozen),
		flag("failed", "1 while a target has failed, or the desired revision is remembered for it.", failed(next)),
		flag("stuck", "1 while the rollout stands still until somebody does something, and the settings do not ask for that.", stuck(next)),
		{Name: "agent_rollout_nodes_left_out", Help: "Eligible nodes that are set aside.", Value: float64(len(next.Exceptions))},
	}
}

func failed(next *model.Plan) bool {
	c := next.Condition(model.ConditionDegraded)
	if c == nil || c.Status != "True" {
		return false
	}
	switch model.Reason(c.Reason) {
	case model.TargetFailed, model.RevisionRemembered, model.CanaryFailed:
		return true
	}
	return false
}

// stuck leaves out what the settings ask for.
func stuck(next *model.Plan) bool {
	blocked := next.Blocked()
	if blocked == nil || len(next.Actions) > 0 {
		return false
	}
	switch model.Reason(blocked.Reason) {
	case model.RolloutPaused, model.RolloutFrozen, model.PartitionReached:
		return false
	}
	return true
}
