package world

import (
	"fmt"
	"hash/fnv"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
)

// manages tells whether the DaemonSet controller makes and deletes Pods of the set.
func (s *set) manages() bool {
	return s.member && s.observed != nil && !s.gone && s.object.DeletionTimestamp == nil && !s.resting
}

// onNode are a set's Pods on one node as the controller sees them.
type onNode struct {
	live        []*pod
	terminating bool
	ended       []*pod
}

// leftBehind tells whether the Pod has ended and is being deleted: the controller no longer sees it, whatever keeps the object.
func (p *pod) leftBehind() bool { return (p.failed || p.over) && p.terminating() }

func (n *node) podsOf(s *set) (v onNode) {
	for _, p := range n.pods {
		switch {
		case p.set != s || p.leftBehind():
		case p.terminating():
			v.terminating = true
		case p.failed:
			v.ended = append(v.ended, p)
		default:
			v.live = append(v.live, p)
		}
	}
	return v
}

// manage is the controller's manage step for one set on one node (1.34): create where a Pod should run and
// none does, delete what is ended, superfluous or turned away. With a surge neither a terminating nor an ended Pod
// keeps a new one off, and one old and one new Pod may stand side by side until the new one is available.
func (w *World) manage(list []Transition, s *set, n *node) []Transition {
	if !s.manages() {
		return list
	}
	v := n.podsOf(s)
	eligibility := n.judge(s)
	for _, p := range v.ended {
		list = append(list, setTransition(DeletePod, s, p))
	}
	if eligibility == capacity.Ineligible {
		for _, p := range v.live {
			// A Pod that waits unbound is not looked at until its DaemonSet is written.
			if p.bound || p.freed {
				list = append(list, setTransition(DeletePod, s, p))
			}
		}
		return list
	}
	surge := w.surges(s)
	if len(v.live) == 0 {
		if eligibility == capacity.Eligible && (surge || !v.terminating && len(v.ended) == 0) && !w.adopts(s, n) && w.admits(s, n) {
			list = append(list, Transition{Kind: CreatePod, Node: n.object.Name, Set: s.name()})
		}
		return list
	}
	for _, p := range w.superfluous(s, v.live, surge) {
		list = append(list, setTransition(DeletePod, s, p))
	}
	return list
}

// adopts tells whether a Pod without a controller is there for the set: one round of the controller takes such Pods before it
// creates any.
func (w *World) adopts(s *set, n *node) bool {
	return slices.ContainsFunc(n.pods, func(p *pod) bool { return w.adoption(p) == s })
}

func setTransition(kind Kind, s *set, p *pod) Transition {
	t := podTransition(kind, p)
	t.Set = s.name()
	return t
}

// surges tells whether the set's rolling update puts the new Pod beside the old one.
func (w *World) surges(s *set) bool {
	strategy := &s.observed.spec.UpdateStrategy
	if strategy.Type == appsv1.OnDeleteDaemonSetStrategyType || strategy.RollingUpdate == nil {
		return false
	}
	surge, _ := limits(strategy.RollingUpdate, 1)
	return surge > 0
}

// superfluous returns the Pods beside the one, or beside the oldest old and the oldest new one of a
// surge. With a surge the old one goes too when it is not Ready, or when the new one is available.
func (w *World) superfluous(s *set, live []*pod, surge bool) []*pod {
	if len(live) < 2 {
		return nil
	}
	if !surge {
		keep := oldest(live)
		return without(live, keep, nil)
	}
	var old, fresh []*pod
	for _, p := range live {
		if p.hash == s.observed.hash {
			fresh = append(fresh, p)
		} else {
			old = append(old, p)
		}
	}
	keepOld, keepNew := oldest(old), oldest(fresh)
	if keepOld != nil && keepNew != nil && (!keepOld.ready || w.availablePod(keepNew, s)) {
		keepOld = nil
	}
	return without(live, keepOld, keepNew)
}

// oldest prefers bound Pods, then earlier creation, then the name; nil for none.
func oldest(pods []*pod) *pod {
	var best *pod
	for _, p := range pods {
		if best == nil || older(p, best) {
			best = p
		}
	}
	return best
}

func older(a, b *pod) bool {
	if a.bound != b.bound {
		return a.bound
	}
	if x, y := a.base.CreationTimestamp, b.base.CreationTimestamp; !x.Equal(&y) {
		return x.Before(&y)
	}
	return a.base.Name < b.base.Name
}

func without(pods []*pod, a, b *pod) (rest []*pod) {
	for _, p := range pods {
		if p != a && p != b {
			rest = append(rest, p)
		}
	}
	return rest
}

