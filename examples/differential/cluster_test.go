package differential

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/klog/v2"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
)

var start = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

const namespace = "datadog"

// cluster is what one sync sees.
type cluster struct {
	number uint64
	now    time.Time
	set    *appsv1.DaemonSet
	nodes  []*corev1.Node
	pods   []*corev1.Pod
	hash   string // of the present template

	rng *rand.Rand
}

// randomCluster returns the cluster of that number: always the same one for the same seed. In seven of ten
// the manage step finds little to do, so that the update step has its turn.
func randomCluster(seed, number uint64) *cluster {
	c := &cluster{number: number, now: start.Add(time.Hour), rng: rand.New(rand.NewPCG(seed, number))}
	c.addSet()
	calm := c.chance(70)
	for i := range 1 + c.rng.IntN(8) {
		node := c.addNode(fmt.Sprintf("n%d", i))
		if calm {
			c.addCalmPods(node)
			continue
		}
		for range c.rng.IntN(4) {
			c.addPod(node.Name, c.anyPod())
		}
	}
	return c
}

func (c *cluster) chance(percent int) bool { return c.rng.IntN(100) < percent }

func pick[T any](c *cluster, choices ...T) T { return choices[c.rng.IntN(len(choices))] }

func (c *cluster) addSet() {
	name := fmt.Sprintf("agent-%d", c.number)
	marks, revisions := map[string]string{"app": "agent"}, int32(10)
	c.set = &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, UID: types.UID("set-" + name), ResourceVersion: "1", Generation: 2,
			CreationTimestamp: metav1.NewTime(start),
		},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: marks},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: marks},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "agent", Image: "agent:2"}}},
			},
			UpdateStrategy:       c.strategy(),
			MinReadySeconds:      pick[int32](c, 0, 0, 10, 30),
			RevisionHistoryLimit: &revisions,
		},
		Status: appsv1.DaemonSetStatus{ObservedGeneration: 2},
	}
	c.place(&c.set.Spec.Template.Spec)
	c.hash = hashOf(&c.set.Spec.Template)
}

// hashOf is the controller-revision-hash that the real controller gives the template.
func hashOf(template *corev1.PodTemplateSpec) string {
	return kubecontroller.ComputeHash(template, nil)
}

func (c *cluster) strategy() appsv1.DaemonSetUpdateStrategy {
	if c.chance(5) {
		return appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	}
	value := intstr.FromInt32(pick[int32](c, 0, 1, 1, 1, 2, 2, 3, 5))
	if c.chance(40) {
		value = intstr.FromString(fmt.Sprintf("%d%%", pick(c, 0, 1, 10, 25, 34, 50, 100)))
	}
	none := intstr.FromInt32(0)
	if c.chance(50) {
		return rolling(&none, &value)
	}
	return rolling(&value, &none)
}

func rolling(maxUnavailable, maxSurge *intstr.IntOrString) appsv1.DaemonSetUpdateStrategy {
	return appsv1.DaemonSetUpdateStrategy{
		Type:          appsv1.RollingUpdateDaemonSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: maxUnavailable, MaxSurge: maxSurge},
	}
}

// place gives the template what decides where it may run.
func (c *cluster) place(spec *corev1.PodSpec) {
	spec.HostNetwork = c.chance(30)
	switch c.rng.IntN(8) {
	case 0:
		spec.NodeSelector = map[string]string{"zone": "a"}
	case 1, 2:
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: c.terms()},
		}}
	case 3:
		if c.chance(20) {
			spec.NodeName = "n0"
		}
	}
	switch c.rng.IntN(6) {
	case 0:
		spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Operator: corev1.TolerationOpExists}}
	case 1:
		spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Value: "x", Effect: corev1.TaintEffectNoSchedule}}
	case 2:
		if c.chance(30) {
			spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
		}
	}
}

