package verify_test

const (
	factsFile    = "plan/internal/pair/facts.go"
	judgeFile    = "plan/internal/pair/judge.go"
	overlapsFile = "plan/internal/pair/overlapping.go"
	traitsFile   = "plan/internal/pair/traits.go"
	steerFile    = "plan/internal/pair/steer.go"
	deadlineFile = "plan/internal/pair/deadline.go"
	armFile      = "plan/internal/pair/arm.go"
	actionsFile  = "plan/internal/pair/actions.go"
	clockFile    = "plan/internal/step/clock.go"
	issuedFile   = "plan/internal/step/issued.go"
	admitFile    = "plan/internal/pair/admit.go"
	locksFile    = "plan/internal/pair/exclusion.go"
	failedFile   = "plan/internal/step/failed.go"
)

const (
	served   = "S3"
	seat     = "a seat for every handoff (S2)"
	kept     = "a Pod that Kubernetes keeps is left alone (S9)"
	complete = "L1"
	orphans  = "the fault costs no node its agent"
	joining  = "who joins gets what is complete (S9)"
	unwanted = "no handoff to what is not desired (S8)"
	dead     = "a dead node stops nobody (L7)"
	tooBig   = "what is too big for one node reaches the other (L7)"
)

var rules = []rule{
	{
		number: "1", without: "a Pod counts wherever it runs, whatever the label admits",
		edits: []edit{{factsFile, "f.available = (f.place.admitsFrom() && f.fromAvailable) || (f.place.admitsTo() && to)", "f.available = f.fromAvailable || to"}},
		trial: "two nodes", validator: "S2", truth: served,
	},
	{
		number: "2", without: "a free handoff takes no seat",
		edits: []edit{{judgeFile, "pr.seat = budget.FreeSeat\n", "pr.seat = budget.NoSeat\n"}},
		trial: "bad, a source crashes", validator: "S2", truth: seat,
	},
	{
		number: "3a", without: "an unavailable node that is labelled target is ambient",
		edits: []edit{{traitsFile, "case !d.back:\n\t\treturn model.Committed", "case !d.back:\n\t\treturn model.Ambient"}},
		trial: "bad, a source crashes", validator: "S2", truth: seat,
	},
	{
		number: "3b", without: "a dead node that is labelled target is ambient although the target is not proven",
		edits: []edit{{traitsFile, "case !f.ready && (d.proven || d.back), v.hadNone(f):", "case !f.ready, v.hadNone(f):"}},
		trial: "bad, a node breaks, a source crashes", validator: "S2", truth: seat,
	},
	{
		number: "4", without: "Ready for a moment is available",
		edits: []edit{{clockFile, "if ends := since.Add(settle); now.Before(ends) {", "if ends := since; now.Before(ends) {"}},
		trial: "ready for a moment", validator: "S2", truth: served,
	},
	{
		number: "5", without: "a proven target is cancelled by what its Pods do later",
		edits: []edit{{steerFile, "if !c.direction.proven && c.rollout.Spec.Failure.Action", "if c.rollout.Spec.Failure.Action"}},
		trial: "a proven target restarts", validator: complete, truth: complete,
	},
	{
		number: "6", without: "a node is labelled home at once",
		edits: []edit{{judgeFile, "return pr\n}\n\n// pressed", "if v.direction.back {\n\t\treturn act(stage, model.TakeBack, moveTakeBack)\n\t}\n\treturn pr\n}\n\n// pressed"}},
		trial: "back", validator: "S4", truth: served,
	},
	{
		number: "7", without: "a node that is not eligible any more is cleared at once",
		edits: []edit{{judgeFile, "case f.from.Gone() && f.to.Gone():\n\t\treturn act(model.StageLeaving", "default:\n\t\treturn act(model.StageLeaving"}},
		trial: "tainted", validator: "S9", truth: kept,
	},
	{
		number: "8", without: "unbound Pods that the label turns away stay",
		edits: []edit{{judgeFile, "if pod := f.strandedPod(); pod != nil {", "if pod := f.strandedPod(); pod != nil && false {"}},
		trial: "full, back", validator: "", truth: "",
		because: "what is turned away and has not ended by the deadline is deleted, whatever it is",
	},
	{
		number: "9a", without: "a target that took locks from its source keeps them",
		edits: []edit{{overlapsFile, "return act(stage, model.LocksSplit, moveDeletePod).on(f.to.Live)", "return wait(stage, model.TargetStarting, \"\")"}},
		trial: "one node, a crash", validator: complete, truth: complete,
	},
	{
		number: "9b", without: "a target that restarted beside its source is kept",
		edits: []edit{{overlapsFile, "return v.expiring(f, act(stage, model.WaitingRestarted, moveDeletePod).on(pod), v.prepareBegan(f))", "return wait(stage, model.TargetRestarting, \"\")"}},
		trial: "one node, a crash", validator: complete, truth: complete,
	},
	{
		number: "9c", without: "an exact target that serves in overlap is one like any other",
		edits: []edit{{overlapsFile, "case f.serves():\n\t\treturn v.handoff(f, model.HandoffServing)\n", ""}},
		trial: "one node, its source deleted or all restarted", validator: "S4", truth: complete,
	},
	{
		number: "10a", without: "one restart condemns",
		edits: []edit{{deadlineFile, "model.Restarts(pod) > *v.rollout.Spec.Failure.MaxRestarts", "model.Restarts(pod) > 0"}},
		trial: "one node, a crash", validator: complete, truth: complete,
	},
	{
		number: "10b", without: "a target fails on a dead Node as well",
		edits: []edit{{judgeFile, "case !f.ready:\n\t\treturn wait(stage, model.NodeNotReady, \"\")\n", ""}},
		trial: "one node breaks", validator: complete, truth: complete,
	},
	{
		number: "11", without: "a target that is not desired any more goes on",
		edits: []edit{{steerFile, "case c.superseded() && !c.finishFirst():\n\t\tc.beginReturn(model.ReturnSuperseded)\n", ""}},
		trial: "one node, back", validator: "S8", truth: unwanted,
	},
	{
		number: "12a", without: "completion waits for dead nodes",
		edits: []edit{{traitsFile, "comes := f.ready && !pr.aside", "comes := !pr.aside"}},
		trial: "a node dies", validator: dead, truth: dead,
	},
	{
		number: "12b", without: "a dead node's label never moves",
		edits: []edit{{admitFile, "if !c.othersDone() {", "if true {"}},
		trial: "a node dies", validator: dead, truth: dead,
	},
	{
		number: "12c", without: "a target that is too big for its node keeps its place in the window",
		edits: []edit{{overlapsFile, "\tpr.offWindow, pr.suspect = verdict == model.Blocks, reason", "\tpr.offWindow, pr.suspect = verdict == model.Blocks && reason != model.NeverFits, reason"}},
		trial: "too big for a node", validator: tooBig, truth: tooBig,
	},
	{
		number: "13", without: "completion is recorded before the ownership of unlabelled nodes moves",
		edits: []edit{{steerFile, "\tif !c.own(c.direction.to) {\n\t\treturn\n\t}\n\tc.advance(model.RolloutComplete", "\tc.advance(model.RolloutComplete"}},
		trial: "a node joins after completion", validator: joining, truth: joining,
	},
	{
		number: "14a", without: "a failure is not remembered",
		edits: []edit{{steerFile, "if cause != model.ReturnSuperseded {", "if false {"}},
		trial: "one node, bad", validator: complete, truth: complete,
	},
	{
		number: "14b", without: "a failure is remembered whatever is desired",
		edits: []edit{{failedFile, "case state.Failed.Revision != desired:\n\t\treturn func(s *model.State) { s.Failed = nil }\n", ""}},
		trial: "one node, bad, then good", validator: complete, truth: complete,
	},
	{
		number: "15a", without: "a restarted executor hands over before it has rewritten the overlapping nodes",
		edits: []edit{{factsFile, "return v.executor.ID == \"\" || f.node.Annotations[v.keys.NodeFence] == v.executor.ID", "return true"}},
		trial: "takeover", validator: served, truth: served,
	},
	{
		number: "15b", without: "a handoff is not guarded by the Node's resourceVersion",
		edits: []edit{{actionsFile, "\tif label.Kind != model.Overlaps {\n\t\tpatch.ResourceVersion = f.node.ResourceVersion\n\t}\n", ""}},
		trial: "takeover", validator: "S6", truth: "",
		because: "the handoff also tests the fence's former value, which the restarted executor has rewritten",
	},
	{
		number: "16a", without: "a DaemonSet that was deleted is made anew from the other one's template, never with its recorded revision",
		edits: []edit{{armFile, "if c.render != nil && c.render.Revision == recorded {", "if false && recorded != \"\" {"}},
		trial: "a DaemonSet deleted without its Pods", validator: "", truth: "",
		because: "the record keeps the target's revision, and its template is repaired like any other that drifted",
	},
	{
		number: "16b", without: "a DaemonSet that is made anew does not take what its orphans stand on",
		edits: []edit{{armFile, "owns := missing == r.active && (", "owns := false && missing == r.active && ("}},
		trial: "nothing new, a DaemonSet deleted without its Pods", validator: orphans, truth: orphans,
	},
	{
		number: "17a", without: "the pair is armed while unwrapped Pods are left",
		edits: []edit{{armFile, "case unwrapped > 0:\n\t\tc.awaitNative", "case false:\n\t\tc.awaitNative"}},
		trial: "conventional", validator: "", truth: "",
		because: "a node whose source is not wrapped is not put into overlap: its locks do not exclude the target",
	},
	{
		number: "17b", without: "the pair is armed while unwrapped Pods are left, and what they hold is not looked at",
		edits: []edit{
			{armFile, "case unwrapped > 0:\n\t\tc.awaitNative", "case false:\n\t\tc.awaitNative"},
			{locksFile, "if target == nil {\n\t\treturn nil", "if true || target == nil {\n\t\treturn nil"},
		},
		trial: "conventional", validator: "S14", truth: "S1",
	},
	{
		number: "18", without: "every ambient node may be exempt",
		edits: []edit{{traitsFile, "return f.place != atTo && f.place != released && (!f.ready || v.olderThanTarget(f))", "return true"}},
		trial: "a source deleted, one exempt", validator: "S2", truth: "",
	},
	{
		number: "Issued", without: "what was issued is forgotten",
		edits: []edit{{issuedFile, "if issued[i].Visible(cluster) {", "if true || issued[i].Visible(cluster) {"}},
		trial: "nodes that lag", validator: "S7", truth: "",
		because: "a second handoff comes only after the first node's, whose guards fail on what it has changed, and the executor drops the rest",
	},
}
