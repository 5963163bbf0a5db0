package dump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// clockSkew is how far the clocks of a cluster's machines are taken to differ, and silence how long a kubelet that runs says
// nothing of its Node: it does every five minutes.
const (
	clockSkew = time.Minute
	silence   = time.Hour
)

// noteClock tells that the instant of the document is not that of the objects.
func (d *Dump) noteClock(rollout *model.Rollout) []string {
	at := rollout.Status.ObservedAt.Time
	newest, when := d.newest(), ""
	switch {
	case newest.After(at.Add(clockSkew)):
		when = "before"
	case at.After(newest.Add(silence)) && slices.ContainsFunc(d.Objects.Nodes, heartbeats):
		when = "after"
	default:
		return nil
	}
	return []string{fmt.Sprintf("status.observedAt, %s, is %s %s the newest time in the objects, %s: is it of this dump?",
		at.UTC().Format(time.RFC3339), at.Sub(newest).Abs().Round(time.Second), when, newest.UTC().Format(time.RFC3339))}
}

// heartbeats tells whether the Node says when its kubelet was last heard: then the newest time cannot be old.
func heartbeats(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool { return !c.LastHeartbeatTime.IsZero() })
}

const shownNames = 10

// noteDeployed tells which DaemonSets there are if the one that is named is not there.
func (d *Dump) noteDeployed(rollout *model.Rollout) []string {
	from := rollout.Spec.DesiredFrom
	if from == nil || from.Name == "" || len(d.Objects.DaemonSets) == 0 || d.deployed(rollout) != nil {
		return nil
	}
	names := make([]string, 0, len(d.Objects.DaemonSets))
	for _, set := range d.Objects.DaemonSets {
		names = append(names, set.Namespace+"/"+set.Name)
	}
	slices.Sort(names)
	if more := len(names) - shownNames; more > 0 {
		names = append(names[:shownNames], fmt.Sprintf("%d more", more))
	}
	return []string{fmt.Sprintf("spec.desiredFrom.name: no DaemonSet %s/%s is in the inputs; there are %s.",
		rollout.Metadata.Namespace, from.Name, strings.Join(names, ", "))}
}

// noteImages tells of images whose reference says no version: what is pulled depends on the day.
func noteImages(rollout *model.Rollout) (notes []string) {
	note := func(field, image string) {
		name := image[strings.LastIndexByte(image, '/')+1:]
		if image != "" && !strings.ContainsAny(name, ":@") {
			notes = append(notes, fmt.Sprintf("%s: image %q has no tag: each node pulls what is latest on its day.", field, image))
		}
	}
	if from := rollout.Spec.DesiredFrom; from != nil {
		note("spec.desiredFrom.image", from.Image)
		for _, container := range slices.Sorted(maps.Keys(from.Images)) {
			note("spec.desiredFrom.images["+container+"]", from.Images[container])
		}
	}
	if desired := rollout.Spec.Desired; desired != nil {
		template := &desired.Spec.Template.Spec
		for _, container := range slices.Concat(template.InitContainers, template.Containers) {
			note("spec.desired, container "+cmp.Or(container.Name, "without a name"), container.Image)
		}
	}
	return notes
}
