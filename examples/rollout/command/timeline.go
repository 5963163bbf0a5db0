package command

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// happening is one line of the timeline: what happened to one node, or, folded, to several.
type happening struct {
	at, until time.Duration
	nodes     []string
	what      string
	// least and most are how long the nodes had been without an agent, if this ends it.
	least, most time.Duration
	// apart keeps what comes after from being folded with what came before.
	apart bool
}

func (s *simulated) printTimeline(out io.Writer, size string) error {
	if size == "none" {
		return nil
	}
	t := newTable(out)
	t.row("TIME", "NODE", "WHAT HAPPENED")
	for _, h := range s.happenings(size) {
		t.row(h.when(), h.where(), h.sentence())
	}
	if err := t.flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// happenings are the lines of a timeline of that size.
func (s *simulated) happenings(size string) []happening {
	all := s.allHappenings(size == "full")
	if size == "full" {
		return all
	}
	return folded(all, foldSpan(len(all), s.result.Duration))
}

// allHappenings puts the run's entries, its phases and the changes of images in one order. The loss of service is told
// with its end unless lossToo: a node that stays without an agent is always told.
func (s *simulated) allHappenings(lossToo bool) []happening {
	var list []happening
	for _, p := range s.phases {
		list = append(list, happening{at: p.at, what: "phase " + string(p.name), apart: true})
	}
	for i := range s.options.Faults {
		list = append(list, imageLines(&s.options.Faults[i])...)
	}
	lost := map[string]time.Duration{}
	at := map[string]int{} // of the loss in list
	for i := range s.result.Timeline {
		e := &s.result.Timeline[i]
		if e.What == simulate.Happened && !s.isFault(e) {
			continue
		}
		h := happening{at: e.At, what: entryText(e, s.onOneDaemonSet())}
		if e.Node != "" {
			h.nodes = []string{e.Node}
		}
		switch e.What {
		case simulate.LostService:
			lost[e.Node], at[e.Node] = e.At, len(list)
		case simulate.Served:
			if since, ok := lost[e.Node]; ok {
				h.least, h.most = e.At-since, e.At-since
				h.what = "has an agent again"
				if !lossToo {
					list[at[e.Node]].what = ""
				}
				delete(lost, e.Node)
			}
		}
		list = append(list, h)
	}
	list = slices.DeleteFunc(list, func(h happening) bool { return h.what == "" })
	for i := range list {
		list[i].until = list[i].at
	}
	slices.SortStableFunc(list, func(a, b happening) int { return int(min(1, max(-1, a.at-b.at))) })
	return list
}

// imageLines are the lines of a fault of an image, which the run itself does not note.
func imageLines(f *simulate.Fault) (list []happening) {
	for key, behaviour := range f.Behaviour { // there is one
		list = append(list, happening{at: f.At, what: fmt.Sprintf("fault: image %s is %s from here on", key, behaviour), apart: true})
		if f.Until > 0 {
			list = append(list, happening{at: f.Until, what: fmt.Sprintf("fault: over, image %s is as before", key), apart: true})
		}
	}
	return list
}

// foldSpan is how far apart alike things may be to share a line: not at all in a short timeline, and a twentieth of the
// run in a long one.
func foldSpan(lines int, duration time.Duration) time.Duration {
	const short = 60
	if lines <= short {
		return 0
	}
	return max(time.Second, duration/20)
}

// folded puts what happens alike to several nodes within the span on one line, at the time of the first.
func folded(all []happening, span time.Duration) []happening {
	var list []happening
	open := map[string]int{} // by sentence: the line in list that may take more nodes
	for _, h := range all {
		if h.apart {
			clear(open)
		}
		i, ok := open[h.what]
		if ok && len(h.nodes) > 0 && h.at-list[i].at <= span {
			line := &list[i]
			line.nodes = append(line.nodes, h.nodes...)
			line.until, line.least, line.most = h.at, min(line.least, h.least), max(line.most, h.most)
			continue
		}
		if len(h.nodes) > 0 {
			open[h.what] = len(list)
		}
		h.nodes = slices.Clone(h.nodes)
		list = append(list, h)
	}
	return list
}

func (h *happening) when() string {
	if h.until == h.at {
		return elapsed(h.at)
	}
	return elapsed(h.at) + " to " + elapsed(h.until)
}

func (h *happening) where() string {
	if len(h.nodes) == 0 {
		return "-"
	}
	return samples(inNaturalOrder(h.nodes))
}

func (h *happening) sentence() string {
	switch {
	case h.most == 0:
		return h.what
	case elapsed(h.least) == elapsed(h.most):
		return fmt.Sprintf("%s, after %s without", h.what, elapsed(h.most))
	}
	return fmt.Sprintf("%s, after %s to %s without", h.what, elapsed(h.least), elapsed(h.most))
}

// elapsed is a duration to a tenth of a second, and from an hour on to a second.
func elapsed(d time.Duration) string {
	if d >= time.Hour {
		return d.Round(time.Second).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// entryText is what one entry says, without its node; single says that the rollout is on one DaemonSet.
func entryText(e *simulate.Entry, single bool) string {
	switch e.What {
	case simulate.Sent:
		return actionText(e.Action, single)
	case simulate.Refused:
		return fmt.Sprintf("refused: %s of %s: %v", e.Action.Write.Verb(), e.Action.Write.Object, e.Err)
	case simulate.LostService:
		return "has no agent from here on"
	case simulate.Served:
		return "has its agent"
	case simulate.Happened:
		return eventText(e)
	case simulate.ExecutorCrashed:
		return "fault: the executor dies"
	case simulate.ExecutorStarted:
		return "a new executor starts"
	case simulate.Decided:
		return "a person decides: " + decisionText(e.Decision)
	}
	return e.What.String()
}

// eventText is a fault in words. What followed from it at once has its kind's name.
func eventText(e *simulate.Entry) string {
	text := "fault: " + faultText(&e.Event.Transition)
	if e.Event.Detail != "" {
		text += " (" + e.Event.Detail + ")"
	}
	return text
}

func faultText(t *world.Transition) string {
	switch t.Kind {
	case world.StopReadiness:
		return "the readiness probe fails from here on, of " + t.Pod
	case world.Crash:
		return fmt.Sprintf("container %s of Pod %s crashes", t.Container, t.Pod)
	case world.BreakNode:
		return "the kubelet falls silent"
	case world.LoseNode:
		return "the machine is off"
	case world.MendNode:
		return "over, the node is back"
	case world.RebootNode:
		return "the machine restarts"
	case world.CordonNode:
		return "the node is cordoned"
	case world.UncordonNode:
		return "over, the node is uncordoned"
	case world.BreakPulls:
		return "the registry cannot be reached"
	case world.MendPulls:
		return "over, the registry can be reached"
	case world.JoinNode:
		return "the node joins, like " + t.Value
	case world.RemoveNode:
		return "the node is gone, with its Pods"
	case world.FailPod:
		return fmt.Sprintf("Pod %s is evicted", t.Pod)
	case world.EditLabel:
		return "a person labels the node: " + t.Value
	case world.TaintNode:
		return "a person taints the node: " + t.Value
	case world.UntaintNode:
		return "a person removes the taint " + t.Value
	case world.KillPod:
		return fmt.Sprintf("a person deletes Pod %s", t.Pod)
	case world.KillSet:
		return fmt.Sprintf("a person deletes DaemonSet %s (%s)", t.Set, t.Value)
	case world.EditTemplate:
		return fmt.Sprintf("a person sets the image of container %s of DaemonSet %s to %s", t.Container, t.Set, t.Value)
	default:
		return obstacleText(t)
	}
}

// obstacleText is one of what keeps Pods from being made, and from being gone.
func obstacleText(t *world.Transition) string {
	which := "new Pods"
	if t.Value != "" {
		which += " of image " + t.Value
	}
	switch t.Kind {
	case world.RemakeSet:
		return fmt.Sprintf("a person deletes DaemonSet %s and applies it anew", t.Set)
	case world.EditAnnotation:
		return fmt.Sprintf("a person annotates DaemonSet %s: %s", t.Set, t.Value)
	case world.DenyPods:
		return which + " are refused"
	case world.AllowPods:
		return fmt.Sprintf("over, %s are taken again", which)
	case world.InjectContainer:
		return fmt.Sprintf("admission adds a container of image %s to new Pods", t.Value)
	case world.InjectNothing:
		return "over, admission adds nothing"
	case world.HoldPod:
		return "a finalizer holds Pod " + t.Pod
	case world.FreePod:
		return fmt.Sprintf("over, nothing holds Pod %s", t.Pod)
	case world.StickPod:
		return fmt.Sprintf("the processes of Pod %s do not end any more", t.Pod)
	case world.UnstickPod:
		return fmt.Sprintf("over, the processes of Pod %s can end", t.Pod)
	case world.RestController:
		return "the controller rests, of DaemonSet " + t.Set
	case world.WakeController:
		return "over, the controller sees DaemonSet " + t.Set
	case world.PressNode:
		return "the node is under pressure: what has not started is evicted"
	case world.RelieveNode:
		return "over, the node is not under pressure"
	case world.LosePod:
		return fmt.Sprintf("the object of Pod %s goes", t.Pod)
	case world.RenewNode:
		return "the Node is made anew, with another UID"
	default: // what happens by itself
		return t.String()
	}
}
