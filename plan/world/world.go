package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
)

// Options are the settings of a world. The zero value is a cluster whose images are all good and whose
// caches show everything at once.
type Options struct {
	// Behaviour of images, by image or, stronger, by container@image. Images that it does not name are Good.
	Behaviour map[string]Behaviour
	// Lagging lets the planner's caches show a change only once it is delivered: by a Deliver
	// transition or by World.DeliverUntil.
	Lagging bool
	// NoLifecycleTaints leaves out the taints of a node that is not Ready, so that it stays eligible
	// for Pods that would not tolerate them.
	NoLifecycleTaints bool
	// NoStatusCounts leaves the DaemonSets' status counts as they were; observedGeneration is always kept.
	NoStatusCounts bool
}

// World is the state. It is not safe for concurrent use.
type World struct {
	options Options
	now     time.Time
	rollout *model.Rollout // nil: every DaemonSet is the agent's
	keys    model.Keys
	owner   owner

	nodes  []*node          // in the order of names; removed ones are left out
	byName map[string]*node // nil in a clone, until it is needed; names too
	sets   []*set           // in the order of namespaces and names
	stray  []*corev1.Pod

	names  map[types.NamespacedName]*pod
	shapes map[string]*revision // compiled templates by canonical text
	rv     uint64
	uids   uint64
	epoch  uint32 // counts changes of observed specs: judged eligibility is kept per epoch
	homes  []*capacity.Placement
	denied []denial // in order
	bare   int      // see World.Bare
	inject string   // the image of the container that admission adds to new Pods

	touched touched
	view    view
	// The clusters that were shown last, of the truth and of the caches: the next ones share what has not changed.
	truth, shown *model.Cluster
}

// owner is the rollout's owner object; only its annotations are known.
type owner struct {
	ref         model.ObjectRef
	annotations map[string]string
	labels      map[string]string
	rv          uint64
	seen        map[string]string
}

// node is one machine: the API object and what runs there.
type node struct {
	object *corev1.Node // copied before it is changed
	pods   []*pod       // in the order of their creation
	images []string     // known to be present
	ready  bool         // the kubelet reports
	lost   bool         // the machine is off
	pulls  bool         // the registry can be reached
	gone   bool
	// pressed: new Pods are evicted; emptied: a write of an executor took its agent away, and none serves there since.
	pressed, emptied bool

	room uint32 // counts changes of what occupies the node
	// touches counts changes of anything; staffing is what staffed said then.
	touches  uint32
	staffing staffing
	dirty    bool

	eligibleEpoch uint32
	eligible      bool

	per  []perSet
	seen *corev1.Node
}

// perSet is what a node keeps for one DaemonSet.
type perSet struct {
	set  *set
	made uint32 // Pods so far; it makes their names
	// The controller's judgement, and the revision and the object that it was made from.
	revision    *revision
	object      *corev1.Node
	eligibility capacity.Eligibility
	// What the node adds to the set's status, unless stale.
	tally tally
	stale bool
}

// set is one DaemonSet.
type set struct {
	object   *appsv1.DaemonSet // with its status; copied before it is changed
	observed *revision         // what the controller acts upon
	member   bool              // the rollout's own
	gone     bool
	// resting: the controller has lost it, and makes and deletes none of its Pods.
	resting bool
	// stale: something changed that the status counts, and the rolling update, depend on.
	statusStale, stepStale bool
	// The status as it was counted, for which revision, and the nodes to count again.
	sum      tally
	counted  *revision
	recounts []*node
	// again is when a Pod will have been Ready for minReadySeconds; zero if none waits for that.
	again time.Time
	dirty bool
	seen  *appsv1.DaemonSet
}

func (s *set) name() string { return s.object.Namespace + "/" + s.object.Name }

// revision is a DaemonSet's spec as its controller acts upon it, compiled once.
type revision struct {
	hash     string // controller-revision-hash
	template string // the same, unless a dump's Pods lent theirs
	// generation of the template, "" if the DaemonSet does not say it.
	generation string
	spec       appsv1.DaemonSetSpec
	selector   labels.Selector
	placement  *capacity.Placement // nil: malformed, matches no node
	shape      *shape
}

