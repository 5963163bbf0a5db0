package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/world"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// trial is a small scope in which a rule of the design shows what it protects from, with what the scopes of TestScopes do not have:
// another start, other settings, and further properties of what really is.
type trial struct {
	scope
	// conventional starts with the deployed DaemonSet of an embedder without a pair.
	conventional bool
	// change edits the document of every revision, after the first one was installed.
	change func(*model.Rollout)
	// settle is settleSeconds in seconds; no trace is as long.
	settle int32
	// always and steps are further properties; goal replaces the scopes' own if it is named.
	always []explore.Invariant[*state]
	steps  []explore.StepInvariant[*state]
	goal   explore.Goal[*state]
	// strict trials have faults that cost no agent by themselves.
	strict bool
	// endless trials have no end that every run reaches.
	endless bool
	// never are beginnings of transitions that need not happen, besides those of the scopes.
	never []string
}

// timed is a rollout whose Pods settle: its key has whether each Ready Pod has, and every transition that is enabled. It remembers
// no plans, since the memory's key has neither.
type timed struct {
	*rollout
	settle time.Duration
}

func (m timed) Key(s *state, buf []byte) []byte {
	clear(m.idle)
	buf = m.rollout.Key(s, buf)
	truth := s.asItIs()
	for i := range truth.Len() {
		for _, pod := range truth.Pods(i) {
			ready, since := model.ReadySince(pod)
			buf = append(buf, bit(ready && s.now.Sub(since) >= m.settle))
		}
	}
	for _, t := range s.world.Enabled(s.now) {
		buf = append(buf, transitionName(t)...)
	}
	return buf
}

// model makes the trial's model.
func (c *trial) model() (explore.Model[*state], error) {
	c.prompt, c.coarse = true, true
	m, err := c.scope.model()
	if err != nil {
		return nil, err
	}
	if c.conventional {
		if err := c.deploy(m); err != nil {
			return nil, err
		}
	}
	for _, document := range m.documents {
		if c.settle > 0 {
			document.Spec.Strategy.SettleSeconds = &c.settle
		}
		if c.change != nil {
			c.change(document)
		}
	}
	return timed{m, time.Duration(c.settle) * time.Second}, nil
}

// deploy lets the trial start with the first revision's plain DaemonSet, which serves.
func (c *trial) deploy(m *rollout) error {
	set := agent(c.revisions[0])
	set.UID, set.ResourceVersion, set.Generation = "uid-agent", "1", 1
	cluster, err := model.NewCluster(model.Objects{Nodes: c.machines(), DaemonSets: []*appsv1.DaemonSet{set}})
	if err != nil {
		return err
	}
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: m.documents[0]}, world.Options{NoStatusCounts: true, Behaviour: c.images})
	if err != nil {
		return err
	}
	m.start.world = w
	for m.start.world.Served(w.Nodes()[0]) != true || len(w.Enabled(m.start.now)) > 0 {
		list := w.Enabled(m.start.now)
		if len(list) == 0 {
			return fmt.Errorf("the deployed DaemonSet does not serve")
		}
		if _, err := w.Do(m.start.now, list[0]); err != nil {
			return err
		}
	}
	m.start.truth, m.start.view = nil, nil
	return nil
}

func (c *trial) judges(m explore.Model[*state]) explore.Properties[*state] {
	p := m.(timed).properties()
	p.Sometimes = nil
	if c.strict {
		p.Always = append(p.Always, explore.Invariant[*state]{Name: "nodes served, the fault costs none", Holds: costsNone})
	}
	p.Always = append(p.Always, c.always...)
	p.Steps = append(p.Steps, c.steps...)
	p.Steps = append(p.Steps, explore.StepInvariant[*state]{Name: "no handoff to what is not desired (S8)", Holds: c.noUnwantedHandoff})
	switch {
	case c.endless:
		p.Goals = nil
	case c.goal.Name != "":
		p.Goals = []explore.Goal[*state]{c.goal}
	}
	return p
}

