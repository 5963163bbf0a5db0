package step

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestNotOwnersText(t *testing.T) {
	desired := &appsv1.DaemonSet{}
	owner := &model.Owner{Name: "agent", Kind: "DatadogAgent"}
	require.Equal(t, "spec.desired.metadata.ownerReferences: no controller; add a reference to the rollout's owner, DatadogAgent agent (uid u-1) with controller: true",
		NotOwnersText(desired, owner, "u-1"))
	yes := true
	desired.OwnerReferences = []metav1.OwnerReference{{Kind: "Other", Name: "o", UID: "u-2", Controller: &yes}}
	owner.Kind = ""
	require.Equal(t, "spec.desired.metadata.ownerReferences: the controller is Other o (uid u-2); make it the rollout's owner, metadata.name agent (uid u-1)",
		NotOwnersText(desired, owner, "u-1"))
}
