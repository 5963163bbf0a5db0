package model_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
)

// least is the least document that a person must write: a name, an image and maxUnavailable. The instant is a fact.
func least() *model.Rollout {
	return &model.Rollout{
		Metadata: model.Owner{Namespace: "datadog", Name: "datadog-agent"},
		Spec: model.Spec{
			DesiredFrom: &model.DesiredFrom{Images: map[string]string{"agent": "gcr.io/datadoghq/agent:7.81.1"}},
			Strategy:    model.Strategy{MaxUnavailable: ptr(intstr.FromString("5%"))},
		},
		Status: model.Facts{ObservedAt: metav1.NewTime(noon)},
	}
}

func TestDefaults(t *testing.T) {
	rollout := least()
	got := rollout.WithDefaults()
	want := &model.Rollout{
		TypeMeta: metav1.TypeMeta{APIVersion: "agent-rollout/v1alpha1", Kind: "Rollout"},
		Metadata: model.Owner{Namespace: "datadog", Name: "datadog-agent"},
		Spec: model.Spec{
			Intent:      model.Run,
			DesiredFrom: &model.DesiredFrom{Name: "datadog-agent", Images: map[string]string{"agent": "gcr.io/datadoghq/agent:7.81.1"}},
			Strategy: model.Strategy{
				Type: model.Pair, Overlap: model.Locked,
				MaxUnavailable: ptr(intstr.FromString("5%")), Partition: ptr(intstr.FromInt32(0)), ExemptUnhealthy: ptr(intstr.FromInt32(0)),
				MaxWrites: ptr(int32(250)), SettleSeconds: ptr(int32(10)),
			},
			Failure:  model.Failure{ProgressDeadlineSeconds: ptr(int32(600)), MaxRestarts: ptr(int32(5)), Action: model.Cancel, MaxExceptions: ptr(intstr.FromInt32(0))},
			Capacity: model.CapacitySettings{Preemption: model.RefusePreemption},
			Slots:    model.SlotSettings{Domain: "experimental.agent.datadoghq.com", Green: model.GreenSlot{Suffix: "-green"}},
			Lock:     model.LockSettings{Preset: "datadog"},
		},
		Status: model.Facts{ObservedAt: metav1.NewTime(noon)},
	}
	require.Empty(t, cmp.Diff(want, got))
	require.Empty(t, cmp.Diff(least(), rollout), "the input is unchanged")
	require.Empty(t, cmp.Diff(got, got.WithDefaults()), "twice is once")
	require.Empty(t, rollout.Validate())
}

func TestDefaultsLeaveWhatIsGiven(t *testing.T) {
	rollout := least()
	rollout.Spec.Strategy = model.Strategy{Type: model.Surge, MaxUnavailable: ptr(intstr.FromInt32(3)), MaxWrites: ptr(int32(0)), SettleSeconds: ptr(int32(0)),
		SlowStart: &model.SlowStart{Increase: intstr.FromInt32(5)}}
	rollout.Spec.Lock = model.LockSettings{Spec: &model.LockSpec{Schema: "3"}}
	rollout.Spec.DesiredFrom.Name = "other"
	slow := rollout.Spec.Strategy.SlowStart
	got := rollout.WithDefaults()
	require.Equal(t, model.Locked, got.Spec.Strategy.Overlap, "a surge with a lock is a prepared one")
	require.Equal(t, int32(0), *got.Spec.Strategy.MaxWrites)
	require.Equal(t, int32(0), *got.Spec.Strategy.SettleSeconds)
	require.Equal(t, time.Minute, got.Spec.Strategy.SlowStart.Interval.Duration)
	require.Zero(t, slow.Interval.Duration, "the input is unchanged")
	require.Empty(t, got.Spec.Lock.Preset)
	require.Equal(t, "other", got.Spec.DesiredFrom.Name)

	rollout.Spec.Lock = model.LockSettings{}
	got = rollout.WithDefaults()
	require.Equal(t, model.Never, got.Spec.Strategy.Overlap, "a surge without a lock is a plain one")
	require.Equal(t, got, got.WithDefaults(), "twice is once")
	rollout.Spec.Strategy.Type = model.RollingUpdate
	require.Empty(t, rollout.WithDefaults().Spec.Strategy.Overlap, "no Pod stands beside another")
	rollout.Spec.Strategy.MaxUnavailable = nil
	require.Equal(t, intstr.FromInt32(1), *rollout.WithDefaults().Spec.Strategy.MaxUnavailable)
}

