package extendeddaemonset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
)

// annotations carry ExtendedDaemonSet's verbs; all others go to the DaemonSet.
func (c *converter) annotations(r *model.Rollout) {
	decide := func(verb, more string) string {
		return fmt.Sprintf("bound to one revision here: set spec.decision to {revision: …, canary: %s}%s", verb, more)
	}
	verbs := map[string]string{
		"canary-paused":        decide("Pause", ""),
		"canary-paused-reason": "the reason of a pause is in the plan's canary status",
		"canary-unpaused":      decide("Resume", ""),
		"canary-valid":         decide("Promote", "; there it names a replica set, and stays for ever"),
		"canary-failed":        decide("Fail", "; the desired template is never rewritten here"),
		"old-daemonset":        "Pods of another DaemonSet are not taken for old ones: give the new one the same name and selector, and its Pods are rolled as they are",
	}
	kept := map[string]string{}
	notes := c.in.set.Annotations
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		name, theirs := strings.CutPrefix(key, domain)
		m := Mapping{Is: None, Field: "metadata.annotations[" + key + "]", Value: notes[key]}
		switch {
		case key == corev1.LastAppliedConfigAnnotation:
			continue
		case !theirs:
			kept[key] = notes[key]
			m.Is, m.Becomes = Same, "spec.desired.metadata.annotations"
		case name == "rolling-update-paused":
			r.Spec.Strategy.Paused = r.Spec.Strategy.Paused || notes[key] == "true"
			m.Is, m.Becomes = Differs, "spec.strategy.paused"
			m.Note = "there nodes without a Pod get the new template all the same" + c.ofCanary(", and a canary is placed and promoted") +
				"; here no node leaves its source" + c.ofCanary(", the canary's neither, and no clock of it runs")
		case name == "rollout-frozen":
			r.Spec.Strategy.Frozen = notes[key] == "true"
			m.Is, m.Becomes = Differs, "spec.strategy.frozen"
			m.Note = "there no Pod is made or replaced" + c.ofCanary(", but those of a canary, which is promoted") +
				"; here the plan does nothing" + c.ofCanary(" but note since when, and no clock of a canary runs") + ", while the DaemonSet controller still makes Pods on nodes that join"
		case verbs[name] != "":
			m.Note = verbs[name]
		default:
			m.Note = "not known"
		}
		c.add(m)
	}
	if len(kept) > 0 {
		r.Spec.Desired.Annotations = kept
	}
	c.add(Mapping{Is: Same, Field: "metadata.labels", Becomes: "spec.desired.metadata.labels"})
}

// resources lists what gives single nodes other resources.
func (c *converter) resources() {
	const instead = "resources by node have no counterpart: give these nodes a DaemonSet, and a rollout, of their own"
	for _, setting := range c.in.settings {
		if setting.Spec.Reference.Name != c.in.set.Name || setting.Namespace != c.in.set.Namespace {
			continue
		}
		names := make([]string, len(setting.Spec.Containers))
		for i := range setting.Spec.Containers {
			names[i] = setting.Spec.Containers[i].Name
		}
		c.add(Mapping{Is: None, Field: SettingKind + " " + setting.Name, Note: instead,
			Value: fmt.Sprintf("%s on %s", strings.Join(names, ", "), selectorText(&setting.Spec.NodeSelector))})
	}
	prefix := resourcesPrefix + c.in.set.Namespace + "." + c.in.set.Name + "."
	for _, node := range c.in.nodes {
		for _, key := range slices.Sorted(maps.Keys(node.Annotations)) {
			if strings.HasPrefix(key, prefix) {
				c.add(Mapping{Is: None, Field: fmt.Sprintf("Node %s: metadata.annotations[%s]", node.Name, key), Value: node.Annotations[key], Note: instead})
			}
		}
	}
	if len(c.in.settings) == 0 && len(c.in.nodes) == 0 {
		c.add(Mapping{Is: None, Field: SettingKind + ", and Nodes' annotations " + resourcesPrefix + "…", Value: "not in the inputs", Default: true, Note: instead})
	}
}

// behaviour is what differs without a field for it.
func (c *converter) behaviour() {
	for _, m := range []Mapping{
		{Is: None, Field: "running Pods", Note: "the Pods of an ExtendedDaemonSet are not taken over: remove it, with its Pods, before the DaemonSet is made, or two agents run on a node"},
		{Is: Differs, Field: "availability", Becomes: "spec.strategy.settleSeconds", Note: "there a Pod that is Ready counts at once; here once it has been Ready for settleSeconds (10) and the DaemonSet's minReadySeconds"},
		{Is: Differs, Field: "order of nodes", Becomes: "spec.strategy.spreadBy", Note: "random there; here unavailable nodes first, then spreadBy, then names"},
		{Is: Differs, Field: "nodes that join",
			Note: "there they get the new revision at once" + c.ofCanary(", while a canary holds the former one") + "; here the source's until the target is proven" + c.ofCanary(" and its canary validated") + ", then the target at once"},
		{Is: Differs, Field: "nodes that turn away", Note: "there their Pods are deleted at once; here by the DaemonSet controller, which keeps a running Pod under a NoSchedule taint"},
		{Is: Differs, Field: "tolerations", Note: "the DaemonSet controller adds one for pid-pressure, and one for network-unavailable only under hostNetwork"},
		{Is: Differs, Field: "failed Pods", Note: "back-off from 1s to 15m by the DaemonSet controller, instead of 10s to 15m"},
		{Is: Differs, Field: "a failed revision", Becomes: "spec.failure", Note: "there spec.template is set back; here the nodes go back, the revision is remembered as failed, and the desired DaemonSet stays as it is. A revision fails without a canary too"},
	} {
		c.add(m)
	}
}
