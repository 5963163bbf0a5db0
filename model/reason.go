package model

import "slices"

// Reason is a stable code for why something is done, awaited or blocked. Reasons are for people: they
// never drive a decision. Every one is valid as the reason of an Event and of a metav1.Condition.
type Reason string

// Reasons for which a node is done.
const (
	OnTarget Reason = "OnTarget"
	OnSource Reason = "OnSource"
)

// Reasons of actions on nodes and Pods.
const (
	BeginOverlap      Reason = "BeginOverlap"
	CandidatePrepared Reason = "CandidatePrepared"
	NodeFenced        Reason = "NodeFenced"
	HandoffPrepared   Reason = "HandoffPrepared"
	HandoffServing    Reason = "HandoffServing"
	CapacityFallback  Reason = "CapacityFallback"
	ReleaseSource     Reason = "ReleaseSource"
	AdmitTarget       Reason = "AdmitTarget"
	TakeBack          Reason = "TakeBack"
	TurnBack          Reason = "TurnBack"
	LabelRepaired     Reason = "LabelRepaired"
	DeadNodeMoved     Reason = "DeadNodeMoved"
	UnboundTurnedAway Reason = "UnboundTurnedAway"
	StaleRevision     Reason = "StaleRevision"
	WaitingRestarted  Reason = "WaitingRestarted"
	LocksSplit        Reason = "LocksSplit"
	NodeLeft          Reason = "NodeLeft"
	JoinsTarget       Reason = "JoinsTarget"
)

// Reasons of actions on the slots, their state and the owner.
const (
	SlotMissing      Reason = "SlotMissing"
	SlotDrifted      Reason = "SlotDrifted"
	SlotFollows      Reason = "SlotFollows"
	WrapperInstalled Reason = "WrapperInstalled"
	PairArmed        Reason = "PairArmed"
	NewRevision      Reason = "NewRevision"
	TargetRecorded   Reason = "TargetRecorded"
	TargetProven     Reason = "TargetProven"
	OwnershipMoved   Reason = "OwnershipMoved"
	RolloutComplete  Reason = "RolloutComplete"
	ReturnBegun      Reason = "ReturnBegun"
	ReturnComplete   Reason = "ReturnComplete"
	FailureForgotten Reason = "FailureForgotten"
	StateRepaired    Reason = "StateRepaired"
	IntentRecorded   Reason = "IntentRecorded"
	HandedBack       Reason = "HandedBack"
	RolloutTornDown  Reason = "RolloutTornDown"
	// Of a rollout on one DaemonSet: it was taken over, the native controller may surge, or must not.
	DaemonSetAdopted Reason = "DaemonSetAdopted"
	SurgeEnabled     Reason = "SurgeEnabled"
	NativeStopped    Reason = "NativeStopped"
	HandoverNoted    Reason = "HandoverNoted"
	DeleteFirst      Reason = "DeleteFirst"
	// Records of the open world: what was emptied, when a spec was written, what a person has forgiven; a controller is woken.
	EmptiedNoted     Reason = "EmptiedNoted"
	WriteNoted       Reason = "WriteNoted"
	FailuresForgiven Reason = "FailuresForgiven"
	ControllerWoken  Reason = "ControllerWoken"
	// A Pod that its node's label has turned away, and that its controller has not taken, is deleted.
	TurnedAwayDeleted Reason = "TurnedAwayDeleted"
)

// Reasons for which a node waits.
const (
	WaitingForCohort    Reason = "WaitingForCohort"
	WaitingForBudget    Reason = "WaitingForBudget"
	WaitingForWindow    Reason = "WaitingForWindow"
	WaitingForWrites    Reason = "WaitingForWrites"
	WaitingForFence     Reason = "WaitingForFence"
	WaitingForSlot      Reason = "WaitingForSlot"
	WaitingForArming    Reason = "WaitingForArming"
	WaitingForRevision  Reason = "WaitingForRevision"
	ActionIssued        Reason = "ActionIssued"
	RolloutPaused       Reason = "RolloutPaused"
	RolloutFrozen       Reason = "RolloutFrozen"
	RolloutHeld         Reason = "RolloutHeld"
	SourceStarting      Reason = "SourceStarting"
	SourceExiting       Reason = "SourceExiting"
	TargetCreating      Reason = "TargetCreating"
	TargetScheduling    Reason = "TargetScheduling"
	TargetPreparing     Reason = "TargetPreparing"
	TargetStarting      Reason = "TargetStarting"
	TargetSettling      Reason = "TargetSettling"
	TargetExiting       Reason = "TargetExiting"
	TargetRestarting    Reason = "TargetRestarting"
	NodeNotReady        Reason = "NodeNotReady"
	NodeUnderPressure   Reason = "NodeUnderPressure"
	OtherPodsUnknown    Reason = "OtherPodsUnknown"
	NodeLeaving         Reason = "NodeLeaving"
	RevisionRemembered  Reason = "RevisionRememberedAsFailed"
	WaitingForWrapping  Reason = "WaitingForWrapping"
	WaitingForImages    Reason = "WaitingForImages"
	SlotNotObserved     Reason = "SlotNotObserved"
	SlotBeingDeleted    Reason = "SlotBeingDeleted"
	WaitingForPodsToEnd Reason = "WaitingForPodsToEnd"
)

