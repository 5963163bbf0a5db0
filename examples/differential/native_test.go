package differential

import (
	"context"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes/fake"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	clocktesting "k8s.io/utils/clock/testing"
)

// native is the real controller with one worker. Its informers' stores are filled by hand and its requests
// end in a recorder, so that one sync sees exactly one cluster.
type native struct {
	clock                         *clocktesting.FakeClock
	client                        *fake.Clientset
	nodes, pods, sets, historical *store
	synced                        chan appsv1.DaemonSetStatus

	mu   sync.Mutex
	done outcome
}

// store is an informer that nobody starts: its objects are put there, and it claims to be in step.
type store struct {
	cache.SharedIndexInformer
	handlers []cache.ResourceEventHandler
}

func newStore(example runtime.Object) *store {
	return &store{SharedIndexInformer: cache.NewSharedIndexInformer(&cache.ListWatch{}, example, 0, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
	})}
}

func (s *store) HasSynced() bool { return true }

func (s *store) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	s.handlers = append(s.handlers, handler)
	return s, nil
}

func replace[T any](t testing.TB, s *store, objects ...T) {
	t.Helper()
	list := make([]any, len(objects))
	for i := range objects {
		list[i] = objects[i]
	}
	if err := s.GetIndexer().Replace(list, ""); err != nil {
		t.Fatal(err)
	}
}

type (
	setInformer     struct{ *store }
	historyInformer struct{ *store }
	podInformer     struct{ *store }
	nodeInformer    struct{ *store }
)

var (
	_ appsinformers.DaemonSetInformer          = setInformer{}
	_ appsinformers.ControllerRevisionInformer = historyInformer{}
	_ coreinformers.PodInformer                = podInformer{}
	_ coreinformers.NodeInformer               = nodeInformer{}
)

func (i setInformer) Informer() cache.SharedIndexInformer     { return i.store }
func (i historyInformer) Informer() cache.SharedIndexInformer { return i.store }
func (i podInformer) Informer() cache.SharedIndexInformer     { return i.store }
func (i nodeInformer) Informer() cache.SharedIndexInformer    { return i.store }

func (i setInformer) Lister() appslisters.DaemonSetLister {
	return appslisters.NewDaemonSetLister(i.GetIndexer())
}

func (i historyInformer) Lister() appslisters.ControllerRevisionLister {
	return appslisters.NewControllerRevisionLister(i.GetIndexer())
}

func (i podInformer) Lister() corelisters.PodLister {
	return corelisters.NewPodLister(i.GetIndexer())
}

func (i nodeInformer) Lister() corelisters.NodeLister {
	return corelisters.NewNodeLister(i.GetIndexer())
}

// startNative runs the controller until the test ends. A failed Pod's successor that fails too is deleted
// only after the back-off.
func startNative(t testing.TB, backOff time.Duration) *native {
	t.Helper()
	klog.SetLogger(logr.Discard())
	klog.SetOutput(io.Discard)
	n := &native{
		clock:  clocktesting.NewFakeClock(start),
		client: fake.NewClientset(),
		nodes:  newStore(&corev1.Node{}), pods: newStore(&corev1.Pod{}),
		sets: newStore(&appsv1.DaemonSet{}), historical: newStore(&appsv1.ControllerRevision{}),
		synced: make(chan appsv1.DaemonSetStatus, 1),
	}
	n.client.PrependReactor("*", "*", n.react)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	controller, err := daemon.NewDaemonSetsController(ctx, setInformer{n.sets}, historyInformer{n.historical},
		podInformer{n.pods}, nodeInformer{n.nodes}, n.client,
		flowcontrol.NewFakeBackOff(backOff, 15*backOff, n.clock))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		controller.Run(ctx, 1)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return n
}

// react answers every request of the controller, and keeps what it did to Pods. The write of the status is
// the last request of a sync.
func (n *native) react(action clienttesting.Action) (bool, runtime.Object, error) {
	if action.GetResource().Resource == "events" {
		return true, &corev1.Event{}, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch request := action.(type) {
	case clienttesting.CreateActionImpl:
		if pod, ok := request.GetObject().(*corev1.Pod); ok {
			n.done.create(pinnedTo(pod))
		}
		return true, request.GetObject(), nil
	case clienttesting.DeleteActionImpl:
		n.done.remove(request.GetName())
		return true, nil, nil
	case clienttesting.UpdateActionImpl:
		if set, ok := request.GetObject().(*appsv1.DaemonSet); ok && request.GetSubresource() == "status" {
			n.synced <- set.Status
		}
		return true, request.GetObject(), nil
	case clienttesting.GetActionImpl:
		object, exists, err := n.sets.GetIndexer().GetByKey(request.GetNamespace() + "/" + request.GetName())
		if !exists {
			return true, nil, err
		}
		return true, object.(*appsv1.DaemonSet), err
	case clienttesting.PatchActionImpl: // an adopted Pod
		return true, &corev1.Pod{}, nil
	}
	return true, nil, nil
}

// pinnedTo reads the node off the affinity that the controller gives its Pods.
func pinnedTo(pod *corev1.Pod) string {
	return pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0].Values[0]
}

// sync lets the controller sync the cluster's DaemonSet once.
func (n *native) sync(t testing.TB, c *cluster) outcome {
	t.Helper()
	n.clock.SetTime(c.now)
	n.client.ClearActions()
	n.done = outcome{}
	replace(t, n.nodes, c.nodes...)
	replace(t, n.pods, c.pods...)
	// The status is written whatever it counts if it is one generation behind.
	behind := c.set.DeepCopy()
	behind.Status.ObservedGeneration--
	replace(t, n.sets, behind)
	for _, handler := range n.sets.handlers {
		handler.OnAdd(behind, false)
	}
	select {
	case status := <-n.synced:
		n.mu.Lock()
		defer n.mu.Unlock()
		did := n.done
		did.status = counts(&status)
		did.sort()
		return did
	case <-time.After(time.Minute):
		t.Fatalf("the controller does not finish its sync of\n%s", c)
		return outcome{}
	}
}
