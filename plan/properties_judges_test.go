package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// violates judges by the independent validator.
func violates(property plan.Property) func(*chaos, *model.Snapshot, *model.Plan) error {
	return func(c *chaos, s *model.Snapshot, p *model.Plan) error {
		for _, v := range c.validated(s, p) {
			if v.Property == property {
				return errors.New(v.Message + " (node " + v.Node + ")")
			}
		}
		return nil
	}
}

// validated asks the validator once for all properties.
func (c *chaos) validated(s *model.Snapshot, p *model.Plan) []plan.Violation {
	if c.found == nil {
		found := plan.Validate(s, p)
		c.found = &found
	}
	return *c.found
}

func both(judges ...func(*chaos, *model.Snapshot, *model.Plan) error) func(*chaos, *model.Snapshot, *model.Plan) error {
	return func(c *chaos, s *model.Snapshot, p *model.Plan) error {
		for _, judge := range judges {
			if err := judge(c, s, p); err != nil {
				return err
			}
		}
		return nil
	}
}

// oneProcess is S1, as it really is.
func oneProcess(c *chaos) error { return c.world.Check() }

// sentOnce sends the plan's patches twice: the second time none may change anything.
func sentOnce(c *chaos, _ *model.Snapshot, p *model.Plan) error {
	if len(p.Actions) == 0 {
		return nil
	}
	w := c.world.Clone()
	for i := range p.Actions {
		a := &p.Actions[i]
		first, err := w.Apply(c.now, a.Write)
		if err != nil || a.Write.Delete != nil {
			continue // refused already, or a delete, which says nothing new the second time
		}
		if second, err := w.Apply(c.now, a.Write); err == nil && second != first {
			return fmt.Errorf("the %s of %s was sent twice and changed something twice", a.Kind, a.Write.Object)
		}
	}
	return nil
}

// noLateHandoff is the second half of S7.
func noLateHandoff(c *chaos) error {
	if c.seen[lateHandoff] > 0 {
		return errors.New("a handoff of a dead executor had an effect after its successor's first")
	}
	return nil
}

// fewRepairs is S10. In its game nothing but hands moves a node.
func fewRepairs(c *chaos) error {
	for node, writes := range c.labelled {
		if c.warm && writes > 4 {
			return fmt.Errorf("node %s was labelled %d times since a person labelled it", node, writes)
		}
	}
	return nil
}

// reasoned: a report without a reason says nothing.
func reasoned(_ *chaos, _ *model.Snapshot, p *model.Plan) error {
	for i := range p.Nodes {
		if r := &p.Nodes[i]; !knownReasons[r.Reason] {
			return fmt.Errorf("the report of node %s has the reason %q", r.Node, r.Reason)
		}
	}
	for i := range p.Actions {
		if a := &p.Actions[i]; !knownReasons[a.Reason] {
			return fmt.Errorf("the %s of %s has the reason %q", a.Kind, a.Write.Object, a.Reason)
		}
	}
	return nil
}

var knownReasons = func() map[model.Reason]bool {
	known := map[model.Reason]bool{}
	for _, r := range model.Reasons() {
		known[r] = true
	}
	return known
}()

// repeatable is S12, judged at every eighth plan: it plans three times more, the last time from lists in another order.
func repeatable(c *chaos, s *model.Snapshot, p *model.Plan) error {
	if c.plans%8 != 0 {
		return nil
	}
	before, want := textOf(s), jsonOf(p)
	for _, same := range []struct {
		how      string
		snapshot *model.Snapshot
	}{{"again", s}, {"from a copy", shuffled(s, nil)}, {"from lists in another order", shuffled(s, rand.New(rand.NewPCG(uint64(len(c.log)), 1)))}} {
		again, err := c.next(same.snapshot)
		if err != nil {
			return err
		}
		if got := jsonOf(&again); got != want {
			return fmt.Errorf("planning %s gives other bytes:\n%s\n%s", same.how, want, got)
		}
	}
	if textOf(s) != before {
		return errors.New("planning changed its input")
	}
	return nil
}

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// objectsOf lists what a cluster was made from.
func objectsOf(c *model.Cluster) (o model.Objects) {
	for i := range c.Len() {
		o.Nodes = append(o.Nodes, c.Node(i))
		o.Pods = append(o.Pods, c.Pods(i)...)
	}
	o.Pods = append(o.Pods, c.Stray()...)
	o.DaemonSets = append(o.DaemonSets, c.DaemonSets()...)
	return o
}

func textOf(s *model.Snapshot) string { return jsonOf(objectsOf(s.Cluster)) + jsonOf(s.Rollout) }

// changed returns a deep copy of the snapshot after a change of its objects and its document.
func changed(s *model.Snapshot, change func(*model.Objects, *model.Rollout)) *model.Snapshot {
	o := objectsOf(s.Cluster)
	for i := range o.Nodes {
		o.Nodes[i] = o.Nodes[i].DeepCopy()
	}
	for i := range o.Pods {
		o.Pods[i] = o.Pods[i].DeepCopy()
	}
	for i := range o.DaemonSets {
		o.DaemonSets[i] = o.DaemonSets[i].DeepCopy()
	}
	r := *s.Rollout
	r.Metadata.Annotations = maps.Clone(r.Metadata.Annotations)
	r.Status.Issued = slices.Clone(r.Status.Issued)
	r.Status.OtherPods.Nodes = slices.Clone(r.Status.OtherPods.Nodes)
	if r.Spec.Desired != nil {
		r.Spec.Desired = r.Spec.Desired.DeepCopy()
	}
	change(&o, &r)
	cluster, err := model.NewCluster(o)
	if err != nil {
		panic(err)
	}
	return &model.Snapshot{Cluster: cluster, Rollout: &r}
}

