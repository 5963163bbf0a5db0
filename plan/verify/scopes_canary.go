package verify

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
)

// canary is one node; by itself it lasts so long that only a jump of time ends it.
func canary(change ...func(*model.Canary)) func(*model.Rollout) {
	return func(r *model.Rollout) {
		c := &model.Canary{
			Duration: &metav1.Duration{Duration: Deadline}, NoRestartsDuration: &metav1.Duration{Duration: Deadline},
			AutoPause: &model.AutoPause{}, AutoFail: &model.AutoFail{},
		}
		for _, f := range change {
			f(c)
		}
		r.Spec.Strategy.Canary = c
	}
}

func byHand(c *model.Canary) {
	c.ValidationMode, c.Duration, c.NoRestartsDuration = model.CanaryManual, nil, nil
}

// pausesAt and failsAt are the restarts that a canary still bears; off leaves the pause out.
func pausesAt(restarts int32) func(*model.Canary) {
	return func(c *model.Canary) { c.AutoPause.MaxRestarts = &restarts }
}

func failsAt(restarts int32) func(*model.Canary) {
	return func(c *model.Canary) { c.AutoFail.MaxRestarts = &restarts }
}

func pausesNever(c *model.Canary) {
	no := false
	c.AutoPause.Enabled = &no
}

// decided is the document with a person's decision of its canary.
func decided(verb model.CanaryVerb, document Document) Document {
	d, r := document, *document.Rollout
	r.Spec.Decision = model.Decision{Revision: revisionOf(&r), Canary: verb}
	d.Name, d.Rollout, d.Held = document.Name+", "+string(verb), &r, false
	return d
}

// revisionOf is what the planner calls the desired template.
func revisionOf(r *model.Rollout) string {
	cluster, err := model.NewCluster(model.Objects{})
	if err != nil {
		panic(err) // there is nothing in it
	}
	rendering, err := plan.Render(&model.Snapshot{Cluster: cluster, Rollout: r})
	if err != nil {
		panic(err) // the small agent can be rendered
	}
	return rendering.Revision
}

func canaries() []Scope {
	first := Revision(1)
	auto := Revision(2, canary())
	fails := Revision(2, canary(pausesNever, failsAt(0)))
	fails.MayFail = true
	pauses := held("revision 2, canary", 2, canary(pausesAt(0)))
	manual := held("revision 2, manual canary", 2, canary(byHand))
	failed := decided(model.FailCanary, manual)
	failed.Bad = true
	paused := decided(model.PauseCanary, manual)
	paused.Held = true
	resumed := decided(model.ResumeCanary, manual)
	resumed.Held = true
	promoted := decided(model.PromoteCanary, manual)
	neverReady := map[string]world.Behaviour{"trace-agent@agent:2": world.NeverReady}
	bad := auto
	bad.Bad = true
	base := func(name string, witnesses []string, documents ...Document) Scope {
		return Scope{Name: name, Prompt: true, Coarse: true, Start: two(0), Documents: append([]Document{first}, documents...), Witnesses: met(witnesses...)}
	}
	crashing := base("a canary, a container crashes", []string{"fault Crash", "CanaryValidated", "CanaryFailed", "Remembered", "RolloutComplete"}, fails)
	crashing.Most, crashing.Faults = 1, faultsOf(world.Crash)
	pausing := base("a canary pauses by itself, and is promoted", []string{"fault Crash", "CanaryPaused", "CanaryValidated", "RolloutComplete"}, pauses, decided(model.PromoteCanary, pauses))
	pausing.Most, pausing.Faults, pausing.Start = 1, faultsOf(world.Crash), cluster(1)
	both := pausing
	both.Name, both.Start = "two nodes, "+pausing.Name, two(0)
	hung := base("a canary that is never ready", []string{"Remembered", "ReturnComplete", "RolloutComplete"}, bad, Revision(3))
	hung.Images = neverReady
	takeover := base("a canary, takeover", []string{"crash,", "late", "CanaryValidated", "RolloutComplete"}, auto)
	takeover.Crashes = 1
	ofTwo := canary(func(c *model.Canary) { c.Replicas = number(2) })
	three := base("three nodes, a canary of two", []string{"CanaryValidated", "RolloutComplete"}, Revision(2, ofTwo, window(3)))
	three.Start = cluster(3)
	threeCrash := three
	threeCrash.Name, threeCrash.Most, threeCrash.Faults = three.Name+", a container crashes", 1, faultsOf(world.Crash)
	threeCrash.Documents = []Document{first, Revision(2, ofTwo, window(3))}
	threeCrash.Documents[1].MayFail = true
	limited := Revision(2, canary(func(c *model.Canary) { c.AutoFail.CanaryTimeout = &metav1.Duration{Duration: Deadline + time.Hour} }))
	limited.MayFail = true
	return []Scope{
		three, threeCrash,
		base("a canary with a time limit", []string{"CanaryFailed", "ReturnComplete", "Remembered"}, limited),
		base("a canary", []string{"CanaryValidated", "time passes", "RolloutComplete"}, auto),
		base("a canary, back", []string{"CanaryValidated", "ReturnComplete", "RolloutComplete"}, auto, first),
		base("a canary, superseded", []string{"ReturnComplete", "RolloutComplete"}, auto, Revision(3, canary())),
		base("a manual canary is paused, resumed and promoted", []string{"CanaryPaused", "CanaryResumed", "CanaryValidated", "RolloutComplete"}, manual, paused, resumed, promoted),
		base("a manual canary is failed", []string{"CanaryFailed", "ReturnComplete", "Remembered", "RolloutComplete"}, manual, failed, Revision(3)),
		crashing, pausing, both, hung, takeover,
	}
}