func (c *cluster) terms() (terms []corev1.NodeSelectorTerm) {
	for range c.rng.IntN(3) {
		var term corev1.NodeSelectorTerm
		for range c.rng.IntN(3) {
			term.MatchExpressions = append(term.MatchExpressions, pick(c,
				corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{"a", "b"}},
				corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"b"}},
				corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpExists},
				corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpDoesNotExist},
				corev1.NodeSelectorRequirement{Key: "size", Operator: corev1.NodeSelectorOpGt, Values: []string{"4"}},
				corev1.NodeSelectorRequirement{Key: "size", Operator: corev1.NodeSelectorOpLt, Values: []string{"8"}},
				corev1.NodeSelectorRequirement{Key: "size", Operator: corev1.NodeSelectorOpGt, Values: []string{"big"}}, // malformed
			))
		}
		if c.chance(15) {
			term.MatchFields = []corev1.NodeSelectorRequirement{
				{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpNotIn, Values: []string{"n1"}},
			}
		}
		terms = append(terms, term)
	}
	return terms
}

func (c *cluster) addNode(name string) *corev1.Node {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("node-" + name), ResourceVersion: "1",
			CreationTimestamp: metav1.NewTime(start), Labels: map[string]string{}},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
	}
	if zone := pick(c, "a", "a", "b", ""); zone != "" {
		node.Labels["zone"] = zone
	}
	if size := pick(c, "2", "5", "9", "big", ""); size != "" {
		node.Labels["size"] = size
	}
	taint := func(key, value string, effects ...corev1.TaintEffect) {
		for _, effect := range effects {
			node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: effect})
		}
	}
	const keep, evict = corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute
	switch c.rng.IntN(20) {
	case 0, 1:
		taint("dedicated", pick(c, "x", "y"), keep)
	case 2:
		taint("dedicated", "x", evict)
	case 3:
		taint("dedicated", "", corev1.TaintEffectPreferNoSchedule)
	case 4:
		node.Status.Conditions[0].Status = corev1.ConditionFalse
		taint(corev1.TaintNodeNotReady, "", keep, evict)
	case 5:
		node.Status.Conditions[0].Status = corev1.ConditionUnknown
		taint(corev1.TaintNodeUnreachable, "", evict)
	case 6:
		node.Spec.Unschedulable = true
		taint(corev1.TaintNodeUnschedulable, "", keep)
	case 7:
		taint(pick(c, corev1.TaintNodeNetworkUnavailable, corev1.TaintNodeDiskPressure, corev1.TaintNodePIDPressure), "", keep)
	}
	c.nodes = append(c.nodes, node)
	return node
}

// state is what a Pod of the cluster is like.
type state struct {
	old         bool
	phase       corev1.PodPhase
	unbound     bool
	terminating bool
	orphan      bool
	ready       bool
	readyFor    time.Duration
}

// running is a bound Pod in any state of readiness.
func (c *cluster) running() state {
	s := state{old: c.chance(65), phase: corev1.PodRunning, ready: c.chance(70)}
	minReady := time.Duration(c.set.Spec.MinReadySeconds) * time.Second
	s.readyFor = pick(c, minReady+time.Minute, minReady+time.Minute, minReady, max(0, minReady-time.Second))
	return s
}

func (c *cluster) anyPod() state {
	s := c.running()
	switch c.rng.IntN(12) {
	case 0:
		s.phase, s.ready = corev1.PodFailed, false
	case 1:
		s.phase, s.ready = corev1.PodSucceeded, false
	case 2:
		s.phase, s.ready, s.unbound = corev1.PodPending, false, true
	case 3:
		s.orphan, s.old = true, true
	}
	s.terminating = c.chance(20)
	return s
}

// addCalmPods adds Pods that the manage step mostly leaves alone.
func (c *cluster) addCalmPods(node *corev1.Node) {
	shouldRun, goesOn := c.judge(node)
	if !goesOn || !shouldRun && c.chance(30) {
		return
	}
	if c.chance(12) {
		gone := c.running()
		gone.terminating = true
		c.addPod(node.Name, gone)
		if c.chance(40) {
			return
		}
	}
	first := c.running()
	if c.surges() && c.chance(35) {
		next := c.running()
		first.old, next.old = true, false
		if c.chance(80) {
			first.ready, next.ready = true, c.chance(20)
		}
		c.addPod(node.Name, next)
	}
	c.addPod(node.Name, first)
}

func (c *cluster) surges() bool {
	rolling := c.set.Spec.UpdateStrategy.RollingUpdate
	return rolling != nil && *rolling.MaxSurge != intstr.FromInt32(0) && *rolling.MaxSurge != intstr.FromString("0%")
}

