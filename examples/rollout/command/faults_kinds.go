package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/world"
)

// faultKind is one kind of fault that --fault takes: what has to stand behind it, and what it does.
type faultKind struct {
	kind world.Kind
	// node says that a node is named, any that it need not be, and needs are the words that must be given; those in may can be left out.
	node  bool
	any   bool
	needs []faultKey
	may   []faultKey
	// ends says that until= ends it.
	ends bool
	does string
}

// faultKey is a word with a value, and what the help writes for the value.
type faultKey struct{ key, value string }

var (
	podKey       = faultKey{"pod", "NAMESPACE/NAME"}
	containerKey = faultKey{"container", "NAME"}
	setKey       = faultKey{"set", "NAMESPACE/NAME"}
)

// faultKinds are all of them, in the order of the help. Image, which is no transition of the world, is told by itself.
var faultKinds = []faultKind{
	{kind: world.BreakNode, node: true, ends: true, does: "the kubelet falls silent; what runs there runs on"},
	{kind: world.LoseNode, node: true, ends: true, does: "the machine is off"},
	{kind: world.MendNode, node: true, does: "a node that is down, in the dump already for instance, is back"},
	{kind: world.RebootNode, node: true, does: "the machine restarts so quickly that the node stays Ready"},
	{kind: world.CordonNode, node: true, ends: true, does: "a person cordons the node"},
	{kind: world.UncordonNode, node: true, does: "a person uncordons it"},
	{kind: world.TaintNode, node: true, needs: []faultKey{{"value", "KEY[=VALUE]:EFFECT"}}, does: "a person adds the taint"},
	{kind: world.UntaintNode, node: true, needs: []faultKey{{"value", "KEY[:EFFECT]"}}, does: "a person removes it"},
	{kind: world.EditLabel, node: true, needs: []faultKey{{"value", "KEY=VALUE|KEY-"}}, does: "a person sets a label of the node, or removes it"},
	{kind: world.BreakPulls, node: true, ends: true, does: "the node cannot reach the registry"},
	{kind: world.MendPulls, node: true, does: "it can again"},
	{kind: world.JoinNode, node: true, needs: []faultKey{{"value", "NODE"}}, ends: true, does: "a new node joins that is like the one in value="},
	{kind: world.RemoveNode, node: true, does: "the node is gone, with its Pods"},
	{kind: world.StopReadiness, node: true, needs: []faultKey{podKey, containerKey}, does: "the container's readiness probe fails from then on"},
	{kind: world.Crash, node: true, needs: []faultKey{podKey, containerKey}, does: "the container's process ends with an error"},
	{kind: world.FailPod, node: true, needs: []faultKey{podKey}, does: "the kubelet evicts the Pod"},
	{kind: world.KillPod, node: true, needs: []faultKey{podKey}, does: "a person deletes the Pod"},
	{kind: world.KillSet, needs: []faultKey{setKey}, may: []faultKey{{"value", "Background|Foreground|Orphan"}}, does: "a person deletes the DaemonSet"},
	{kind: world.EditTemplate, needs: []faultKey{setKey, containerKey, {"value", "IMAGE"}}, does: "a person sets an image in the DaemonSet's template"},
	{kind: world.RemakeSet, needs: []faultKey{setKey}, does: "a person deletes the DaemonSet and applies it anew"},
	{kind: world.EditAnnotation, needs: []faultKey{setKey, {"value", "KEY=VALUE|KEY-"}}, does: "a person annotates the DaemonSet"},
	{kind: world.DenyPods, any: true, may: []faultKey{{"value", "IMAGE"}}, ends: true, does: "admission or a quota refuses new Pods"},
	{kind: world.AllowPods, any: true, may: []faultKey{{"value", "IMAGE"}}, does: "it takes them again"},
	{kind: world.InjectContainer, needs: []faultKey{{"value", "IMAGE"}}, ends: true, does: "admission adds a container to new Pods"},
	{kind: world.InjectNothing, does: "it does not any more"},
	{kind: world.HoldPod, node: true, needs: []faultKey{podKey}, ends: true, does: "a finalizer keeps the Pod's object"},
	{kind: world.FreePod, node: true, needs: []faultKey{podKey}, does: "it is taken off"},
	{kind: world.StickPod, node: true, needs: []faultKey{podKey}, ends: true, does: "the Pod's processes do not end when they are told to"},
	{kind: world.UnstickPod, node: true, needs: []faultKey{podKey}, does: "they do"},
	{kind: world.RestController, needs: []faultKey{setKey}, ends: true, does: "the controller rests on the DaemonSet until it is written"},
	{kind: world.WakeController, needs: []faultKey{setKey}, does: "the controller starts anew"},
	{kind: world.PressNode, node: true, ends: true, does: "new Pods on the node are evicted, again and again"},
	{kind: world.RelieveNode, node: true, does: "they are not any more"},
	{kind: world.LosePod, node: true, needs: []faultKey{podKey}, does: "the Pod's object goes, on a machine that is off"},
	{kind: world.RenewNode, node: true, does: "the Node object is made anew under its name, with another UID"},
}

