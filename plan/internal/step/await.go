package step

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Await says what the rollout as a whole waits for since that instant, at which the zero one stands for a wait that moves of its own end. Past
// the deadline the rollout stands still for the cause that late gives, told how long the wait has lasted.
func (c *Course) Await(d Deadline, since time.Time, reason model.Reason, message string, late func(lasted string) *BlockedError) {
	c.Wait(reason, message)
	passed, at := d.Passed(since)
	if passed && c.Stalled == nil {
		c.Stalled = late(d.Lasted(since))
	}
	c.WakeAt(at, d.Now)
}

// WrittenSince is since when the DaemonSet's controller is awaited to act on its present spec. Where that is not known, since somebody else
// has written it, it is noted, and counts from now.
func (c *Course) WrittenSince(d Deadline, keys *model.Keys, set *appsv1.DaemonSet) time.Time {
	at, known := WrittenAt(keys, set)
	if known {
		return at
	}
	if slices.ContainsFunc(c.Actions, func(a model.Action) bool { return a.Write.Object.UID == set.UID }) {
		return d.Now // the plan writes it, and no object twice
	}
	notes := Edits{Live: set.Annotations}
	notes.NotePresent(keys, set, d.Now)
	c.Add(RecordState(set, notes.List, model.WriteNoted))
	c.Writing = true
	return d.Now
}

// AwaitController waits until the DaemonSet's controller has seen its present spec.
func (c *Course) AwaitController(d Deadline, keys *model.Keys, set *appsv1.DaemonSet, message string) {
	c.Await(d, c.WrittenSince(d, keys, set), model.SlotNotObserved, message, func(lasted string) *BlockedError {
		return Block(model.ControllerRests, fmt.Sprintf("the DaemonSet controller has not seen generation %d of DaemonSet %s for %s: look whether kube-controller-manager runs, and what it logs of it", set.Generation, set.Name, lasted))
	})
}

// AwaitDeletion waits for a DaemonSet that is being deleted with its Pods: since it, or the last of them, was.
func (c *Course) AwaitDeletion(d Deadline, cluster *model.Cluster, set *appsv1.DaemonSet, message string) {
	since := set.DeletionTimestamp.Time
	node, held := "", (*corev1.Pod)(nil)
	EachPod(cluster, set, func(at *corev1.Node, pod *corev1.Pod) {
		if held == nil {
			node, held = at.Name, pod
		}
		if model.Terminating(pod) {
			since = Later(since, pod.DeletionTimestamp.Time)
		}
	})
	c.Await(d, since, model.SlotBeingDeleted, message, func(lasted string) *BlockedError {
		text := fmt.Sprintf("DaemonSet %s has been ending for %s: ", set.Name, lasted)
		switch {
		case held != nil:
			text += fmt.Sprintf("Pod %s on node %s is left; repair its kubelet, remove its finalizers%s, or delete it with --force once its node is off", held.Name, node, InBrackets(strings.Join(held.Finalizers, ", ")))
		case len(set.Finalizers) > 0:
			text += fmt.Sprintf("its finalizers hold it (%s): see who is to remove them", strings.Join(set.Finalizers, ", "))
		default:
			text += "look whether kube-controller-manager runs its garbage collector"
		}
		return Block(model.DeletionHangs, text)
	})
}

// NativeProgress is when the native rolling update of the DaemonSet got on last: when one of its Pods that are as they should be became Ready,
// or stopped to be after it had been; zero for never. One that is made anew, or restarts more often than allowed, is no progress.
func NativeProgress(cluster *model.Cluster, set *appsv1.DaemonSet, d Deadline, settle time.Duration, maxRestarts int32, fresh func(*corev1.Pod) bool) (last time.Time) {
	EachPod(cluster, set, func(_ *corev1.Node, pod *corev1.Pod) {
		available, _ := AvailableFrom(pod, d.Now, settle)
		ready, since := model.ReadySince(pod)
		served := ready || since.After(pod.CreationTimestamp.Add(settle)) // a Pod begins as not Ready
		if fresh(pod) && (available || served && model.Restarts(pod) <= maxRestarts) {
			last = Later(last, since)
		}
	})
	return last
}

// EachPod visits the Pods of the DaemonSet that are not over, with their nodes.
func EachPod(cluster *model.Cluster, set *appsv1.DaemonSet, visit func(*corev1.Node, *corev1.Pod)) {
	for i := range cluster.Len() {
		for _, pod := range cluster.Pods(i) {
			if model.ControllerUID(pod) == set.UID && !model.Terminal(pod) {
				visit(cluster.Node(i), pod)
			}
		}
	}
}

// AwaitUnwrapping waits until the native rolling update has replaced the wrapped Pods of a DaemonSet that is conventional again.
func (c *Course) AwaitUnwrapping(d Deadline, cluster *model.Cluster, keys *model.Keys, set *appsv1.DaemonSet, settle time.Duration, maxRestarts int32, wrapped func(*corev1.Pod) bool) {
	left := ""
	EachPod(cluster, set, func(node *corev1.Node, pod *corev1.Pod) {
		if left == "" && wrapped(pod) {
			left = fmt.Sprintf("Pod %s on node %s", pod.Name, node.Name)
		}
	})
	since := Later(c.WrittenSince(d, keys, set), NativeProgress(cluster, set, d, settle, maxRestarts, func(pod *corev1.Pod) bool { return !wrapped(pod) }))
	c.Await(d, since, model.WaitingForWrapping, "wrapped Pods are left: the native rolling update replaces them", func(lasted string) *BlockedError {
		return Block(model.ControllerRests, fmt.Sprintf("the native rolling update of DaemonSet %s has replaced no wrapped Pod for %s, and %s is left: repair or remove the Pods that are not available, which spend its maxUnavailable, or look whether kube-controller-manager runs", set.Name, lasted, left))
	})
}

// ForgetWritten takes the last note from a DaemonSet that the rollout leaves, and tells whether there was one.
func (c *Course) ForgetWritten(keys *model.Keys, set *appsv1.DaemonSet, reason model.Reason) bool {
	notes := Edits{Live: set.Annotations}
	if notes.Remove(keys.Written); len(notes.List) == 0 {
		return false
	}
	c.Add(RecordState(set, notes.List, reason))
	c.Writing = true
	return true
}
