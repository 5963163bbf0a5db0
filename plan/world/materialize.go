package world

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// podObject returns the Pod as the API server has it now. It is made once for every change and then
// shared by all snapshots.
func (w *World) podObject(p *pod) *corev1.Pod {
	if p.object != nil {
		return p.object
	}
	object := *p.base
	if p.version != "" {
		object.ResourceVersion = p.version
	}
	if p.static {
		p.object = &object
		return p.object
	}
	object.Status = corev1.PodStatus{
		Phase:                 p.phase(),
		StartTime:             startTime(p),
		Conditions:            p.conditions(),
		InitContainerStatuses: p.initStatuses(),
		ContainerStatuses:     p.containerStatuses(),
		QOSClass:              p.base.Status.QOSClass,
	}
	if p.failed {
		object.Status.Reason, object.Status.Message = "Evicted", "The node was low on resource: memory."
	}
	p.object = &object
	return p.object
}

func startTime(p *pod) *metav1.Time {
	if p.scheduledAt.IsZero() {
		return nil
	}
	at := stampOf(p.scheduledAt)
	return &at
}

// phase follows the kubelet: Pending while a container has yet to run for the first time.
func (p *pod) phase() corev1.PodPhase {
	if p.failed {
		return corev1.PodFailed
	}
	if p.over {
		return corev1.PodSucceeded
	}
	if !p.bound || p.init != initDone {
		return corev1.PodPending
	}
	for i := range p.containers {
		if s := p.containers[i].state; s == waiting || s == pullFailed {
			return corev1.PodPending
		}
	}
	return corev1.PodRunning
}

func (p *pod) conditions() []corev1.PodCondition {
	if !p.bound {
		if p.refused == "" {
			return nil
		}
		return []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: p.refused, LastTransitionTime: stampOf(p.refusedAt),
		}}
	}
	notReady := "ContainersNotReady"
	if p.failed {
		notReady = "PodFailed"
	}
	initialized := condition(corev1.PodInitialized, p.init == initDone, p.initializedAt, "ContainersNotInitialized")
	return []corev1.PodCondition{
		initialized,
		condition(corev1.PodReady, p.ready, p.readyAt, notReady),
		condition(corev1.ContainersReady, p.allReady, p.allReadyAt, notReady),
		condition(corev1.PodScheduled, true, p.scheduledAt, ""),
	}
}

func condition(kind corev1.PodConditionType, is bool, since time.Time, reason string) corev1.PodCondition {
	c := corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: stampOf(since)}
	if !is {
		c.Status, c.Reason = corev1.ConditionFalse, reason
	}
	return c
}

func (p *pod) containerStatuses() []corev1.ContainerStatus {
	if !p.bound {
		return nil
	}
	statuses := make([]corev1.ContainerStatus, len(p.containers))
	for i := range p.containers {
		statuses[i] = p.containerStatus(i)
	}
	return statuses
}

func (p *pod) containerStatus(i int) corev1.ContainerStatus {
	c, what := &p.containers[i], &p.shape.components[i]
	isStarted := c.state >= started
	status := corev1.ContainerStatus{
		Name: what.name, Image: what.image, RestartCount: c.restarts,
		Started: &isStarted, Ready: c.state == ready,
	}
	if !c.lastEnd.IsZero() {
		status.LastTerminationState.Terminated = c.termination()
	}
	switch c.state {
	case waiting:
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}
		if p.init != initDone {
			status.State.Waiting.Reason = "PodInitializing"
		}
	case pullFailed:
		status.State.Waiting = backOffPull(what.image)
	case crashed:
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff",
			Message: fmt.Sprintf("back-off restarting failed container=%s pod=%s", what.name, p.base.Name)}
	case ended:
		status.State.Terminated, status.LastTerminationState.Terminated = c.termination(), nil
	case waitingForLock, running, started, ready:
		status.State.Running = &corev1.ContainerStateRunning{StartedAt: stampOf(c.since)}
		status.ContainerID = fmt.Sprintf("containerd://%s/%s/%d", p.base.UID, what.name, c.restarts)
	}
	return status
}

func (c *container) termination() *corev1.ContainerStateTerminated {
	reason := "Completed"
	if c.exit != 0 {
		reason = "Error"
	}
	return &corev1.ContainerStateTerminated{
		ExitCode: c.exit, Reason: reason, StartedAt: stampOf(c.lastStart), FinishedAt: stampOf(c.lastEnd),
	}
}

func backOffPull(image string) *corev1.ContainerStateWaiting {
	return &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: fmt.Sprintf("Back-off pulling image %q", image)}
}

func (p *pod) initStatuses() []corev1.ContainerStatus {
	if !p.bound || len(p.shape.inits) == 0 {
		return nil
	}
	statuses := make([]corev1.ContainerStatus, len(p.shape.inits))
	for i := range p.shape.inits {
		statuses[i] = p.initStatus(i)
	}
	return statuses
}

func (p *pod) initStatus(i int) corev1.ContainerStatus {
	what := &p.shape.inits[i]
	status := corev1.ContainerStatus{Name: what.name, Image: what.image}
	restartable := p.base.Spec.InitContainers[i].RestartPolicy != nil
	at := p.failingInit()
	no := false
	status.Started = &no
	switch {
	case p.init == initDone && restartable:
		yes := true
		status.Started, status.Ready = &yes, true
		status.State.Running = &corev1.ContainerStateRunning{StartedAt: stampOf(p.initializedAt)}
	case p.init == initDone, i < at:
		status.Ready = true
		status.State.Terminated = &corev1.ContainerStateTerminated{Reason: "Completed",
			StartedAt: stampOf(p.scheduledAt), FinishedAt: stampOf(p.initializedAt)}
	case i > at || p.init == initWaiting:
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "PodInitializing"}
	case p.init == initPullFailed:
		status.State.Waiting = backOffPull(what.image)
	default:
		status.RestartCount = p.initRestarts
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}
		status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error",
			StartedAt: stampOf(p.initFailedAt), FinishedAt: stampOf(p.initFailedAt)}
	}
	return status
}

// failingInit is the init container that the Pod is at.
func (p *pod) failingInit() int {
	if p.init == initDone {
		return len(p.shape.inits)
	}
	return int(p.initAt)
}
