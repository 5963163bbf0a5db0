package execute

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/agent-rollout/planner/model"
)

// Reads says what is to be read live before the next plan; mostly nothing. It asks for everything once, when no request of a predecessor
// can land any more, and after Patience once more if the caches still do not show that: what was deleted since, and was the last of its kind, they
// cannot show. And it asks for the object of every request with an unknown outcome once that cannot land any more, and for a DaemonSet that was
// created and does not show within Patience: it may be gone again.
func (r *Run) Reads(now time.Time) (reads Reads) {
	x := &r.state.Executor
	if x.Since.IsZero() && x.ID != "" {
		return reads // it has not begun
	}
	reads.All = x.ID != "" && !x.Listed && (r.list == nil || !now.Before(r.asked.Add(r.patience()))) && !now.Before(x.Since.Add(x.RequestTimeout.Duration))
	for i := range r.state.Issued {
		if issued := &r.state.Issued[i]; r.open(issued, now) && inCluster(issued.Action.Write.Object) {
			reads.Objects = append(reads.Objects, issued.Action.Write.Object)
		}
	}
	return reads
}

// open tells whether a live read that began at that instant settles the action's outcome.
func (r *Run) open(i *model.Issued, began time.Time) bool {
	at, ever := r.opens(i)
	return ever && !i.At.IsZero() && !began.Before(at)
}

// opens is the instant from which the truth about an action is to be read; ever is false for one that the caches will show.
func (r *Run) opens(i *model.Issued) (at time.Time, ever bool) {
	switch {
	case i.Result == nil:
		return r.deadline(i), true
	case i.Action.Write.Create != nil:
		return i.At.Add(r.patience()), true
	}
	return time.Time{}, false
}

// Read takes the answer to Reads; began is an instant before the first of its requests. The error, of a list, is a *model.ObjectError.
func (r *Run) Read(asked Reads, live model.Objects, began time.Time) error {
	if asked.All {
		cluster, err := model.NewCluster(live)
		if err != nil {
			return err
		}
		r.list, r.asked = cluster, began
	}
	if !slices.ContainsFunc(r.state.Issued, func(i model.Issued) bool { return r.open(&i, began) }) {
		return nil
	}
	settled := make([]model.Issued, 0, len(r.state.Issued))
	for _, issued := range r.state.Issued {
		ref := issued.Action.Write.Object
		if r.open(&issued, began) && asked.names(ref, issued.Action.Node) {
			if !settle(&issued, object(&live, ref), began) {
				continue
			}
		}
		settled = append(settled, issued)
	}
	r.state.Issued = settled
	return nil
}

// settle gives an action with an unknown outcome the object as it is, so that it is charged until the caches are as new; it tells whether
// there is anything left to wait for. What has not happened, or is gone again, is over.
func settle(i *model.Issued, live metav1.Object, began time.Time) bool {
	write := &i.Action.Write
	switch {
	case write.Create != nil && live == nil, i.Result != nil && live.GetUID() != i.Result.UID:
		return false
	case i.Result != nil:
		i.At = metav1.NewTime(began) // it is there: the caches are late
		return true
	case write.Create == nil && (live == nil || live.GetUID() != write.Object.UID):
		i.Result = &model.Result{UID: write.Object.UID} // no version: until the caches do not show it any more
		return true
	case write.Delete != nil && live.GetDeletionTimestamp() == nil:
		return false
	}
	i.Result = &model.Result{UID: live.GetUID(), ResourceVersion: live.GetResourceVersion(), Generation: live.GetGeneration()}
	return true
}

// caughtUp tells whether what the caches show is as new as the list, kind by kind.
func caughtUp(view, list *model.Cluster) bool {
	return newer(nodesOf(view), nodesOf(list)) && newer(podsOf(view), podsOf(list)) && newer(view.DaemonSets(), list.DaemonSets())
}

func nodesOf(c *model.Cluster) []*corev1.Node {
	nodes := make([]*corev1.Node, c.Len())
	for i := range nodes {
		nodes[i] = c.Node(i)
	}
	return nodes
}

func podsOf(c *model.Cluster) []*corev1.Pod {
	pods := make([]*corev1.Pod, 0, c.PodCount()+len(c.Stray()))
	for i := range c.Len() {
		pods = append(pods, c.Pods(i)...)
	}
	return append(pods, c.Stray()...)
}

// newer tells whether a cache of one kind is as new as a list of it. A watch shows the changes in the order of their versions: what is
// missing was deleted if something later shows, and what the list does not have is new if it is later than all of the list.
func newer[T metav1.Object](view, list []T) bool {
	shown, listed := latest(view), latest(list)
	byUID := make(map[types.UID]T, len(view))
	for _, object := range view {
		byUID[object.GetUID()] = object
	}
	for _, live := range list {
		cached, there := byUID[live.GetUID()]
		if there && older(cached.GetResourceVersion(), live.GetResourceVersion()) || !there && older(shown, live.GetResourceVersion()) {
			return false
		}
		delete(byUID, live.GetUID())
	}
	for _, object := range view {
		if _, unlisted := byUID[object.GetUID()]; unlisted && !older(listed, object.GetResourceVersion()) {
			return false
		}
	}
	return true
}

func latest[T metav1.Object](list []T) (version string) {
	for _, object := range list {
		if version == "" || older(version, object.GetResourceVersion()) {
			version = object.GetResourceVersion()
		}
	}
	return version
}

// older compares two versions; what cannot be compared is older unless it is the same.
func older(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	if err != nil {
		return a != b
	}
	return order < 0
}
