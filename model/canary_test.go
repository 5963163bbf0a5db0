package model_test

import (
	"slices"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

// canaryOf reads the settings of a canary from YAML, in a document that has no fault of its own.
func canaryOf(t *testing.T, text string) *model.Rollout {
	t.Helper()
	r := &model.Rollout{
		Metadata: model.Owner{Name: "agent"},
		Spec:     model.Spec{DesiredFrom: &model.DesiredFrom{}, Strategy: model.Strategy{Canary: &model.Canary{}}},
		Status:   model.Facts{ObservedAt: metav1.NewTime(noon)},
	}
	require.NoError(t, yaml.UnmarshalStrict([]byte(text), r.Spec.Strategy.Canary))
	return r
}

func TestCanaryDefaults(t *testing.T) {
	one, yes := intstr.FromInt32(1), true
	two, five := int32(2), int32(5)
	want := model.Canary{
		Replicas: &one, ValidationMode: model.CanaryAuto,
		Duration: &metav1.Duration{Duration: 10 * time.Minute}, NoRestartsDuration: &metav1.Duration{Duration: 5 * time.Minute},
		AutoPause: &model.AutoPause{Enabled: &yes, MaxRestarts: &two}, AutoFail: &model.AutoFail{Enabled: &yes, MaxRestarts: &five},
	}
	r := canaryOf(t, "{}")
	require.Empty(t, r.Validate())
	require.Equal(t, want, *r.WithDefaults().Spec.Strategy.Canary)
	require.Equal(t, model.Canary{}, *r.Spec.Strategy.Canary, "the document is not changed")
	require.Equal(t, r.WithDefaults(), r.WithDefaults().WithDefaults())

	want.ValidationMode, want.Duration, want.NoRestartsDuration = model.CanaryManual, nil, nil
	require.Equal(t, want, *canaryOf(t, "validationMode: manual").WithDefaults().Spec.Strategy.Canary, "nothing is timed in mode manual")

	// An otherwise complete one is completed as well.
	partly := canaryOf(t, "{replicas: 2, duration: 1h, validationMode: auto, autoPause: {enabled: false}, autoFail: {maxRestarts: 9}}").WithDefaults().Spec.Strategy.Canary
	require.Equal(t, 5*time.Minute, partly.NoRestartsDuration.Duration)
	require.False(t, *partly.AutoPause.Enabled)
	require.Equal(t, int32(2), *partly.AutoPause.MaxRestarts)
	require.Equal(t, int32(9), *partly.AutoFail.MaxRestarts)
	require.Nil(t, (&model.Rollout{}).WithDefaults().Spec.Strategy.Canary)
}

func TestCanaryFaults(t *testing.T) {
	const at = "spec.strategy.canary."
	for text, want := range map[string][]string{
		"{}": nil,
		"{replicas: 3, duration: 10m, noRestartsDuration: 5m, validationMode: auto, autoPause: {maxRestarts: 2}, autoFail: {maxRestarts: 5, canaryTimeout: 1h}}": nil,
		`{replicas: "3%", nodeSelector: {matchLabels: {a: b}}, nodeAntiAffinityKeys: [topology.kubernetes.io/zone]}`:                                             nil,
		"{duration: 0s, noRestartsDuration: 0s}": nil,
		"{replicas: 0}":                          {"replicas"},
		`{replicas: "0%"}`:                       {"replicas"},
		`{replicas: "3"}`:                        {"replicas"},
		"{replicas: -1, duration: -1s, noRestartsDuration: -1s}":                                  {"replicas", "duration", "noRestartsDuration"},
		"{validationMode: manual, duration: 1m, noRestartsDuration: 1m}":                          {"duration", "noRestartsDuration"},
		"{validationMode: manual, duration: 1m, autoFail: {canaryTimeout: 0s}}":                   {"duration", "autoFail.canaryTimeout"},
		"{validationMode: manual, autoFail: {canaryTimeout: 1s}}":                                 nil,
		"{validationMode: sometimes}":                                                             {"validationMode"},
		"{autoFail: {canaryTimeout: 10m}}":                                                        {"autoFail.canaryTimeout"},
		"{autoFail: {canaryTimeout: 10m1s}}":                                                      nil,
		"{autoFail: {enabled: false, canaryTimeout: 1m}}":                                         nil,
		"{autoFail: {maxRestarts: 1}}":                                                            {"autoFail.maxRestarts"},
		"{autoFail: {maxRestarts: 2}}":                                                            nil,
		"{autoFail: {maxRestarts: 1}, autoPause: {enabled: false}}":                               nil,
		"{autoFail: {maxRestarts: -1, maxRestartsDuration: -1s}, autoPause: {maxRestarts: -1}}":   {"autoPause.maxRestarts", "autoFail.maxRestarts", "autoFail.maxRestartsDuration"},
		"{autoPause: {maxSlowStartDuration: -1s}}":                                                {"autoPause.maxSlowStartDuration"},
		`{nodeAntiAffinityKeys: [zone, "a b", ""]}`:                                               {"nodeAntiAffinityKeys[1]", "nodeAntiAffinityKeys[2]"},
		`{nodeSelector: {matchExpressions: [{key: a, operator: Near}]}}`:                          {"nodeSelector.matchExpressions[0].operator"},
		`{nodeSelector: {matchExpressions: [{key: a, operator: In}], matchLabels: {"a b": "c"}}}`: {"nodeSelector.matchLabels", "nodeSelector.matchExpressions[0].values"},
	} {
		var fields []string
		for _, fault := range canaryOf(t, text).Validate() {
			require.NotEmpty(t, fault.Detail)
			fields = append(fields, fault.Field)
		}
		for i := range want {
			want[i] = at + want[i]
		}
		require.ElementsMatch(t, want, fields, text)
	}
}

func TestCanaryNeedsAPair(t *testing.T) {
	for _, strategy := range []model.StrategyType{model.Surge, model.RollingUpdate} {
		r := canaryOf(t, "{}")
		r.Spec.Strategy.Type = strategy
		faults := r.Validate()
		i := slices.IndexFunc(faults.ToAggregate().Errors(), func(err error) bool {
			return err.Error() == "spec.strategy.canary: Forbidden: only a Pair can hold a canary: on one DaemonSet a recreated Pod takes the newest template"
		})
		require.GreaterOrEqual(t, i, 0, "%v", faults)
	}
}

func TestCanaryDecision(t *testing.T) {
	for _, test := range []struct {
		decision model.Decision
		fields   []string
	}{
		{model.Decision{}, nil},
		{model.Decision{Revision: "r", Canary: model.PromoteCanary}, nil},
		{model.Decision{Revision: "r", Canary: model.FailCanary}, nil},
		{model.Decision{Revision: "r", Canary: model.PauseCanary}, nil},
		{model.Decision{Revision: "r", Canary: model.ResumeCanary, Recover: model.Forward}, nil},
		{model.Decision{Canary: model.PromoteCanary}, []string{"spec.decision.revision"}},
		{model.Decision{Canary: "promote"}, []string{"spec.decision.canary", "spec.decision.revision"}},
		{model.Decision{Canary: model.FailCanary, Recover: model.Back}, []string{"spec.decision.revision"}},
	} {
		r := canaryOf(t, "{}")
		r.Spec.Decision = test.decision
		var fields []string
		for _, fault := range r.Validate() {
			fields = append(fields, fault.Field)
		}
		require.Equal(t, test.fields, fields, "%+v", test.decision)
	}
}

// A mode without a duration has a clock that never ends, and a timeout all the same.
func TestCanaryClockOfSettings(t *testing.T) {
	restart := metav1.NewTime(noon.Add(8 * time.Minute))
	record := &model.CanaryRecord{Begun: metav1.NewTime(noon), LastRestart: &restart}
	clock := canaryOf(t, "autoFail: {canaryTimeout: 1h}").WithDefaults().Spec.Strategy.Canary.Clock(record)
	clock.Whole = true
	end, timed := clock.EndsAt()
	require.True(t, timed)
	require.Equal(t, noon.Add(13*time.Minute), end)
	manual := canaryOf(t, "{validationMode: manual, autoFail: {canaryTimeout: 1h}}").WithDefaults().Spec.Strategy.Canary.Clock(record)
	require.False(t, manual.Ended(noon.Add(1e6*time.Hour)))
	require.True(t, manual.TimedOut(noon.Add(time.Hour)))
	off := canaryOf(t, "{autoFail: {enabled: false, canaryTimeout: 1h}}").WithDefaults().Spec.Strategy.Canary.Clock(record)
	require.False(t, off.TimedOut(noon.Add(time.Hour)))
}

func TestRestartsAfter(t *testing.T) {
	ended := func(minute int) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: metav1.NewTime(noon.Add(time.Duration(minute) * time.Minute))}}
	}
	started := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(noon.Add(7 * time.Minute))}}
	pod := &corev1.Pod{Status: corev1.PodStatus{
		InitContainerStatuses:      []corev1.ContainerStatus{{RestartCount: 4, LastTerminationState: ended(1)}},
		ContainerStatuses:          []corev1.ContainerStatus{{RestartCount: 2, LastTerminationState: ended(5)}, {RestartCount: 0, LastTerminationState: ended(9)}},
		EphemeralContainerStatuses: []corev1.ContainerStatus{{RestartCount: 1, State: started}},
	}}
	most, oldest, newest := model.RestartsAfter(pod, noon)
	require.Equal(t, int32(4), most)
	require.Equal(t, int32(4), model.Restarts(pod), "it is the same count")
	require.Equal(t, noon.Add(time.Minute), oldest)
	require.Equal(t, noon.Add(7*time.Minute), newest, "without its last end, the present start tells")
	most, oldest, newest = model.RestartsAfter(pod, noon.Add(2*time.Minute))
	require.Equal(t, int32(2), most, "the init container restarted before that")
	require.Equal(t, noon.Add(5*time.Minute), oldest)
	require.Equal(t, noon.Add(7*time.Minute), newest)
	require.Equal(t, 7, model.RestartSum(pod))
	pod.Status.ContainerStatuses[0].State = ended(8) // down at present
	_, _, newest = model.RestartsAfter(pod, noon)
	require.Equal(t, noon.Add(8*time.Minute), newest)
	most, oldest, newest = model.RestartsAfter(&corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{RestartCount: 3}}}}, noon)
	require.Equal(t, int32(3), most, "a restart whose time is not known counts")
	require.Zero(t, oldest)
	require.Zero(t, newest)
}