// createPod makes a Pod from the revision that the controller has observed.
func (w *World) createPod(s *set, n *node) *pod {
	r := s.observed
	template := &r.spec.Template
	controller := true
	base := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:              w.podName(s, n),
			GenerateName:      s.object.Name + "-",
			Namespace:         s.object.Namespace,
			UID:               w.nextUID(),
			CreationTimestamp: w.stamp(),
			Labels:            withKey(template.Labels, appsv1.ControllerRevisionHashLabelKey, r.hash),
			Annotations:       template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "DaemonSet", Name: s.object.Name, UID: s.object.UID,
				Controller: &controller, BlockOwnerDeletion: &controller,
			}},
		},
		Spec: template.Spec,
	}
	if r.generation != "" {
		base.Labels[model.PodTemplateGeneration] = r.generation
	}
	base.Spec.Affinity = pinned(template.Spec.Affinity, n.object.Name)
	base.Spec.Tolerations = append(base.Spec.Tolerations[:len(base.Spec.Tolerations):len(base.Spec.Tolerations)],
		capacity.AddedTolerations(template.Spec.HostNetwork)...)
	base.ResourceVersion = w.nextVersion()
	p := &pod{base: base, node: n, set: s, hash: r.hash, shape: r.shape, member: s.member}
	if w.inject != "" {
		base.Spec.Containers = append(slices.Clone(base.Spec.Containers), corev1.Container{Name: Injected, Image: w.inject})
		p.shape = shapeOf(&base.Spec)
	}
	p.containers = make([]container, len(p.shape.components))
	n.pods = append(n.pods, p)
	if w.names != nil {
		w.names[namespacedName(base)] = p
	}
	w.changed(p)
	return p
}

// pinned replaces the required node affinity by the node's name, as the DaemonSet controller does: of
// the template's own terms nothing is left on the Pod.
func pinned(affinity *corev1.Affinity, node string) *corev1.Affinity {
	var own corev1.Affinity
	if affinity != nil {
		own = *affinity
	}
	var nodeAffinity corev1.NodeAffinity
	if own.NodeAffinity != nil {
		nodeAffinity = *own.NodeAffinity
	}
	nodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{
			Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node},
		}}}},
	}
	own.NodeAffinity = &nodeAffinity
	return &own
}

func withKey(values map[string]string, key, value string) map[string]string {
	changed := make(map[string]string, len(values)+2)
	for k, v := range values {
		changed[k] = v
	}
	changed[key] = value
	return changed
}

const nameAlphabet = "bcdfghjklmnpqrstvwxz2456789"

// podName depends only on the set, the node and how many Pods the set has had there, so that what
// happens on one node renames nothing on another.
func (w *World) podName(s *set, n *node) string {
	count := n.countMade(s)
	for try := 0; ; try++ {
		sum := fnv.New64a()
		_, _ = fmt.Fprintf(sum, "%s %s %d %d", s.name(), n.object.Name, count, try)
		rest := sum.Sum64()
		suffix := make([]byte, 5)
		for i := range suffix {
			suffix[i] = nameAlphabet[rest%uint64(len(nameAlphabet))]
			rest /= uint64(len(nameAlphabet))
		}
		key := types.NamespacedName{Namespace: s.object.Namespace, Name: s.object.Name + "-" + string(suffix)}
		if w.podNamed(key) == nil {
			return key.Name
		}
	}
}

// countMade counts one more Pod of the set on the node.
func (n *node) countMade(s *set) uint32 {
	per := n.of(s)
	per.made++
	return per.made
}

// of returns what the node keeps for the set.
func (n *node) of(s *set) *perSet {
	for i := range n.per {
		if n.per[i].set == s {
			return &n.per[i]
		}
	}
	n.per = append(n.per, perSet{set: s})
	return &n.per[len(n.per)-1]
}

// judge says what the DaemonSet controller does about the set's Pods on the node.
func (n *node) judge(s *set) capacity.Eligibility {
	per := n.of(s)
	if per.revision != s.observed || per.object != n.object {
		per.revision, per.object, per.eligibility = s.observed, n.object, s.observed.judge(n)
	}
	return per.eligibility
}

func namespacedName(object metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
}

// deletePod begins a Pod's deletion: a bound Pod terminates until its kubelet has ended it, an
// unbound one is gone at once.
func (w *World) deletePod(p *pod) {
	if !p.bound || p.static && p.failed {
		w.drop(p)
		return
	}
	if p.terminating() {
		return
	}
	grace := int64(defaultGraceSeconds)
	if p.shape != nil {
		grace = p.shape.grace
	}
	w.editPod(p, func(base *corev1.Pod) {
		at := metav1.NewTime(w.stamp().Add(seconds(grace)))
		base.DeletionTimestamp, base.DeletionGracePeriodSeconds = &at, &grace
	})
}

// editPod changes the Pod's metadata on a copy.
func (w *World) editPod(p *pod, edit func(*corev1.Pod)) {
	base := *p.base
	edit(&base)
	p.base = &base
	w.changed(p)
}

// adoption returns the set that takes over a Pod without controller, or nil.
func (w *World) adoption(p *pod) *set {
	if p.static || p.set != nil || p.terminating() {
		return nil
	}
	for _, s := range w.sets {
		if s.manages() && s.object.Namespace == p.base.Namespace && !s.observed.selector.Empty() &&
			s.observed.selector.Matches(labels.Set(p.base.Labels)) {
			return s
		}
	}
	return nil
}
