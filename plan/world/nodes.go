package world

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (w *World) doNode(t Transition, n *node) ([]Event, error) {
	why := ""
	switch t.Kind {
	case BreakNode, LoseNode:
		why = w.breakNode(n, t.Kind == LoseNode)
	case MendNode:
		why = w.mendNode(n)
	case RebootNode:
		if !n.ready {
			why = "the node is down"
			break
		}
		w.restartAll(n)
	case CordonNode, UncordonNode:
		why = w.cordon(n, t.Kind == CordonNode)
	case TaintNode:
		why = w.taint(n, t.Value)
	case UntaintNode:
		why = w.untaint(n, t.Value)
	case BreakPulls, MendPulls:
		if n.pulls == (t.Kind == MendPulls) {
			why = "it is so already"
		}
		n.pulls = t.Kind == MendPulls
		w.touchNode(n)
	case PressNode, RelieveNode:
		if n.pressed == (t.Kind == PressNode) {
			why = "it is so already"
		}
		n.pressed = t.Kind == PressNode
		w.touchNode(n)
	case RemoveNode:
		w.removeNode(n)
	case RenewNode:
		w.renewNode(n)
	case EditLabel:
		w.changeNode(n, func(object *corev1.Node) { object.Labels = keyEdited(object.Labels, t.Value) })
	}
	if why != "" {
		return nil, impossible(t, why)
	}
	return []Event{{Transition: t}}, nil
}

// keyEdited makes one edit as kubectl has it: key=value, or key- to remove it.
func keyEdited(values map[string]string, edit string) map[string]string {
	key, value, set := strings.Cut(edit, "=")
	if !set {
		key = strings.TrimSuffix(key, "-")
	}
	changed := withKey(values, key, value)
	if !set {
		delete(changed, key)
	}
	return changed
}

// breakNode silences the kubelet; of a lost machine the processes end too, which
// the API does not show. The
// node-lifecycle controller marks the node and its Pods.
func (w *World) breakNode(n *node, lost bool) string {
	if !n.ready && (!lost || n.lost) {
		return "the node is down already"
	}
	n.lost = n.lost || lost
	if !n.ready {
		w.touchNode(n)
		return ""
	}
	n.ready = false
	w.changeNode(n, func(object *corev1.Node) {
		setReady(object, corev1.ConditionUnknown, "NodeStatusUnknown", w.stamp())
		if !w.options.NoLifecycleTaints {
			object.Spec.Taints = withTaints(object.Spec.Taints, corev1.TaintNodeUnreachable)
		}
	})
	w.settleNode(n)
	return ""
}

// settleNode brings the Ready conditions in line with the node's.
func (w *World) settleNode(n *node) {
	for _, p := range n.pods {
		if p.bound && !p.static {
			w.settle(p)
		}
	}
}

func (w *World) mendNode(n *node) string {
	if n.ready {
		return "the node is up"
	}
	lost := n.lost
	n.ready, n.lost = true, false
	w.changeNode(n, func(object *corev1.Node) {
		setReady(object, corev1.ConditionTrue, "KubeletReady", w.stamp())
		object.Spec.Taints = withoutTaints(object.Spec.Taints, corev1.TaintNodeUnreachable, corev1.TaintNodeNotReady)
	})
	if lost {
		w.restartAll(n)
	}
	w.settleNode(n)
	return ""
}

// restartAll ends every process of the node: the kubelet restarts the containers.
func (w *World) restartAll(n *node) {
	for _, p := range n.pods {
		if p.static || !p.bound {
			continue
		}
		for i := range p.containers {
			switch c := &p.containers[i]; {
			case c.state.process() && p.terminating():
				c.end(w.now, ended, 137)
			case c.state.process():
				c.end(w.now, crashed, 137)
			}
		}
		w.settle(p)
	}
	w.touchNode(n)
}

