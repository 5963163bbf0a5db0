package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ages "k8s.io/apimachinery/pkg/util/duration"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

func newTree(live Live) *cobra.Command {
	in := input{live: live}
	var output string
	var every bool
	cmd := &cobra.Command{
		Use:   "tree {-f FILE | FILE}...",
		Short: "Show the owner, its DaemonSets, and their Pods on the nodes",
		Long: `Show what there is as a tree: the owner, its DaemonSets with the part that each plays, and below them the Pods with their node, phase,
restarts, age, and why the node moves or does not. Of many nodes those that wait, block or act come first, and the others are counted; with
--nodes all are shown.`,
		Example: `  # What there is
  rollout tree -f examples/snapshots/half-way.yaml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("output", output, "text", "json", "yaml"); err != nil {
				return asUsageError(cmd, err)
			}
			snapshot, next, err := in.plan(cmd, args...)
			if err != nil {
				return err
			}
			tree := treeOf(snapshot, next)
			if isObject(output) {
				return printObject(cmd.OutOrStdout(), kindTree, tree, output)
			}
			return tree.print(cmd.OutOrStdout(), every)
		},
	}
	in.flags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or yaml: the last two have every node")
	cmd.Flags().BoolVar(&every, "nodes", false, "all nodes, instead of the first few of each DaemonSet")
	return cmd
}

// tree is an owner with its DaemonSets and their Pods.
type tree struct {
	Owner    string      `json:"owner"`
	Phase    model.Phase `json:"phase"`
	Revision string      `json:"revision,omitempty"`
	Slots    []slotTree  `json:"daemonSets"`
	// Bare are the eligible nodes without a Pod of any of them.
	Bare []podLeaf `json:"nodesWithoutPod,omitempty"`
}

type slotTree struct {
	Name     string    `json:"name"`
	Role     string    `json:"role"`
	Revision string    `json:"revision,omitempty"`
	Ready    int       `json:"ready"`
	Pods     []podLeaf `json:"pods"`
}

// podLeaf is a Pod on its node; without a Pod only the node.
type podLeaf struct {
	Node     string        `json:"node"`
	Pod      string        `json:"pod,omitempty"`
	State    string        `json:"state,omitempty"`
	Restarts int           `json:"restarts,omitempty"`
	Age      string        `json:"age,omitempty"`
	Verdict  model.Verdict `json:"verdict"`
	Reason   model.Reason  `json:"reason,omitempty"`
	Message  string        `json:"message,omitempty"`
}

func treeOf(snapshot *model.Snapshot, p *model.Plan) *tree {
	t := &tree{Owner: strings.TrimPrefix(p.Namespace+"/"+p.Name, "/"), Phase: p.Phase, Revision: p.Revision}
	place := map[types.UID]int{}
	for _, set := range ownSets(snapshot) {
		place[set.UID] = len(t.Slots)
		t.Slots = append(t.Slots, slotTree{Name: set.Name, Role: roleOf(snapshot, p, set), Revision: revisionOf(snapshot, set), Pods: []podLeaf{}})
	}
	for i := range p.Nodes {
		r := &p.Nodes[i]
		bare := podLeaf{Node: r.Node, Verdict: r.Verdict, Reason: r.Reason, Message: plan.Message(p, r)}
		found := false
		if at, ok := snapshot.Cluster.Find(r.Node); ok {
			for _, pod := range snapshot.Cluster.Pods(at) {
				slot, own := place[model.ControllerUID(pod)]
				if !own {
					continue
				}
				found = true
				t.Slots[slot].add(podLeafOf(pod, bare, p.ObservedAt.Time))
			}
		}
		if !found {
			t.Bare = append(t.Bare, bare)
		}
	}
	return t
}

func (s *slotTree) add(leaf podLeaf) {
	if leaf.State == "Ready" {
		s.Ready++
	}
	s.Pods = append(s.Pods, leaf)
}

// ownSets are the rollout's DaemonSets that are deployed.
func ownSets(snapshot *model.Snapshot) (sets []*appsv1.DaemonSet) {
	rendering, err := plan.Render(snapshot)
	if err != nil {
		return nil
	}
	for _, rendered := range append(present(rendering.Blue), present(rendering.Green)...) {
		if set := snapshot.Cluster.DaemonSet(rendered.Namespace, rendered.Name); set != nil {
			sets = append(sets, set)
		}
	}
	return sets
}

// roleOf says which part a DaemonSet plays.
func roleOf(snapshot *model.Snapshot, p *model.Plan, set *appsv1.DaemonSet) string {
	if p.Pair.Active == model.NoSlot {
		return "the only one"
	}
	slot := model.Blue
	if strings.HasSuffix(set.Name, snapshot.Rollout.WithDefaults().Spec.Slots.Green.Suffix) {
		slot = model.Green
	}
	switch {
	case slot == p.Pair.Active && p.Pair.Target != model.NoSlot && p.Pair.Target != slot:
		return slot.String() + ", the source"
	case slot == p.Pair.Active:
		return slot.String() + ", serves"
	case slot == p.Pair.Target:
		return slot.String() + ", the target"
	}
	return slot.String() + ", rests"
}

func revisionOf(snapshot *model.Snapshot, set *appsv1.DaemonSet) string {
	r := snapshot.Rollout.WithDefaults()
	return set.Annotations[model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name).Revision]
}

func podLeafOf(pod *corev1.Pod, leaf podLeaf, now time.Time) podLeaf {
	leaf.Pod, leaf.State = pod.Name, podState(pod)
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			leaf.Restarts += int(statuses[i].RestartCount)
		}
	}
	if made := pod.CreationTimestamp; !made.IsZero() && !now.Before(made.Time) {
		leaf.Age = ages.HumanDuration(now.Sub(made.Time))
	}
	return leaf
}

// podState is what a person wants to know of a Pod in a word or two.
func podState(pod *corev1.Pod) string {
	ready, _ := model.ReadySince(pod)
	switch reason := model.WaitingReason(pod); {
	case model.Terminating(pod):
		return "Terminating"
	case model.Terminal(pod):
		return string(pod.Status.Phase)
	case ready:
		return "Ready"
	case reason != "":
		return reason
	case !model.Bound(pod):
		return "Pending"
	}
	return "not Ready"
}

// shownLeaves is how many Pods of a DaemonSet are shown without --nodes.
const shownLeaves = 8

func (t *tree) print(out io.Writer, every bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s%s\n", t.Owner, t.Phase, revisionText(t.Revision))
	branches := len(t.Slots)
	if len(t.Bare) > 0 {
		branches++
	}
	for i := range t.Slots {
		s := &t.Slots[i]
		fmt.Fprintf(&b, "%sDaemonSet %s  %s%s, %d of %s Ready\n", branch(i, branches), s.Name, s.Role, revisionText(s.Revision), s.Ready, counted(len(s.Pods), "Pod"))
		if err := printLeaves(&b, out, s.Pods, trunk(i, branches), every); err != nil {
			return err
		}
	}
	if len(t.Bare) > 0 {
		fmt.Fprintf(&b, "%sno Pod  %s\n", branch(branches-1, branches), nodes(len(t.Bare)))
		if err := printLeaves(&b, out, t.Bare, trunk(branches-1, branches), every); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func revisionText(revision string) string {
	if revision == "" {
		return ""
	}
	return ", revision " + revision[:min(len(revision), 10)]
}

func branch(i, of int) string {
	if i == of-1 {
		return "└─ "
	}
	return "├─ "
}

func trunk(i, of int) string {
	if i == of-1 {
		return "   "
	}
	return "│  "
}

// printLeaves prints Pods with what needs attention first.
func printLeaves(b io.Writer, out io.Writer, leaves []podLeaf, indent string, every bool) error {
	sorted := slices.Clone(leaves)
	slices.SortStableFunc(sorted, func(a, b podLeaf) int {
		if rank := int(b.Verdict) - int(a.Verdict); rank != 0 {
			return rank
		}
		return natural(a.Node, b.Node)
	})
	shown := sorted
	if !every {
		shown = sorted[:min(len(sorted), shownLeaves)]
	}
	more := len(sorted) - len(shown)
	lines := len(shown)
	if more > 0 {
		lines++
	}
	t := newTable(b, out)
	for i, leaf := range shown {
		state := leaf.State
		if leaf.Restarts > 0 {
			state += fmt.Sprintf(", %s", counted(leaf.Restarts, "restart"))
		}
		t.row(indent+branch(i, lines)+leaf.Node, dash(leaf.Pod), dash(state), dash(leaf.Age), string(leaf.Reason))
	}
	if err := t.flush(); err != nil || more == 0 {
		return err
	}
	_, err := fmt.Fprintf(b, "%s└─ and %d more\n", indent, more)
	return err
}
