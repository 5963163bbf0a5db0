package command

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// inherited is what fails in the inputs, and what a simulation makes of it.
type inherited struct {
	// pulls are the nodes on which an image of the agent cannot be pulled, crashes those on which its containers crash.
	pulls, crashes []string
	mended         bool
}

// inherit looks at the agent's Pods.
func inherit(snapshot *model.Snapshot, mended bool) inherited {
	own := map[types.UID]bool{}
	for _, set := range ownSets(snapshot) {
		own[set.UID] = true
	}
	in := inherited{mended: mended}
	for i := range snapshot.Cluster.Len() {
		pulls, crashes := false, false
		for _, pod := range snapshot.Cluster.Pods(i) {
			if !own[model.ControllerUID(pod)] || model.Terminal(pod) || model.Terminating(pod) {
				continue
			}
			for _, reason := range waitingReasons(pod) {
				pulls = pulls || strings.Contains(reason, "ImagePull")
				crashes = crashes || reason == "CrashLoopBackOff"
			}
		}
		name := snapshot.Cluster.Node(i).Name
		if pulls {
			in.pulls = append(in.pulls, name)
		}
		if crashes {
			in.crashes = append(in.crashes, name)
		}
	}
	return in
}

// waitingReasons are why containers of the Pod wait.
func waitingReasons(pod *corev1.Pod) (reasons []string) {
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			if waiting := statuses[i].State.Waiting; waiting != nil {
				reasons = append(reasons, waiting.Reason)
			}
		}
	}
	return reasons
}

// faults lets go on failing what cannot be pulled: the node cannot reach the registry from the start of the run.
func (in *inherited) faults() (faults []simulate.Fault) {
	if in.mended {
		return nil
	}
	for _, node := range in.pulls {
		faults = append(faults, simulate.Fault{Transition: world.Transition{Kind: world.BreakPulls, Node: node}})
	}
	return faults
}

// text says what is assumed; "" where nothing fails.
func (in *inherited) text() string {
	var texts []string
	switch on := fmt.Sprintf("%s (%s)", nodes(len(in.pulls)), samples(in.pulls)); {
	case len(in.pulls) == 0:
	case in.mended:
		texts = append(texts, "pulls that fail in the inputs on "+on+" succeed, by --mend")
	default:
		texts = append(texts, "pulls that fail in the inputs on "+on+" go on failing: --mend lets them succeed")
	}
	if len(in.crashes) > 0 {
		texts = append(texts, fmt.Sprintf("containers that crash in the inputs on %s (%s) start when they are restarted: --image lets an image go on crashing", nodes(len(in.crashes)), samples(in.crashes)))
	}
	return strings.Join(texts, "; ")
}