func (w *World) cordon(n *node, unschedulable bool) string {
	if n.object.Spec.Unschedulable == unschedulable {
		return "it is so already"
	}
	w.changeNode(n, func(object *corev1.Node) {
		object.Spec.Unschedulable = unschedulable
		object.Spec.Taints = withoutTaints(object.Spec.Taints, corev1.TaintNodeUnschedulable)
		if unschedulable {
			object.Spec.Taints = append(object.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
		}
	})
	return ""
}

// taint adds a taint, or gives the one with its key and effect its value. Who does not tolerate NoExecute is the
// DaemonSet controller's matter here: Pods of other workloads stay.
func (w *World) taint(n *node, text string) string {
	taint, ok := parseTaint(text)
	switch {
	case !ok || taint.Effect == "":
		return "a taint is key=value:Effect or key:Effect"
	case slices.ContainsFunc(n.object.Spec.Taints, func(has corev1.Taint) bool {
		return has.Key == taint.Key && has.Value == taint.Value && has.Effect == taint.Effect
	}):
		return "it is so already"
	}
	w.changeNode(n, func(object *corev1.Node) {
		object.Spec.Taints = append(taintsBut(object.Spec.Taints, taint), taint)
	})
	return ""
}

func (w *World) untaint(n *node, text string) string {
	taint, ok := parseTaint(text)
	if !ok {
		return "a taint to remove is key or key:Effect"
	}
	rest := taintsBut(n.object.Spec.Taints, taint)
	if len(rest) == len(n.object.Spec.Taints) {
		return "there is no such taint"
	}
	w.changeNode(n, func(object *corev1.Node) { object.Spec.Taints = rest })
	return ""
}

// parseTaint reads key=value:Effect; value and effect may be left out.
func parseTaint(text string) (taint corev1.Taint, ok bool) {
	text, effect, _ := strings.Cut(text, ":")
	taint.Key, taint.Value, _ = strings.Cut(text, "=")
	taint.Effect = corev1.TaintEffect(effect)
	switch taint.Effect {
	case "", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
		return taint, taint.Key != ""
	}
	return taint, false
}

// taintsBut leaves out the taints with the key, and with the effect if there is one.
func taintsBut(taints []corev1.Taint, but corev1.Taint) []corev1.Taint {
	var rest []corev1.Taint
	for _, taint := range taints {
		if taint.Key != but.Key || but.Effect != "" && taint.Effect != but.Effect {
			rest = append(rest, taint)
		}
	}
	return rest
}

func (w *World) removeNode(n *node) {
	for _, p := range slices.Clone(n.pods) {
		w.drop(p)
	}
	n.gone = true
	w.changeNode(n, func(*corev1.Node) {})
	w.nodes = removed(w.nodes, n)
	delete(w.byName, n.object.Name)
	w.view.lostNode(w, n)
}

// doJoin adds a node like another one: the same labels but the rollout's and the host name, the same
// capacity, no taints of a node that is down.
func (w *World) doJoin(t Transition) ([]Event, error) {
	like := w.findNode(t.Value)
	switch {
	case like == nil:
		return nil, impossible(t, "there is no node to be like")
	case w.findNode(t.Node) != nil:
		return nil, impossible(t, "there is such a node already")
	}
	object := like.object.DeepCopy()
	object.ObjectMeta = metav1.ObjectMeta{
		Name: t.Node, UID: w.nextUID(), ResourceVersion: w.nextVersion(), CreationTimestamp: w.stamp(),
		Labels: withKey(object.Labels, corev1.LabelHostname, t.Node),
	}
	delete(object.Labels, w.keys.NodeSlot)
	object.Spec.Unschedulable = false
	object.Spec.Taints = withoutTaints(object.Spec.Taints, corev1.TaintNodeUnreachable, corev1.TaintNodeNotReady, corev1.TaintNodeUnschedulable)
	object.Status.Images = nil
	setReady(object, corev1.ConditionTrue, "KubeletReady", w.stamp())
	w.AddNode(w.now, object)
	return []Event{{Transition: t}}, nil
}

// AddNode lets a node join; the object gets a UID and a resourceVersion if it has none. A node of that
// name that is there already makes it false.
func (w *World) AddNode(now time.Time, object *corev1.Node) bool {
	w.at(now)
	if w.findNode(object.Name) != nil {
		return false
	}
	if object.UID == "" || object.ResourceVersion == "" {
		object = object.DeepCopy()
		object.UID, object.ResourceVersion = w.nextUID(), w.nextVersion()
	}
	n := &node{object: object, ready: nodeReady(object), pulls: true}
	at, _ := slices.BinarySearchFunc(w.nodes, object.Name, func(n *node, name string) int {
		return strings.Compare(n.object.Name, name)
	})
	w.nodes = slices.Insert(w.nodes, at, n)
	if w.byName != nil {
		w.byName[object.Name] = n
	}
	w.changeNode(n, func(*corev1.Node) {})
	w.feedView()
	return true
}

func nodeReady(object *corev1.Node) bool {
	for i := range object.Status.Conditions {
		if c := &object.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func setReady(object *corev1.Node, status corev1.ConditionStatus, reason string, at metav1.Time) {
	conditions := slices.Clone(object.Status.Conditions)
	for i := range conditions {
		if conditions[i].Type == corev1.NodeReady {
			conditions = slices.Delete(conditions, i, i+1)
			break
		}
	}
	object.Status.Conditions = append(conditions, corev1.NodeCondition{
		Type: corev1.NodeReady, Status: status, Reason: reason, LastTransitionTime: at, LastHeartbeatTime: at,
	})
}

// withTaints adds both hard effects of a node-lifecycle taint.
func withTaints(taints []corev1.Taint, key string) []corev1.Taint {
	return append(withoutTaints(taints, key),
		corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule},
		corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute})
}

func withoutTaints(taints []corev1.Taint, keys ...string) []corev1.Taint {
	var rest []corev1.Taint
	for _, taint := range taints {
		if !slices.Contains(keys, taint.Key) {
			rest = append(rest, taint)
		}
	}
	return rest
}
