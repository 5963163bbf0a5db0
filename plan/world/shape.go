package world

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

// shape is a Pod spec reduced to what the kubelet and the kernel need of it. Many Pods share one.
type shape struct {
	components []component
	inits      []component
	grace      int64 // seconds
}

// component is one container. Without a lock file it runs as soon as it starts.
type component struct {
	name, image string
	file        string // on the node
	kind        model.LockKind
}

const defaultGraceSeconds = 30

// shapeOf reads the containers and their locks off a Pod spec.
func shapeOf(spec *corev1.PodSpec) *shape {
	s := &shape{grace: defaultGraceSeconds}
	if spec.TerminationGracePeriodSeconds != nil {
		s.grace = *spec.TerminationGracePeriodSeconds
	}
	for i := range spec.InitContainers {
		s.inits = append(s.inits, component{name: spec.InitContainers[i].Name, image: spec.InitContainers[i].Image})
	}
	wrapping, _ := lockspec.Inspect(spec)
	for i := range spec.Containers {
		c := component{name: spec.Containers[i].Name, image: spec.Containers[i].Image}
		for _, locked := range wrapping.Components {
			if locked.Container == c.name {
				c.file, c.kind = locked.LockFile, wrapping.Kind
			}
		}
		s.components = append(s.components, c)
	}
	return s
}

// same tells whether two shapes stand for the same containers.
func (s *shape) same(o *shape) bool {
	return slices.Equal(s.components, o.components) && slices.Equal(s.inits, o.inits)
}

// templateHash stands for the label controller-revision-hash: FNV-32a of the template, as text.
func templateHash(template *corev1.PodTemplateSpec) string {
	text, err := json.Marshal(template)
	if err != nil { // the type has no field that cannot be written
		panic(err)
	}
	sum := fnv.New32a()
	_, _ = sum.Write(text)
	return fmt.Sprintf("%08x", sum.Sum32())
}

// compile makes a DaemonSet's spec ready for the controller.
func (w *World) compile(object *appsv1.DaemonSet) *revision {
	spec := &object.Spec
	hash := templateHash(&spec.Template)
	r := &revision{
		hash: hash, template: hash, generation: object.Annotations[appsv1.DeprecatedTemplateGeneration], spec: *spec, selector: labels.Nothing(),
	}
	if selector, err := metav1.LabelSelectorAsSelector(spec.Selector); err == nil {
		r.selector = selector
	}
	r.placement = placement(&r.spec.Template)
	if known, ok := w.shapes[hash]; ok {
		r.shape = known.shape
		return r
	}
	r.shape = shapeOf(&r.spec.Template.Spec)
	w.shapes = maps.Clone(w.shapes) // clones of the world share it
	w.shapes[hash] = r
	return r
}

// placement compiles a template's placement as the real controller takes it: a malformed term (Gt with a
// word, which the API server lets pass) matches no node, the other terms go on matching. nil matches no node.
func placement(template *corev1.PodTemplateSpec) *capacity.Placement {
	whole, err := capacity.NewPlacement(template)
	if err == nil {
		return whole
	}
	affinity := template.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	sound := template.DeepCopy()
	required := sound.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	terms := required.NodeSelectorTerms
	var kept []corev1.NodeSelectorTerm
	for _, term := range terms {
		required.NodeSelectorTerms = []corev1.NodeSelectorTerm{term}
		if _, err := capacity.NewPlacement(sound); err == nil {
			kept = append(kept, term)
		}
	}
	required.NodeSelectorTerms = kept
	rest, err := capacity.NewPlacement(sound)
	if err != nil {
		return nil
	}
	return rest
}

// judge says what the DaemonSet controller does about the revision on the node.
func (r *revision) judge(n *node) capacity.Eligibility {
	if r.placement == nil {
		return capacity.Ineligible
	}
	return r.placement.Judge(n.object)
}