// Reasons for which a node is blocked.
const (
	NeverFits         Reason = "NeverFits"
	StillShort        Reason = "StillShort"
	CannotSchedule    Reason = "CannotSchedule"
	LocksDoNotExclude Reason = "LocksDoNotExclude"
	TargetFailed      Reason = "TargetFailed"
	DecidedBack       Reason = "DecidedBack"
	BudgetSpent       Reason = "BudgetSpent"
	// Waits that have lasted longer than the deadline: a Pod that does not start, one that does not end, a controller that does not act.
	SourceNotStarting Reason = "SourceNotStarting"
	DeletionHangs     Reason = "DeletionHangs"
	ControllerRests   Reason = "ControllerRests"
	// Pods beside which none may start belong to somebody else.
	ForeignPods Reason = "ForeignPods"
)

// Reasons of a canary: of what is recorded of it, of its verdicts, and of what it waits for.
const (
	CanaryBegun        Reason = "CanaryBegun"
	CanaryRestarted    Reason = "CanaryRestarted"
	CanarySuspended    Reason = "CanarySuspended"
	CanaryPaused       Reason = "CanaryPaused"
	CanaryResumed      Reason = "CanaryResumed"
	CanaryFailed       Reason = "CanaryFailed"
	CanaryValidated    Reason = "CanaryValidated"
	CanaryDecided      Reason = "CanaryDecided"
	CanaryRestarts     Reason = "CanaryRestarts"
	CanaryCannotStart  Reason = "CanaryCannotStart"
	CanaryRestartsLast Reason = "CanaryRestartsLast"
	CanaryTimeout      Reason = "CanaryTimeout"
	CanaryUnderWay     Reason = "CanaryUnderWay"
	CanaryAwaited      Reason = "CanaryAwaitsDecision"
	CanaryShort        Reason = "CanaryNodesMissing"
	WaitingForCanary   Reason = "WaitingForCanary"
)

// Reasons for which the whole rollout is blocked.
const (
	TemplateRefused   Reason = "TemplateRefused"
	DesiredMissing    Reason = "DesiredMissing"
	ForeignDaemonSet  Reason = "ForeignDaemonSet"
	SelectorChanged   Reason = "SelectorChanged"
	ComponentsChanged Reason = "ComponentsChanged"
	SchemaUnknown     Reason = "SchemaUnknown"
	StateDiverged     Reason = "StateDiverged"
	StateUnreadable   Reason = "StateUnreadable"
	FailedHold        Reason = "FailedAndHeld"
	PartitionReached  Reason = "PartitionReached"
	StrategyChanged   Reason = "StrategyChanged"
	ReadinessLost     Reason = "ReadinessLost"
	KeyTaken          Reason = "NodeKeyTaken"
	NameChanged       Reason = "DaemonSetRenamed"
	NodesExcepted     Reason = "CompleteExcept"
)

// Reasons of conditions that are as they should be.
const (
	AsExpected      Reason = "AsExpected"
	Reconciled      Reason = "Reconciled"
	RolloutUnderWay Reason = "RolloutUnderWay"
	WithinBudget    Reason = "WithinBudget"
	AboveBudget     Reason = "UnavailableAboveBudget"
	NothingToServe  Reason = "NoEligibleNodes"
)

// reasons is the closed set. A test compares it with the constants above.
var reasons = []Reason{
	OnTarget, OnSource,
	BeginOverlap, CandidatePrepared, NodeFenced, HandoffPrepared, HandoffServing, CapacityFallback, ReleaseSource, AdmitTarget,
	TakeBack, TurnBack, LabelRepaired, DeadNodeMoved, UnboundTurnedAway, StaleRevision, WaitingRestarted, LocksSplit, NodeLeft, JoinsTarget,
	SlotMissing, SlotDrifted, SlotFollows, WrapperInstalled, PairArmed, NewRevision, TargetRecorded, TargetProven, OwnershipMoved,
	RolloutComplete, ReturnBegun, ReturnComplete, FailureForgotten, StateRepaired, IntentRecorded, HandedBack, RolloutTornDown,
	DaemonSetAdopted, SurgeEnabled, NativeStopped, HandoverNoted, DeleteFirst,
	EmptiedNoted, WriteNoted, FailuresForgiven, ControllerWoken, TurnedAwayDeleted,
	WaitingForCohort, WaitingForBudget, WaitingForWindow, WaitingForWrites, WaitingForFence, WaitingForSlot, WaitingForArming, WaitingForRevision,
	ActionIssued, RolloutPaused, RolloutFrozen, RolloutHeld, SourceStarting, SourceExiting, TargetCreating, TargetScheduling,
	TargetPreparing, TargetStarting, TargetSettling, TargetExiting, TargetRestarting, NodeNotReady, NodeUnderPressure, OtherPodsUnknown, NodeLeaving,
	RevisionRemembered, WaitingForWrapping, WaitingForImages, SlotNotObserved, SlotBeingDeleted, WaitingForPodsToEnd,
	NeverFits, StillShort, CannotSchedule, LocksDoNotExclude, TargetFailed, DecidedBack, BudgetSpent,
	SourceNotStarting, DeletionHangs, ControllerRests, ForeignPods,
	CanaryBegun, CanaryRestarted, CanarySuspended, CanaryPaused, CanaryResumed, CanaryFailed, CanaryValidated, CanaryDecided, CanaryRestarts, CanaryCannotStart,
	CanaryRestartsLast, CanaryTimeout, CanaryUnderWay, CanaryAwaited, CanaryShort, WaitingForCanary,
	TemplateRefused, DesiredMissing, ForeignDaemonSet, SelectorChanged, ComponentsChanged, SchemaUnknown, StateDiverged,
	StateUnreadable, FailedHold, PartitionReached, StrategyChanged, ReadinessLost, KeyTaken, NameChanged, NodesExcepted,
	AsExpected, Reconciled, RolloutUnderWay, WithinBudget, AboveBudget, NothingToServe,
}

// Reasons returns the closed set of reasons.
func Reasons() []Reason { return slices.Clone(reasons) }