// The budget of a DaemonSet that is given whole is its own, unless the settings name another or it says none that lets it get on.
func TestOwnBudget(t *testing.T) {
	rollout := least()
	rollout.Spec.DesiredFrom, rollout.Spec.Desired, rollout.Spec.Strategy.MaxUnavailable = nil, desired(metav1.TypeMeta{}, "datadog"), nil
	budget := func() string { return rollout.WithDefaults().Spec.Strategy.MaxUnavailable.String() }
	require.Equal(t, "1", budget())
	for _, test := range []struct {
		own  intstr.IntOrString
		want string
	}{
		{intstr.FromString("10%"), "10%"}, {intstr.FromInt32(3), "3"}, {intstr.FromInt32(0), "1"}, {intstr.FromString("0%"), "1"}, {intstr.FromString("many"), "1"},
	} {
		rollout.Spec.Desired.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &test.own}}
		require.Equal(t, test.want, budget())
	}
	rollout.Spec.Desired.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = ptr(intstr.FromInt32(3))
	rollout.Spec.Strategy.MaxUnavailable = ptr(intstr.FromInt32(2))
	require.Equal(t, "2", budget())
	rollout.Spec.Strategy.MaxUnavailable = nil
	rollout.Spec.Desired.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
	require.Equal(t, "1", budget())
}

func desired(kind metav1.TypeMeta, namespace string) *appsv1.DaemonSet {
	return &appsv1.DaemonSet{TypeMeta: kind, ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "datadog-agent"}}
}