// The most restarts of one container, wherever it stands: init containers, and with them sidecars, ephemeral ones, and the usual ones.
func TestRestartsCountEveryContainer(t *testing.T) {
	counts := func(of ...int32) (list []corev1.ContainerStatus) {
		for _, n := range of {
			list = append(list, corev1.ContainerStatus{RestartCount: n})
		}
		return list
	}
	for _, test := range []struct {
		name   string
		status corev1.PodStatus
		want   int32
	}{
		{"none", corev1.PodStatus{}, 0},
		{"the most, not the sum", corev1.PodStatus{ContainerStatuses: counts(2, 3)}, 3},
		{"an init container", corev1.PodStatus{InitContainerStatuses: counts(0, 7), ContainerStatuses: counts(1)}, 7},
		{"an ephemeral container", corev1.PodStatus{EphemeralContainerStatuses: counts(4), ContainerStatuses: counts(1)}, 4},
	} {
		require.Equal(t, test.want, model.Restarts(&corev1.Pod{Status: test.status}), test.name)
	}
}

// A record notes once that its clocks stand, and once that they run again; what they stood is summed up.
func TestCanaryIsSuspended(t *testing.T) {
	at := func(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
	record := &model.CanaryRecord{Revision: "r", Begun: metav1.NewTime(noon)}
	require.Same(t, record, record.Suspend(false, at(1)), "nothing is noted of clocks that run")
	stands := record.Suspend(true, at(2))
	require.Nil(t, record.Suspended, "the former record is left alone")
	require.Same(t, stands, stands.Suspend(true, at(3)))
	runs := stands.Suspend(false, at(5))
	require.NotNil(t, stands.Suspended.Since)
	again := runs.Suspend(true, at(10)).Suspend(false, at(14))
	require.Same(t, again, again.Suspend(false, at(20)))

	until := metav1.NewTime(at(14))
	require.Equal(t, &model.Suspension{Until: &until, Seconds: 7 * 60}, again.Suspended)
	state, err := model.ParseState(model.State{Sequence: 1, Canary: again}.Text())
	require.NoError(t, err)
	require.Equal(t, int64(7*60), state.Canary.Suspended.Seconds)
	require.True(t, state.Canary.Suspended.Until.Equal(&until))

	settings := canaryOf(t, "autoFail: {canaryTimeout: 1h}").WithDefaults().Spec.Strategy.Canary
	clock := settings.Clock(again)
	fails, _ := clock.TimesOutAt()
	require.Equal(t, at(67), fails.UTC())
	clock = settings.Clock(stands)
	require.False(t, clock.TimedOut(at(1e6)))
	backwards := stands.Suspend(false, at(-30))
	require.Zero(t, backwards.Suspended.Seconds, "a clock that was set back takes nothing off")
}

func TestCannotStart(t *testing.T) {
	waits := func(reason string) corev1.ContainerStatus {
		return corev1.ContainerStatus{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}}
	}
	for _, test := range []struct {
		reason         string
		fast, slowOnly bool
	}{
		{"ErrImagePull", true, true}, {"ImagePullBackOff", true, true}, {"ImageInspectError", true, true}, {"ErrImageNeverPull", true, true},
		{"RegistryUnavailable", true, true}, {"InvalidImageName", true, true}, {"CreateContainerConfigError", true, true}, {"CreateContainerError", true, true},
		{"PreStartHookError", true, true}, {"PostStartHookError", true, true}, {"PreCreateHookError", true, true},
		{"ContainerCreating", false, true}, {"CrashLoopBackOff", false, false}, {"PodInitializing", false, false}, {"", false, false},
	} {
		for _, statuses := range []corev1.PodStatus{
			{ContainerStatuses: []corev1.ContainerStatus{{}, waits(test.reason)}},
			{InitContainerStatuses: []corev1.ContainerStatus{waits(test.reason)}},
		} {
			pod := &corev1.Pod{Status: statuses}
			require.Equal(t, test.fast, model.CannotStart(pod, false) != "", test.reason)
			require.Equal(t, test.slowOnly, model.CannotStart(pod, true) != "", test.reason)
		}
	}
}
