package property

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// Reached tells whether the run has come to the end that the intent names, and stays there: every eligible node is served
// by the desired revision, or one conventional DaemonSet serves, or nothing is left.
func Reached(e *End) error {
	if err := e.complete(); err != nil {
		return err
	}
	objects, err := e.objects()
	if err != nil {
		return err
	}
	switch e.Rollout.Spec.Intent {
	case model.Teardown:
		return e.tornDown(objects)
	case model.OptOut:
		err = e.optedOut(objects)
	case model.Run, "":
		err = e.servedBy(objects)
	}
	if err == nil {
		err = e.staysComplete()
	}
	return err
}

func (e *End) complete() error {
	if p := e.Last; !p.Complete() {
		return fmt.Errorf("it ended %s with %d of %d updated: %+v %+v %v", p.Phase, p.Pair.Updated, p.Pair.Desired, p.Blocked(), p.Waits, p.Nodes)
	}
	return nil
}

func (e *End) objects() (model.Objects, error) {
	snapshot, err := e.World.Truth(e.Now, e.Rollout)
	if err != nil {
		return model.Objects{}, err
	}
	return Objects(snapshot.Cluster), nil
}

// Served tells whether every eligible node, but the broken one, is served by the desired revision.
func Served(e *End) error {
	objects, err := e.objects()
	if err != nil {
		return err
	}
	return e.servedBy(objects)
}

func (e *End) servedBy(objects model.Objects) error {
	for _, node := range e.Unserved() {
		if node != e.Broken {
			return fmt.Errorf("node %s has no agent", node)
		}
	}
	return e.exact(objects)
}

// exact: no Pod of the rollout has another image than what is desired.
func (e *End) exact(objects model.Objects) error {
	if e.Rollout.Spec.Desired == nil {
		return nil // made from the deployed one: the planner says what is desired
	}
	for _, pod := range owned(objects) {
		at, _ := model.NodeOf(pod)
		if at == e.Broken && at != "" || !e.World.Eligible(at) {
			continue
		}
		for i, want := range e.Rollout.Spec.Desired.Spec.Template.Spec.Containers {
			if i < len(pod.Spec.Containers) && pod.Spec.Containers[i].Image != want.Image {
				return fmt.Errorf("it runs %[2]s on Pod %[1]s, desired is %[3]s", pod.Name, pod.Spec.Containers[i].Image, want.Image)
			}
		}
	}
	return nil
}

// owned are the Pods of the rollout's own DaemonSets: a Pod that a person has orphaned is the person's.
func owned(objects model.Objects) (pods []*corev1.Pod) {
	for _, pod := range objects.Pods {
		uid := model.ControllerUID(pod)
		if uid != "" && slices.ContainsFunc(objects.DaemonSets, func(set *appsv1.DaemonSet) bool { return set.UID == uid }) {
			pods = append(pods, pod)
		}
	}
	return pods
}

// marks counts the nodes that carry the rollout's label.
func (e *End) marks(objects model.Objects) (count int) {
	key := model.NewKeys(e.Rollout.Spec.Slots.Domain, e.Rollout.Metadata.Namespace, e.Rollout.Metadata.Name).NodeSlot
	for _, node := range objects.Nodes {
		if _, ok := node.Labels[key]; ok {
			count++
		}
	}
	return count
}

// sets are the DaemonSets of the rollout's namespace.
func (e *End) sets(objects model.Objects) []*appsv1.DaemonSet {
	return slices.DeleteFunc(objects.DaemonSets, func(set *appsv1.DaemonSet) bool { return set.Namespace != e.Rollout.Metadata.Namespace })
}

func (e *End) tornDown(objects model.Objects) error {
	objects.DaemonSets = e.sets(objects)
	pods, marks := owned(objects), e.marks(objects)
	if len(objects.DaemonSets)+len(pods)+marks > 0 || !e.Last.ReleaseOwner {
		return fmt.Errorf("the teardown left %d DaemonSets, %d Pods and %d labels; the owner is released: %t",
			len(objects.DaemonSets), len(pods), marks, e.Last.ReleaseOwner)
	}
	return nil
}

func (e *End) optedOut(objects model.Objects) error {
	sets, marks := e.sets(objects), e.marks(objects)
	if len(sets) != 1 || marks > 0 || sets[0].Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
		return fmt.Errorf("the opt-out left %d DaemonSets and %d labels", len(sets), marks)
	}
	if without := e.Unserved(); len(without) > 0 {
		return fmt.Errorf("%v have no agent", without)
	}
	return nil
}

func (e *End) staysComplete() error {
	if e.Later == nil {
		return nil
	}
	p, err := e.Later()
	if err == nil && !p.Complete() {
		err = fmt.Errorf("it does not stay: %s with %d actions", p.Phase, len(p.Actions))
	}
	return err
}

// inTime is L2.
func inTime(e *End) error {
	if e.Plans >= e.MostPlans {
		return fmt.Errorf("no end after %d plans", e.Plans)
	}
	return nil
}

// afterCrash is L4: the end is the same as without a crash.
func afterCrash(e *End) error {
	if e.Crashes == 0 {
		return nil
	}
	return Reached(e)
}

// aroundBroken is L7: the others are served by the desired revision while a node is broken; once it is mended the end is that
// of L1.
func aroundBroken(e *End) error {
	if e.Broken == "" {
		return Reached(e)
	}
	if err := e.complete(); err != nil {
		return err
	}
	objects, err := e.objects()
	if err != nil {
		return err
	}
	return e.exact(objects)
}