func (c *trial) isFair(name string) bool {
	return fair(name) && !slices.ContainsFunc(c.never, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// slotKey and the like are the trials' own reading of a node.
var nodeKeys = model.NewKeys("", namespace, name)

// slotLabels are the nodes' slot labels as they are.
func slotLabels(s *state) map[string]string {
	truth, list := s.asItIs(), map[string]string{}
	for i := range truth.Len() {
		list[truth.Node(i).Name] = truth.Node(i).Labels[nodeKeys.NodeSlot]
	}
	return list
}

// servedBy tells whether the node is served by a Pod of the slot.
func servedBy(s *state, node, slot string) bool {
	return s.world.Served(node) && slices.ContainsFunc(s.world.Holders(node), func(h world.Holder) bool {
		return slotOf(h.Pod[strings.IndexByte(h.Pod, '/')+1:]) == slot
	})
}

// taken are the nodes that are labelled for the recorded target, which does not serve them.
func taken(s *state) (list []string) {
	target := ""
	for _, set := range s.asItIs().DaemonSets() {
		target = max(target, set.Annotations[nodeKeys.TargetSlot])
	}
	for node, label := range slotLabels(s) {
		if target != "" && label == target && !servedBy(s, node, target) {
			list = append(list, node)
		}
	}
	slices.Sort(list)
	return list
}

// aSeatForEveryHandoff: no label is written so that more nodes than maxUnavailable are handed over and not served by their target.
func aSeatForEveryHandoff(from *state, name string, to *state) error {
	before, after := taken(from), taken(to)
	if !fair(name) || len(after) <= 1 || len(after) <= len(before) {
		return nil
	}
	for _, node := range after {
		if slotLabels(from)[node] != slotLabels(to)[node] {
			return fmt.Errorf("%v are handed over, and the target serves none of them", after)
		}
	}
	return nil
}

// costsNone: at most one node is not served, whatever a person did.
func costsNone(s *state) error {
	without := slices.DeleteFunc(s.world.Nodes(), s.world.Served)
	if len(without) > 1 {
		return fmt.Errorf("%v are not served", without)
	}
	return nil
}

// whatKubernetesKeeps: no label is written that turns away the Pod that serves a tainted node.
func whatKubernetesKeeps(from *state, name string, to *state) error {
	truth := from.asItIs()
	for i := range truth.Len() {
		node := truth.Node(i)
		before, after := node.Labels[nodeKeys.NodeSlot], slotLabels(to)[node.Name]
		if !fair(name) || before == after || len(node.Spec.Taints) == 0 {
			continue
		}
		if from.world.Served(node.Name) {
			return fmt.Errorf("node %s is tainted and served, and its label becomes %q", node.Name, after)
		}
	}
	return nil
}

var (
	seats = explore.StepInvariant[*state]{Name: "a seat for every handoff (S2)", Holds: aSeatForEveryHandoff}
	keeps = explore.StepInvariant[*state]{Name: "a Pod that Kubernetes keeps is left alone (S9)", Holds: whatKubernetesKeeps}
)

func exempts(nodes int32) func(*model.Rollout) {
	return func(r *model.Rollout) { n := intstr.FromInt32(nodes); r.Spec.Strategy.ExemptUnhealthy = &n }
}

// on keeps the faults whose name begins so.
func on(faults func(*state) []world.Transition, prefixes ...string) func(*state) []world.Transition {
	return func(s *state) []world.Transition {
		return slices.DeleteFunc(faults(s), func(t world.Transition) bool {
			return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(transitionName(t), p) })
		})
	}
}

// taintFirst is a person who keeps the first node for others.
func taintFirst(*state) []world.Transition {
	return []world.Transition{{Kind: world.TaintNode, Node: "n1", Value: "dedicated=gpu:NoSchedule"}}
}

// joinsAfter is a second node, once the second revision is recorded as complete.
func joinsAfter(s *state) []world.Transition {
	for _, set := range s.asItIs().DaemonSets() {
		if set.Annotations[nodeKeys.ActiveSlot] != "green" || set.Annotations[nodeKeys.TargetSlot] != "" {
			return nil
		}
	}
	return []world.Transition{{Kind: world.JoinNode, Node: "n2", Value: "n1"}}
}

// newcomer: no Pod of a former revision is ever made on a node that joins after completion.
var newcomer = explore.Invariant[*state]{Name: "who joins gets what is complete (S9)", Holds: func(s *state) error {
	truth := s.asItIs()
	if n, ok := truth.Find("n2"); ok {
		for _, pod := range truth.Pods(n) {
			if image := pod.Spec.Containers[0].Image; image != imageOf(2) {
				return fmt.Errorf("node n2 joins after completion and gets %s", image)
			}
		}
	}
	return nil
}}

// livingNodes is the end of a rollout in which a node stays dead: every other one is served, and completion is recorded.
var livingNodes = explore.Goal[*state]{Name: "a dead node stops nobody (L7)", Again: true, Reached: func(s *state) bool {
	truth := s.asItIs()
	for i := range truth.Len() {
		if node := truth.Node(i); model.NodeReady(node) && !runs(s, node.Name, 1+s.desired) {
			return false
		}
	}
	return !slices.ContainsFunc(truth.DaemonSets(), func(set *appsv1.DaemonSet) bool {
		return set.Annotations[nodeKeys.TargetSlot] != "" || s.desired == 1 && set.Annotations[nodeKeys.ActiveSlot] != "green"
	})
}}

// secondNode is the end of a rollout whose target does not fit the first node.
var secondNode = explore.Goal[*state]{Name: "what is too big for one node reaches the other (L7)", Again: true, Reached: func(s *state) bool {
	return runs(s, "n2", 1+s.desired)
}}

// runs tells whether the revision serves the node.
func runs(s *state, node string, tag int) bool {
	truth := s.asItIs()
	n, _ := truth.Find(node)
	return s.world.Served(node) && slices.ContainsFunc(truth.Pods(n), func(p *corev1.Pod) bool {
		return p.Spec.Containers[0].Image == imageOf(tag) && slices.ContainsFunc(s.world.Holders(node), func(h world.Holder) bool { return h.Pod == p.Namespace+"/"+p.Name })
	})
}

// noUnwantedHandoff: no label is written for a recorded target that is not proven, and that is not what is desired.
func (c *trial) noUnwantedHandoff(from *state, name string, to *state) error {
	for _, set := range from.asItIs().DaemonSets() {
		target := set.Annotations[nodeKeys.TargetSlot]
		if target == "" || target != slotOf(set.Name) || set.Spec.Template.Spec.Containers[0].Image == imageOf(c.revisions[from.desired]) {
			continue
		}
		state, err := model.ParseState(set.Annotations[nodeKeys.State])
		if err != nil {
			return err
		}
		before, after := slotLabels(from), slotLabels(to)
		for node := range after {
			if fair(name) && before[node] != after[node] && after[node] == target && state.Proven != set.Annotations[nodeKeys.TargetRevision] {
				return fmt.Errorf("node %s is handed over to an image that is not desired any more", node)
			}
		}
	}
	return nil
}
