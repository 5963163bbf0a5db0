package world

import (
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/model"
)

// New starts a world from real API objects, a dump for instance; they are kept and not changed. The
// Pods of the rollout's DaemonSets (all DaemonSets if the snapshot has no rollout) go on from what they show: a wrapped container that is not
// started waits for its lock, a started one holds it; Pods of everybody else are scenery.
//
// Images of containers that have run are on their nodes, and so is what the node's status lists. A
// DaemonSet's controller is taken to have observed its present spec unless status.observedGeneration is
// older: what it observed before is not in the API, so such a set does nothing until it observes.
//
// The error is a field.Error for a snapshot without a cluster.
func New(snapshot *model.Snapshot, options Options) (*World, error) {
	if snapshot == nil || snapshot.Cluster == nil {
		return nil, field.Required(field.NewPath("cluster"), "a world starts from the objects of a cluster")
	}
	cluster := snapshot.Cluster
	w := &World{
		options: options,
		rollout: snapshot.Rollout,
		byName:  make(map[string]*node, cluster.Len()),
		names:   make(map[types.NamespacedName]*pod, cluster.PodCount()),
		shapes:  map[string]*revision{},
		stray:   cluster.Stray(),
		epoch:   1,
	}
	w.loadOwner(cluster)
	for _, object := range cluster.DaemonSets() {
		w.known(object)
		w.sets = append(w.sets, &set{object: object, seen: object, member: w.isMember(object), statusStale: true, stepStale: true})
	}
	for i := range cluster.Len() {
		w.loadNode(cluster.Node(i), cluster.Pods(i))
	}
	for _, s := range w.sets {
		w.loadObserved(s)
		w.touchSet(s)
	}
	w.loadHomes()
	if w.options.Lagging {
		w.showAll()
	}
	return w, nil
}

// known keeps the counters ahead of what the object has, and the clock not behind it.
func (w *World) known(object metav1.Object) {
	w.usedUID(object.GetUID())
	w.usedVersion(object.GetResourceVersion())
	w.at(object.GetCreationTimestamp().Time)
}

func (w *World) loadOwner(cluster *model.Cluster) {
	r := w.rollout
	if r == nil {
		return
	}
	w.now = r.Status.ObservedAt.Time
	w.keys = model.NewKeys(r.Spec.Slots.Domain, r.Metadata.Namespace, r.Metadata.Name)
	w.owner = owner{
		ref: model.ObjectRef{APIVersion: r.Metadata.APIVersion, Kind: r.Metadata.Kind,
			Namespace: r.Metadata.Namespace, Name: r.Metadata.Name, UID: r.Metadata.UID},
		annotations: r.Metadata.Annotations,
		seen:        r.Metadata.Annotations,
	}
	if w.owner.ref.UID != "" {
		return
	}
	for _, object := range cluster.DaemonSets() {
		if !w.isMember(object) {
			continue
		}
		for _, ref := range object.OwnerReferences {
			if ref.Controller != nil && *ref.Controller {
				w.owner.ref.APIVersion, w.owner.ref.Kind, w.owner.ref.UID = ref.APIVersion, ref.Kind, ref.UID
				return
			}
		}
	}
}

// isMember tells whether the DaemonSet is the rollout's: one of the pair's two names, or the owner's.
func (w *World) isMember(object *appsv1.DaemonSet) bool {
	r := w.rollout
	if r == nil {
		return true
	}
	namespace, blue := r.Metadata.Namespace, r.Metadata.Name
	switch {
	case r.Spec.Desired != nil:
		blue = r.Spec.Desired.Name
		if r.Spec.Desired.Namespace != "" {
			namespace = r.Spec.Desired.Namespace
		}
	case r.Spec.DesiredFrom != nil && r.Spec.DesiredFrom.Name != "":
		blue = r.Spec.DesiredFrom.Name
	}
	if namespace != "" && object.Namespace != namespace {
		return false
	}
	suffix := r.Spec.Slots.Green.Suffix
	if suffix == "" {
		suffix = "-green"
	}
	green := blue + suffix
	if len(green) > model.GreenNameLimit {
		green = strings.TrimRight(green[:model.GreenNameLimit], "-")
	}
	return object.Name == blue || object.Name == green
}

func (w *World) loadNode(object *corev1.Node, pods []*corev1.Pod) {
	w.known(object)
	n := &node{object: object, seen: object, ready: model.NodeReady(object), pulls: true}
	w.nodes = append(w.nodes, n)
	w.byName[object.Name] = n
	for _, p := range pods {
		w.known(p)
		own := w.loadPod(n, p)
		w.names[namespacedName(p)] = own
		n.pods = append(n.pods, own)
	}
	slices.SortStableFunc(n.pods, func(a, b *pod) int {
		return a.base.CreationTimestamp.Compare(b.base.CreationTimestamp.Time)
	})
	w.touchNode(n)
}

func (w *World) loadPod(n *node, object *corev1.Pod) *pod {
	p := &pod{base: object, object: object, seen: object, node: n, bound: model.Bound(object)}
	controller := model.ControllerUID(object)
	p.set = w.setByUID(controller)
	switch {
	case p.set != nil && p.set.member:
		p.member = true
	case p.set == nil && controller == "" && w.adoptable(object):
		p.member = true
	default:
		p.static, p.set = true, nil
		return p
	}
	p.hash = object.Labels[appsv1.ControllerRevisionHashLabelKey]
	p.shape = w.sharedShape(p)
	p.loadStatus(w)
	return p
}

