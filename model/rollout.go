package model

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The document's type, as it stands in a file.
const (
	RolloutAPIVersion = "agent-rollout/v1alpha1"
	RolloutKind       = "Rollout"
)

// Rollout is the thing planned: one agent, with its settings and the facts that no API object shows.
// Default fills every setting that is left out; Validate lists all faults.
type Rollout struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        Owner `json:"metadata"`
	Spec            Spec  `json:"spec"`
	// Status holds facts, not settings: the time of the snapshot and what has been issued.
	Status Facts `json:"status,omitempty"`
}

// Owner is the object that the DaemonSets belong to. Only its name is needed: the rest is read from
// the DaemonSet's controller reference.
type Owner struct {
	// Namespace of the owner and of its DaemonSets.
	Namespace string `json:"namespace,omitempty"`
	// Name of the owner. The keys on nodes are made of it and the namespace.
	Name string `json:"name"`
	// UID of the owner, which created DaemonSets name in their controller reference.
	UID types.UID `json:"uid,omitempty"`
	// APIVersion of the owner.
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind of the owner.
	Kind string `json:"kind,omitempty"`
	// Annotations of the owner, in which a teardown that has begun is recorded.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Intent is what the embedder wants of the rollout.
type Intent string

const (
	// Run rolls the desired DaemonSet out and keeps it there.
	Run Intent = "Run"
	// OptOut hands back to one conventional DaemonSet.
	OptOut Intent = "OptOut"
	// Teardown deletes everything of the rollout.
	Teardown Intent = "Teardown"
)

// Spec are the settings of a rollout.
type Spec struct {
	// Intent is Run by default.
	Intent Intent `json:"intent,omitempty"`
	// Desired is the final conventional DaemonSet: owner reference, labels and checksums done.
	Desired *appsv1.DaemonSet `json:"desired,omitempty"`
	// DesiredFrom makes it from the deployed one instead.
	DesiredFrom *DesiredFrom     `json:"desiredFrom,omitempty"`
	Strategy    Strategy         `json:"strategy"`
	Failure     Failure          `json:"failure,omitempty"`
	Slots       SlotSettings     `json:"slots,omitempty"`
	Lock        LockSettings     `json:"lock,omitempty"`
	Capacity    CapacitySettings `json:"capacity,omitempty"`
	Decision    Decision         `json:"decision,omitempty"`
}

// DesiredFrom is the deployed DaemonSet with changes.
type DesiredFrom struct {
	// Name of the deployed DaemonSet, in the owner's namespace. If left out: the owner's name.
	Name string `json:"name,omitempty"`
	// Image is given to every container and init container that runs an image of the same repository now: what stands
	// before the tag and the digest.
	Image string `json:"image,omitempty"`
	// Images by container name go before it; init containers are changed by their own names.
	Images map[string]string `json:"images,omitempty"`
}

// StrategyType says how the rollout replaces Pods.
type StrategyType string

const (
	// Pair uses two OnDelete DaemonSets.
	Pair StrategyType = "Pair"
	// Surge uses one native DaemonSet with maxSurge; with overlap Locked, or a lock, its new Pods wait behind host locks.
	Surge StrategyType = "Surge"
	// RollingUpdate uses one OnDelete DaemonSet whose Pods are deleted within the budget.
	RollingUpdate StrategyType = "RollingUpdate"
)

// OverlapMode says whether the source and the target may have a Pod on one node at the same time.
type OverlapMode string

const (
	// Locked lets the target prepare behind host locks beside the source.
	Locked OverlapMode = "Locked"
	// Never, of a Pair: the source leaves before the target is admitted, so any template will do. Of a Surge: there are no
	// locks, and the old and the new Pod run side by side, as the native controller has it.
	Never OverlapMode = "Never"
)

// Strategy is the way to roll and its pacing. A number is an int or a percentage of the eligible
// nodes, rounded up as a DaemonSet's maxUnavailable is; a quoted number without "%" is an error.
type Strategy struct {
	// Type is Pair by default.
	Type StrategyType `json:"type,omitempty"`
	// Overlap is Locked by default for a Pair, and for a Surge that names a lock; Never for any other Surge, whose old and
	// new Pod run side by side. A RollingUpdate has none: to give it one is an error.
	Overlap OverlapMode `json:"overlap,omitempty"`
	// MaxUnavailable bounds the nodes without an available agent: 5% of 288 nodes are 15. Default: that of the desired
	// DaemonSet's own rolling update, else 1; a value that resolves to 0 is an error.
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	// MaxSurge bounds the nodes in overlap. Default 2 × MaxUnavailable; of a Surge, where it must not be more, MaxUnavailable.
	MaxSurge *intstr.IntOrString `json:"maxSurge,omitempty"`
	// Partition is the number of nodes to keep on the source. Default 0.
	Partition *intstr.IntOrString `json:"partition,omitempty"`
	// ExemptUnhealthy is the number of ambient nodes that are not charged to the budget: their Node is
	// not Ready, or their Pod is older than the recorded target. Default 0.
	ExemptUnhealthy *intstr.IntOrString `json:"exemptUnhealthy,omitempty"`
	// MaxWrites bounds the writes of one plan. Default 250.
	MaxWrites *int32 `json:"maxWrites,omitempty"`
	// SettleSeconds is how long a Pod must be Ready, beside minReadySeconds, before it counts as
	// available for pacing and proof. Default 10.
	SettleSeconds *int32 `json:"settleSeconds,omitempty"`
	// SpreadBy are topology keys: nodes of different values take turns.
	SpreadBy []string `json:"spreadBy,omitempty"`
	// Paused stops handoffs and overlaps. No clock of a canary runs meanwhile.
	Paused bool `json:"paused,omitempty"`
	// Frozen stops everything. No clock of a canary runs meanwhile.
	Frozen    bool       `json:"frozen,omitempty"`
	SlowStart *SlowStart `json:"slowStart,omitempty"`
	Canary    *Canary    `json:"canary,omitempty"`
}

// SlowStart lets the budget grow: min(maxUnavailable, (1 + ⌊elapsed/interval⌋) × increase), where time elapses from the record of the
// target on, or from the promotion of its canary, which has the whole budget.
type SlowStart struct {
	// Interval between two steps. Default 1m.
	Interval metav1.Duration `json:"interval,omitempty"`
	// Increase is how many nodes a step adds. Default 1.
	Increase intstr.IntOrString `json:"increase,omitempty"`
}

// FailureAction is what a failed, not proven target leads to.
type FailureAction string

const (
	// Cancel returns every node in flight to the source and remembers the revision as failed.
	Cancel FailureAction = "Cancel"
	// Hold keeps everything as it is until a decision.
	Hold FailureAction = "Hold"
)

// Failure says when a target has failed, and what follows.
type Failure struct {
	// ProgressDeadlineSeconds is how long a target may take to become available, and to be prepared.
	// Default 600.
	ProgressDeadlineSeconds *int32 `json:"progressDeadlineSeconds,omitempty"`
	// MaxRestarts fails a target whose container restarted more often. Default 5.
	MaxRestarts *int32 `json:"maxRestarts,omitempty"`
	// Action is Cancel by default.
	Action FailureAction `json:"action,omitempty"`
	// MaxExceptions is how many nodes where a proven target failed are set aside, so that the rollout ends without them: an int
	// or a percentage of the eligible nodes, rounded up. Default 0: the rollout is held, and asks. What the target is not to
	// blame for is set aside always.
	MaxExceptions *intstr.IntOrString `json:"maxExceptions,omitempty"`
}

// SlotSettings say how the two DaemonSets of a pair differ.
type SlotSettings struct {
	// Domain of the persisted keys. If left out: that of the Datadog operator, so that its pairs are taken over.
	Domain string `json:"domain,omitempty"`
	// SelectorLabel is the label of selector and template that gets the suffix in green, which Services and policies that ask for it then do
	// not select. If left out: app.kubernetes.io/instance. Where the selector has no such label green keeps all of the template's, and gets
	// one more: blue's selector takes green's Pods too then, so that whoever deletes green with --cascade=orphan gives them to blue, which ends
	// them on green's nodes.
	SelectorLabel string `json:"selectorLabel,omitempty"`
	// TemplateHashAnnotations are the embedder's own hashes, dropped from the slots' templates.
	TemplateHashAnnotations []string  `json:"templateHashAnnotations,omitempty"`
	Green                   GreenSlot `json:"green,omitempty"`
}

// GreenSlot are the differences of the second DaemonSet.
type GreenSlot struct {
	// Suffix of the name and of the selector label's value. Default -green.
	Suffix string `json:"suffix,omitempty"`
	// Env is set on every container: what two Pods on one host network must not share, such as a
	// command port. A template that sets one of the names itself is refused.
	Env []corev1.EnvVar `json:"env,omitempty"`
}

// CapacitySettings say which shortages may cost a source its node.
type CapacitySettings struct {
	// CountPodSlots lets "Too many pods" count as a shortage that the source's Pod would end.
	CountPodSlots bool `json:"countPodSlots,omitempty"`
	// Preemption says whether a Pod of the agent may push Pods of lower priority off its node. Default Refuse.
	Preemption PreemptionMode `json:"preemption,omitempty"`
}

// PreemptionMode says what is done where the scheduler would evict workloads to make room for the agent.
type PreemptionMode string

const (
	// RefusePreemption admits no second Pod to a node where it would evict a workload: the node leaves by capacity fallback, or waits.
	RefusePreemption PreemptionMode = "Refuse"
	// AllowPreemption lets the scheduler do as the priorities say.
	AllowPreemption PreemptionMode = "Allow"
)

// Direction is a person's answer to a failed, proven target.
type Direction string

const (
	// Forward goes on with the target.
	Forward Direction = "Forward"
	// Back returns to the source.
	Back Direction = "Back"
)

// Decision holds what a person has decided. Every verb is bound to a revision, so that a stale one
// says nothing about the next revision.
type Decision struct {
	// Revision that the verbs below speak of.
	Revision string `json:"revision,omitempty"`
	// Recover continues or returns after a proven target has failed.
	Recover Direction `json:"recover,omitempty"`
	// Retry names a revision that is remembered as failed and is to be tried again.
	Retry string `json:"retry,omitempty"`
	// Canary is Promote, Fail, Pause or Resume, of the canary of Revision.
	Canary CanaryVerb `json:"canary,omitempty"`
}
