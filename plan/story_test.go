package plan_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the stories' expected output")

// TestStories plays every story in testdata/stories and compares what happened with what stands below the line. The
// language is explained in testdata/stories/LEGEND.md. On the way every plan passes the validator, no two processes of
// one component run on a node, and no plan takes more nodes than its budget.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/*.story")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 15)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".story"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			script, want, _ := strings.Cut(string(text), "----\n")
			got := tell(t, script)
			if *rewrite {
				require.NoError(t, os.WriteFile(file, []byte(script+"----\n"+got), 0o644))
				return
			}
			require.Equal(t, want, got)
		})
	}
}

// teller plays one script.
type teller struct {
	t       *testing.T
	lab     *lab
	nodes   []*corev1.Node
	pods    []*corev1.Pod
	sets    []*appsv1.DaemonSet
	rollout *model.Rollout
	tag     string
	images  map[string]world.Behaviour
	quiet   bool
	out     strings.Builder
}

func tell(t *testing.T, script string) string {
	s := &teller{t: t, rollout: rolloutOf("1"), tag: "1", images: map[string]world.Behaviour{}}
	for number, line := range strings.Split(script, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if !s.command(words[0], words[1:]) {
			t.Fatalf("line %d: %q is no command of the language", number+1, line)
		}
	}
	return s.out.String()
}

func (s *teller) command(verb string, args []string) bool {
	return s.setUp(verb, args) || s.drive(verb, args) || s.execute(verb, args) || s.disturb(verb, args) || s.show(verb)
}

// setUp are the commands that describe the cluster and the document.
func (s *teller) setUp(verb string, args []string) bool {
	switch verb {
	case "nodes":
		count, err := strconv.Atoi(args[0])
		require.NoError(s.t, err)
		s.nodes = workers(count)
	case "zone":
		for _, name := range args[1:] {
			s.nodeNamed(name).Labels[corev1.LabelTopologyZone] = args[0]
		}
	case "full":
		s.pods = append(s.pods, tenant(args[0], args[1]))
	case "small":
		s.nodeNamed(args[0]).Status.Allocatable[corev1.ResourceCPU] = resource.MustParse(args[1])
	case "taint":
		key, value, _ := strings.Cut(args[1], "=")
		n := s.nodeNamed(args[0])
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffectNoSchedule})
	case "deployed":
		set := conventional(args[0])
		set.UID, set.ResourceVersion, set.Generation = "uid-agent", "1", 1
		s.sets = append(s.sets, set)
	case "deployed-desired": // the desired one, as it is now
		set := s.rollout.Spec.Desired.DeepCopy()
		set.UID, set.ResourceVersion, set.Generation = "uid-agent", "1", 1
		s.sets = append(s.sets, set)
	case "image":
		for _, behaviour := range world.Behaviours() {
			if behaviour.String() == args[1] {
				s.images["agent:"+args[0]] = behaviour
				if s.lab != nil {
					s.lab.world.SetBehaviour("agent:"+args[0], behaviour)
				}
				return true
			}
		}
		s.t.Fatalf("unknown behaviour %q", args[1])
	case "desired":
		s.tag = args[0]
		s.rollout.Spec.Desired = conventional(s.tag)
	case "set":
		for _, assignment := range args {
			s.set(assignment)
		}
	default:
		return false
	}
	return true
}

func (s *teller) set(assignment string) {
	key, value, _ := strings.Cut(assignment, "=")
	strategy, number := &s.rollout.Spec.Strategy, intstr.Parse(value)
	switch key {
	case "maxUnavailable":
		strategy.MaxUnavailable = &number
	case "maxSurge":
		strategy.MaxSurge = &number
	case "partition":
		strategy.Partition = &number
	case "exempt":
		strategy.ExemptUnhealthy = &number
	case "maxWrites":
		strategy.MaxWrites = &number.IntVal
	case "settle":
		strategy.SettleSeconds = &number.IntVal
	case "deadline":
		s.rollout.Spec.Failure.ProgressDeadlineSeconds = &number.IntVal
	case "maxRestarts":
		s.rollout.Spec.Failure.MaxRestarts = &number.IntVal
	case "spread":
		strategy.SpreadBy = []string{value}
	case "type":
		strategy.Type = model.StrategyType(value)
	case "slowStart": // interval:increase
		interval, increase, _ := strings.Cut(value, ":")
		d, err := time.ParseDuration(interval)
		require.NoError(s.t, err)
		strategy.SlowStart = &model.SlowStart{Interval: metav1.Duration{Duration: d}, Increase: intstr.Parse(increase)}
	case "overlap":
		strategy.Overlap = model.OverlapMode(value) // empty for the default
	case "paused":
		strategy.Paused = value == "true"
	case "frozen":
		strategy.Frozen = value == "true"
	case "intent":
		s.rollout.Spec.Intent = model.Intent(value)
	case "action":
		s.rollout.Spec.Failure.Action = model.FailureAction(value)
	case "retry":
		s.rollout.Spec.Decision.Retry = s.revision(value)
	case "lock":
		s.rollout.Spec.Lock.Preset = value
	case "recover":
		s.rollout.Spec.Decision = model.Decision{Revision: s.lab.last.Pair.TargetRevision, Recover: model.Direction(value)}
	case "template":
		s.editTemplate(value)
	default:
		require.True(s.t, s.setCanary(key, value), "unknown setting %q", key)
	}
}

