package model

import (
	"crypto/sha256"
	"encoding/hex"
)

// DefaultDomain is the domain of the persisted keys when the rollout's settings name none.
const DefaultDomain = "experimental.agent.datadoghq.com"

// Values of the persisted annotations. An existing operator reads and writes the same ones.
const (
	ModePair = "prepared-blue-green-v1" // the owner's and the templates' mode
	// ModePairReleased marks a pair without the wrapper: an existing operator must not take it for one
	// whose Pods may overlap.
	ModePairReleased = "released-blue-green-v1"
	MarkPair         = "blue-green-v1" // cleanup, initialized, armed and disable marks
	SchemaPair       = "3"             // the lock wrapper's protocol
	// Modes of a rollout on one DaemonSet, as an annotation of that DaemonSet: an existing operator knows the first.
	ModeSurgePrepared = "prepared-surge-v1"
	ModeSurge         = "surge-v1"
	ModeRolling       = "rolling-update-v1"
	MarkSingle        = "single-v1" // the cleanup mark of a rollout on one DaemonSet
	StateVersion      = 1           // the version of the state that this library writes
	HandoffPaid       = "paid"      // the node was available before the write
	HandoffFree       = "free"      // the node was not available before the write
	HandoffJoins      = "joins"     // the node had never had an available agent before the write
	HandoffLost       = "lost"      // the node had an agent under this target, and had lost it before the write
	GreenNameLimit    = 63          // a DaemonSet's name becomes a label value of its Pods
	ownerHashLength   = 6           // bytes of SHA-256 in a node key
)

// Keys are the persisted names of one rollout. All begin with the same domain; those on nodes also
// carry a hash of the owner, since several rollouts share a node.
type Keys struct {
	// On the owner object.
	Mode, Cleanup string
	// On every DaemonSet of a rollout: the generations of its template that a person edited, see EditedGenerations.
	Edited string
	// On every DaemonSet of a rollout: which generation of its spec was written when, see Written; and when a controller that
	// rested was woken by a write.
	Written, Nudged string
	// On both DaemonSets of the pair.
	Revision, ActiveSlot, TargetSlot, TargetRevision, Initialized, State string
	// On a single DaemonSet, beside Mode, Revision and State: the former template, and the nodes that the rollout emptied.
	Source, Emptied string
	// On the Pod template; Mode and Revision stand there too.
	Armed, Schema, Disable string
	// On green's Pods and in its selector: the label by which it differs where no label of the template can.
	PodSlot string
	// On nodes: a label and three annotations.
	NodeSlot, NodeCandidate, NodeMoved, NodeFence string
}

// NewKeys returns the keys of the rollout that belongs to namespace/name.
func NewKeys(domain, namespace, name string) Keys {
	if domain == "" {
		domain = DefaultDomain
	}
	sum := sha256.Sum256([]byte(namespace + "/" + name))
	owner := hex.EncodeToString(sum[:ownerHashLength])
	common := domain + "/node-agent-rollout-"
	return Keys{
		Mode:           common + "mode",
		Cleanup:        common + "cleanup",
		Revision:       common + "revision",
		ActiveSlot:     common + "active-slot",
		TargetSlot:     common + "target-slot",
		TargetRevision: common + "target-revision",
		Initialized:    common + "pair-initialized",
		State:          common + "state",
		Source:         common + "source",
		Edited:         common + "edited",
		Written:        common + "written",
		Nudged:         common + "nudged",
		Emptied:        common + "emptied",
		Armed:          common + "armed",
		Schema:         common + "schema",
		Disable:        common + "disable",
		PodSlot:        common + "slot",
		NodeSlot:       domain + "/rollout-slot-" + owner,
		NodeCandidate:  domain + "/rollout-candidate-" + owner,
		NodeMoved:      domain + "/rollout-moved-" + owner,
		NodeFence:      domain + "/rollout-fence-" + owner,
	}
}

// OnPair are the annotations that a rollout writes on both DaemonSets of a pair.
func (k *Keys) OnPair() []string {
	return []string{k.Revision, k.ActiveSlot, k.TargetSlot, k.TargetRevision, k.Initialized, k.State, k.Edited, k.Written, k.Nudged}
}

// OnSingle are the annotations that a rollout writes on a single DaemonSet.
func (k *Keys) OnSingle() []string {
	return []string{k.Mode, k.Revision, k.State, k.Source, k.Emptied, k.Edited, k.Written, k.Nudged}
}
