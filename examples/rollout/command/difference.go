package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
)

// planAt is a snapshot with its plan, and the names of the rollout's DaemonSets there.
type planAt struct {
	snapshot *model.Snapshot
	plan     *model.Plan
	sets     map[types.UID]string
}

func newPlanAt(snapshot *model.Snapshot, p *model.Plan) planAt {
	at := planAt{snapshot, p, map[types.UID]string{}}
	for _, set := range ownSets(snapshot) {
		at.sets[set.UID] = set.Name
	}
	return at
}

// former plans on an older dump, with the newer one's document if it has none.
func (in *input) former(cmd *cobra.Command, path string, document *model.Rollout) (planAt, error) {
	d, err := dump.Options{Stdin: cmd.InOrStdin()}.Files(path)
	if err != nil {
		return planAt{}, err
	}
	if d.Rollout == nil {
		d.Rollout = withoutFacts(document)
	}
	if d, err = withSettings(d, in.set); err != nil {
		return planAt{}, err
	}
	snapshot, err := d.Snapshot()
	if err != nil {
		return planAt{}, err
	}
	next, err := plan.Next(snapshot)
	return newPlanAt(snapshot, &next), err
}

// printDifference plans on the older dump too.
func (in *input) printDifference(cmd *cobra.Command, before string, now planAt, output string) error {
	was, err := in.former(cmd, before, in.document)
	if err != nil {
		return err
	}
	d := differenceOf(was, now)
	if isObject(output) {
		return printObject(cmd.OutOrStdout(), kindDifference, d, output)
	}
	return d.print(cmd.OutOrStdout())
}

// withoutFacts is the document without what it says of its own moment.
func withoutFacts(document *model.Rollout) *model.Rollout {
	own := *document
	own.Status = model.Facts{}
	return &own
}

// planDifference is what changed between two snapshots, and why.
type planDifference struct {
	Before standing `json:"before"`
	After  standing `json:"after"`
	// DaemonSets and Conditions are sentences.
	DaemonSets []string         `json:"daemonSets,omitempty"`
	Conditions []string         `json:"conditions,omitempty"`
	Nodes      []nodeDifference `json:"nodes,omitempty"`
}

type standing struct {
	ObservedAt string        `json:"observedAt"`
	Phase      model.Phase   `json:"phase"`
	Revision   string        `json:"revision,omitempty"`
	Updated    int           `json:"updated"`
	Ledger     budget.Ledger `json:"ledger"`
}

// nodeDifference is a node whose stage, verdict, reason or place in the ledger changed.
type nodeDifference struct {
	Node   string    `json:"node"`
	Before *nodeView `json:"before,omitempty"`
	After  *nodeView `json:"after,omitempty"`
	// Why is what changed of the node's objects.
	Why []string `json:"why,omitempty"`
}

func differenceOf(before, after planAt) *planDifference {
	d := &planDifference{Before: standingOf(before.plan), After: standingOf(after.plan), DaemonSets: setChanges(before.snapshot, after.snapshot)}
	for _, name := range []string{model.ConditionBlocked, model.ConditionDegraded, model.ConditionProgressing, model.ConditionAvailable} {
		if text := conditionChange(before.plan, after.plan, name); text != "" {
			d.Conditions = append(d.Conditions, text)
		}
	}
	was, is := viewsOf(before.plan), viewsOf(after.plan)
	names := slices.Collect(maps.Keys(was))
	for name := range is {
		if was[name] == nil {
			names = append(names, name)
		}
	}
	for _, name := range inNaturalOrder(names) {
		if a, b := was[name], is[name]; a == nil || b == nil || shapeAndBlame(a) != shapeAndBlame(b) {
			d.Nodes = append(d.Nodes, nodeDifference{name, a, b, nodeChanges(before, after, name)})
		}
	}
	return d
}

func standingOf(p *model.Plan) standing {
	return standing{p.ObservedAt.UTC().Format(time.RFC3339), p.Phase, p.Revision, p.Pair.Updated, p.Ledger}
}

func viewsOf(p *model.Plan) map[string]*nodeView {
	views := map[string]*nodeView{}
	for _, v := range viewOf(p).Nodes {
		views[v.Node] = &v
	}
	return views
}

type shapeOfNode struct {
	shape
	blame model.Blame
}

func shapeAndBlame(v *nodeView) shapeOfNode {
	return shapeOfNode{shape{v.Stage, v.Verdict, v.Reason}, v.Blame}
}

func conditionChange(before, after *model.Plan, name string) string {
	a, b := before.Condition(name), after.Condition(name)
	if a == nil || b == nil || a.Status == b.Status && a.Reason == b.Reason {
		return ""
	}
	return fmt.Sprintf("%s: %s %s → %s %s: %s", name, a.Status, a.Reason, b.Status, b.Reason, b.Message)
}

// setChanges are sentences about the rollout's DaemonSets.
func setChanges(before, after *model.Snapshot) (lines []string) {
	was := ownSets(before)
	for _, set := range ownSets(after) {
		i := slices.IndexFunc(was, func(s *appsv1.DaemonSet) bool { return s.Name == set.Name })
		switch {
		case i < 0:
			lines = append(lines, titled(set)+" is new")
		case was[i].UID != set.UID:
			lines = append(lines, titled(set)+" was made anew")
		case was[i].Generation != set.Generation:
			lines = append(lines, fmt.Sprintf("%s was written: generation %d → %d", titled(set), was[i].Generation, set.Generation))
		}
	}
	return lines
}