func (s *teller) editTemplate(value string) {
	template := &s.rollout.Spec.Desired.Spec.Template
	template.Labels = maps.Clone(template.Labels)
	switch value {
	case "hook":
		template.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 5}}}
	case "component":
		more := template.Spec.Containers[0].DeepCopy()
		more.Name, more.Command = "process-agent", []string{"process-agent"}
		template.Spec.Containers = append(template.Spec.Containers, *more)
	case "big":
		template.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("1")
	case "huge":
		template.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("64")
	case "host-port":
		template.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8126, HostPort: 8126}}
	case "broad": // no second agent on the node, as the Agent's own anti-affinity says
		template.Labels["agent.datadoghq.com/component"], template.Labels["agent.datadoghq.com/name"] = "agent", "datadog"
		template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: apart("agent.datadoghq.com/component", "agent")}
	case "alone": // the same in words of its own
		template.Labels["one"] = "each"
		template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: apart("one", "each")}
	case "selector":
		s.rollout.Spec.Desired.Spec.Selector.MatchLabels["team"] = "core"
	default:
		s.t.Fatalf("unknown template edit %q", value)
	}
}

// apart keeps Pods with the label off a node that has one.
func apart(key, value string) *corev1.PodAntiAffinity {
	return &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
		TopologyKey:   corev1.LabelHostname,
		LabelSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{value}}}},
	}}}
}

func (s *teller) revision(tag string) string {
	if tag == "" {
		return ""
	}
	rollout := *s.rollout
	rollout.Spec.Desired = conventional(tag)
	rendering, err := plan.Render(&model.Snapshot{Cluster: s.snapshot().Cluster, Rollout: &rollout})
	require.NoError(s.t, err)
	return rendering.Revision
}

func (s *teller) nodeNamed(name string) *corev1.Node {
	for _, n := range s.nodes {
		if n.Name == name {
			return n
		}
	}
	s.t.Fatalf("no node %q", name)
	return nil
}

// tenant is another workload's Pod that takes so much CPU of a node.
func tenant(node, cpu string) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name, pod.UID, pod.ResourceVersion = "shop", "cart-"+node, types.UID("uid-cart-"+node), "1"
	pod.Spec.NodeName = node
	pod.Spec.Containers = []corev1.Container{{Name: "cart", Image: "cart", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}}}
	pod.Status.Phase = corev1.PodRunning
	return pod
}

// start builds the world at the first command that needs it.
func (s *teller) start() *lab {
	if s.lab != nil {
		return s.lab
	}
	cluster, err := model.NewCluster(model.Objects{Nodes: s.nodes, Pods: s.pods, DaemonSets: s.sets})
	require.NoError(s.t, err)
	w, err := world.New(&model.Snapshot{Cluster: cluster, Rollout: s.rollout}, world.Options{Behaviour: s.images, Lagging: true})
	require.NoError(s.t, err)
	s.lab = &lab{t: s.t, world: w, rollout: s.rollout, now: start}
	return s.lab
}

// drive are the commands that let time pass.
func (s *teller) drive(verb string, args []string) bool {
	switch verb {
	case "pair", "steady": // a steady pair, or single DaemonSet, of that tag, without a word
		s.tag = args[0]
		s.rollout.Spec.Desired = conventional(s.tag)
		s.start().settle()
		p := s.lab.run()
		require.True(s.t, p.Complete(), "%+v", p.Conditions)
	case "settle":
		s.start().settle()
	case "run":
		s.play(400, func(*model.Plan) bool { return false })
	case "steps":
		count, err := strconv.Atoi(args[0])
		require.NoError(s.t, err)
		s.play(count, func(*model.Plan) bool { return false })
	case "until":
		s.play(400, func(p *model.Plan) bool {
			for i := range p.Actions {
				if string(p.Actions[i].Reason) == args[0] {
					return true
				}
			}
			return false
		})
	case "wait":
		d, err := time.ParseDuration(args[0])
		require.NoError(s.t, err)
		s.start().now = s.lab.now.Add(d)
		s.lab.settle()
	default:
		return false
	}
	return true
}

// play plans and carries out, so often or until the plan has nothing to do and nothing to come.
func (s *teller) play(most int, enough func(*model.Plan) bool) {
	l := s.start()
	l.settle()
	for range most {
		p := l.step()
		happened := l.settle()
		s.narrate(&p)
		switch {
		case enough(&p):
			return
		case len(p.Actions) > 0 || happened:
			l.now = l.now.Add(time.Second)
		case p.RequeueAfter > 0:
			l.now = l.now.Add(p.RequeueAfter)
		default:
			if !s.quiet {
				s.end(&p)
			}
			return
		}
	}
}

