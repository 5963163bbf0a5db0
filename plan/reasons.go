package plan

import "github.com/agent-rollout/planner/model"

// Meaning is what a reason says, whatever the node.
type Meaning struct {
	// Says is the reason in a sentence.
	Says string
	// Ends is what ends it: who acts next, and what a person can do if it lasts. Empty where nothing has to end.
	Ends string
}

// About tells what a reason means. It is the zero value for what is none of model.Reasons.
func About(r model.Reason) Meaning { return meanings[r] }

const (
	byDeadline  = "By itself. After failure.progressDeadlineSeconds it is a verdict, with its own reason."
	byExecutor  = "The executor sends it; the next plan follows when the effect shows."
	correctIt   = "Correct the image or the template: a new desired revision is rolled out from here. Or give decision.recover."
	ownRequest  = "One write of this plan; nothing to do."
	oneAnswer   = "A person decides: decision.canary with the verb and this revision (Promote, Fail, Resume)."
	whenFreed   = "When a node that is unavailable is served again. If none gets better, explain names the nodes that spend the budget."
	ownSettings = "When the setting is taken away."
)

// meanings has an entry for every reason, in the order of package model.
var meanings = map[model.Reason]Meaning{
	model.OnTarget: {"The node runs the desired revision, and it is available.", ""},
	model.OnSource: {"The node is served by the active slot, and nothing is to be rolled out to it.", ""},

	model.BeginOverlap:      {"The node's label admits both slots: the target is pulled, started and waits behind the locks while the source serves.", byExecutor},
	model.CandidatePrepared: {"The target has everything but the locks. Its UID is written on the node before the handoff, so that a Pod that was made anew is not taken for it.", byExecutor},
	model.NodeFenced:        {"An overlapping node gets the mark of this executor, so that a late request of a former one fails.", byExecutor},
	model.HandoffPrepared:   {"The source loses the node, exits, and the prepared target gets its locks. It costs one unit of maxUnavailable.", byExecutor},
	model.HandoffServing:    {"The source loses a node that the target serves already.", byExecutor},
	model.CapacityFallback:  {"The target fits only once the source is gone, so that the node is handed over without overlap: the source exits, then the target is pulled and started.", byExecutor},
	model.ReleaseSource:     {"Without overlap: the source leaves first, and nothing serves until the target does.", byExecutor},
	model.AdmitTarget:       {"The source is gone, and the target may come.", byExecutor},
	model.TakeBack:          {"The node goes back to the slot that serves it.", byExecutor},
	model.TurnBack:          {"The overlap turns round, since the rollout goes back: the waiting Pod is given up.", byExecutor},
	model.LabelRepaired:     {"The slot label has a value that means nothing, so that no Pod would run: the node goes to the active slot.", byExecutor},
	model.DeadNodeMoved:     {"All other nodes are done; the label of a node that is not Ready follows, so that it finds the new revision when it comes back.", byExecutor},
	model.UnboundTurnedAway: {"A Pod of the slot that the node turned away is not bound yet and is deleted, since it could be bound here later.", byExecutor},
	model.StaleRevision:     {"A Pod of an older revision is deleted; its controller makes one of the current template.", byExecutor},
	model.WaitingRestarted:  {"The waiting target restarted while the source serves. It is deleted and tried again, so that its restarts are not counted against the revision.", byExecutor},
	model.LocksSplit:        {"The source lost a part of its locks to an unproven target, which is deleted to give them back.", byExecutor},
	model.NodeLeft:          {"The node is not eligible any more and has no Pod: its label and annotations are removed.", byExecutor},
	model.JoinsTarget:       {"A new node that never had an agent gets the proven target at once.", byExecutor},

	model.SlotMissing:       {"A DaemonSet of the rollout is missing, and is made.", byExecutor},
	model.SlotDrifted:       {"A DaemonSet is not as rendered, and is put right.", byExecutor},
	model.SlotFollows:       {"The other DaemonSet follows what was written to the first.", byExecutor},
	model.WrapperInstalled:  {"The lock wrapper is written into the template. Until every Pod has it, no two revisions may share a node.", byExecutor},
	model.PairArmed:         {"Every Pod holds its locks: the DaemonSet becomes one of a pair.", ownRequest},
	model.NewRevision:       {"The desired revision is written to the target's DaemonSet.", byExecutor},
	model.TargetRecorded:    {"The revision that is rolled out is recorded, before anything moves.", ownRequest},
	model.TargetProven:      {"The target has served on a node for strategy.settleSeconds: from now on a failure holds the rollout instead of taking it back.", ownRequest},
	model.OwnershipMoved:    {"The target owns nodes without a label from now on.", ownRequest},
	model.RolloutComplete:   {"The desired revision serves everywhere.", ""},
	model.ReturnBegun:       {"The target failed before it was proven, or a person decided so: nodes go back to the source.", byExecutor},
	model.ReturnComplete:    {"Every node is back. The revision is remembered as failed.", "Desire another revision, or try this one again with decision.retry."},
	model.FailureForgotten:  {"The memory of a failed revision is dropped, since another one is desired or it is to be tried again.", ownRequest},
	model.StateRepaired:     {"The record on the DaemonSet had lost a part that can be told from the cluster, and is written again.", ownRequest},
	model.IntentRecorded:    {"What the owner wants (opt-out, teardown) is recorded before it is begun.", ownRequest},
	model.HandedBack:        {"The conventional DaemonSet serves the node again, after an opt-out.", ""},
	model.RolloutTornDown:   {"The DaemonSets, labels and annotations of the rollout are removed.", byExecutor},
	model.DaemonSetAdopted:  {"A DaemonSet that was there before is taken over.", byExecutor},
	model.SurgeEnabled:      {"The native controller may add a second Pod a node, maxSurge at a time.", byExecutor},
	model.NativeStopped:     {"The native controller must not replace Pods now, and its update strategy says so.", byExecutor},
	model.HandoverNoted:     {"The instant of handovers is recorded on the DaemonSet.", ownRequest},
	model.DeleteFirst:       {"The old Pod is deleted; the DaemonSet controller makes one of the new revision.", byExecutor},
	model.EmptiedNoted:      {"The nodes that are emptied next are recorded before their Pods are deleted: they stay charged until they are served again.", ownRequest},
	model.WriteNoted:        {"The instant from which a DaemonSet's new spec is awaited is recorded.", ownRequest},
	model.FailuresForgiven:  {"decision.recover Forward: nodes that have failed until now are set aside, and their seats are free.", ownRequest},
	model.ControllerWoken:   {"The DaemonSet controller has not done what is due, and is woken by one write of its DaemonSet.", byExecutor},
	model.TurnedAwayDeleted: {"A Pod that the node's label turned away was left in place by its controller for the deadline, and is deleted.", byExecutor},

	model.WaitingForCohort:    {"As many nodes are off the source as strategy.partition or the canary allows.", "When the partition is lowered."},
	model.WaitingForBudget:    {"committed + ambient − exempt has reached maxUnavailable: one more handoff would leave too many nodes without an agent.", whenFreed},
	model.WaitingForWindow:    {"As many nodes are in overlap as maxSurge allows.", "When an overlapping node is handed over."},
	model.WaitingForWrites:    {"This plan has as many requests as strategy.maxWrites allows.", "With the next plan."},
	model.WaitingForFence:     {"Requests of a former executor may still land: overlapping nodes are marked first.", "When the marks show."},
	model.WaitingForSlot:      {"A DaemonSet or the record on it is written first.", byDeadline},
	model.WaitingForArming:    {"The lock wrapper is being installed by the native rolling update.", "When every Pod has it. A corrected image is armed directly; opt-out works at any time."},
	model.WaitingForRevision:  {"The node is served, and what is under way is finished before the desired revision begins.", "When the rollout under way has come to its end, exceptions aside."},
	model.ActionIssued:        {"A request was sent for this node, and its effect does not show in the cache yet.", "When it shows, or when a live read tells that it did not take effect."},
	model.RolloutPaused:       {"strategy.paused: no handoff and no overlap begins; what is under way settles.", ownSettings},
	model.RolloutFrozen:       {"strategy.frozen: nothing at all is written.", ownSettings},
	model.RolloutHeld:         {"A proven target failed on a node, and a person decides.", "decision.recover: Forward goes on without the failed nodes, Back returns. failure.maxExceptions allows some without being asked."},
	model.SourceStarting:      {"The agent that is to serve this node is starting.", byDeadline},
	model.SourceExiting:       {"The source's Pod is going away, and holds its locks until it is gone.", byDeadline},
	model.TargetCreating:      {"The DaemonSet controller has not made the target's Pod.", byDeadline},
	model.TargetScheduling:    {"The target's Pod is not bound to the node.", byDeadline},
	model.TargetPreparing:     {"The target is pulled and started, up to the locks.", byDeadline},
	model.TargetStarting:      {"The target has the locks and is not Ready.", byDeadline},
	model.TargetSettling:      {"The target is Ready and must stay so for strategy.settleSeconds.", "By itself."},
	model.TargetExiting:       {"A former Pod of the target is going away.", byDeadline},
	model.TargetRestarting:    {"A container of the target restarts.", "By itself, or it is a failure above failure.maxRestarts."},
	model.NodeNotReady:        {"The Node is not Ready: its kubelet does not answer. It is left for last, and holds no other node.", "When the Node is Ready again or is deleted."},
	model.NodeUnderPressure:   {"The Node has memory, disk or PID pressure: no second Pod is added.", "When the pressure is over."},
	model.OtherPodsUnknown:    {"The Pods of other workloads on the node are not in the snapshot, so that capacity cannot be judged.", "Give the whole dump: kubectl get nodes,pods,daemonsets -A. An operator has to watch all Pods, or name what it knows."},
	model.NodeLeaving:         {"The node is not eligible any more and still has a Pod: it is left alone.", "When its Pod is gone."},
	model.RevisionRemembered:  {"The desired revision failed before, and is not tried again.", "Desire another revision, or set decision.retry to this one."},
	model.WaitingForWrapping:  {"Pods without the lock wrapper are still running.", byDeadline},
	model.WaitingForImages:    {"Pods with other images than the recorded revision are still running.", byDeadline},
	model.SlotNotObserved:     {"The DaemonSet controller has not seen the new spec (status.observedGeneration).", byDeadline},
	model.SlotBeingDeleted:    {"A DaemonSet is being deleted, and is made anew once it is gone.", "When it is gone: look at its finalizers if it stays."},
	model.WaitingForPodsToEnd: {"Former Pods of the rollout still run beside which none may start.", byDeadline},

	model.NeverFits:         {"By the node's allocatable resources the target cannot run here, even alone.", "Give the Pod less, or the node more. The node is an exception: it holds neither the others nor the end."},
	model.StillShort:        {"The target does not fit even once the source is gone: other Pods take the room.", "When room is made. The node is an exception until then."},
	model.CannotSchedule:    {"The scheduler refuses the target for another cause than capacity.", "Look at the Pod's condition PodScheduled: affinity, taints, volumes, topology."},
	model.LocksDoNotExclude: {"The Pods of the two revisions would not exclude each other by their locks, as they really run.", "Look for containers that admission added or changed; or roll without overlap (strategy.overlap Never)."},
	model.TargetFailed:      {"The target failed on this node: its Pod cannot start, restarts too often, was never made, or is not Ready after failure.progressDeadlineSeconds.", correctIt},
	model.DecidedBack:       {"A person decided to go back.", byExecutor},
	model.BudgetSpent:       {"Nodes that do not get better by themselves spend all of maxUnavailable.", "Mend or remove the nodes that are named, raise maxUnavailable, or leave them out with strategy.exemptUnhealthy."},
	model.SourceNotStarting: {"The agent that is to serve this node has not started within the deadline.", "Look at its Pod. The node is set aside meanwhile."},
	model.DeletionHangs:     {"A Pod has not ended within the deadline after its deletion.", "Look at its finalizers and at the node's kubelet. The node is set aside meanwhile."},
	model.ControllerRests:   {"A controller has not done what is due within the deadline.", "Look whether kube-controller-manager runs. The DaemonSet was written once to wake it."},
	model.ForeignPods:       {"Pods that belong to somebody else run on the node with the same labels or locks.", "End them, or give this rollout other labels and lock files."},

	model.CanaryBegun:        {"A canary begins: its nodes are chosen and recorded.", ownRequest},
	model.CanaryRestarted:    {"A canary begins anew, since its revision or its settings changed.", ownRequest},
	model.CanarySuspended:    {"The canary's clocks stand while the rollout is paused or frozen.", ownRequest},
	model.CanaryPaused:       {"The canary is paused: by a person, or because Pods restarted (strategy.canary.autoPause).", oneAnswer},
	model.CanaryResumed:      {"The canary goes on; its clocks count from now.", ownRequest},
	model.CanaryFailed:       {"The canary failed, and its nodes go back.", "Desire another revision, or try this one again with decision.retry."},
	model.CanaryValidated:    {"The canary is validated: the rollout goes on to all nodes.", ownRequest},
	model.CanaryDecided:      {"A person's decision of the canary is recorded.", ownRequest},
	model.CanaryRestarts:     {"Containers of the canary restarted more often than it allows.", oneAnswer},
	model.CanaryCannotStart:  {"A container of the canary cannot start: its image, its configuration or its command.", correctIt},
	model.CanaryRestartsLast: {"Containers of the canary kept restarting for longer than it allows.", correctIt},
	model.CanaryTimeout:      {"The canary was not validated within its timeout.", correctIt},
	model.CanaryUnderWay:     {"The canary runs for its duration, counted from its last node that became available.", "By itself; or at once with decision.canary Promote."},
	model.CanaryAwaited:      {"The canary waits for a person (validationMode manual).", oneAnswer},
	model.CanaryShort:        {"Fewer nodes than strategy.canary.replicas may carry the canary.", "Give it fewer replicas or a wider selector, or make its nodes available."},
	model.WaitingForCanary:   {"The node is served, and moves once the canary is validated.", "When it is: explain says how far it is."},

	model.TemplateRefused:   {"The desired template cannot be rolled out in this way.", "check-template lists all that is wrong, with field paths."},
	model.DesiredMissing:    {"Nothing is desired: the document names no DaemonSet, or one that is not there.", "Give spec.desired, or correct spec.desiredFrom."},
	model.ForeignDaemonSet:  {"A DaemonSet with the name that the rollout needs belongs to somebody else.", "Rename either of them, or give that one this owner."},
	model.SelectorChanged:   {"The selector of a DaemonSet cannot be changed, and the desired one is another.", "Keep the selector, or tear the rollout down and begin anew."},
	model.ComponentsChanged: {"The locked components of the new revision are not those of the old one, so that their locks would not exclude each other.", "Roll this revision without overlap (strategy.overlap Never)."},
	model.SchemaUnknown:     {"The record on the DaemonSet was written by a later version.", "Run that version. Teardown and opt-out work without it."},
	model.StateDiverged:     {"The record and the cluster contradict each other in a way that no rule mends.", "Follow the message; teardown and opt-out work from here."},
	model.StateUnreadable:   {"The record on the DaemonSet cannot be read.", "Remove the annotation if a person broke it; teardown and opt-out work from here."},
	model.FailedHold:        {"The proven target failed on more nodes than failure.maxExceptions allows, and the rollout is held.", "decision.recover: Forward goes on without them, Back returns. Or desire a corrected revision."},
	model.PartitionReached:  {"Another revision is desired, and strategy.partition leaves nothing of the present one to be finished.", "Lower the partition to finish, or decide Back."},
	model.StrategyChanged:   {"The strategy is another kind than the one that the cluster was made for.", "End the former one first: spec.intent OptOut with its strategy, then run the new one."},
	model.ReadinessLost:     {"More nodes are unavailable than a surge may meet: the native controller would replace every Pod that is not Ready at once, and is stopped.", "When the nodes are available again."},
	model.KeyTaken:          {"Another rollout goes by the same node label.", "Give each rollout an owner of its own, or delete the other DaemonSet."},
	model.NameChanged:       {"The desired DaemonSet has another name than the one that carries the marks.", "Keep the name, or tear the former one down first."},
	model.NodesExcepted:     {"The rollout is complete, except for the nodes that are set aside, named with their cause.", "Mend them: they are tried again when something changes on them."},

	model.AsExpected:      {"Nothing asks for attention.", ""},
	model.Reconciled:      {"Everything is as desired.", ""},
	model.RolloutUnderWay: {"The rollout is under way.", ""},
	model.WithinBudget:    {"No more nodes are unavailable than maxUnavailable allows.", ""},
	model.AboveBudget:     {"More nodes are unavailable than maxUnavailable allows, by other causes than the rollout.", "Mend the nodes; the rollout takes no further one meanwhile."},
	model.NothingToServe:  {"No node is eligible for the desired template.", "Look at its node selector, affinity and tolerations."},
}