// One fault each, with its path and the part of its text that tells what to do.
func TestValidateNamesEachFault(t *testing.T) {
	number := func(value intstr.IntOrString) func(**intstr.IntOrString) {
		return func(p **intstr.IntOrString) { *p = &value }
	}
	strategy := func(change func(*model.Strategy)) func(*model.Rollout) {
		return func(r *model.Rollout) { change(&r.Spec.Strategy) }
	}
	tests := []struct {
		name   string
		change func(*model.Rollout)
		path   string
		text   string
	}{
		{"apiVersion", func(r *model.Rollout) { r.APIVersion = "v1" }, "apiVersion", `"agent-rollout/v1alpha1"`},
		{"kind", func(r *model.Rollout) { r.Kind = "Roll" }, "kind", `"Rollout"`},
		{"no name", func(r *model.Rollout) { r.Metadata.Name = "" }, "metadata.name", "Required"},
		{"namespace", func(r *model.Rollout) { r.Metadata.Namespace = "Data Dog" }, "metadata.namespace", "RFC 1123"},
		{"intent", func(r *model.Rollout) { r.Spec.Intent = "Walk" }, "spec.intent", `"Teardown"`},
		{"no desired", func(r *model.Rollout) { r.Spec.DesiredFrom = nil }, "spec.desired", "desiredFrom"},
		{"both desired", func(r *model.Rollout) { r.Spec.Desired = &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "a"}} }, "spec.desiredFrom", "give one of them"},
		{"opt-out without its end", func(r *model.Rollout) { r.Spec.Intent = model.OptOut }, "spec.desired", "opt-out"},
		{"desired without a name", func(r *model.Rollout) { r.Spec.DesiredFrom, r.Spec.Desired = nil, &appsv1.DaemonSet{} }, "spec.desired.metadata.name", "Required"},
		{"a Deployment", func(r *model.Rollout) {
			r.Spec.DesiredFrom, r.Spec.Desired = nil, desired(metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, "datadog")
		}, "spec.desired.kind", `Unsupported value: "Deployment": supported values: "DaemonSet"`},
		{"a DaemonSet of old", func(r *model.Rollout) {
			r.Spec.DesiredFrom, r.Spec.Desired = nil, desired(metav1.TypeMeta{APIVersion: "extensions/v1beta1", Kind: "DaemonSet"}, "")
		}, "spec.desired.apiVersion", `supported values: "apps/v1"`},
		{"a DaemonSet of elsewhere", func(r *model.Rollout) {
			r.Spec.DesiredFrom, r.Spec.Desired = nil, desired(metav1.TypeMeta{}, "default")
		}, "spec.desired.metadata.namespace", `must be the rollout's, "datadog"`},
		{"empty image", func(r *model.Rollout) { r.Spec.DesiredFrom.Images["agent"] = "" }, "spec.desiredFrom.images[agent]", "an image"},
		{"quoted number", strategy(func(s *model.Strategy) { number(intstr.FromString("2"))(&s.MaxUnavailable) }), "spec.strategy.maxUnavailable", "without quotes"},
		{"budget of 0", strategy(func(s *model.Strategy) { number(intstr.FromInt32(0))(&s.MaxUnavailable) }), "spec.strategy.maxUnavailable", "resolves to 0"},
		{"budget of 0%", strategy(func(s *model.Strategy) { number(intstr.FromString("0%"))(&s.MaxUnavailable) }), "spec.strategy.maxUnavailable", "resolves to 0"},
		{"negative budget", strategy(func(s *model.Strategy) { number(intstr.FromInt32(-1))(&s.MaxUnavailable) }), "spec.strategy.maxUnavailable", "Invalid value: -1: must be between 0 and 10000000"},
		{"above 100%", strategy(func(s *model.Strategy) { number(intstr.FromString("101%"))(&s.MaxSurge) }), "spec.strategy.maxSurge", "100%"},
		{"window of 0", strategy(func(s *model.Strategy) { number(intstr.FromInt32(0))(&s.MaxSurge) }), "spec.strategy.maxSurge", "resolves to 0"},
		{"partition", strategy(func(s *model.Strategy) { number(intstr.FromString("half"))(&s.Partition) }), "spec.strategy.partition", "half"},
		{"exempt", strategy(func(s *model.Strategy) { number(intstr.FromString("1.5%"))(&s.ExemptUnhealthy) }), "spec.strategy.exemptUnhealthy", "1.5%"},
		{"writes", strategy(func(s *model.Strategy) { s.MaxWrites = ptr(int32(0)) }), "spec.strategy.maxWrites", "at least 1"},
		{"settle", strategy(func(s *model.Strategy) { s.SettleSeconds = ptr(int32(-1)) }), "spec.strategy.settleSeconds", "negative"},
		{"spread", strategy(func(s *model.Strategy) { s.SpreadBy = []string{"zone", "a b"} }), "spec.strategy.spreadBy[1]", "a b"},
		{"spread by nothing", strategy(func(s *model.Strategy) { s.SpreadBy = []string{""} }), "spec.strategy.spreadBy[0]", "must not be empty"},
		{"overlap", strategy(func(s *model.Strategy) { s.Overlap = "Sometimes" }), "spec.strategy.overlap", `"Locked"`},
		{"type", strategy(func(s *model.Strategy) { s.Type = "Magic" }), "spec.strategy.type", `"Pair"`},
		{"a rolling update's overlap", strategy(func(s *model.Strategy) { s.Type, s.Overlap = model.RollingUpdate, model.Never }), "spec.strategy.overlap", "leave it out"},
		{"a rolling update's surge", strategy(func(s *model.Strategy) { s.Type, s.MaxSurge = model.RollingUpdate, ptr(intstr.FromString("1%")) }), "spec.strategy.maxSurge", "beside another"},
		{"a rolling update's partition", strategy(func(s *model.Strategy) { s.Type, s.Partition = model.RollingUpdate, ptr(intstr.FromInt32(1)) }), "spec.strategy.partition", "takes the newest template; use Pair"},
		{"a rolling update's canary", strategy(func(s *model.Strategy) { s.Type, s.Canary = model.RollingUpdate, &model.Canary{} }), "spec.strategy.canary", "canar"},
		{"a rolling update's lock", func(r *model.Rollout) {
			r.Spec.Strategy.Type, r.Spec.Lock.Spec = model.RollingUpdate, &model.LockSpec{}
		}, "spec.lock", "remove it"},
		{"a surge's partition", strategy(func(s *model.Strategy) { s.Type, s.Partition = model.Surge, ptr(intstr.FromString("10%")) }), "spec.strategy.partition", "takes the newest template; use Pair"},
		{"a surge's canary", strategy(func(s *model.Strategy) { s.Type, s.Canary = model.Surge, &model.Canary{} }), "spec.strategy.canary", "canar"},
		{"a canary under an unknown type", strategy(func(s *model.Strategy) { s.Type, s.Canary = "Magic", &model.Canary{} }), "spec.strategy.type", `"Pair"`},
		{"a verdict on a surge's canary", func(r *model.Rollout) {
			r.Spec.Strategy.Type, r.Spec.Decision = model.Surge, model.Decision{Canary: model.PromoteCanary, Revision: "r"}
		}, "spec.decision.canary", "only a Pair"},
		{"a surge's overlap", strategy(func(s *model.Strategy) { s.Type, s.Overlap = model.Surge, "Sometimes" }), "spec.strategy.overlap", `"Locked"`},
		{"a surge's slow start", strategy(func(s *model.Strategy) { s.Type, s.SlowStart = model.Surge, &model.SlowStart{} }), "spec.strategy.slowStart", "native controller"},
		{"a surge's spread", strategy(func(s *model.Strategy) { s.Type, s.SpreadBy = model.Surge, []string{"zone"} }), "spec.strategy.spreadBy", "native controller"},
		{"a surge's single write", strategy(func(s *model.Strategy) { s.Type, s.MaxWrites = model.Surge, ptr(int32(1)) }), "spec.strategy.maxWrites", "at least 2"},
		{"a surge beyond the budget", strategy(func(s *model.Strategy) { s.Type, s.MaxSurge = model.Surge, ptr(intstr.FromString("6%")) }), "spec.strategy.maxSurge", "within the budget"},
		{"a surge in another unit", strategy(func(s *model.Strategy) { s.Type, s.MaxSurge = model.Surge, ptr(intstr.FromInt32(1)) }), "spec.strategy.maxSurge", "both as a percentage"},
		{"slow start never grows", strategy(func(s *model.Strategy) { s.SlowStart = &model.SlowStart{Increase: intstr.FromString("0%")} }), "spec.strategy.slowStart.increase", "never grow"},
		{"slow start's number", strategy(func(s *model.Strategy) { s.SlowStart = &model.SlowStart{Increase: intstr.FromString("5")} }), "spec.strategy.slowStart.increase", "without quotes"},
		{"slow start's interval", strategy(func(s *model.Strategy) { s.SlowStart = &model.SlowStart{Interval: metav1.Duration{Duration: -1}} }), "spec.strategy.slowStart.interval", "longer than 0"},
		{"deadline", func(r *model.Rollout) { r.Spec.Failure.ProgressDeadlineSeconds = ptr(int32(0)) }, "spec.failure.progressDeadlineSeconds", "at least 1"},
		{"exceptions", func(r *model.Rollout) { r.Spec.Failure.MaxExceptions = ptr(intstr.FromString("2")) }, "spec.failure.maxExceptions", "%"},
		{"preemption", func(r *model.Rollout) { r.Spec.Capacity.Preemption = "Sometimes" }, "spec.capacity.preemption", "Refuse"},
		{"restarts", func(r *model.Rollout) { r.Spec.Failure.MaxRestarts = ptr(int32(0)) }, "spec.failure.maxRestarts", "condemns nothing"},
		{"failure action", func(r *model.Rollout) { r.Spec.Failure.Action = "Panic" }, "spec.failure.action", `"Hold"`},
		{"domain", func(r *model.Rollout) { r.Spec.Slots.Domain = "Not A Domain" }, "spec.slots.domain", "RFC 1123"},
		{"selector label", func(r *model.Rollout) { r.Spec.Slots.SelectorLabel = "a/b/c" }, "spec.slots.selectorLabel", "a/b/c"},
		{"suffix", func(r *model.Rollout) { r.Spec.Slots.Green.Suffix = "-" }, "spec.slots.green.suffix", "RFC 1123"},
		{"variable without a name", func(r *model.Rollout) { r.Spec.Slots.Green.Env = []corev1.EnvVar{{Name: "A"}, {}} }, "spec.slots.green.env[1].name", "Required"},
		{"recovery", func(r *model.Rollout) { r.Spec.Decision = model.Decision{Recover: "Sideways", Revision: "r"} }, "spec.decision.recover", `"Forward"`},
		{"recovery of nothing", func(r *model.Rollout) { r.Spec.Decision.Recover = model.Back }, "spec.decision.revision", "Required"},
		{"no instant", func(r *model.Rollout) { r.Status.ObservedAt = metav1.Time{} }, "status.observedAt", "no other clock"},
		{"timeout", func(r *model.Rollout) { r.Status.Executor.RequestTimeout.Duration = -1 }, "status.executor.requestTimeout", "negative"},
		{"issued nothing", func(r *model.Rollout) { r.Status.Issued = make([]model.Issued, 1) }, "status.issued[0].action.write", "exactly one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rollout := least()
			test.change(rollout)
			faults := rollout.Validate()
			require.Len(t, faults, 1, "%v", faults)
			require.Equal(t, test.path, faults[0].Field)
			require.ErrorContains(t, faults[0], test.text)
		})
	}
}