func (s *teller) end(p *model.Plan) {
	outcome := "rests"
	if p.Complete() {
		outcome = "complete"
	}
	if blocked := p.Blocked(); blocked != nil {
		outcome = "blocked: " + blocked.Reason + ": " + s.plain(blocked.Message)
	}
	fmt.Fprintf(&s.out, "%s %s %s\n", s.clock(), p.Phase, outcome)
}

// plain replaces revisions, which are hashes, by their tags.
func (s *teller) plain(text string) string {
	for tag := 1; tag < 10; tag++ {
		if !strings.Contains(text, "ision ") && !strings.Contains(text, "retry") {
			return text
		}
		revision := s.revision(strconv.Itoa(tag))
		text = strings.ReplaceAll(text, revision, "<"+strconv.Itoa(tag)+">")
		text = strings.ReplaceAll(text, revision[:12], "<"+strconv.Itoa(tag)+">")
	}
	return text
}

func (s *teller) clock() string { return "+" + s.lab.now.Sub(start).Round(time.Second).String() }

// narrate tells a plan's actions and the nodes after them.
func (s *teller) narrate(p *model.Plan) {
	if len(p.Actions) == 0 || s.quiet {
		return
	}
	fmt.Fprintf(&s.out, "%s %s\n", s.clock(), p.Phase)
	for i := range p.Actions {
		a := &p.Actions[i]
		cost := ""
		if seat := a.Cost.SeatTaken(); seat != budget.NoSeat {
			cost = " (" + seat.String() + ")"
		}
		if fate := s.lab.sending.fates[i]; fate != "" {
			cost += " — " + fate
		}
		fmt.Fprintf(&s.out, "  %s %s %s%s%s\n", a.Kind, a.Write.Object.Name, a.Reason, s.labelEdit(a), cost)
	}
	fmt.Fprintf(&s.out, "    %s\n", s.draw())
}

func (s *teller) labelEdit(a *model.Action) string {
	if a.Kind != model.SetNodeSlot {
		return ""
	}
	edit := a.Write.Patch.Labels[0]
	from := "-"
	if edit.From != nil {
		from = *edit.From
	}
	if edit.To == nil {
		return " " + from + " → -"
	}
	return " " + from + " → " + *edit.To
}

func (s *teller) snapshot() *model.Snapshot {
	snapshot, err := s.start().world.Truth(s.lab.now, s.rollout)
	require.NoError(s.t, err)
	return snapshot
}

// disturb are faults and the hands of people.
func (s *teller) disturb(verb string, args []string) bool {
	key := model.NewKeys(s.rollout.Spec.Slots.Domain, namespace, "agent").NodeSlot
	switch verb {
	case "label":
		for _, name := range strings.Split(args[0], ",") {
			s.do(world.Transition{Kind: world.EditLabel, Node: name, Value: key + "=" + args[1]})
		}
	case "unlabel":
		s.do(world.Transition{Kind: world.EditLabel, Node: args[0], Value: key + "-"})
	case "mark": // a label of another kind, key=value
		s.do(world.Transition{Kind: world.EditLabel, Node: args[0], Value: args[1]})
	case "kill-set":
		s.do(world.Transition{Kind: world.KillSet, Set: namespace + "/" + args[0], Value: args[1]})
	case "kill-pod":
		s.do(world.Transition{Kind: world.KillPod, Node: args[0], Pod: s.podOf(args[0], args[1])})
	case "crash":
		s.do(world.Transition{Kind: world.Crash, Node: args[0], Pod: s.podOf(args[0], args[1]), Container: args[2]})
	case "unready":
		s.do(world.Transition{Kind: world.StopReadiness, Node: args[0], Pod: s.podOf(args[0], args[1]), Container: "agent"})
	case "edit-template":
		s.do(world.Transition{Kind: world.EditTemplate, Set: namespace + "/" + args[0], Container: "agent", Value: "agent:" + args[1]})
	case "fault":
		kind, ok := world.ParseKind(args[0])
		require.True(s.t, ok, "unknown fault %q", args[0])
		transition := world.Transition{Kind: kind, Node: args[1]}
		if len(args) > 2 {
			transition.Value = args[2]
		}
		s.do(transition)
	default:
		return false
	}
	return true
}

func (s *teller) podOf(node, slot string) string {
	cluster := s.snapshot().Cluster
	i, ok := cluster.Find(node)
	require.True(s.t, ok, "no node %q", node)
	for _, pod := range cluster.Pods(i) {
		if pod.Namespace == namespace && strings.HasPrefix(s.drawPod(pod), slot[:1]) {
			return pod.Namespace + "/" + pod.Name
		}
	}
	s.t.Fatalf("no %s Pod on %s: %s", slot, node, s.draw())
	return ""
}

func (s *teller) do(transition world.Transition) {
	_, err := s.start().world.Do(s.lab.now, transition)
	require.NoError(s.t, err)
	fmt.Fprintf(&s.out, "! %s\n", s.short(transition))
}

func (s *teller) short(transition world.Transition) string {
	text := transition.String()
	key := model.NewKeys(s.rollout.Spec.Slots.Domain, namespace, "agent").NodeSlot
	text = strings.ReplaceAll(text, key, "slot")
	return strings.ReplaceAll(text, namespace+"/", "")
}
