package datadog

import (
	"fmt"

	"github.com/DataDog/datadog-operator/api/datadoghq/v1alpha1"
	"github.com/DataDog/datadog-operator/api/datadoghq/v2alpha1"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conditions is what the plan's conditions are called beside the operator's own.
const conditions = "AgentRollout"

// Status puts the plan into the owner's status: the agent's numbers, which execute.Status gives, and the conditions, as AgentRolloutAvailable and so
// on. It tells whether anything has changed.
func Status(ddai *v1alpha1.DatadogAgentInternal, name string, numbers *appsv1.DaemonSetStatus, list []metav1.Condition, now metav1.Time) (changed bool) {
	state := stateOf(list)
	agent := v2alpha1.DaemonSetStatus{
		Desired: numbers.DesiredNumberScheduled, Current: numbers.CurrentNumberScheduled, Ready: numbers.NumberReady,
		Available: numbers.NumberAvailable, UpToDate: numbers.UpdatedNumberScheduled, State: state, DaemonsetName: name,
		Status: fmt.Sprintf("%s (%d/%d/%d)", state, numbers.DesiredNumberScheduled, numbers.NumberReady, numbers.UpdatedNumberScheduled),
	}
	if was := ddai.Status.Agent; was != nil {
		agent.CurrentHash, agent.LastUpdate = was.CurrentHash, was.LastUpdate
	}
	if changed = ddai.Status.Agent == nil || *ddai.Status.Agent != agent; changed {
		agent.LastUpdate = &now
		ddai.Status.Agent = &agent
	}
	for _, condition := range list {
		condition.Type = conditions + condition.Type
		condition.ObservedGeneration = ddai.Generation
		changed = meta.SetStatusCondition(&ddai.Status.Conditions, condition) || changed
	}
	return changed
}

// stateOf is the operator's word for how the agent stands.
func stateOf(list []metav1.Condition) string {
	switch {
	case meta.IsStatusConditionTrue(list, model.ConditionBlocked), meta.IsStatusConditionTrue(list, model.ConditionDegraded):
		return "Failed"
	case meta.IsStatusConditionTrue(list, model.ConditionProgressing):
		return "Updating"
	}
	return "Running"
}
