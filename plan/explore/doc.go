// Package explore visits every state of a small model and judges properties on all of them.
//
// A [Model] gives its initial states, the named transitions of a state, and a compact key by which two states are
// the same. [Run] searches breadth first, so that every counterexample is a shortest one, and judges:
//
//   - always: an [Invariant] on every state, a [StepInvariant] on every transition;
//   - sometimes: a [Witness] that must be met at least once: a search that never meets it proves nothing;
//   - a [Goal] that every fair run reaches, once or again and again. A run is fair if no transition is enabled
//     forever from some point on and never taken (weak fairness, of every transition that [Options.Fair] does
//     not except). A violation is a strongly connected part of the graph without the goal that a fair run
//     need not leave, or a state in which a run may rest.
//
// The visited set keeps keys, not states: up to 32 bytes as they are, longer ones as a digest of 128 bits, whose
// chance of a collision the [Result] states. States live only as long as their successors are not computed; those of a
// trace are derived again by [Replay].
//
// What a search did not see it says: a limit that was reached stands in Result.Limit, and goals are then
// not judged at all.
//
// # What it is not
//
// There is no symmetry or partial-order reduction: whoever merges states does so in Key, and answers for it. A key
// that merges states with different futures hides violations; see [Congruent], which looks for such pairs. There are no
// temporal formulas beyond the forms above, and no parallel search.
package explore