// adoptable tells whether a Pod without controller looks like one of a DaemonSet of the rollout.
func (w *World) adoptable(object *corev1.Pod) bool {
	for _, s := range w.sets {
		if !s.member || s.object.Namespace != object.Namespace {
			continue
		}
		if selector, err := metav1.LabelSelectorAsSelector(s.object.Spec.Selector); err == nil &&
			!selector.Empty() && selector.Matches(labels.Set(object.Labels)) {
			return true
		}
	}
	return false
}

// sharedShape gives Pods that are alike one shape.
func (w *World) sharedShape(p *pod) *shape {
	s := shapeOf(&p.base.Spec)
	for _, known := range w.shapes {
		if known.shape.same(s) && known.shape.grace == s.grace {
			return known.shape
		}
	}
	w.shapes[string(p.base.UID)] = &revision{shape: s}
	return s
}

// loadStatus reads the containers' states off a Pod's status.
func (p *pod) loadStatus(w *World) {
	status := &p.base.Status
	p.failed = model.Terminal(p.base)
	p.ready, p.readyAt = model.ReadySince(p.base)
	for i := range status.Conditions {
		c := &status.Conditions[i]
		switch c.Type {
		case corev1.PodScheduled:
			p.scheduledAt = c.LastTransitionTime.Time
			if message, no := model.Unschedulable(p.base); no {
				p.refused, p.refusedAt, p.scheduledAt = message, c.LastTransitionTime.Time, time.Time{}
			}
		case corev1.PodInitialized:
			if c.Status == corev1.ConditionTrue {
				p.init, p.initializedAt = initDone, c.LastTransitionTime.Time
			}
		case corev1.ContainersReady:
			p.allReady, p.allReadyAt = c.Status == corev1.ConditionTrue, c.LastTransitionTime.Time
		}
		w.at(c.LastTransitionTime.Time)
	}
	p.loadInit(status.InitContainerStatuses)
	p.containers = make([]container, len(p.shape.components))
	for i := range p.shape.components {
		for j := range status.ContainerStatuses {
			if s := &status.ContainerStatuses[j]; s.Name == p.shape.components[i].name {
				p.containers[i] = w.loadContainer(p, i, s)
			}
		}
		if p.failed {
			p.containers[i].state = ended
		}
		if p.containers[i].state.process() {
			p.init = initDone
		}
	}
	if len(p.shape.inits) == 0 && p.bound {
		p.init = initDone
	}
}

func (p *pod) loadInit(statuses []corev1.ContainerStatus) {
	for i := range statuses {
		s := &statuses[i]
		p.initRestarts = max(p.initRestarts, s.RestartCount)
		if p.init == initDone {
			continue
		}
		switch {
		case s.State.Waiting != nil && pullReason(s.State.Waiting.Reason):
			p.init = initPullFailed
		case s.State.Waiting != nil && s.LastTerminationState.Terminated != nil,
			s.State.Terminated != nil && s.State.Terminated.ExitCode != 0:
			p.init = initCrashed
		}
	}
}

func pullReason(reason string) bool {
	switch reason {
	case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable":
		return true
	}
	return false
}

func (w *World) loadContainer(p *pod, i int, s *corev1.ContainerStatus) container {
	c := container{restarts: s.RestartCount}
	if last := s.LastTerminationState.Terminated; last != nil {
		c.lastStart, c.lastEnd, c.exit = last.StartedAt.Time, last.FinishedAt.Time, last.ExitCode
	}
	isStarted := s.Started != nil && *s.Started
	switch state := &s.State; {
	case state.Running != nil:
		c.since = state.Running.StartedAt.Time
		switch {
		case s.Ready:
			c.state = ready
		case isStarted, s.Started == nil && p.shape.components[i].file == "":
			c.state = started
		case p.shape.components[i].file != "":
			c.state, c.queued = waitingForLock, w.queue()
		default:
			c.state = running
		}
		p.node.addImage(p.shape.components[i].image)
		for j := range p.shape.inits {
			p.node.addImage(p.shape.inits[j].image)
		}
	case state.Terminated != nil:
		c.state = crashed
		c.lastStart, c.lastEnd, c.exit = state.Terminated.StartedAt.Time, state.Terminated.FinishedAt.Time, state.Terminated.ExitCode
		if p.terminating() {
			c.state = ended
		}
	case state.Waiting != nil && pullReason(state.Waiting.Reason):
		c.state = pullFailed
	case state.Waiting != nil && s.LastTerminationState.Terminated != nil:
		c.state = crashed
	}
	w.at(c.since)
	return c
}

// queue gives waiters their order. It is the version counter, which only grows.
func (w *World) queue() uint64 {
	w.rv++
	return w.rv
}

// loadObserved compiles what the controller acts upon. A dump does not show which Pods have the
// present template, so those whose containers are alike lend it their hash.
func (w *World) loadObserved(s *set) {
	if !s.member || s.object.Status.ObservedGeneration < s.object.Generation {
		return
	}
	s.observed = w.compile(s.object)
	for _, n := range w.nodes {
		for _, p := range n.pods {
			if p.set == s && p.hash != "" && w.atTemplate(p, s.observed) {
				s.observed.hash = p.hash
				return
			}
		}
	}
}

// atTemplate tells whether the Pod shows no difference to the template.
func (w *World) atTemplate(p *pod, r *revision) bool {
	if !p.shape.same(r.shape) {
		return false
	}
	for _, maps := range [...][2]map[string]string{
		{r.spec.Template.Annotations, p.base.Annotations}, {r.spec.Template.Labels, p.base.Labels},
	} {
		for key, value := range maps[0] {
			if maps[1][key] != value {
				return false
			}
		}
	}
	return true
}