func TestValidateListsAllFaultsAtOnce(t *testing.T) {
	rollout := &model.Rollout{Spec: model.Spec{
		Intent:      "Walk",
		DesiredFrom: &model.DesiredFrom{Images: map[string]string{"b": "", "a": ""}},
		Strategy:    model.Strategy{MaxUnavailable: ptr(intstr.FromString("2")), MaxSurge: ptr(intstr.FromInt32(0))},
		Failure:     model.Failure{Action: "Panic"},
		Slots:       model.SlotSettings{Domain: "-"},
		Decision:    model.Decision{Recover: model.Back},
	}}
	var paths []string
	for _, fault := range rollout.Validate() {
		paths = append(paths, fault.Field)
	}
	require.Equal(t, []string{"metadata.name", "spec.desiredFrom.images[a]", "spec.desiredFrom.images[b]", "spec.intent",
		"spec.strategy.maxUnavailable", "spec.strategy.maxSurge", "spec.failure.action", "spec.slots.domain", "spec.decision.revision", "status.observedAt"}, paths)
}

// An unknown type hides no fault of what every type has.
func TestUnknownTypeHidesNothing(t *testing.T) {
	rollout := least()
	rollout.Spec.Strategy.Type, rollout.Spec.Strategy.Overlap = "Magic", "Sometimes"
	faults := rollout.Validate()
	require.Len(t, faults, 2)
	require.Equal(t, "spec.strategy.type", faults[0].Field)
	require.Equal(t, "spec.strategy.overlap", faults[1].Field)
}

