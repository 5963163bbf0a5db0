// Package simulate runs a rollout against a clock: a world (package world), a planner, and an executor that
// carries the planner's actions out. It tells beforehand how long a rollout takes, how long each node goes
// without an agent and what it costs, and it is the place to test an operator of one's own.
//
// A run is a function of its arguments: durations come from hash(seed, transition, how often it has
// happened), never from a shared stream of random numbers, so that one event more or less does not
// reshuffle the others, and nothing depends on the order of a map or on the real clock.
//
// Begin with world.New on a snapshot, and Run with plan.Next or a planner of your own; the Result has the timeline and the sums.
// SmallestWindow tries windows, Raise tries more of the limit that decided the duration, and BoundOf runs nothing. Package advise looks
// for the settings that keep a deadline, and package arena compares ways to roll.
//
// # The executor
//
// Its bookkeeping is package execute, the same code that an embedder runs: what is issued, whose run it is, the live list after a restart,
// the fresh look before what rests on premises, and that what was refused waits until the caches show why.
//
// It plans when something changed that its caches show, or when the plan's RequeueAfter, or the run's, has passed, at
// most once every PlanInterval. It sends the actions of a plan one after the other, each taking Write, and
// plans again when they are all sent, whether the caches show it or not. An action that the API server or the fresh look refuses ends the
// plan: the next one knows better. An executor that crashes forgets all, and comes back under another ID. Every request is answered, but for those of
// dead executors. What a plan Needs is not read: a world made from a dump knows no Pod that the dump has left out.
//
// # The end of a run
//
// A run ends when the plan is complete and nothing is under way, when it is blocked and nothing can change
// that, or when it is stuck: nothing is under way and nothing will ask for another plan, or nothing has made
// progress for StuckAfter. It never ends silently at a limit: more than MaxSteps is a *StepsError.
package simulate