// pod is one Pod. Its containers' states are the truth; the API object is made from them when asked for.
type pod struct {
	base   *corev1.Pod // metadata and spec; copied before it is changed
	node   *node
	set    *set // its controller; nil for an orphan
	hash   string
	shape  *shape
	static bool // another workload's: base is all there is
	member bool

	bound, failed, freed bool
	refused              string // the scheduler's last word
	init                 initState
	initRestarts, initAt int32 // initAt: the init container that fails
	ready, allReady      bool  // conditions Ready and ContainersReady
	gone                 bool
	// stuck: its processes do not end; over: they have ended, and a finalizer keeps the object.
	stuck, over bool

	refusedAt, scheduledAt, initializedAt, readyAt, allReadyAt, initFailedAt time.Time
	containers                                                               []container

	fitRoom uint32 // the room that short was judged at, plus one
	short   []capacity.Shortfall

	version string      // resourceVersion since the last change; empty: base's
	object  *corev1.Pod // nil: to be made
	seen    *corev1.Pod
}

func (p *pod) name() string      { return p.base.Namespace + "/" + p.base.Name }
func (p *pod) terminating() bool { return p.base.DeletionTimestamp != nil }

// initState is where a Pod's init containers stand.
type initState uint8

const (
	initWaiting initState = iota
	initPullFailed
	initCrashed
	initDone
)

// containerState is where a container stands. The order matters: from waitingForLock to ready a process
// runs, from running to ready it is the component itself.
type containerState uint8

const (
	waiting containerState = iota
	pullFailed
	crashed
	ended
	waitingForLock
	running
	started
	ready
)

func (s containerState) process() bool   { return s >= waitingForLock }
func (s containerState) component() bool { return s >= running }

// container is one container of a Pod.
type container struct {
	state    containerState
	restarts int32
	queued   uint64    // the order in which waiters asked for their lock
	since    time.Time // the process started, or the image failed
	// The former process, if there was one.
	lastStart, lastEnd time.Time
	exit               int32
}

// touched collects what changed since the driver last asked, and since the caches were last fed.
type touched struct {
	nodes   []*node
	sets    []*set
	pods    []*pod
	objects []*node
	specs   []*set
	owner   bool
	any     bool
}

func (w *World) stamp() metav1.Time { return metav1.NewTime(w.now.UTC().Truncate(time.Second)) }

func stampOf(t time.Time) metav1.Time {
	if t.IsZero() {
		return metav1.Time{}
	}
	return metav1.NewTime(t.UTC().Truncate(time.Second))
}

// at moves the world's clock; it never goes back.
func (w *World) at(now time.Time) {
	if now.After(w.now) {
		w.now = now
	}
}

func (w *World) nextVersion() string {
	w.rv++
	return strconv.FormatUint(w.rv, 10)
}

const uidPrefix = "00000000-0000-4000-8000-"

func (w *World) nextUID() types.UID {
	w.uids++
	return types.UID(fmt.Sprintf("%s%012x", uidPrefix, w.uids))
}

// usedUID keeps the counter ahead of UIDs that another world has given.
func (w *World) usedUID(uid types.UID) {
	if rest, ok := strings.CutPrefix(string(uid), uidPrefix); ok {
		if n, err := strconv.ParseUint(rest, 16, 64); err == nil {
			w.uids = max(w.uids, n)
		}
	}
}

func (w *World) usedVersion(version string) {
	if n, err := strconv.ParseUint(version, 10, 64); err == nil {
		w.rv = max(w.rv, n)
	}
}

// touchNode marks that something on the node changed: its transitions may be others now.
func (w *World) touchNode(n *node) {
	n.touches++
	if !n.dirty {
		n.dirty = true
		w.touched.nodes = append(w.touched.nodes, n)
	}
}

// touchSet marks that the set's transitions may be others now.
func (w *World) touchSet(s *set) {
	if !s.dirty {
		s.dirty = true
		w.touched.sets = append(w.touched.sets, s)
	}
}

// changed marks the Pod's API object as changed.
func (w *World) changed(p *pod) {
	p.object, p.version = nil, w.nextVersion()
	p.node.refill()
	w.touchNode(p.node)
	w.touched.any = true
	if p.set != nil {
		p.set.recount(p.node)
		w.touchSet(p.set)
	}
	if w.options.Lagging {
		w.touched.pods = append(w.touched.pods, p)
	}
}

