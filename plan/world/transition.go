package world

import (
	"cmp"
	"fmt"
	"strings"
)

// Kind is what a transition is. The set is closed: first what happens by itself, then faults and the
// hands of people.
type Kind uint8

const (
	// ObserveSet: the DaemonSet controller sees the DaemonSet's present spec.
	ObserveSet Kind = iota
	// CreatePod: it creates a Pod of the set on the node.
	CreatePod
	// DeletePod: it deletes a Pod of the set on the node.
	DeletePod
	// AdoptPod: it takes a Pod without controller that its selector matches.
	AdoptPod
	// UpdateStep: it takes one step of the native rolling update.
	UpdateStep
	// WriteStatus: it writes the DaemonSet's status counts.
	WriteStatus
	// CollectPod: the garbage collector deletes a Pod whose owner is gone or is deleted in foreground.
	CollectPod
	// CollectSet: it lets a DaemonSet go that was deleted in foreground or with its Pods orphaned.
	CollectSet
	// BindPod: the scheduler binds a Pod to the node.
	BindPod
	// RefusePod: the scheduler finds no room, and writes why.
	RefusePod
	// PullImage: the node has the image from now on.
	PullImage
	// PullError: the pull fails.
	PullError
	// RunInit: the Pod's init containers succeed.
	RunInit
	// InitError: an init container ends with an error.
	InitError
	// StartContainer: the container's process starts; behind the wrapper it waits for its lock.
	StartContainer
	// GrantLock: the kernel grants the lock to one waiter, whose program then runs.
	GrantLock
	// PassStartup: the startup probe succeeds.
	PassStartup
	// PassReadiness: the readiness probe succeeds.
	PassReadiness
	// Crash: the container's process ends with an error. By itself only where the image does so.
	Crash
	// RestartContainer: the kubelet starts a crashed container again.
	RestartContainer
	// StopContainer: the process of a terminating Pod's container ends, and with it its lock.
	StopContainer
	// RemovePod: the Pod object goes once no process is left.
	RemovePod
	// Deliver: the oldest change that a lagging cache does not show yet becomes visible.
	Deliver

	// StopReadiness: the readiness probe fails from now on, for as long as the driver likes.
	StopReadiness
	// BreakNode: the kubelet falls silent. Its processes run on.
	BreakNode
	// LoseNode: the machine is off. Its processes are gone; its Pods stay in the API.
	LoseNode
	// MendNode: the kubelet is back; after LoseNode every container is restarted.
	MendNode
	// RebootNode: the machine restarts so quickly that the node stays Ready.
	RebootNode
	// CordonNode and UncordonNode set and clear spec.unschedulable with its taint.
	CordonNode
	UncordonNode
	// TaintNode: a person adds a taint, or changes its value; Value is key=value:Effect or key:Effect, as kubectl has it.
	TaintNode
	// UntaintNode: a person removes the taints with the key in Value, or with key:Effect only that one.
	UntaintNode
	// BreakPulls and MendPulls: the node cannot, and can again, reach the registry.
	BreakPulls
	MendPulls
	// JoinNode: a node joins that is like the node named in Value, without the rollout's marks.
	JoinNode
	// RemoveNode: the node and its Pods are gone.
	RemoveNode
	// FailPod: the kubelet evicts the Pod: phase Failed. By itself only where the node is under pressure.
	FailPod
	// EditLabel: a person labels the node; Value is key=value, or key- to remove it.
	EditLabel
	// KillPod: a person deletes the Pod.
	KillPod
	// KillSet: a person deletes the DaemonSet; Value is the propagation.
	KillSet
	// EditTemplate: a person sets the image of the DaemonSet's container to Value.
	EditTemplate

	// DenyPods: admission or a quota refuses new Pods, of the image in Value, or of any, on the node, or on all. Its controller tries
	// again and again, and no object shows it (ResourceQuota, ValidatingAdmissionPolicy, Pod Security: 403 for the creation).
	DenyPods
	// AllowPods ends it.
	AllowPods
	// HoldPod: somebody adds a finalizer to the Pod, so that its object stays once it is deleted and has ended.
	HoldPod
	// FreePod: somebody takes it off.
	FreePod
	// StickPod: the Pod's processes do not end when they are told to: a mount that hangs, a runtime that does not answer.
	StickPod
	// UnstickPod ends it.
	UnstickPod
	// RestController: the DaemonSet's controller has lost the set out of its queue, with a timer of its own for instance. It makes and
	// deletes none of its Pods until somebody writes the DaemonSet (seen with a native surge on 1.37).
	RestController
	// WakeController: the controller starts anew, and sees everything.
	WakeController
	// PressNode: the node is short of disk or memory. Its kubelet evicts what has not started yet (phase Failed), again and again.
	PressNode
	// RelieveNode ends it.
	RelieveNode
	// LosePod: the object of a Pod goes without its kubelet, on a machine that is off: a deletion by force, or the Pod garbage
	// collector's after the taint node.kubernetes.io/out-of-service.
	LosePod
	// RenewNode: the Node object is deleted, and the kubelet registers it anew at once: another UID, no mark of a rollout. What runs
	// there runs on.
	RenewNode
	// RemakeSet: a person deletes the DaemonSet in the background and applies it anew at once: another UID.
	RemakeSet
	// EditAnnotation: a person annotates the DaemonSet; Value is key=value, or key- to remove it.
	EditAnnotation
	// InjectContainer: admission puts a container with the image in Value into every new Pod (a mutating webhook).
	InjectContainer
	// InjectNothing ends it.
	InjectNothing

	kinds // the number of kinds
)