// nodeChanges are what happened to a node and to the agent's Pods on it, in words that are the same for nodes that changed alike.
func nodeChanges(before, after planAt, name string) (why []string) {
	i, was := before.snapshot.Cluster.Find(name)
	j, is := after.snapshot.Cluster.Find(name)
	switch {
	case !is:
		return []string{"the Node is gone"}
	case !was:
		return []string{"the Node is new"}
	}
	a, b := before.snapshot.Cluster.Node(i), after.snapshot.Cluster.Node(j)
	if a.UID != b.UID {
		why = append(why, "the Node was made anew")
	}
	if ready := model.NodeReady(b); ready != model.NodeReady(a) {
		why = append(why, map[bool]string{true: "the Node is Ready again", false: "the Node is not Ready any more"}[ready])
	}
	if a.Spec.Unschedulable != b.Spec.Unschedulable {
		why = append(why, map[bool]string{true: "the Node was cordoned", false: "the Node was uncordoned"}[b.Spec.Unschedulable])
	}
	r := after.snapshot.Rollout.WithDefaults()
	key := model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name).NodeSlot
	if a.Labels[key] != b.Labels[key] {
		why = append(why, fmt.Sprintf("slot label: %s → %s", cmp.Or(a.Labels[key], "none"), cmp.Or(b.Labels[key], "none")))
	}
	return append(why, podChanges(before.podsOn(i), after.podsOn(j))...)
}

// podsOn are the agent's Pods on a node.
func (p planAt) podsOn(node int) map[types.UID]agentPod {
	pods := map[types.UID]agentPod{}
	for _, pod := range p.snapshot.Cluster.Pods(node) {
		if name, ok := p.sets[model.ControllerUID(pod)]; ok {
			pods[pod.UID] = agentPod{pod, name}
		}
	}
	return pods
}

// agentPod is a Pod with the name of its DaemonSet.
type agentPod struct {
	*corev1.Pod
	set string
}

func podChanges(was, is map[types.UID]agentPod) (why []string) {
	for uid, pod := range is {
		former, known := was[uid]
		if !known {
			why = append(why, fmt.Sprintf("%s: a new Pod, %s", pod.set, podState(pod.Pod)))
			continue
		}
		if a, b := podState(former.Pod), podState(pod.Pod); a != b {
			why = append(why, fmt.Sprintf("%s: %s → %s", pod.set, a, b))
		}
		if more := podLeafOf(pod.Pod, podLeaf{}, time.Time{}).Restarts - podLeafOf(former.Pod, podLeaf{}, time.Time{}).Restarts; more > 0 {
			why = append(why, fmt.Sprintf("%s: %s", pod.set, counted(more, "restart")))
		}
	}
	for uid, pod := range was {
		if _, there := is[uid]; !there {
			why = append(why, pod.set+": its Pod is gone")
		}
	}
	slices.Sort(why)
	return why
}

// print folds nodes that changed alike.
func (d *planDifference) print(out io.Writer) error {
	a, b := &d.Before, &d.After
	if err := verdict(out, green, fmt.Sprintf("From %s to %s: %d → %d updated, %d → %d unavailable, %s changed.",
		a.ObservedAt, b.ObservedAt, a.Updated, b.Updated, a.Ledger.Unavailable(), b.Ledger.Unavailable(), nodes(len(d.Nodes)))); err != nil {
		return err
	}
	lines := []string{""}
	if a.Phase != b.Phase {
		lines = append(lines, fmt.Sprintf("Phase: %s → %s", a.Phase, b.Phase))
	}
	for _, text := range slices.Concat(d.DaemonSets, d.Conditions) {
		lines = append(lines, wrapped(text, columnsOf(out))...)
	}
	if len(lines) > 1 {
		if _, err := io.WriteString(out, strings.Join(lines, "\n")+"\n"); err != nil {
			return err
		}
	}
	if len(d.Nodes) == 0 {
		return nil
	}
	_, _ = io.WriteString(out, "\n")
	return d.printNodes(out)
}

func (d *planDifference) printNodes(out io.Writer) error {
	type change struct{ before, after, why string }
	var order []change
	groups := map[change][]string{}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		c := change{shapeText(n.Before), shapeText(n.After), strings.Join(n.Why, "\n")}
		if groups[c] == nil {
			order = append(order, c)
		}
		groups[c] = append(groups[c], n.Node)
	}
	var b strings.Builder
	for _, c := range order {
		lines := wrapped(fmt.Sprintf("%s (%s): %s → %s", nodes(len(groups[c])), samples(groups[c]), c.before, c.after), columnsOf(out))
		for _, why := range strings.Split(cmp.Or(c.why, "nothing changed on them"), "\n") {
			for _, line := range wrapped(why, columnsOf(out)-4) {
				lines = append(lines, "    "+line)
			}
		}
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func shapeText(v *nodeView) string {
	if v == nil {
		return dash("")
	}
	return v.Stage.String() + " " + string(v.Reason)
}