// shuffled returns a deep copy with every list in another order; in the same one without randomness.
func shuffled(s *model.Snapshot, r *rand.Rand) *model.Snapshot {
	return changed(s, func(o *model.Objects, rollout *model.Rollout) {
		if r == nil {
			return
		}
		r.Shuffle(len(o.Nodes), func(i, j int) { o.Nodes[i], o.Nodes[j] = o.Nodes[j], o.Nodes[i] })
		r.Shuffle(len(o.Pods), func(i, j int) { o.Pods[i], o.Pods[j] = o.Pods[j], o.Pods[i] })
		r.Shuffle(len(o.DaemonSets), func(i, j int) { o.DaemonSets[i], o.DaemonSets[j] = o.DaemonSets[j], o.DaemonSets[i] })
		issued, names := rollout.Status.Issued, rollout.Status.OtherPods.Nodes
		r.Shuffle(len(issued), func(i, j int) { issued[i], issued[j] = issued[j], issued[i] })
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	})
}

// unserved counts the nodes without an agent, as it really is.
func (c *chaos) unserved() (count int) {
	for _, node := range c.world.Nodes() {
		if !c.world.Served(node) {
			count++
		}
	}
	return count
}

// withinBudget is the first half of L6. In its game nothing fails but the target.
func withinBudget(c *chaos) error {
	if limit := c.rollout.Spec.Strategy.MaxUnavailable.IntValue(); c.warm && c.unserved() > limit {
		return fmt.Errorf("%d nodes have no agent, maxUnavailable is %d", c.unserved(), limit)
	}
	return nil
}

// nothingLeft is the end of L1 and of what leads to it: complete, every node served by the desired revision, and nothing
// to do an hour later.
func nothingLeft(c *chaos) error {
	p := c.last
	if !p.Complete() || p.Pair.Updated != c.setting.nodes || p.Pair.Desired != c.setting.nodes || c.unserved() > 0 {
		return fmt.Errorf("it ended %s with %d of %d updated, %d unserved: %+v %+v %v", p.Phase, p.Pair.Updated, p.Pair.Desired, c.unserved(), p.Blocked(), p.Waits, p.Nodes)
	}
	for _, pod := range c.agents() {
		if want := c.rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Image; pod.Spec.Containers[0].Image != want {
			return fmt.Errorf("Pod %s runs %s, desired is %s", pod.Name, pod.Spec.Containers[0].Image, want)
		}
	}
	c.wait(3600e9)
	if p = c.plan(); !p.Complete() {
		return fmt.Errorf("it does not stay: %s with %d actions", p.Phase, len(p.Actions))
	}
	return nil
}

// agents and sets are the rollout's own, as they really are.
func (c *chaos) agents() (pods []*corev1.Pod) {
	for _, pod := range c.truth().Pods {
		if pod.Namespace == namespace {
			pods = append(pods, pod)
		}
	}
	return pods
}

func (c *chaos) sets() []*appsv1.DaemonSet { return c.truth().DaemonSets }

func (c *chaos) truth() model.Objects {
	s, err := c.world.Truth(c.now, c.rollout)
	if err != nil {
		c.fail(err)
		return model.Objects{}
	}
	return objectsOf(s.Cluster)
}

// wentBack is L5: the end is the one that the intent names.
func wentBack(c *chaos) error {
	p := c.last
	if !p.Complete() {
		return fmt.Errorf("%s ended %s: %+v %+v %v", c.rollout.Spec.Intent, p.Phase, p.Blocked(), p.Waits, p.Nodes)
	}
	sets, marks := c.sets(), 0
	for _, node := range c.truth().Nodes {
		if _, ok := node.Labels[slotKeys.NodeSlot]; ok {
			marks++
		}
	}
	switch c.rollout.Spec.Intent {
	case model.Teardown:
		// A Pod that a person has orphaned is the person's.
		owned := slices.DeleteFunc(c.agents(), func(pod *corev1.Pod) bool { return model.ControllerUID(pod) == "" })
		if len(sets)+len(owned)+marks > 0 || !p.ReleaseOwner {
			return fmt.Errorf("the teardown left %d DaemonSets, %d Pods and %d labels", len(sets), len(owned), marks)
		}
		return nil
	case model.OptOut:
		if len(sets) != 1 || marks > 0 || sets[0].Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
			return fmt.Errorf("the opt-out left %d DaemonSets and %d labels", len(sets), marks)
		}
	case model.Run:
		return nothingLeft(c)
	}
	if c.unserved() > 0 {
		return fmt.Errorf("%d nodes have no agent", c.unserved())
	}
	return nil
}

// brokenNode is L7: the others are served by the desired revision while the node is broken, and it follows once it is
// mended.
func brokenNode(c *chaos) error {
	if p := c.last; !p.Complete() {
		return fmt.Errorf("with a broken node it ended %s: %+v %+v %v", p.Phase, p.Blocked(), p.Waits, p.Nodes)
	}
	for _, pod := range c.agents() {
		if pod.Spec.NodeName != c.world.Nodes()[0] && pod.Spec.Containers[0].Image != c.rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Image {
			return fmt.Errorf("Pod %s runs %s while another node is broken", pod.Name, pod.Spec.Containers[0].Image)
		}
	}
	c.heal("")
	c.finish()
	if c.broke != nil {
		return c.broke
	}
	return nothingLeft(c)
}
