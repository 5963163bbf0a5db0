package world

import (
	"maps"
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

// Apply carries out one write as the API server does: every guard is tested together with the change, and
// a write that is refused has no effect. The error is an *Error. The result identifies the object as it
// then is; of a deleted one, as it was.
func (w *World) Apply(now time.Time, write model.Write) (model.Result, error) {
	w.at(now)
	result, err := w.apply(&write)
	if err == nil {
		w.feedView()
	}
	return result, err
}

func (w *World) apply(write *model.Write) (model.Result, error) {
	ref := write.Object
	switch write.Verb() {
	case "create":
		return w.create(ref, write.Create)
	case "patch":
		return w.patch(ref, write.Patch)
	case "delete":
		return w.delete(ref, write.Delete)
	}
	return model.Result{}, invalid(ref, "a write must be exactly one of create, patch and delete")
}

func (w *World) create(ref model.ObjectRef, object *appsv1.DaemonSet) (model.Result, error) {
	if ref.Kind != "DaemonSet" || object.Name == "" || object.Name != ref.Name || object.Namespace != ref.Namespace {
		return model.Result{}, invalid(ref, "the object must be a DaemonSet of that name and namespace")
	}
	if w.findSet(object.Namespace+"/"+object.Name) != nil {
		return model.Result{}, &Error{metav1.StatusReasonAlreadyExists, ref, "the name is taken"}
	}
	selector, err := metav1.LabelSelectorAsSelector(object.Spec.Selector)
	if err != nil || selector.Empty() || !selector.Matches(labels.Set(object.Spec.Template.Labels)) {
		return model.Result{}, invalid(ref, "spec.selector must match the labels of spec.template")
	}
	object = object.DeepCopy()
	object.TypeMeta = metav1.TypeMeta{}
	object.UID, object.ResourceVersion, object.Generation = w.nextUID(), w.nextVersion(), 1
	object.Annotations = withKey(object.Annotations, appsv1.DeprecatedTemplateGeneration, "1")
	object.CreationTimestamp, object.DeletionTimestamp = w.stamp(), nil
	object.Status = appsv1.DaemonSetStatus{}
	if object.Spec.UpdateStrategy.Type == "" {
		object.Spec.UpdateStrategy.Type = appsv1.RollingUpdateDaemonSetStrategyType
	}
	return resultOf(w.addSet(object).object), nil
}

func resultOf(object metav1.Object) model.Result {
	return model.Result{UID: object.GetUID(), ResourceVersion: object.GetResourceVersion(), Generation: object.GetGeneration()}
}

func (w *World) patch(ref model.ObjectRef, patch *model.Patch) (model.Result, error) {
	switch ref.Kind {
	case "Node":
		n := w.findNode(ref.Name)
		if n == nil {
			return model.Result{}, notFound(ref)
		}
		next, err := patched(ref, patch, n.object)
		if err != nil || !next.changed {
			return resultOf(n.object), err
		}
		w.empties(n, func() {
			w.changeNode(n, func(object *corev1.Node) { object.Labels, object.Annotations = next.labels, next.annotations })
		})
		return resultOf(n.object), nil
	case "Pod":
		return w.patchPod(ref, patch)
	case "DaemonSet":
		return w.patchSet(ref, patch)
	}
	return w.patchOwner(ref, patch)
}

func (w *World) patchPod(ref model.ObjectRef, patch *model.Patch) (model.Result, error) {
	p := w.findPod(ref)
	if p == nil {
		return model.Result{}, notFound(ref)
	}
	next, err := patched(ref, patch, w.podObject(p))
	if err == nil && next.changed {
		w.editPod(p, func(base *corev1.Pod) { base.Labels, base.Annotations = next.labels, next.annotations })
	}
	return resultOf(w.podObject(p)), err
}

func (w *World) patchSet(ref model.ObjectRef, patch *model.Patch) (model.Result, error) {
	s := w.findSet(ref.Namespace + "/" + ref.Name)
	if s == nil {
		return model.Result{}, notFound(ref)
	}
	next, err := patched(ref, patch, s.object)
	if err != nil {
		return resultOf(s.object), err
	}
	if patch.Spec != nil {
		if !reflect.DeepEqual(patch.Spec.Selector, s.object.Spec.Selector) {
			return resultOf(s.object), invalid(ref, "spec.selector is immutable")
		}
		if selector, err := metav1.LabelSelectorAsSelector(patch.Spec.Selector); err != nil || !selector.Matches(labels.Set(patch.Spec.Template.Labels)) {
			return resultOf(s.object), invalid(ref, "spec.selector must match the labels of spec.template")
		}
	}
	another := patch.Spec != nil && !reflect.DeepEqual(*patch.Spec, s.object.Spec)
	if !another && !next.changed {
		return resultOf(s.object), nil
	}
	w.changeSet(s, func(object *appsv1.DaemonSet) {
		object.Labels, object.Annotations = next.labels, next.annotations
		if another {
			respec(object, patch.Spec.DeepCopy())
		}
	})
	w.free(s)
	w.wake(s)
	return resultOf(s.object), nil
}

func (w *World) patchOwner(ref model.ObjectRef, patch *model.Patch) (model.Result, error) {
	o := &w.owner
	if ref.Kind != o.ref.Kind || ref.Name != o.ref.Name || ref.Namespace != o.ref.Namespace || w.rollout == nil {
		return model.Result{}, notFound(ref)
	}
	object := metav1.ObjectMeta{UID: o.ref.UID, ResourceVersion: versionText(o.rv), Labels: o.labels, Annotations: o.annotations}
	next, err := patched(ref, patch, &object)
	if err != nil || !next.changed {
		return resultOf(&object), err
	}
	o.labels, o.annotations = next.labels, next.annotations
	object.ResourceVersion = w.nextVersion()
	o.rv = w.rv
	w.touched.any, w.touched.owner = true, true
	return resultOf(&object), nil
}

// metadata is what a patch makes of an object's labels and annotations.
type metadata struct {
	labels, annotations map[string]string
	changed             bool
}

// patched tests all guards of a patch and returns what the object's maps become. It is what the API server
// makes of Write.JSONPatch: a test that fails, and a path that is not there, are Invalid.
func patched(ref model.ObjectRef, patch *model.Patch, object metav1.Object) (next metadata, err error) {
	switch {
	case object.GetUID() != ref.UID:
		return next, invalid(ref, "test /metadata/uid: it is %q, not %q", object.GetUID(), ref.UID)
	case patch.ResourceVersion != "" && patch.ResourceVersion != object.GetResourceVersion():
		return next, invalid(ref, "test /metadata/resourceVersion: it is %q, not %q", object.GetResourceVersion(), patch.ResourceVersion)
	case patch.Generation != 0 && patch.Generation != object.GetGeneration():
		return next, invalid(ref, "test /metadata/generation: it is %d, not %d", object.GetGeneration(), patch.Generation)
	case patch.Spec != nil && ref.Kind != "DaemonSet":
		return next, invalid(ref, "replace /spec: only of a DaemonSet")
	}
	if next.labels, err = edited(ref, "labels", object.GetLabels(), patch.Labels, patch.NoLabels); err != nil {
		return metadata{}, err
	}
	if next.annotations, err = edited(ref, "annotations", object.GetAnnotations(), patch.Annotations, patch.NoAnnotations); err != nil {
		return metadata{}, err
	}
	next.changed = !maps.Equal(next.labels, object.GetLabels()) || !maps.Equal(next.annotations, object.GetAnnotations())
	return next, nil
}

// edited applies the edits of one map. An empty map is not written by the API server, so it is missing.
func edited(ref model.ObjectRef, name string, values map[string]string, edits []model.Edit, missing bool) (map[string]string, error) {
	if len(edits) == 0 {
		return values, nil
	}
	if missing != (len(values) == 0) {
		return nil, invalid(ref, "test /metadata/%s: the map is there or missing against what the patch says", name)
	}
	if missing {
		return added(ref, name, edits)
	}
	changed, ok := model.ApplyEdits(values, edits)
	if !ok {
		return nil, invalid(ref, "test /metadata/%s: a key does not have the value that the patch replaces", name)
	}
	return changed, nil
}

// added makes a map that was missing; nothing can be removed from it.
func added(ref model.ObjectRef, name string, edits []model.Edit) (map[string]string, error) {
	values := make(map[string]string, len(edits))
	for _, edit := range edits {
		switch {
		case edit.To != nil:
			values[edit.Key] = *edit.To
		case edit.From != nil:
			if _, ok := values[edit.Key]; !ok {
				return nil, invalid(ref, "remove /metadata/%s: there is no key %s", name, edit.Key)
			}
			delete(values, edit.Key)
		}
	}
	return values, nil
}

func (w *World) delete(ref model.ObjectRef, del *model.Delete) (model.Result, error) {
	switch ref.Kind {
	case "Pod":
		p := w.findPod(ref)
		if p == nil {
			return model.Result{}, notFound(ref)
		}
		if ref.UID != "" && ref.UID != p.base.UID {
			return model.Result{}, conflict(ref, "the precondition on the UID failed: it is "+string(p.base.UID))
		}
		w.empties(p.node, func() { w.deletePod(p) })
		return resultOf(w.podObject(p)), nil
	case "DaemonSet":
		s := w.findSet(ref.Namespace + "/" + ref.Name)
		if s == nil {
			return model.Result{}, notFound(ref)
		}
		if ref.UID != "" && ref.UID != s.object.UID {
			return model.Result{}, conflict(ref, "the precondition on the UID failed: it is "+string(s.object.UID))
		}
		if s.object.DeletionTimestamp == nil {
			w.deleteSet(s, del.Propagation)
		}
		return resultOf(s.object), nil
	}
	if ref.Kind == "Node" && w.findNode(ref.Name) != nil {
		return model.Result{}, invalid(ref, "a rollout deletes no node")
	}
	return model.Result{}, notFound(ref)
}

func (w *World) findPod(ref model.ObjectRef) *pod {
	return w.podNamed(types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name})
}