func TestDesiredInTheRolloutsNamespace(t *testing.T) {
	for _, namespace := range []string{"", "datadog"} {
		rollout := least()
		rollout.Spec.DesiredFrom, rollout.Spec.Desired = nil, desired(metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"}, namespace)
		require.Empty(t, rollout.Validate())
	}
}

func TestTeardownNeedsNoTemplate(t *testing.T) {
	rollout := least()
	rollout.Spec.Intent, rollout.Spec.DesiredFrom = model.Teardown, nil
	require.Empty(t, rollout.Validate())
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name     string
		strategy model.Strategy
		eligible int
		slow     time.Duration
		want     budget.Limits
	}{
		{"defaults", model.Strategy{}, 10, 0, budget.Limits{Cohort: 10, Unavailable: 1, Window: 2, Writes: 250}},
		{"percentages round up", model.Strategy{MaxUnavailable: ptr(intstr.FromString("5%"))}, 288, 0, budget.Limits{Cohort: 288, Unavailable: 15, Window: 30, Writes: 250}},
		{"window and partition", model.Strategy{MaxSurge: ptr(intstr.FromInt32(7)), Partition: ptr(intstr.FromString("50%"))}, 9, 0, budget.Limits{Cohort: 4, Unavailable: 1, Window: 7, Writes: 250}},
		{"a partition of more than all", model.Strategy{Partition: ptr(intstr.FromInt32(20))}, 9, 0, budget.Limits{Cohort: 0, Unavailable: 1, Window: 2, Writes: 250}},
		{"slow start: min(8, (1 + 90s/1m) × 2), the window is that of the whole budget", model.Strategy{MaxUnavailable: ptr(intstr.FromInt32(8)), SlowStart: &model.SlowStart{Increase: intstr.FromInt32(2)}}, 100, 90 * time.Second,
			budget.Limits{Cohort: 100, Unavailable: 4, Window: 16, Writes: 250}},
		{"a surge is the budget", model.Strategy{Type: model.Surge, MaxUnavailable: ptr(intstr.FromString("5%"))}, 288, 0, budget.Limits{Cohort: 288, Unavailable: 15, Window: 15, Writes: 250}},
		{"a surge of its own", model.Strategy{Type: model.Surge, MaxUnavailable: ptr(intstr.FromInt32(5)), MaxSurge: ptr(intstr.FromInt32(2))}, 9, 0, budget.Limits{Cohort: 9, Unavailable: 5, Window: 2, Writes: 250}},
		{"delete-first has no window", model.Strategy{Type: model.RollingUpdate}, 9, 0, budget.Limits{Cohort: 9, Unavailable: 1, Window: 0, Writes: 250}},
		{"no nodes", model.Strategy{MaxUnavailable: ptr(intstr.FromString("5%"))}, 0, 0, budget.Limits{Writes: 250}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rollout := least()
			rollout.Spec.Strategy = test.strategy
			got := rollout.WithDefaults().Spec.Strategy
			require.Equal(t, test.want, got.Limits(test.eligible, test.slow))
		})
	}
	s := model.Strategy{ExemptUnhealthy: ptr(intstr.FromString("1%"))}
	require.Equal(t, 1, s.Exempt(3))
}

func TestExecutorSettled(t *testing.T) {
	executor := model.Executor{ID: "e2", Since: metav1.NewTime(noon), RequestTimeout: metav1.Duration{Duration: time.Minute}, Listed: true}
	_, ok := model.Executor{}.Settled(noon)
	require.True(t, ok, "nobody acted before")
	until, ok := executor.Settled(noon.Add(59 * time.Second))
	require.False(t, ok)
	require.Equal(t, noon.Add(time.Minute), until)
	_, ok = executor.Settled(noon.Add(time.Minute))
	require.True(t, ok)
	executor.Listed = false
	until, ok = executor.Settled(noon.Add(time.Hour))
	require.False(t, ok)
	require.True(t, until.IsZero(), "time alone does not settle it")
}

func TestOtherPodsListed(t *testing.T) {
	require.True(t, model.OtherPods{All: true}.Listed("n1"))
	require.True(t, model.OtherPods{Nodes: []string{"n1"}}.Listed("n1"))
	require.False(t, model.OtherPods{Nodes: []string{"n1"}}.Listed("n2"))
	require.False(t, model.OtherPods{}.Listed("n1"))
}
