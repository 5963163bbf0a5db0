package agents

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/execute"
)

// Caches are the options of a manager whose caches hold what is planned from, and of it what is read: all nodes, and the Pods and DaemonSets of the
// namespace, "" for all. The namespace holds for every other kind, too.
func Caches(namespace string) cache.Options {
	options := cache.Options{ByObject: map[client.Object]cache.ByObject{
		&corev1.Node{}:      {Transform: model.TrimNode},
		&corev1.Pod{}:       {Transform: model.TrimPod},
		&appsv1.DaemonSet{}: {Transform: model.TrimDaemonSet},
	}}
	if namespace != "" {
		options.DefaultNamespaces = map[string]cache.Config{namespace: {}}
	}
	return options
}

// Read reads what is named from the API server, past every cache: the reader is the manager's APIReader. What is not there is left out. A whole list has
// the Pods and DaemonSets of the namespace, as the caches have them; those of single nodes are of every namespace.
func Read(ctx context.Context, reader client.Reader, namespace string, reads execute.Reads) (o model.Objects, err error) {
	if reads.All {
		return list(ctx, reader, namespace)
	}
	for _, node := range reads.PodsOn {
		var pods corev1.PodList
		if err := reader.List(ctx, &pods, client.MatchingFields{"spec.nodeName": node}); err != nil {
			return o, err
		}
		o.Pods = append(o.Pods, pointers(pods.Items)...)
	}
	for _, ref := range reads.Objects {
		if ref.Kind == "Pod" && slices.ContainsFunc(o.Pods, func(pod *corev1.Pod) bool { return pod.Namespace == ref.Namespace && pod.Name == ref.Name }) {
			continue
		}
		var object client.Object
		switch ref.Kind {
		case "Node":
			object = &corev1.Node{}
		case "Pod":
			object = &corev1.Pod{}
		case "DaemonSet":
			object = &appsv1.DaemonSet{}
		default:
			continue
		}
		switch err := reader.Get(ctx, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}, object); {
		case apierrors.IsNotFound(err):
		case err != nil:
			return o, err
		default:
			put(&o, object)
		}
	}
	return o, nil
}

func list(ctx context.Context, reader client.Reader, namespace string) (o model.Objects, err error) {
	var nodes corev1.NodeList
	var pods corev1.PodList
	var sets appsv1.DaemonSetList
	if err := reader.List(ctx, &nodes); err != nil {
		return o, err
	}
	for _, list := range []client.ObjectList{&pods, &sets} {
		if err := reader.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return o, err
		}
	}
	return model.Objects{Nodes: pointers(nodes.Items), Pods: pointers(pods.Items), DaemonSets: pointers(sets.Items)}, nil
}

func pointers[T any](items []T) []*T {
	list := make([]*T, len(items))
	for i := range items {
		list[i] = &items[i]
	}
	return list
}

// Send makes the one request of a write. It switches on the form of the write, never on the kind of the action, and needs no kind's Go type but that of
// what it creates: the answer to the others is metadata alone.
func Send(ctx context.Context, writer client.Writer, w *model.Write) (metav1.Object, error) {
	if w.Create != nil {
		made := w.Create.DeepCopy()
		return made, writer.Create(ctx, made)
	}
	object := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: w.Object.Namespace, Name: w.Object.Name}}
	object.SetGroupVersionKind(schema.FromAPIVersionAndKind(w.Object.APIVersion, w.Object.Kind))
	if w.Delete != nil {
		return nil, writer.Delete(ctx, object, client.Preconditions{UID: &w.Object.UID}, client.PropagationPolicy(w.Delete.Propagation))
	}
	body, err := w.JSONPatch()
	if err != nil {
		return nil, err
	}
	return object, writer.Patch(ctx, object, client.RawPatch(types.JSONPatchType, body))
}