// changeNode gives the node a new API object to edit, with its own copy of nothing but the top.
func (w *World) changeNode(n *node, edit func(*corev1.Node)) {
	object := *n.object
	edit(&object)
	object.ResourceVersion = w.nextVersion()
	n.object = &object
	n.room++
	n.eligibleEpoch = 0
	n.refill()
	w.touchNode(n)
	w.touched.any = true
	for _, s := range w.sets {
		if s.member {
			s.recount(n)
			w.touchSet(s)
		}
	}
	if w.options.Lagging {
		w.touched.objects = append(w.touched.objects, n)
	}
}

// changeSet gives the DaemonSet a new API object to edit, with its own copy of nothing but the top.
func (w *World) changeSet(s *set, edit func(*appsv1.DaemonSet)) {
	object := *s.object
	edit(&object)
	object.ResourceVersion = w.nextVersion()
	s.object = &object
	w.touchSet(s)
	w.touched.any = true
	if w.options.Lagging {
		w.touched.specs = append(w.touched.specs, s)
	}
}

func (w *World) findNode(name string) *node {
	if w.byName == nil && len(w.nodes) <= few {
		for _, n := range w.nodes {
			if n.object.Name == name {
				return n
			}
		}
		return nil
	}
	w.index()
	return w.byName[name]
}

func (w *World) podNamed(name types.NamespacedName) *pod {
	if w.names == nil && len(w.nodes) <= few {
		for _, n := range w.nodes {
			for _, p := range n.pods {
				if p.base.Name == name.Name && p.base.Namespace == name.Namespace {
					return p
				}
			}
		}
		return nil
	}
	w.index()
	return w.names[name]
}

// few nodes are looked through as quickly as they are looked up.
const few = 8

// index makes the maps by name, which a clone does without until it needs them.
func (w *World) index() {
	if w.byName != nil {
		return
	}
	w.byName, w.names = make(map[string]*node, len(w.nodes)), make(map[types.NamespacedName]*pod, 2*len(w.nodes))
	for _, n := range w.nodes {
		w.byName[n.object.Name] = n
		for _, p := range n.pods {
			w.names[namespacedName(p.base)] = p
		}
	}
}

func (w *World) findSet(name string) *set {
	for _, s := range w.sets {
		if s.object.Name == name[strings.IndexByte(name, '/')+1:] && s.name() == name {
			return s
		}
	}
	return nil
}

func (w *World) setByUID(uid types.UID) *set {
	if uid == "" {
		return nil
	}
	for _, s := range w.sets {
		if s.object.UID == uid {
			return s
		}
	}
	return nil
}

func (n *node) find(pod string) *pod {
	for _, p := range n.pods {
		if len(pod) == len(p.base.Namespace)+1+len(p.base.Name) && pod[len(p.base.Namespace)+1:] == p.base.Name &&
			pod[:len(p.base.Namespace)] == p.base.Namespace {
			return p
		}
	}
	return nil
}

func (n *node) remove(p *pod) {
	if i := slices.Index(n.pods, p); i >= 0 {
		n.pods = slices.Delete(n.pods, i, i+1)
	}
}

// Len returns the number of nodes.
func (w *World) Len() int { return len(w.nodes) }

// Nodes returns the names of all nodes, in order.
func (w *World) Nodes() []string {
	names := make([]string, len(w.nodes))
	for i, n := range w.nodes {
		names[i] = n.object.Name
	}
	return names
}

// Changes are what may have other transitions than before.
type Changes struct {
	// Nodes and Sets in the order in which they changed.
	Nodes, Sets []string
	// Visible tells whether an API object changed.
	Visible bool
}

// Changed returns what changed since the last call: a driver need look only there for new transitions.
func (w *World) Changed() Changes {
	c := Changes{Visible: w.touched.any}
	for _, n := range w.touched.nodes {
		n.dirty = false
		c.Nodes = append(c.Nodes, n.object.Name)
	}
	for _, s := range w.touched.sets {
		s.dirty = false
		c.Sets = append(c.Sets, s.name())
	}
	w.touched.nodes, w.touched.sets, w.touched.any = w.touched.nodes[:0], w.touched.sets[:0], false
	return c
}