func (c *cluster) judge(node *corev1.Node) (shouldRun, goesOn bool) {
	return daemon.NodeShouldRunDaemonPod(klog.Background(), node, c.set)
}

func (c *cluster) addPod(node string, s state) {
	name := fmt.Sprintf("agent-%d-%c%d", c.number, 'a'+rune(c.rng.IntN(26)), len(c.pods))
	template := c.set.Spec.Template.DeepCopy()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, UID: types.UID("pod-" + name), ResourceVersion: "1",
			CreationTimestamp: metav1.NewTime(c.now.Add(-time.Duration(1+c.rng.IntN(4)) * time.Minute)),
			Labels:            template.Labels,
		},
		Spec:   template.Spec,
		Status: corev1.PodStatus{Phase: s.phase},
	}
	pod.Labels[appsv1.ControllerRevisionHashLabelKey] = c.hash
	if s.old {
		pod.Labels[appsv1.ControllerRevisionHashLabelKey] = pick(c, "former", "older")
		pod.Spec.Containers[0].Image = "agent:1"
	}
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{
				{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
			},
		}}},
	}}
	pod.Spec.NodeName = node
	if s.unbound {
		pod.Spec.NodeName = ""
	}
	if !s.orphan {
		pod.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(c.set, appsv1.SchemeGroupVersion.WithKind("DaemonSet"))}
	}
	if s.terminating {
		at, grace := metav1.NewTime(c.now.Add(10*time.Second)), int64(30)
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &at, &grace
	}
	status := corev1.ConditionFalse
	if s.ready {
		status = corev1.ConditionTrue
	}
	pod.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.NewTime(c.now.Add(-s.readyFor))},
	}
	c.pods = append(c.pods, pod)
}

// String draws the cluster: a line a node, a letter a Pod. O is an old Ready Pod, o an old one that is not
// Ready, N and n the same of the present template; behind it ~ for a terminating one, ! for one that has
// ended, ? for one that is not bound, = for an orphan.
func (c *cluster) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "cluster %d: %s, minReadySeconds %d, nodeName %q, selector %v, affinity %v, tolerations %v\n",
		c.number, drawStrategy(&c.set.Spec.UpdateStrategy), c.set.Spec.MinReadySeconds, c.set.Spec.Template.Spec.NodeName,
		c.set.Spec.Template.Spec.NodeSelector, c.set.Spec.Template.Spec.Affinity, c.set.Spec.Template.Spec.Tolerations)
	for _, node := range c.nodes {
		shouldRun, goesOn := c.judge(node)
		fmt.Fprintf(&text, "  %s shouldRun=%v goesOn=%v", node.Name, shouldRun, goesOn)
		for _, p := range c.podsOn(node.Name) {
			fmt.Fprintf(&text, "  %s", c.drawPod(p))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func drawStrategy(s *appsv1.DaemonSetUpdateStrategy) string {
	if s.RollingUpdate == nil {
		return string(s.Type)
	}
	return fmt.Sprintf("maxUnavailable %s, maxSurge %s", s.RollingUpdate.MaxUnavailable, s.RollingUpdate.MaxSurge)
}

func (c *cluster) drawPod(p *corev1.Pod) string {
	letter := "n"
	if p.Labels[appsv1.ControllerRevisionHashLabelKey] != c.hash {
		letter = "o"
	}
	ready := p.Status.Conditions[0]
	since := ""
	if ready.Status == corev1.ConditionTrue {
		letter = strings.ToUpper(letter)
		since = fmt.Sprintf(" ready for %s", c.now.Sub(ready.LastTransitionTime.Time))
	}
	switch {
	case p.DeletionTimestamp != nil:
		letter += "~"
	case p.Spec.NodeName == "":
		letter += "?"
	case len(p.OwnerReferences) == 0:
		letter += "="
	}
	if ended(p) {
		letter += "!"
	}
	return fmt.Sprintf("%s (%s, %s old%s)", letter, p.Name, c.now.Sub(p.CreationTimestamp.Time), since)
}

func (c *cluster) podsOn(node string) (pods []*corev1.Pod) {
	for _, p := range c.pods {
		if pinnedTo(p) == node {
			pods = append(pods, p)
		}
	}
	return pods
}

func ended(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded
}
