package capacity

import "fmt"

// Verdict says what the state of a Pending target means for its source. Only [FitsOnceSourceGone] may
// cost a source; the zero Verdict does not.
type Verdict uint8

const (
	// NotPending: the Pod is bound, over or terminating.
	NotPending Verdict = iota
	// NotJudged: the scheduler has not spoken yet. Wait.
	NotJudged
	// NotUnschedulable: the Pod waits for something else, a scheduling gate for instance.
	NotUnschedulable
	// WrongNode: the Pod is not unambiguously bound for this node.
	WrongNode
	// UnknownMessage: the scheduler's text is not understood, or names more than capacity.
	UnknownMessage
	// OtherConstraint: something other than capacity keeps, or may keep, the Pod from this node.
	OtherConstraint
	// NeedPods: the other Pods of the node must be listed first.
	NeedPods
	// NeverFits: the Pod asks for more than the whole node has. No Pod's leaving helps: hold and say so.
	NeverFits
	// FitsNow: by arithmetic there is room already. Wait for the scheduler.
	FitsNow
	// StillShort: it would not fit even once the source is gone. Hold and say so.
	StillShort
	// FitsOnceSourceGone: it does not fit beside the source, and it fits in its place.
	FitsOnceSourceGone
)

func (v Verdict) String() string {
	switch v {
	case NotPending:
		return "NotPending"
	case NotJudged:
		return "NotJudged"
	case NotUnschedulable:
		return "NotUnschedulable"
	case WrongNode:
		return "WrongNode"
	case UnknownMessage:
		return "UnknownMessage"
	case OtherConstraint:
		return "OtherConstraint"
	case NeedPods:
		return "NeedPods"
	case NeverFits:
		return "NeverFits"
	case FitsNow:
		return "FitsNow"
	case StillShort:
		return "StillShort"
	case FitsOnceSourceGone:
		return "FitsOnceSourceGone"
	default:
		return fmt.Sprintf("Verdict(%d)", uint8(v))
	}
}
