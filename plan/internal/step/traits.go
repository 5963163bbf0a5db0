package step

import (
	"math/bits"

	"github.com/agent-rollout/planner/model"
)

// Traits is the set of what is true of one node, a bit each. A survey is the number of nodes with each bit: whatever is to be
// counted of nodes is a trait.
type Traits uint64

// The traits that every mechanism has. A mechanism's own are FirstOwn and what is above it.
const (
	// Eligible: the desired Pod should run there. All others but those of a node that leaves are of eligible nodes.
	Eligible Traits = 1 << iota
	// Available, Ambient, Committed and Joining are the columns of the ledger. Forgiven: ambient, and not charged by a person's decision.
	Available
	Ambient
	Committed
	Joining
	Forgiven
	// OffSource: the node counts against the cohort, or is about to by an issued action; InWindow: against the window.
	OffSource
	InWindow
	// Updated: the desired revision serves. Ready: a Pod that counts is Ready, for however short a while.
	Updated
	Ready
	// OnSource, OnTarget and InOverlap are the columns of the status.
	OnSource
	OnTarget
	InOverlap
	// Finished: the node is where it is to be. OffDestination: it is not, and its Node is Ready.
	Finished
	OffDestination
	// Served: the exact destination serves a node that was moved to it: proof, if the destination needs one.
	Served
	// Failed: the target has failed there. Doubtful: it has, on a node that had no working agent when it was moved, which proves nothing. Telling: a
	// node that had one, and may still tell.
	Failed
	Doubtful
	Telling
	// FirstOwn is the first trait that a mechanism may name itself.
	FirstOwn
)

// Has tells whether all of those are among the traits.
func (t Traits) Has(those Traits) bool { return t&those == those }

// If returns the traits if that holds, and none otherwise.
func (t Traits) If(holds bool) Traits {
	if holds {
		return t
	}
	return 0
}

// Evidence are the traits of what a node tells of the target: whether that has failed there, and whether the node had a working agent before.
func Evidence(failed, aside, worked bool) Traits {
	return Failed.If(failed && worked) | Doubtful.If(failed && !worked) | Telling.If(!failed && !aside && worked)
}

// Column is the trait of a node in that column of the ledger; a node that is not eligible has none.
func Column(blame model.Blame) Traits {
	switch blame {
	case model.Available:
		return Available
	case model.Ambient:
		return Ambient
	case model.Exempt:
		return Ambient | Forgiven
	case model.Committed:
		return Committed
	case model.Joining:
		return Joining
	case model.NotEligible:
	}
	return 0
}

// Counts are the numbers of nodes by trait.
type Counts [64]int

// Of is the number of nodes with the one trait.
func (c *Counts) Of(trait Traits) int { return c[bits.TrailingZeros64(uint64(trait))] }

// add counts so many nodes of the same traits.
func (c *Counts) add(traits Traits, nodes int) {
	for left := uint64(traits); left != 0; left &= left - 1 {
		c[bits.TrailingZeros64(left)] += nodes
	}
}

// move counts the nodes of one trait as those of the other.
func (c *Counts) move(from, to Traits) {
	i, j := bits.TrailingZeros64(uint64(from)), bits.TrailingZeros64(uint64(to))
	c[i], c[j] = 0, c[j]+c[i]
}
