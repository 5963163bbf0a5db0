// Package verify explores a rollout exhaustively: a [Scope] says how large the cluster is, what is desired one after the other,
// and what may go wrong; [Model] is the world of package world with a planner and an executor in it, as package explore
// wants it; the properties of package property are judged on every state, plan, step and end. [Cut] makes a scope of a
// snapshot of one's own.
//
// Begin with Cut on a snapshot, New on its Scope, and Model.Run; the result lists the violations, each with the shortest way there.
//
// [Scopes] pass; [OpenScopes] are what the planner is known to get wrong, each by its name in explore/RESULTS.md.
//
// # The executor
//
// Its bookkeeping is package execute, the very code of an embedding: issued actions, the list of a new run, the fresh look right before what rests on
// other objects, and what waits for a cache after a refusal. It plans and sends the actions one by one, with anything in between; a prompt one sends a
// plan whole. It may crash with its next action on its way, and is then followed by another run, which knows nothing and lists first. When it
// plans is said by [Triggers]. Its clock may stand still or be wrong. Between two plans its state is an execute.State; while it sends a plan, what
// matters of the view that the plan was made from is told apart as well.
//
// # Time
//
// Time is a count of steps: what happens does so at even seconds, and plans are made at odd ones, so that no two instants
// are equal by chance. No duration of the document lies within reach of it. Only when nothing can happen by itself, and the plan
// has no action and asks to be made again, a jump passes every duration at once. So the order of instants is
// explored, and durations are not, but for one: in a prepared surge a replacement that has restarted rests for a minute, which
// is within reach, and part of what tells states apart.
//
// A person's decision of a canary is a document of its own: it comes at any moment, or never.
//
// # Faults
//
// Every fault has its end, which comes at some time, unless the scope says that it lasts. Liveness is judged on fair runs: what can
// happen for ever and is no fault, no decision, no crash and no late request happens at some time.
package verify
