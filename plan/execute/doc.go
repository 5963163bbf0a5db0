// Package execute is the bookkeeping of who carries plans out: what was issued and until when, by which run of which process, what must be read
// live before what, and what is not to be sent again yet. It sends and reads nothing itself, and has no clock: every now is the caller's time.Time.
//
//	run := execute.New(id)                                // one a rollout and life of the process
//	if reads := run.Reads(now); reads.Any() { … }         // read them live: run.Read
//	snapshot := run.Snapshot(cluster, rollout, now)       // the facts filled in
//	next, err := planner.Next(snapshot)                   // if run.Needs(&next).Any(): read those, run.Answer, and plan again
//	for step := range run.Steps(&next) {                  // in order; ends at the first that is not carried out
//		if step.NeedsFresh() { … }                    // read step.Reads() live: step.Confirm; over if that says what no longer holds
//		err = step.Done(execute.Outcome(send(step.Write())))
//	}
//	after := run.After(&next, now)                        // when to come again although nothing changes
//
// # What becomes of a request
//
//	outcome        kept                charged  asked again                         forgotten
//	Applied        action and result   yes      no                                  when the cache is as new as the result
//	 a creation    action and result   yes      no                                  the same; or, when it does not show within
//	                                                                                Patience, by a live read that it is gone again
//	 of the owner  a hold              no       as for Refused                      as for Refused
//	Refused        a hold              no       when the cache shows the object     when the cache shows the object anew, or after
//	                                            anew, or after Patience             2 × Patience
//	 not 404, 409, nothing             no       by the next plan                    at once
//	 422
//	Unknown        action              yes      no                                  see below
//	 of the owner  action              no       no                                  at its deadline
//	not confirmed  a hold for each     no       when the cache shows all that       as for Refused
//	               object that differs          differs anew, or after Patience
//	not sent       nothing             no       by the next plan                    at once
//
// Charged means: the action is in the snapshot's issued list, so that its node gets no other move and its seat is taken.
//
// An Unknown request can land until its deadline: the request time-out, counted from the first snapshot after it. After that Reads names its object,
// and Read settles it by what is there. If it did not happen it is forgotten: an object that is not there was not created, a Pod that does not end
// was not deleted. Else it has the version of the object as its result, and is forgotten when the cache is as new as that; or, if the object is
// gone, when the cache shows that.
//
// A new run may be fenced: its predecessor's requests can land until the request time-out has passed. Only then Reads asks for everything, and only
// when the caches are as new as that list the run counts as listed, and the planner hands a node over. Executor.Listed and the times are in the
// snapshot; the planner does the fencing. Caches that do not catch up within Patience get another list.
//
// The write of a step whose action has premises is withheld until Confirm: the premises of free moves matter as much as those of paid ones, since a
// move is free only by what a cache shows. Confirm puts what was read in the place of what the cache shows, and asks plan.Validate for the action.
//
// A look names the step's own node and the DaemonSets: an agent that has fallen elsewhere, and that the caches do not show yet, is not seen, and a
// handover may then leave one node more without an agent than the budget has. Who can afford it lets a Clone of the run judge: with a Snapshot of a
// list of everything, its Step confirms or not; the run itself must not see that list, since its caches are older.
//
// # Cost and state
//
// A Snapshot copies the document, and nothing else while nothing is issued. Confirm compares a node's Pods and the DaemonSets, and validates only
// where one differs. State is a plain value that can be compared and written; a Clone shares all lists, which are replaced and never changed.
//
// # Files
//
//	run.go     Run and State: begin, snapshot, forget
//	step.go    a plan's actions one by one: the fresh look, the write, what became of it
//	result.go  the three outcomes, and which one an error means
//	hold.go    what is not sent again against the same cache
//	reads.go   what is read live, and how it differs from a cluster
//	settle.go  live reads before a plan: the list of a new run, unknown outcomes
//	report.go  a plan for others: DaemonSet status, errors, metrics
package execute
