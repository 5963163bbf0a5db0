package plan

import (
	"github.com/agent-rollout/planner/plan/internal/template"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CheckDaemonSet lists every fault for which any API server refuses the DaemonSet, with its field path: the rules of the API
// reference that need no server. [Unchecked] says what is left to ask.
func CheckDaemonSet(set *appsv1.DaemonSet) field.ErrorList { return template.Check(set) }

// Unchecked is what [CheckDaemonSet] leaves to the API server, and the command that asks it.
const Unchecked = template.Unchecked
