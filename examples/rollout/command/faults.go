package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// trouble is what a simulated rollout has to cope with.
type trouble struct {
	images  map[string]world.Behaviour
	faults  []simulate.Fault
	crashes []simulate.Crash
}

// trouble reads the flags and lists every fault in them. An image or a node that the rollout does not know is one:
// it would change nothing, and the run would look fine.
func (f *simulateFlags) trouble(snapshot *model.Snapshot) (trouble, error) {
	t := trouble{images: map[string]world.Behaviour{}}
	reader := faultReader{cluster: snapshot.Cluster, images: imagesOf(snapshot)}
	var faults []string
	for _, text := range f.images {
		key, behaviour, err := reader.image(text)
		if err != nil {
			faults = append(faults, fmt.Sprintf("--image %q: %v", text, err))
			continue
		}
		t.images[key] = behaviour
	}
	for _, text := range f.faults {
		fault, err := reader.fault(text)
		if err != nil {
			faults = append(faults, fmt.Sprintf("--fault %q: %v", text, err))
			continue
		}
		t.faults = append(t.faults, fault)
	}
	for _, before := range f.crashes {
		if before < 1 {
			faults = append(faults, fmt.Sprintf("--crash %d: requests are counted from 1", before))
		}
		t.crashes = append(t.crashes, simulate.Crash{Before: before})
	}
	if len(faults) > 0 {
		return t, &dump.Error{Faults: faults}
	}
	return t, nil
}

// faultReader reads faults that are about a cluster and the images in it.
type faultReader struct {
	cluster *model.Cluster
	images  map[string]bool
}

// imagesOf are the images that the rollout can meet: those of the DaemonSets in its namespace and of what is desired.
func imagesOf(snapshot *model.Snapshot) map[string]bool {
	images := map[string]bool{}
	add := func(spec *corev1.PodSpec) {
		for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
			for i := range list {
				images[list[i].Image] = true
			}
		}
	}
	spec := &snapshot.Rollout.Spec
	for _, set := range snapshot.Cluster.DaemonSets() {
		if set.Namespace == snapshot.Rollout.Metadata.Namespace {
			add(&set.Spec.Template.Spec)
		}
	}
	if spec.Desired != nil {
		add(&spec.Desired.Spec.Template.Spec)
	}
	if spec.DesiredFrom != nil {
		images[spec.DesiredFrom.Image] = true
		for _, image := range spec.DesiredFrom.Images {
			images[image] = true
		}
	}
	return images
}

// image reads [CONTAINER@]IMAGE=BEHAVIOUR. An image may have an @ of its own, before its digest.
func (r *faultReader) image(text string) (key string, b world.Behaviour, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 0 {
		return "", b, fmt.Errorf("must be IMAGE=BEHAVIOUR")
	}
	key = text[:i]
	if b, err = behaviourOf(text[i+1:]); err != nil {
		return "", b, err
	}
	_, bare, _ := strings.Cut(key, "@")
	if !r.images[key] && !r.images[bare] {
		return "", b, fmt.Errorf("the rollout has no such image; it has %s", strings.Join(slices.Sorted(maps.Keys(r.images)), ", "))
	}
	return key, b, nil
}

func behaviourOf(word string) (world.Behaviour, error) {
	var known []string
	for _, b := range world.Behaviours() {
		if b.String() == word {
			return b, nil
		}
		known = append(known, b.String())
	}
	return 0, fmt.Errorf("%q is no behaviour: use one of %s", word, strings.Join(known, ", "))
}

// fault reads AT KIND NODE and words with a key.
func (r *faultReader) fault(text string) (f simulate.Fault, err error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return f, fmt.Errorf("must be AT KIND NODE, as in 2m BreakNode worker-1 until=5m")
	}
	if f.At, err = time.ParseDuration(words[0]); err != nil || f.At < 0 {
		return f, fmt.Errorf("%q is no time of the run: write 90s or 2m30s", words[0])
	}
	if words[1] == "Image" {
		return r.imageFault(f, words[2:])
	}
	kind, ok := findFaultKind(words[1])
	if !ok {
		return f, fmt.Errorf("%q is no kind of fault: use one of %s", words[1], strings.Join(faultNames(), ", "))
	}
	f.Transition.Kind = kind.kind
	rest := words[2:]
	if len(rest) > 0 && !strings.Contains(rest[0], "=") {
		f.Transition.Node, rest = rest[0], rest[1:]
	}
	for _, word := range rest {
		if err := faultWord(&f, word); err != nil {
			return f, err
		}
	}
	return f, r.check(kind, &f)
}

func (r *faultReader) imageFault(f simulate.Fault, words []string) (simulate.Fault, error) {
	if len(words) == 0 {
		return f, fmt.Errorf("must be AT Image IMAGE=BEHAVIOUR")
	}
	key, behaviour, err := r.image(words[0])
	if err != nil {
		return f, err
	}
	f.Behaviour = map[string]world.Behaviour{key: behaviour}
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "until=") {
			return f, fmt.Errorf("%q is not understood", word)
		}
		if err := faultWord(&f, word); err != nil {
			return f, err
		}
	}
	return f, untilAfter(&f)
}

func faultWord(f *simulate.Fault, word string) error {
	key, value, ok := strings.Cut(word, "=")
	switch {
	case !ok || value == "":
		return fmt.Errorf("%q must be until=, pod=, set=, container= or value= with a value", word)
	case key == "until":
		until, err := time.ParseDuration(value)
		if err != nil {
			return fmt.Errorf("until=%s is no time of the run: write 90s or 2m30s", value)
		}
		f.Until = until
	case key == "pod":
		f.Transition.Pod = value
	case key == "set":
		f.Transition.Set = value
	case key == "container":
		f.Transition.Container = value
	case key == "value":
		f.Transition.Value = value
	default:
		return fmt.Errorf("%q is not understood: use until=, pod=, set=, container= or value=", word)
	}
	return nil
}

// check refuses a fault that lacks something, and one that names what is not there. A node that joins is new.
func (r *faultReader) check(kind *faultKind, f *simulate.Fault) error {
	t := &f.Transition
	_, known := r.cluster.Find(t.Node)
	joins := t.Kind == world.JoinNode
	switch {
	case joins && t.Node == "":
		return fmt.Errorf("the new node needs a name: AT %s", kind.usage())
	case kind.node && t.Node == "":
		return fmt.Errorf("the node is missing: AT %s", kind.usage())
	case joins && known:
		return fmt.Errorf("node %s is there already", t.Node)
	case t.Node != "" && (kind.node || kind.any) && !joins && !known:
		return fmt.Errorf("node %q is not in the inputs", t.Node)
	}
	if err := kind.check(f); err != nil {
		return err
	}
	if _, ok := r.cluster.Find(t.Value); joins && !ok {
		return fmt.Errorf("value=%s names no node of the inputs that the new one could be like", t.Value)
	}
	return untilAfter(f)
}

func untilAfter(f *simulate.Fault) error {
	if f.Until != 0 && f.Until <= f.At {
		return fmt.Errorf("until=%s is not after %s", f.Until, f.At)
	}
	return nil
}
