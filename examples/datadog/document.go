// Package datadog puts the planner into the Datadog operator: the node agent of a DatadogAgentInternal becomes a Rollout document, and what a plan
// says of it becomes that object's status. Call Rollout with what the operator has rendered, carry the plan out as examples/embed does, and give
// what comes of it to Status. README.md says which functions of a hand-written rollout go, and which stay.
package datadog

import (
	"fmt"
	"strings"

	"github.com/DataDog/datadog-operator/api/datadoghq/v1alpha1"
	"github.com/DataDog/datadog-operator/api/datadoghq/v2alpha1"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Rollout is the document of the node agent: what the annotation of its owner asks for, and the DaemonSet that the operator has rendered, nil if
// there is to be none. It is nil where nothing is the planner's: no rollout is asked for and none has left its marks, or the agent goes and only a
// conventional DaemonSet is there, which its owner reference ends. The option is the operator's own maxUnavailable, nil for 1; that of the node
// agent's override goes before it. The error says that the annotation has no known value.
func Rollout(ddai *v1alpha1.DatadogAgentInternal, rendered *appsv1.DaemonSet, cluster *model.Cluster, option *intstr.IntOrString) (*model.Rollout, error) {
	keys := model.NewKeys("", ddai.Namespace, ddai.Name)
	name, strategy := deployed(cluster, ddai, &keys)
	r := &model.Rollout{
		// The kind is left out: a plan then reads the owner's annotations and writes none, since another controller writes them.
		Metadata: model.Owner{Namespace: ddai.Namespace, Name: ddai.Name, UID: ddai.UID, Annotations: ddai.Annotations},
	}
	spec := &r.Spec
	switch mode := ddai.Annotations[keys.Mode]; {
	case ddai.DeletionTimestamp != nil || rendered == nil:
		spec.Intent, spec.DesiredFrom = model.Teardown, &model.DesiredFrom{Name: name}
	case mode == "":
		spec.Intent, spec.Desired = model.OptOut, rendered
	case mode == model.ModePair:
		spec.Intent, spec.Desired, strategy = model.Run, rendered, model.Pair
	case mode == model.ModeSurgePrepared:
		spec.Intent, spec.Desired, strategy = model.Run, rendered, model.Surge
	default:
		return nil, fmt.Errorf("metadata.annotations[%s]: %q is neither %q nor %q", keys.Mode, mode, model.ModePair, model.ModeSurgePrepared)
	}
	if strategy == "" {
		return nil, nil
	}
	spec.Strategy = model.Strategy{Type: strategy, Overlap: model.Locked, MaxUnavailable: maxUnavailable(ddai, option)}
	spec.Lock.Preset = "datadog"
	return r, nil
}

// deployed finds the DaemonSet of the owner that carries the marks of a rollout, and the strategy that left them; "" and "" if there is none. Of
// a pair whose first DaemonSet is gone the name is told from the second's.
func deployed(cluster *model.Cluster, ddai *v1alpha1.DatadogAgentInternal, keys *model.Keys) (name string, strategy model.StrategyType) {
	for _, set := range cluster.DaemonSets() {
		left := marks(set, keys)
		if set.Namespace != ddai.Namespace || model.ControllerUID(set) != ddai.UID || left == "" {
			continue
		}
		if name == "" || len(set.Name) < len(name) {
			name, strategy = set.Name, left
		}
	}
	if strategy == model.Pair {
		name = strings.TrimSuffix(name, "-green")
	}
	return name, strategy
}

// marks tells by what strategy the DaemonSet was made, "" if it is a conventional one. The surge's mark may stand on the template alone, where
// an earlier operator has put it.
func marks(set *appsv1.DaemonSet, keys *model.Keys) model.StrategyType {
	onTemplate := set.Spec.Template.Annotations[keys.Mode]
	switch {
	case set.Annotations[keys.Mode] != "" || onTemplate == model.ModeSurgePrepared:
		return model.Surge
	case onTemplate != "" || set.Annotations[keys.Initialized] != "" || set.Annotations[keys.Revision] != "":
		return model.Pair
	}
	return ""
}

func maxUnavailable(ddai *v1alpha1.DatadogAgentInternal, option *intstr.IntOrString) *intstr.IntOrString {
	override := ddai.Spec.Override[v2alpha1.NodeAgentComponentName]
	if override == nil || override.UpdateStrategy == nil || override.UpdateStrategy.RollingUpdate == nil || override.UpdateStrategy.RollingUpdate.MaxUnavailable == nil {
		return option
	}
	return override.UpdateStrategy.RollingUpdate.MaxUnavailable
}