func findFaultKind(name string) (*faultKind, bool) {
	i := slices.IndexFunc(faultKinds, func(k faultKind) bool { return k.kind.String() == name })
	if i < 0 {
		return nil, false
	}
	return &faultKinds[i], true
}

// faultNames are the names that --fault takes.
func faultNames() (names []string) {
	for i := range faultKinds {
		names = append(names, faultKinds[i].kind.String())
	}
	return append(names, "Image")
}

// usage is the kind with what has to stand behind it.
func (k *faultKind) usage() string {
	words := []string{k.kind.String()}
	if k.node {
		words = append(words, "NODE")
	}
	if k.any {
		words = append(words, "[NODE]")
	}
	for _, w := range k.needs {
		words = append(words, w.key+"="+w.value)
	}
	for _, w := range k.may {
		words = append(words, "["+w.key+"="+w.value+"]")
	}
	if k.ends {
		words = append(words, "[until=AT]")
	}
	return strings.Join(words, " ")
}

// check refuses what does not belong to the kind, and what is missing.
func (k *faultKind) check(f *simulate.Fault) error {
	given := map[string]string{"pod": f.Transition.Pod, "set": f.Transition.Set, "container": f.Transition.Container, "value": f.Transition.Value}
	var missing, foreign []string
	for _, key := range []string{"pod", "set", "container", "value"} {
		is := func(w faultKey) bool { return w.key == key }
		switch needed := slices.ContainsFunc(k.needs, is); {
		case needed && given[key] == "":
			missing = append(missing, key+"=")
		case !needed && given[key] != "" && !slices.ContainsFunc(k.may, is):
			foreign = append(foreign, key+"=")
		}
	}
	switch {
	case len(missing) > 0:
		return fmt.Errorf("%s is missing: AT %s", strings.Join(missing, ", "), k.usage())
	case len(foreign) > 0:
		return fmt.Errorf("%s does not belong to it: AT %s", strings.Join(foreign, ", "), k.usage())
	case f.Until != 0 && !k.ends:
		return fmt.Errorf("until= does not end it: AT %s", k.usage())
	case !k.node && !k.any && f.Transition.Node != "":
		return fmt.Errorf("%q is not understood: AT %s", f.Transition.Node, k.usage())
	}
	return nil
}

// behaviourDoes says what an image of the behaviour does.
func behaviourDoes(b world.Behaviour) string {
	switch b {
	case world.Good:
		return "it is pulled, starts and becomes ready"
	case world.PullFails:
		return "the registry has no such image"
	case world.CrashLoops:
		return "it ends with an error before it is ready, again and again"
	case world.ReadyThenCrashes:
		return "it is ready for a moment, then ends with an error, again and again"
	case world.NeverReady:
		return "it runs, and its readiness probe never succeeds"
	case world.SlowStart:
		return "its start takes much longer"
	}
	return ""
}

// behaviourHelp is the list of the behaviours for the help.
func behaviourHelp() string {
	var lines []string
	for _, b := range world.Behaviours() {
		lines = append(lines, fmt.Sprintf("    %-18s%s", b, behaviourDoes(b)))
	}
	return strings.Join(lines, "\n")
}

// faultHelp is the list of the kinds for the help: a long one has its sentence on the next line.
func faultHelp() string {
	const indent, column = 4, 38
	var b strings.Builder
	for i := range faultKinds {
		k := &faultKinds[i]
		if usage := k.usage(); indent+len(usage) <= column-2 {
			fmt.Fprintf(&b, "%*s%-*s%s\n", indent, "", column-indent, usage, k.does)
		} else {
			fmt.Fprintf(&b, "%*s%s\n%*s%s\n", indent, "", usage, column, "", k.does)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
