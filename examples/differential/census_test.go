package differential

import (
	"maps"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// census counts the clusters of each class that a comparison has met: without them it would agree about
// nothing.
type census map[string]int

// The least number of clusters of each class, of ten thousand.
var least = map[string]int{
	"the manage step acts":                         3000,
	"the update step deletes":                      800,
	"the update step creates":                      400,
	"the update step finds nothing":                500,
	"OnDelete":                                     200,
	"a percentage":                                 2000,
	"minReadySeconds to the second":                500,
	"budget cut: an available old Pod stays":       300,
	"surge candidates beyond the window":           200,
	"an unavailable old Pod is replaced":           300,
	"an unavailable old Pod gets a new one beside": 150,
	"sunset: an old Pod goes with the surge":       25,
	"sunset held: fewer available than desired":    50,
	"duplicates":                                   2000,
	"a Pod runs on where none should start":        500,
	"terminating beside nothing":                   500,
	"terminating beside nothing, with a surge":     200,
	"a failed Pod":                                 500,
	"a Pod that has ended and is terminating":      150,
	"a failed Pod alone, with a surge":             100,
	"unbound on a node that turned away":           100,
	"adopted":                                      300,
	"an old and a new Pod side by side stay":       150,
	"the new Pod is available: the old one goes":   100,
	"the old Pod is not Ready: the old one goes":   100,
	"a node that is not Ready":                     1000,
	"no node where a Pod should run":               500,
	"neither maxSurge nor maxUnavailable":          300,
}

func (reached census) add(c *cluster, did *outcome, updated bool) {
	found := map[string]bool{}
	reached.addStep(c, did, updated, found)
	desired := 0
	for _, node := range c.nodes {
		shouldRun, goesOn := c.judge(node)
		if shouldRun {
			desired++
		}
		c.classify(node, shouldRun, goesOn, did, updated, found)
	}
	found["no node where a Pod should run"] = desired == 0
	for class, is := range found {
		if is {
			reached[class]++
		}
	}
}

func (reached census) addStep(c *cluster, did *outcome, updated bool, found map[string]bool) {
	rolling := c.set.Spec.UpdateStrategy.RollingUpdate
	found["OnDelete"] = rolling == nil
	found["the manage step acts"] = !updated && !did.quiet()
	if rolling == nil {
		return
	}
	found["a percentage"] = strings.HasSuffix(rolling.MaxUnavailable.String()+rolling.MaxSurge.String(), "%") ||
		strings.Contains(rolling.MaxUnavailable.String(), "%")
	found["neither maxSurge nor maxUnavailable"] = rolling.MaxUnavailable.IntVal == 0 && rolling.MaxSurge.IntVal == 0 &&
		strings.Trim(rolling.MaxUnavailable.StrVal+rolling.MaxSurge.StrVal, "0%") == ""
	found["the update step deletes"] = updated && len(did.deleted) > 0
	found["the update step creates"] = updated && len(did.created) > 0
	found["the update step finds nothing"] = updated && did.quiet()
}

// classify finds what is special about one node.
func (c *cluster) classify(node *corev1.Node, shouldRun, goesOn bool, did *outcome, updated bool, found map[string]bool) {
	is := func(class string, condition bool) { found[class] = found[class] || condition }
	pods, live := c.podsOn(node.Name), c.livePods(node.Name)
	created := slices.Contains(did.created, node.Name)
	surges := c.surges()
	is("a node that is not Ready", node.Status.Conditions[0].Status != corev1.ConditionTrue)
	is("duplicates", len(live) > 1)
	is("a Pod runs on where none should start", goesOn && !shouldRun && len(live) > 0)
	terminating := 0
	for _, p := range pods {
		if p.DeletionTimestamp != nil {
			terminating++
			is("a Pod that has ended and is terminating", ended(p))
		}
		gone := p.DeletionTimestamp == nil
		is("a failed Pod", gone && ended(p))
		is("a failed Pod alone, with a surge", gone && ended(p) && surges && shouldRun && len(pods) == 1)
		is("unbound on a node that turned away", gone && !goesOn && p.Spec.NodeName == "")
		is("adopted", gone && len(p.OwnerReferences) == 0)
		is("minReadySeconds to the second", c.set.Spec.MinReadySeconds > 0 && c.available(p) &&
			int32(c.now.Sub(p.Status.Conditions[0].LastTransitionTime.Time).Seconds()) == c.set.Spec.MinReadySeconds)
	}
	is("terminating beside nothing", terminating > 0 && terminating == len(pods) && shouldRun)
	is("terminating beside nothing, with a surge", terminating > 0 && terminating == len(pods) && shouldRun && surges && created)
	rolls := updated && c.set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType
	switch old, alone := c.live(node.Name); {
	case rolls && old && alone:
		deleted, available := slices.Contains(did.deleted, live[0].Name), c.available(live[0])
		is("budget cut: an available old Pod stays", !surges && available && !deleted && len(did.deleted) > 0)
		is("an unavailable old Pod is replaced", !surges && !available && deleted)
		is("an unavailable old Pod gets a new one beside", surges && !available && created)
		is("surge candidates beyond the window", surges && available && shouldRun && !created && len(did.created) > 0)
		is("sunset: an old Pod goes with the surge", surges && available && !shouldRun && deleted)
		is("sunset held: fewer available than desired", surges && available && !shouldRun && !deleted)
	case surges && goesOn && len(live) == 2 && c.old(live[0]) != c.old(live[1]):
		if c.old(live[1]) {
			live[0], live[1] = live[1], live[0]
		}
		deleted := slices.Contains(did.deleted, live[0].Name)
		ready := live[0].Status.Conditions[0].Status == corev1.ConditionTrue
		is("an old and a new Pod side by side stay", !deleted)
		is("the new Pod is available: the old one goes", deleted && ready && c.available(live[1]))
		is("the old Pod is not Ready: the old one goes", deleted && !ready && !c.available(live[1]))
	}
}

func (reached census) check(t *testing.T, clusters int) {
	t.Helper()
	for _, class := range slices.Sorted(maps.Keys(least)) {
		t.Logf("%7d  %s", reached[class], class)
		if reached[class]*10_000 < least[class]*clusters {
			t.Errorf("only %d of %d clusters have: %s", reached[class], clusters, class)
		}
	}
}