var kindNames = [kinds]string{
	ObserveSet: "ObserveSet", CreatePod: "CreatePod", DeletePod: "DeletePod", AdoptPod: "AdoptPod",
	UpdateStep: "UpdateStep", WriteStatus: "WriteStatus", CollectPod: "CollectPod", CollectSet: "CollectSet",
	BindPod: "BindPod", RefusePod: "RefusePod", PullImage: "PullImage", PullError: "PullError",
	RunInit: "RunInit", InitError: "InitError", StartContainer: "StartContainer", GrantLock: "GrantLock",
	PassStartup: "PassStartup", PassReadiness: "PassReadiness", Crash: "Crash", RestartContainer: "RestartContainer",
	StopContainer: "StopContainer", RemovePod: "RemovePod", Deliver: "Deliver",
	StopReadiness: "StopReadiness", BreakNode: "BreakNode", LoseNode: "LoseNode", MendNode: "MendNode",
	RebootNode: "RebootNode", CordonNode: "CordonNode", UncordonNode: "UncordonNode",
	TaintNode: "TaintNode", UntaintNode: "UntaintNode",
	BreakPulls: "BreakPulls", MendPulls: "MendPulls", JoinNode: "JoinNode", RemoveNode: "RemoveNode",
	FailPod: "FailPod", EditLabel: "EditLabel", KillPod: "KillPod", KillSet: "KillSet", EditTemplate: "EditTemplate",
	DenyPods: "DenyPods", AllowPods: "AllowPods", HoldPod: "HoldPod", FreePod: "FreePod", StickPod: "StickPod", UnstickPod: "UnstickPod",
	RestController: "RestController", WakeController: "WakeController", PressNode: "PressNode", RelieveNode: "RelieveNode",
	LosePod: "LosePod", RenewNode: "RenewNode", RemakeSet: "RemakeSet",
	EditAnnotation: "EditAnnotation", InjectContainer: "InjectContainer", InjectNothing: "InjectNothing",
}

// String names the kind.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind reads a kind's name.
func ParseKind(name string) (Kind, bool) {
	for k, known := range kindNames {
		if known == name {
			return Kind(k), true
		}
	}
	return 0, false
}

// Fault tells whether the transition needs a fault or a person. Crash is no fault by itself: it may be
// what the image does.
func (k Kind) Fault() bool { return k >= StopReadiness && k < kinds }

// End is the kind that ends what this one begins, on the same objects; false for what has no end of its own.
func (k Kind) End() (Kind, bool) {
	switch k {
	case BreakNode, LoseNode:
		return MendNode, true
	case CordonNode:
		return UncordonNode, true
	case BreakPulls:
		return MendPulls, true
	case JoinNode:
		return RemoveNode, true
	case DenyPods:
		return AllowPods, true
	case HoldPod:
		return FreePod, true
	case StickPod:
		return UnstickPod, true
	case RestController:
		return WakeController, true
	case PressNode:
		return RelieveNode, true
	case InjectContainer:
		return InjectNothing, true
	default:
		return 0, false
	}
}

// Transition is one thing that can happen, named by what it happens to. Only the fields that its kind
// needs are set. It is comparable, and two worlds that went the same way name it the same.
type Transition struct {
	Kind      Kind
	Node      string
	Set       string // namespace/name of a DaemonSet
	Pod       string // namespace/name
	Container string
	Value     string // an image, a label edit, a taint, a propagation, a node, a kind of object
}

// String reads: StartContainer node-1 datadog/agent-x7k2p agent.
func (t Transition) String() string {
	words := make([]string, 1, 6)
	words[0] = t.Kind.String()
	for _, word := range [...]string{t.Node, t.Set, t.Pod, t.Container, t.Value} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// Compare orders transitions: by kind, then by what they happen to.
func (t Transition) Compare(o Transition) int {
	return cmp.Or(
		cmp.Compare(t.Kind, o.Kind),
		strings.Compare(t.Node, o.Node),
		strings.Compare(t.Set, o.Set),
		strings.Compare(t.Pod, o.Pod),
		strings.Compare(t.Container, o.Container),
		strings.Compare(t.Value, o.Value),
	)
}

// ImpossibleError says that a transition cannot happen now. Nothing was changed.
type ImpossibleError struct {
	Transition Transition
	Why        string
}

// Error names the transition and the reason.
func (e *ImpossibleError) Error() string { return e.Transition.String() + ": " + e.Why }

func impossible(t Transition, why string) error { return &ImpossibleError{t, why} }

// Event is what a transition did: itself, and what followed from it at once.
type Event struct {
	Transition
	// Detail is the scheduler's message, the new label or the like.
	Detail string
}
