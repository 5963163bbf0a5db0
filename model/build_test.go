package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/agent-rollout/planner/model"
)

var noon = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

func node(name string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("u-" + name), ResourceVersion: "1"}}
}

// podOn makes a bound Pod.
func podOn(nodeName, name string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "datadog", Name: name, UID: types.UID("u-" + name), ResourceVersion: "1"}}
	pod.Spec.NodeName = nodeName
	return pod
}

// podFor makes a Pod that is not bound: one term of required node affinity for each list of names.
func podFor(name string, terms ...[]string) *corev1.Pod {
	required := &corev1.NodeSelector{}
	for _, names := range terms {
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, corev1.NodeSelectorTerm{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: names}},
		})
	}
	pod := podOn("", name)
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
	return pod
}

// fleet makes n nodes and two Pods for each, one bound and one not, in a shuffled order.
func fleet(n int, seed uint64) model.Objects {
	random := rand.New(rand.NewPCG(seed, 2))
	objects := model.Objects{}
	for i := range n {
		name := fmt.Sprintf("node-%06d", i)
		objects.Nodes = append(objects.Nodes, node(name))
		objects.Pods = append(objects.Pods, podOn(name, fmt.Sprintf("agent-%06d", i)), podFor(fmt.Sprintf("agent-green-%06d", i), []string{name}))
	}
	shuffle(random, objects.Nodes)
	shuffle(random, objects.Pods)
	return objects
}

func shuffle[T any](random *rand.Rand, list []T) {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

func podNames(pods []*corev1.Pod) []string {
	names := make([]string, 0, len(pods))
	for _, pod := range pods {
		names = append(names, pod.Name)
	}
	return names
}

func sorted(names []string) []string {
	names = append([]string{}, names...)
	slices.Sort(names)
	return names
}

func ptr[T any](value T) *T { return &value }
