package verify

import (
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
)

// disturb yields what need not happen: another document is desired, and faults.
func (m *Model) disturb(s *State, yield func(string, *State)) {
	if s.desired+1 < len(m.scope.Documents) {
		next := s.clone()
		next.desired++
		// Whoever changes the document plans again.
		next.asleep = false
		yield("desire "+m.scope.Documents[next.desired].Name, next)
	}
	if s.faults == 0 {
		return
	}
	for _, t := range m.faults(s) {
		m.do(s, t, func(name string, next *State) {
			next.faults--
			yield("fault "+name, next)
		})
	}
	m.breakPulls(s, yield)
	m.breakClock(s, yield)
}

// faults are the scope's kinds that are possible now.
func (m *Model) faults(s *State) (list []world.Transition) {
	offered := s.world.Faults(s.now)
	nodes := s.world.Nodes()
	for _, fault := range m.scope.Faults {
		switch fault.Kind {
		case world.EditLabel, world.TaintNode:
			for _, node := range nodes {
				list = append(list, world.Transition{Kind: fault.Kind, Node: node, Value: fault.Value})
			}
		case world.DenyPods:
			list = append(list, world.Transition{Kind: fault.Kind, Value: fault.Value})
			for _, node := range nodes {
				list = append(list, world.Transition{Kind: fault.Kind, Node: node, Value: fault.Value})
			}
		case world.InjectContainer:
			list = append(list, world.Transition{Kind: fault.Kind, Value: fault.Value})
		case world.JoinNode:
			if len(nodes) > 0 && !slices.Contains(nodes, fault.Value) {
				list = append(list, world.Transition{Kind: fault.Kind, Node: fault.Value, Value: nodes[0]})
			}
		case world.EditTemplate:
			for _, set := range s.asItIs().Cluster.DaemonSets() {
				if set.DeletionTimestamp == nil && set.Spec.Template.Spec.Containers[0].Image != fault.Value {
					list = append(list, world.Transition{
						Kind: fault.Kind, Set: set.Namespace + "/" + set.Name, Container: set.Spec.Template.Spec.Containers[0].Name, Value: fault.Value,
					})
				}
			}
		default:
			for _, t := range offered {
				if t.Kind == fault.Kind && (fault.Value == "" || t.Value == fault.Value) {
					list = append(list, t)
				}
			}
		}
	}
	return list
}

// ends are the kinds that end a fault.
var ends = []world.Kind{
	world.MendNode, world.UncordonNode, world.MendPulls, world.AllowPods, world.FreePod, world.UnstickPod, world.WakeController, world.RelieveNode,
	world.InjectNothing,
}

func endsFault(kind world.Kind) bool { return slices.Contains(ends, kind) }

// endFaults yields the ends of what the scope's faults have begun.
func (m *Model) endFaults(s *State, yield func(string, *State)) {
	if m.scope.Lasting || s.faults == m.scope.Most {
		return
	}
	ending := func(name string, next *State) { yield(endOf+name, next) }
	for _, t := range s.world.Faults(s.now) {
		if endsFault(t.Kind) && !slices.Contains(m.ill, t) {
			m.do(s, t, ending)
		}
	}
	for _, fault := range m.scope.Faults {
		if fault.Kind == world.TaintNode {
			m.untaint(s, fault.Value, ending)
		}
	}
	for _, image := range m.scope.Pulls {
		if s.world.Behaviour("", image) == world.PullFails {
			next := s.clone()
			next.world.SetBehaviour(image, m.scope.Images[image])
			m.show(s, next)
			ending("image "+image+" cannot be pulled", next)
		}
	}
	if s.clock != right {
		next := s.clone()
		next.clock = right
		ending("the clock is wrong", next)
	}
}

func (m *Model) untaint(s *State, taint string, yield func(string, *State)) {
	key, _, _ := strings.Cut(taint, ":")
	key, _, _ = strings.Cut(key, "=")
	for _, node := range s.world.Nodes() {
		t := world.Transition{Kind: world.UntaintNode, Node: node, Value: key}
		if _, err := s.world.Clone().Do(s.now, t); err == nil {
			m.do(s, t, yield)
		}
	}
}

func (m *Model) breakPulls(s *State, yield func(string, *State)) {
	for _, image := range m.scope.Pulls {
		if s.world.Behaviour("", image) == world.PullFails {
			continue
		}
		next := s.clone()
		next.faults--
		next.world.SetBehaviour(image, world.PullFails)
		m.show(s, next)
		yield("fault image "+image+" cannot be pulled", next)
	}
}

func (m *Model) breakClock(s *State, yield func(string, *State)) {
	if s.clock != right {
		return
	}
	for i, by := range m.scope.Clocks {
		next := s.clone()
		next.faults--
		next.clock, next.still = i+1, s.now.Add(tick)
		name := "fault the clock is wrong by " + by.String()
		if by == Still {
			name = "fault the clock stands still"
		}
		yield(name, next)
	}
}

// named names a transition without the names of Pods, which tell nothing. On one DaemonSet the Pods' images tell them apart.
func (m *Model) named(s *State, t world.Transition) string {
	text := t.Kind.String()
	if t.Node != "" {
		text += " " + t.Node
	}
	switch {
	case t.Pod != "" && m.alone:
		text += " " + s.world.Image(t.Node, t.Pod)
	case t.Pod != "":
		text += " " + m.slotOf(t.Pod)
	case t.Set != "":
		text += " " + m.slotOf(t.Set)
	}
	if t.Container != "" {
		text += " " + t.Container
	}
	if t.Value != "" {
		text += " " + t.Value[strings.IndexByte(t.Value, '=')+1:]
	}
	return text
}

// slotOf is the slot of a DaemonSet or of one of its Pods.
func (m *Model) slotOf(object string) string {
	r := m.scope.Documents[0].Rollout.WithDefaults()
	name := object[strings.IndexByte(object, '/')+1:]
	blue := r.Metadata.Name
	if r.Spec.Desired != nil {
		blue = r.Spec.Desired.Name
	} else if r.Spec.DesiredFrom != nil && r.Spec.DesiredFrom.Name != "" {
		blue = r.Spec.DesiredFrom.Name
	}
	if strings.HasPrefix(name, blue+r.Spec.Slots.Green.Suffix) {
		return model.Green.String()
	}
	return model.Blue.String()
}

// endOf begins the name of a fault's end, which comes at some time and changes what there is to do.
const endOf = "end of "

// unfair are the beginnings of names that need not happen: faults, decisions, crashes of the executor, and requests of
// a dead one.
var unfair = []string{"fault ", "desire ", "late "}

// fair is Fair, but that a person comes back to what worked, opts out or tears down at some time: from every state that must end.
func (m *Model) fair(name string) bool {
	return Fair(name) || m.scope.OpenWorld && m.back() && strings.HasPrefix(name, "desire ")
}

// Fair tells whether a transition that stays enabled happens at some time.
func Fair(name string) bool {
	return !strings.Contains(name, "crash, on its way") && !slices.ContainsFunc(unfair, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
