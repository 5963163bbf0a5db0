package world

import (
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// Cache names one of the planner's caches: each is a watch of its own, in order in itself and late
// against the others.
type Cache uint8

const (
	// NodeCache, PodCache, DaemonSetCache and OwnerCache show one kind of object each.
	NodeCache Cache = iota
	PodCache
	DaemonSetCache
	OwnerCache

	caches
)

// String names the kind of object.
func (c Cache) String() string {
	switch c {
	case NodeCache:
		return "Node"
	case PodCache:
		return "Pod"
	case DaemonSetCache:
		return "DaemonSet"
	case OwnerCache:
		return "Owner"
	}
	return "Cache(" + strconv.Itoa(int(c)) + ")"
}

// Caches lists the closed set.
func Caches() []Cache { return []Cache{NodeCache, PodCache, DaemonSetCache, OwnerCache} }

// view is what lagging caches have not shown yet, and the objects that are gone but still shown.
type view struct {
	queue [caches][]delivery
	nodes []*node
	pods  []*pod
	sets  []*set
}

// delivery is one change on its way to a cache; the object is nil if it is gone.
type delivery struct {
	at          time.Time
	node        *node
	nodeObject  *corev1.Node
	pod         *pod
	podObject   *corev1.Pod
	set         *set
	setObject   *appsv1.DaemonSet
	annotations map[string]string
}

// Read returns the objects of these names as the API server has them, and all Pods that are bound to the nodes: what live reads answer, without a look
// at everything. What is not there is left out.
func (w *World) Read(now time.Time, podsOn []string, refs []model.ObjectRef) (o model.Objects) {
	w.at(now)
	for _, name := range podsOn {
		n := w.findNode(name)
		if n == nil {
			continue
		}
		for _, p := range n.pods {
			if p.bound || p.static {
				o.Pods = append(o.Pods, w.podObject(p))
			}
		}
	}
	for _, ref := range refs {
		switch ref.Kind {
		case "Node":
			if n := w.findNode(ref.Name); n != nil {
				o.Nodes = append(o.Nodes, n.object)
			}
		case "DaemonSet":
			if s := w.findSet(ref.Namespace + "/" + ref.Name); s != nil {
				o.DaemonSets = append(o.DaemonSets, s.object)
			}
		case "Pod":
			if p := w.findPod(ref); p != nil && !slices.Contains(o.Pods, w.podObject(p)) {
				o.Pods = append(o.Pods, w.podObject(p))
			}
		}
	}
	return o
}

// showAll brings every cache up to date.
func (w *World) showAll() {
	for _, n := range w.nodes {
		n.seen = n.object
		for _, p := range n.pods {
			p.seen = w.podObject(p)
		}
	}
	for _, s := range w.sets {
		s.seen = s.object
	}
	w.owner.seen = w.owner.annotations
}

// feedView queues the changes of one step for the lagging caches.
func (w *World) feedView() {
	if !w.options.Lagging {
		return
	}
	v := &w.view
	for _, n := range w.touched.objects {
		d := delivery{at: w.now, node: n}
		if !n.gone {
			d.nodeObject = n.object
		}
		v.queue[NodeCache] = append(v.queue[NodeCache], d)
	}
	for _, p := range w.touched.pods {
		d := delivery{at: w.now, pod: p}
		if !p.gone {
			d.podObject = w.podObject(p)
		}
		v.queue[PodCache] = append(v.queue[PodCache], d)
	}
	for _, s := range w.touched.specs {
		d := delivery{at: w.now, set: s}
		if !s.gone {
			d.setObject = s.object
		}
		v.queue[DaemonSetCache] = append(v.queue[DaemonSetCache], d)
	}
	if w.touched.owner {
		v.queue[OwnerCache] = append(v.queue[OwnerCache], delivery{at: w.now, annotations: w.owner.annotations})
	}
	t := &w.touched
	t.objects, t.pods, t.specs, t.owner = t.objects[:0], t.pods[:0], t.specs[:0], false
}

// goneFromView keeps a Pod that is gone in the lagging view until the change is delivered.
func (w *World) goneFromView(p *pod) {
	if w.options.Lagging && p.seen != nil {
		w.view.pods = append(w.view.pods, p)
	}
}

func (v *view) lostNode(w *World, n *node) {
	if w.options.Lagging && n.seen != nil {
		v.nodes = append(v.nodes, n)
	}
}

func (v *view) lostSet(w *World, s *set) {
	if !w.options.Lagging {
		return
	}
	w.touched.specs = append(w.touched.specs, s)
	if s.seen != nil {
		v.sets = append(v.sets, s)
	}
}

func (v *view) enabled(list []Transition) []Transition {
	for _, cache := range Caches() {
		if len(v.queue[cache]) > 0 {
			list = append(list, Transition{Kind: Deliver, Value: cache.String()})
		}
	}
	return list
}

func (w *World) doDeliver(t Transition) ([]Event, error) {
	for _, cache := range Caches() {
		if cache.String() == t.Value && len(w.view.queue[cache]) > 0 {
			w.view.deliver(w, cache)
			return []Event{{Transition: t}}, nil
		}
	}
	return nil, impossible(t, "nothing is on its way")
}

// deliver shows the oldest change of a cache.
func (v *view) deliver(w *World, cache Cache) {
	d := v.queue[cache][0]
	v.queue[cache] = v.queue[cache][1:]
	switch cache {
	case NodeCache:
		d.node.seen = d.nodeObject
		if d.nodeObject == nil {
			v.nodes = removed(v.nodes, d.node)
		}
	case PodCache:
		d.pod.seen = d.podObject
		if d.podObject == nil {
			v.pods = removed(v.pods, d.pod)
		}
	case DaemonSetCache:
		d.set.seen = d.setObject
		if d.setObject == nil {
			v.sets = removed(v.sets, d.set)
		}
	case OwnerCache:
		w.owner.seen = d.annotations
	}
}

// DeliverUntil shows what changed at that instant or before in one of the lagging caches.
func (w *World) DeliverUntil(cache Cache, instant time.Time) {
	if cache >= caches {
		return
	}
	for len(w.view.queue[cache]) > 0 && !w.view.queue[cache][0].at.After(instant) {
		w.view.deliver(w, cache)
	}
}

// Pending tells how many changes are on their way to the caches.
func (w *World) Pending() int {
	count := 0
	for i := range w.view.queue {
		count += len(w.view.queue[i])
	}
	return count
}

// Truth is the snapshot that a planner with fresh caches would see.
func (w *World) Truth(now time.Time, rollout *model.Rollout) (*model.Snapshot, error) {
	return w.snapshot(now, rollout, false)
}

// Snapshot is what a planner sees through its caches. The rollout is copied; the instant and the owner's
// annotations are the world's, everything else is the caller's. The error is a *model.ObjectError.
func (w *World) Snapshot(now time.Time, rollout *model.Rollout) (*model.Snapshot, error) {
	return w.snapshot(now, rollout, w.options.Lagging)
}

func (w *World) snapshot(now time.Time, rollout *model.Rollout, lagging bool) (*model.Snapshot, error) {
	w.at(now)
	cluster, err := w.cluster(lagging)
	if err != nil {
		return nil, err
	}
	snapshot := &model.Snapshot{Cluster: cluster}
	if rollout != nil {
		r := *rollout
		r.Metadata.Annotations = w.owner.annotations
		if lagging {
			r.Metadata.Annotations = w.owner.seen
		}
		r.Status.ObservedAt = metav1.NewTime(now)
		snapshot.Rollout = &r
	}
	return snapshot, nil
}

func (w *World) objects(lagging bool) model.Objects {
	o := model.Objects{
		Nodes: make([]*corev1.Node, 0, len(w.nodes)),
		Pods:  make([]*corev1.Pod, 0, len(w.names)+len(w.stray)),
	}
	for _, s := range w.sets {
		o.DaemonSets = append(o.DaemonSets, shown(s.object, s.seen, lagging)...)
	}
	for _, n := range w.nodes {
		if !lagging {
			o.Nodes = append(o.Nodes, n.object)
			for _, p := range n.pods {
				o.Pods = append(o.Pods, w.podObject(p))
			}
			continue
		}
		o.Nodes = append(o.Nodes, shown(nil, n.seen, true)...)
		for _, p := range n.pods {
			o.Pods = append(o.Pods, shown(nil, p.seen, true)...)
		}
	}
	o.Pods = append(o.Pods, w.stray...)
	if !lagging {
		return o
	}
	for _, s := range w.view.sets {
		o.DaemonSets = append(o.DaemonSets, shown(nil, s.seen, true)...)
	}
	for _, n := range w.view.nodes {
		o.Nodes = append(o.Nodes, shown(nil, n.seen, true)...)
	}
	for _, p := range w.view.pods {
		o.Pods = append(o.Pods, shown(nil, p.seen, true)...)
	}
	return o
}

func shown[T any](object, seen *T, lagging bool) []*T {
	if lagging {
		object = seen
	}
	if object == nil {
		return nil
	}
	return []*T{object}
}

func versionText(rv uint64) string {
	if rv == 0 {
		return ""
	}
	return strconv.FormatUint(rv, 10)
}

func sortSets(sets []*set) {
	slices.SortFunc(sets, func(a, b *set) int {
		if d := strings.Compare(a.object.Namespace, b.object.Namespace); d != 0 {
			return d
		}
		return strings.Compare(a.object.Name, b.object.Name)
	})
}
