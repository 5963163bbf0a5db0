package plan_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agent-rollout/planner/budget"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// withCanary asks for a canary.
func withCanary(change ...func(*model.Canary)) func(*model.Rollout) {
	return func(r *model.Rollout) {
		canary := &model.Canary{AutoPause: &model.AutoPause{}, AutoFail: &model.AutoFail{}}
		for _, f := range change {
			f(canary)
		}
		r.Spec.Strategy.Canary = canary
	}
}

func replicas(value intstr.IntOrString) func(*model.Canary) {
	return func(c *model.Canary) { c.Replicas = &value }
}

// canaryAt is a pair whose target was just recorded: the very next plan places the canary.
func canaryAt(t *testing.T, nodes []*corev1.Node, most intstr.IntOrString, change ...func(*model.Rollout)) *moment {
	t.Helper()
	all := intstr.FromInt(len(nodes))
	l := newLab(t, nodes, rolloutOf("1", append(change, func(r *model.Rollout) {
		r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.MaxSurge = &most, &all
	})...))
	steady := l.run()
	require.True(t, steady.Complete())
	l.desire("2")
	for range 10 {
		if p := l.advance(); len(p.Actions) > 0 && p.Actions[0].Reason == model.TargetRecorded {
			return momentOf(l)
		}
	}
	t.Fatal("the target is never recorded")
	return nil
}

// runningCanary is a canary of one node, n1, that was handed over a minute ago and has been available since.
func runningCanary(t *testing.T, change ...func(*model.Canary)) (s *moment, pod *corev1.Pod) {
	t.Helper()
	l := newLab(t, workers(3), rolloutOf("1", withCanary(change...)))
	l.run()
	l.desire("2")
	for l.last.Canary == nil || !l.last.Canary.Whole() {
		l.advance()
	}
	s = momentOf(l)
	s.now = s.now.Add(time.Minute)
	return s, s.pod("n1", model.Green)
}

// restarted lets the Pod's first container have restarted so often, the last time so long ago.
func (s *moment) restarted(pod *corev1.Pod, times int32, ago time.Duration) {
	status := &pod.Status.ContainerStatuses[0]
	status.RestartCount = times
	status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, FinishedAt: metav1.NewTime(s.now.Add(-ago))}
}

// record changes what both halves of the state remember of the canary.
func (s *moment) record(change func(*model.CanaryRecord)) {
	s.state(func(state *model.State) { change(state.Canary) })
}

// state changes what both slots remember.
func (s *moment) state(change func(*model.State)) {
	for _, slot := range model.Slots() {
		set := s.set(slot)
		state, err := model.ParseState(set.Annotations[s.keys.State])
		require.NoError(s.t, err)
		change(&state)
		set.Annotations[s.keys.State] = state.Text()
	}
}

// decide is a person's verb for the recorded target.
func (s *moment) decide(verb model.CanaryVerb) {
	s.rollout.Spec.Decision = model.Decision{Revision: s.set(model.Green).Annotations[s.keys.TargetRevision], Canary: verb}
}

// leaving are the nodes that the plan lets leave the source.
func leaving(p *model.Plan) (nodes []string) {
	for i := range p.Actions {
		if p.Actions[i].Cost.OffSource > 0 {
			nodes = append(nodes, p.Actions[i].Node)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// first is the reason of the plan's first action; empty without one.
func first(p *model.Plan) model.Reason {
	if len(p.Actions) == 0 {
		return ""
	}
	return p.Actions[0].Reason
}

// Case 10: the size was a percentage of the canary's own count, which is still 0, so that there was no canary at all. It is
// of the eligible nodes, rounded up, and what is asked for is never none.
func TestCase10PercentOfZero(t *testing.T) {
	for _, test := range []struct {
		nodes    int
		replicas intstr.IntOrString
		want     int
	}{{3, percent("3%"), 1}, {3, percent("1%"), 1}, {11, percent("10%"), 2}, {10, percent("10%"), 1}, {4, count(2), 2}, {3, count(5), 3}, {1, percent("1%"), 1}, {2, percent("100%"), 2}} {
		for _, mode := range []model.OverlapMode{model.Locked, model.Never} {
			t.Run(fmt.Sprintf("%s of %d, %s", test.replicas.String(), test.nodes, mode), func(t *testing.T) {
				s := canaryAt(t, workers(test.nodes), count(test.nodes), withCanary(replicas(test.replicas)), func(r *model.Rollout) { r.Spec.Strategy.Overlap = mode })
				p := s.plan()
				require.Len(t, leaving(p), test.want)
				require.Equal(t, test.want, p.Limits.Cohort)
				require.Equal(t, test.want, p.Canary.Wanted)
				require.Len(t, held(p, model.WaitingForCanary), test.nodes-test.want)
			})
		}
	}
}

// Case 11: nodes without a kubelet blocked the rollout although it was told to ignore so many. An exempt node is not on the
// account; one more than are exempt is.
func TestCase11UnresponsiveNodes(t *testing.T) {
	for _, test := range []struct {
		name         string
		exempt, want int
	}{{"both exempt", 2, 1}, {"one exempt", 1, 0}, {"none exempt", 0, 0}, {"more exempt than there are", 5, 1}} {
		for _, canary := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, canary %t", test.name, canary), func(t *testing.T) {
				s := canaryAt(t, workers(10), count(1), func(r *model.Rollout) {
					exempt := count(test.exempt)
					r.Spec.Strategy.ExemptUnhealthy, r.Spec.Strategy.Overlap = &exempt, model.Never
					if canary {
						withCanary(replicas(count(3)))(r)
					}
				})
				for _, node := range []string{"n9", "n10"} {
					nodeDown(s.node(node))
					terminating(s.now)(s.pod(node, model.Blue))
				}
				p := s.plan()
				require.Len(t, paid(p), test.want)
				require.Equal(t, 2, p.Ledger.Ambient)
				require.NotContains(t, leaving(p), "n9")
			})
		}
	}
}

// Case 12: after a canary failed on most nodes the way back never began, since the budget was overspent already. A node
// whose agent is broken costs no one anything on its way back: it takes a free seat, one at a time at a budget of one. The
// native controller would replace all twelve at once.
func TestCase12StuckAfterAFailedCanary(t *testing.T) {
	for _, test := range []struct {
		name   string
		budget intstr.IntOrString
		most   int
	}{{"1% of 15", percent("1%"), 1}, {"three", count(3), 3}, {"all", percent("100%"), 12}} {
		t.Run(test.name, func(t *testing.T) {
			nodes := 15
			wide := count(12)
			l := newLab(t, workers(nodes), rolloutOf("1", withCanary(replicas(wide)), func(r *model.Rollout) {
				r.Spec.Strategy.MaxUnavailable, r.Spec.Strategy.Overlap = &wide, model.Never
			}))
			l.run()
			l.desire("2")
			for l.last.Canary == nil || l.last.Canary.Available < 12 {
				l.advance()
			}
			s := momentOf(l)
			s.rollout.Spec.Strategy.MaxUnavailable = &test.budget
			for _, pod := range s.objects.Pods {
				if slotOfPod(pod) == model.Green {
					unready(s.now)(pod)
					pullFails(pod)
				}
			}
			s.decide(model.FailCanary)
			require.Equal(t, model.CanaryFailed, first(s.plan()), "the verdict is recorded first")
			s.record(func(c *model.CanaryRecord) { c.Verdict, c.Reason = model.CanaryHasFailed, model.CanaryDecided })
			require.Equal(t, model.ReturnBegun, first(s.plan()))
			for _, slot := range model.Slots() {
				state, err := model.ParseState(s.set(slot).Annotations[s.keys.State])
				require.NoError(t, err)
				state.Return = &model.Return{Revision: state.Canary.Revision, Cause: model.ReturnFailed, Since: metav1.NewTime(s.now)}
				s.set(slot).Annotations[s.keys.State] = state.Text()
			}
			p := s.plan()
			require.Equal(t, 12, p.Ledger.Ambient, "twelve broken agents")
			require.Empty(t, paid(p), "the three good ones stay")
			require.Len(t, taken(p), test.most, "it begins although the budget is overspent")
			for node, seat := range taken(p) {
				require.Equal(t, budget.FreeSeat.String(), seat)
				require.Equal(t, model.Ambient, reportOf(t, p, node).Blame)
			}
		})
	}
}

// Case 38: (a) fail beats everything, (b) what a person has resumed pauses by itself no more, in this plan and the next
// ones, (c) a slow start is forgiven for a while.
func TestCase38Verdicts(t *testing.T) {
	resumed := func(s *moment) { s.record(func(c *model.CanaryRecord) { c.Resumed = true }) }
	slow := func(d time.Duration) func(*model.Canary) {
		return func(c *model.Canary) { c.AutoPause.MaxSlowStartDuration = &metav1.Duration{Duration: d} }
	}
	stuck := func(reason string, ago time.Duration) func(*moment, *corev1.Pod) {
		return func(s *moment, pod *corev1.Pod) {
			at := metav1.NewTime(s.now.Add(-ago))
			unready(s.now)(pod)
			pod.Status.StartTime = &at
			pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
		}
	}
	off := func() *bool { no := false; return &no }
	for _, test := range []struct {
		name   string
		canary []func(*model.Canary)
		change func(*moment, *corev1.Pod)
		want   model.Reason
	}{
		{"nothing", nil, func(*moment, *corev1.Pod) {}, ""},
		{"a: six restarts fail, resumed or not", nil, func(s *moment, pod *corev1.Pod) { resumed(s); s.restarted(pod, 6, time.Second) }, model.CanaryFailed},
		{"a: fail beats a promotion", nil, func(s *moment, pod *corev1.Pod) { s.decide(model.PromoteCanary); s.restarted(pod, 6, time.Second) }, model.CanaryFailed},
		{"a: fail beats a pause", nil, func(s *moment, pod *corev1.Pod) {
			s.record(func(c *model.CanaryRecord) { c.Verdict = model.CanaryIsPaused })
			s.restarted(pod, 6, time.Second)
		}, model.CanaryFailed},
		{"a: fail beats an end", nil, func(s *moment, pod *corev1.Pod) { s.now = s.now.Add(time.Hour); s.restarted(pod, 6, time.Minute*30) }, model.CanaryFailed},
		{"b: three restarts pause", nil, func(s *moment, pod *corev1.Pod) { s.restarted(pod, 3, time.Second) }, model.CanaryPaused},
		{"b: unless resumed", nil, func(s *moment, pod *corev1.Pod) { resumed(s); s.restarted(pod, 3, time.Second) }, model.CanaryRestarted},
		{"b: five do not fail", nil, func(s *moment, pod *corev1.Pod) { resumed(s); s.restarted(pod, 5, time.Second) }, model.CanaryRestarted},
		{"two restarts are remembered only", nil, func(s *moment, pod *corev1.Pod) { s.restarted(pod, 2, time.Second) }, model.CanaryRestarted},
		{"restarts before the handoff were the wrapper's", nil, func(s *moment, pod *corev1.Pod) { s.restarted(pod, 9, time.Hour) }, ""},
		{"an init container's restarts count", nil, func(s *moment, pod *corev1.Pod) {
			pod.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init", RestartCount: 3}}
		}, model.CanaryPaused},
		{"an ephemeral container's restarts count", nil, func(s *moment, pod *corev1.Pod) {
			pod.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{{Name: "debug", RestartCount: 7}}
		}, model.CanaryFailed},
		{"no automatic pause", []func(*model.Canary){func(c *model.Canary) { c.AutoPause.Enabled = off() }}, func(s *moment, pod *corev1.Pod) { s.restarted(pod, 3, time.Second) }, model.CanaryRestarted},
		{"no automatic failure", []func(*model.Canary){func(c *model.Canary) { c.AutoFail.Enabled = off() }}, func(s *moment, pod *corev1.Pod) { s.restarted(pod, 9, time.Second) }, model.CanaryPaused},
		{"c: an error within the time that is forgiven", []func(*model.Canary){slow(3 * time.Minute)}, stuck("ErrImagePull", time.Minute), ""},
		{"c: an error after it", []func(*model.Canary){slow(3 * time.Minute)}, stuck("ErrImagePull", 3*time.Minute), model.CanaryPaused},
		{"c: an error where none is forgiven", nil, stuck("CreateContainerConfigError", time.Second), model.CanaryPaused},
		{"c: in creation for too long", []func(*model.Canary){slow(3 * time.Minute)}, stuck("ContainerCreating", 4*time.Minute), model.CanaryPaused},
		{"c: in creation", []func(*model.Canary){slow(3 * time.Minute)}, stuck("ContainerCreating", 2*time.Minute), ""},
		{"c: in creation where nothing limits it", nil, stuck("ContainerCreating", time.Hour), ""},
		{"a crash loop shows in the restarts", nil, stuck("CrashLoopBackOff", time.Hour), ""},
		{"the restarts last too long", []func(*model.Canary){func(c *model.Canary) { c.AutoFail.MaxRestartsDuration = &metav1.Duration{Duration: time.Minute} }},
			func(s *moment, pod *corev1.Pod) {
				began := metav1.NewTime(s.now.Add(-2 * time.Minute))
				s.record(func(c *model.CanaryRecord) { c.FirstRestart, c.LastRestart = &began, &began })
				s.restarted(pod, 1, 30*time.Second)
			}, model.CanaryFailed},
		{"they do not", []func(*model.Canary){func(c *model.Canary) { c.AutoFail.MaxRestartsDuration = &metav1.Duration{Duration: time.Hour} }},
			func(s *moment, pod *corev1.Pod) {
				began := metav1.NewTime(s.now.Add(-2 * time.Minute))
				s.record(func(c *model.CanaryRecord) { c.FirstRestart, c.LastRestart = &began, &began })
				s.restarted(pod, 1, 30*time.Second)
			}, model.CanaryRestarted},
		{"the timeout", []func(*model.Canary){func(c *model.Canary) { c.AutoFail.CanaryTimeout = &metav1.Duration{Duration: time.Hour} }},
			func(s *moment, _ *corev1.Pod) {
				s.record(func(c *model.CanaryRecord) { c.Verdict = model.CanaryIsPaused })
				s.now = s.now.Add(time.Hour)
			}, model.CanaryFailed},
		{"the timeout without a Pod", []func(*model.Canary){func(c *model.Canary) { c.AutoFail.CanaryTimeout = &metav1.Duration{Duration: time.Hour} }},
			func(s *moment, pod *corev1.Pod) { s.drop(pod); s.now = s.now.Add(time.Hour) }, model.CanaryFailed},
		{"the timeout in mode manual", []func(*model.Canary){func(c *model.Canary) {
			c.ValidationMode, c.AutoFail.CanaryTimeout = model.CanaryManual, &metav1.Duration{Duration: time.Minute}
		}}, func(s *moment, _ *corev1.Pod) { s.now = s.now.Add(time.Hour) }, model.CanaryFailed},
		{"its time is over", nil, func(s *moment, _ *corev1.Pod) { s.now = s.now.Add(10 * time.Minute) }, model.CanaryValidated},
		{"not in mode manual", []func(*model.Canary){func(c *model.Canary) { c.ValidationMode = model.CanaryManual }}, func(s *moment, _ *corev1.Pod) { s.now = s.now.Add(999 * time.Hour) }, ""},
		{"not while it is paused", nil, func(s *moment, _ *corev1.Pod) {
			s.record(func(c *model.CanaryRecord) { c.Verdict = model.CanaryIsPaused })
			s.now = s.now.Add(time.Hour)
		}, ""},
		{"not while the rollout is paused: that is noted", nil, func(s *moment, _ *corev1.Pod) {
			s.rollout.Spec.Strategy.Paused, s.now = true, s.now.Add(time.Hour)
		}, model.CanarySuspended},
		{"once", nil, func(s *moment, _ *corev1.Pod) {
			s.rollout.Spec.Strategy.Paused = true
			s.record(func(c *model.CanaryRecord) { *c = *c.Suspend(true, s.now) })
			s.now = s.now.Add(time.Hour)
		}, ""},
		{"nor while it is frozen", nil, func(s *moment, _ *corev1.Pod) {
			s.rollout.Spec.Strategy.Frozen, s.now = true, s.now.Add(time.Hour)
		}, model.CanarySuspended},
		{"no timeout after a pause", []func(*model.Canary){func(c *model.Canary) { c.AutoFail.CanaryTimeout = &metav1.Duration{Duration: time.Hour} }},
			func(s *moment, _ *corev1.Pod) {
				s.record(func(c *model.CanaryRecord) { c.Verdict = model.CanaryIsPaused; *c = *c.Suspend(true, s.now) })
				s.now = s.now.Add(time.Hour)
				s.record(func(c *model.CanaryRecord) { *c = *c.Suspend(false, s.now) })
			}, ""},
		{"not without its Pod: the wait for the next one is noted", nil, func(s *moment, pod *corev1.Pod) { s.drop(pod); s.now = s.now.Add(time.Hour) }, model.WriteNoted},
		{"not with a Pod that is not ready", nil, func(s *moment, pod *corev1.Pod) {
			s.now = s.now.Add(9 * time.Minute)
			unready(s.now)(pod)
			s.now = s.now.Add(2 * time.Minute)
		}, ""},
		{"a Pod that was ready has the whole deadline when it falls", nil, func(s *moment, pod *corev1.Pod) {
			s.now = s.now.Add(time.Hour)
			unready(s.now.Add(-9*time.Minute + time.Second))(pod) // a minute before that
		}, ""},
		{"and no more", nil, func(s *moment, pod *corev1.Pod) {
			s.now = s.now.Add(time.Hour)
			unready(s.now.Add(-9 * time.Minute))(pod)
		}, model.CanaryFailed},
		{"not four minutes after a restart", nil, func(s *moment, pod *corev1.Pod) {
			s.now = s.now.Add(10 * time.Minute)
			at := metav1.NewTime(s.now.Add(-4 * time.Minute))
			s.record(func(c *model.CanaryRecord) { c.FirstRestart, c.LastRestart = &at, &at })
		}, ""},
		{"a restart is remembered when its Pod is gone", nil, func(s *moment, pod *corev1.Pod) {
			s.now = s.now.Add(10 * time.Minute)
			at := metav1.NewTime(s.now.Add(-5 * time.Minute))
			s.record(func(c *model.CanaryRecord) { c.FirstRestart, c.LastRestart = &at, &at })
		}, model.CanaryValidated},
		{"a promotion beats a pause", nil, func(s *moment, _ *corev1.Pod) {
			s.record(func(c *model.CanaryRecord) { c.Verdict = model.CanaryIsPaused })
			s.decide(model.PromoteCanary)
		}, model.CanaryValidated},
		{"a decision of another revision says nothing", nil, func(s *moment, _ *corev1.Pod) {
			s.rollout.Spec.Decision = model.Decision{Revision: "another", Canary: model.PromoteCanary}
		}, ""},
		{"a person pauses", nil, func(s *moment, _ *corev1.Pod) { s.decide(model.PauseCanary) }, model.CanaryPaused},
		{"a person fails", nil, func(s *moment, _ *corev1.Pod) { s.decide(model.FailCanary) }, model.CanaryFailed},
		{"a person resumes, without a Pod", nil, func(s *moment, pod *corev1.Pod) {
			s.record(func(c *model.CanaryRecord) { c.Verdict = model.CanaryIsPaused })
			s.drop(pod)
			s.decide(model.ResumeCanary)
		}, model.CanaryResumed},
		{"a failed one stays failed, whatever a person says", nil, func(s *moment, _ *corev1.Pod) {
			s.record(func(c *model.CanaryRecord) { c.Verdict = model.CanaryHasFailed })
			s.decide(model.PromoteCanary)
		}, model.ReturnBegun},
		{"a Node that is not Ready condemns nothing", nil, func(s *moment, pod *corev1.Pod) { s.restarted(pod, 9, time.Second); nodeDown(s.node("n1")) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, pod := runningCanary(t, test.canary...)
			test.change(s, pod)
			p := s.plan()
			require.Equal(t, test.want, first(p), "%+v", p.Canary)
			require.Empty(t, leaving(p))
			if test.want == "" {
				require.Equal(t, []string{"n2", "n3"}, notDone(p, "n1"), "the others wait")
				require.NotZero(t, p.Canary.Begun)
			}
		})
	}
}

// notDone are the nodes, those named excepted, that wait or are blocked.
func notDone(p *model.Plan, but ...string) (nodes []string) {
	for i := range p.Nodes {
		if r := &p.Nodes[i]; r.Verdict != model.Done && r.Verdict != model.Acts && !slices.Contains(but, r.Node) {
			nodes = append(nodes, r.Node)
		}
	}
	return nodes
}

// All Pods are looked at, not the last one: what one node shows is not covered up by the next.
func TestCase38EveryPodCounts(t *testing.T) {
	for _, sick := range []string{"n1", "n2", "n3"} {
		t.Run(sick, func(t *testing.T) {
			three := count(3)
			l := newLab(t, workers(4), rolloutOf("1", withCanary(replicas(three)), func(r *model.Rollout) { r.Spec.Strategy.MaxUnavailable = &three }))
			l.run()
			l.desire("2")
			for l.last.Canary == nil || !l.last.Canary.Whole() {
				l.advance()
			}
			s := momentOf(l)
			s.restarted(s.pod(sick, model.Green), 3, 0)
			p := s.plan()
			require.Equal(t, model.CanaryPaused, first(p))
			require.Contains(t, *p.Actions[0].Write.Patch.Annotations[0].To, `"node":"`+sick+`"`)
		})
	}
}

// Case 38 (d): canaries were placed on agents that were sick already, so that good versions failed. The nodes go first whose
// agent has restarted least; the spread over groups goes before that; what the target does not fit is not chosen.
func TestCase38Choice(t *testing.T) {
	sick := func(times map[string]int32) func(*moment) {
		return func(s *moment) {
			for node, n := range times {
				s.restarted(s.pod(node, model.Blue), n, time.Hour)
			}
		}
	}
	zones := func(of map[string]string) func([]*corev1.Node) {
		return func(nodes []*corev1.Node) {
			for _, n := range nodes {
				n.Labels["zone"] = of[n.Name]
			}
		}
	}
	spread := func(c *model.Canary) { c.NodeAntiAffinityKeys = []string{"zone"} }
	for _, test := range []struct {
		name     string
		nodes    int
		label    func([]*corev1.Node)
		replicas int
		canary   []func(*model.Canary)
		change   func(*moment)
		want     []string
	}{
		{name: "d: the two that restarted least", nodes: 3, replicas: 2, change: sick(map[string]int32{"n1": 9, "n3": 2}), want: []string{"n2", "n3"}},
		{name: "names where they are equal", nodes: 3, replicas: 2, change: sick(map[string]int32{"n1": 1, "n2": 1, "n3": 1}), want: []string{"n1", "n2"}},
		{name: "a node without an agent last", nodes: 3, replicas: 2, change: func(s *moment) { unready(s.now)(s.pod("n1", model.Blue)) }, want: []string{"n2", "n3"}},
		{name: "though the others restarted", nodes: 3, replicas: 2, change: func(s *moment) {
			unready(s.now)(s.pod("n1", model.Blue))
			sick(map[string]int32{"n2": 3, "n3": 4})(s)
		}, want: []string{"n2", "n3"}},
		{name: "one a zone", nodes: 4, label: zones(map[string]string{"n1": "a", "n2": "a", "n3": "a", "n4": "b"}), replicas: 2, canary: []func(*model.Canary){spread}, want: []string{"n1", "n4"}},
		{name: "what the small zone cannot give the other does", nodes: 6, label: zones(map[string]string{"n1": "a", "n2": "a", "n3": "a", "n4": "a", "n5": "a", "n6": "b"}), replicas: 4,
			canary: []func(*model.Canary){spread}, want: []string{"n1", "n2", "n3", "n6"}},
		{name: "five over two zones of five", nodes: 10, label: func(nodes []*corev1.Node) {
			for i, n := range nodes {
				n.Labels["zone"] = string('a' + rune(i/5))
			}
		}, replicas: 5, canary: []func(*model.Canary){spread}, change: sick(map[string]int32{"n1": 1, "n2": 1, "n3": 1, "n4": 1, "n5": 1}), want: []string{"n1", "n10", "n2", "n6", "n7"}},
		{name: "the spread goes before the restarts", nodes: 3, label: zones(map[string]string{"n1": "a", "n2": "a", "n3": "b"}), replicas: 2,
			canary: []func(*model.Canary){spread}, change: sick(map[string]int32{"n3": 9, "n1": 1}), want: []string{"n2", "n3"}},
		{name: "no label is a group too", nodes: 3, label: zones(map[string]string{"n1": "a", "n2": "a"}), replicas: 2, canary: []func(*model.Canary){spread}, want: []string{"n1", "n3"}},
		{name: "what it does not fit takes nothing of the zone's share", nodes: 4, label: zones(map[string]string{"n1": "a", "n2": "a", "n3": "b", "n4": "b"}), replicas: 2,
			canary: []func(*model.Canary){spread}, change: func(s *moment) {
				s.node("n1").Status.Allocatable[corev1.ResourceCPU] = *quantity("100m")
			}, want: []string{"n2", "n3"}},
		{name: "the selector", nodes: 4, replicas: 2, canary: []func(*model.Canary){func(c *model.Canary) {
			c.NodeSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: corev1.LabelHostname, Operator: metav1.LabelSelectorOpIn, Values: []string{"n3", "n4"}}}}
		}}, want: []string{"n3", "n4"}},
		{name: "fewer than are wanted: those that there are", nodes: 4, replicas: 3, canary: []func(*model.Canary){func(c *model.Canary) {
			c.NodeSelector = &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelHostname: "n4"}}
		}}, want: []string{"n4"}},
		{name: "a Node that is not Ready is not chosen", nodes: 3, replicas: 2, change: func(s *moment) { nodeDown(s.node("n1")) }, want: []string{"n2", "n3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			nodes := workers(test.nodes)
			if test.label != nil {
				test.label(nodes)
			}
			s := canaryAt(t, nodes, count(test.nodes), withCanary(append(test.canary, replicas(count(test.replicas)))...))
			if test.change != nil {
				test.change(s)
			}
			p := s.plan()
			require.Equal(t, test.want, leaving(p))
			require.Equal(t, test.replicas, p.Canary.Wanted, "it gets no smaller")
		})
	}
}

// What has left the source is the canary: it is not chosen anew when another node would be better now.
func TestCanaryIsSticky(t *testing.T) {
	s, _ := runningCanary(t, replicas(count(2)))
	p := s.plan()
	require.Empty(t, leaving(p))
	s.restarted(s.pod("n1", model.Green), 2, 0)
	require.Empty(t, leaving(s.plan()))
	s.objects.Nodes = slices.DeleteFunc(s.objects.Nodes, func(n *corev1.Node) bool { return n.Name == "n1" })
	s.objects.Pods = slices.DeleteFunc(s.objects.Pods, func(pod *corev1.Pod) bool { return pod.Spec.NodeName == "n1" })
	require.Equal(t, []string{"n3"}, leaving(s.plan()), "one that is gone is replaced")
}

// A setting that is younger than the target holds the rollout all the same, and what is on the target already is the canary.
func TestCanaryThatTheStateDoesNotKnow(t *testing.T) {
	s := prepared(t, workers(4), count(1))
	s.rollout.Spec.Strategy.Canary = &model.Canary{}
	p := s.plan()
	require.Equal(t, model.CanaryBegun, first(p))
	require.Empty(t, taken(p))
	require.Equal(t, 4, p.Canary.Placed)
	require.Equal(t, 1, p.Canary.Wanted)
}

// The wake-up is what the reports name: the end of the canary's time, and after that nothing but its nodes.
func TestCanarySaysWhatItWaitsForAndWhen(t *testing.T) {
	s, pod := runningCanary(t)
	p := s.plan()
	require.Nil(t, p.Blocked())
	require.Equal(t, p.Canary.EndsAt.Sub(s.now), p.RequeueAfter)
	s.now = s.now.Add(p.RequeueAfter - time.Second)
	require.Empty(t, s.plan().Actions, "not a second sooner")
	s.now = s.now.Add(time.Second)
	require.Equal(t, model.CanaryValidated, first(s.plan()))
	unready(s.now)(pod)
	late := s.plan()
	require.Empty(t, late.Actions)
	require.Equal(t, "the canary is 0 of 1 available, its time begins once all of its nodes are available", late.Condition(model.ConditionProgressing).Message[len("Canary: 0 of 3 nodes updated, 0 in overlap; "):])
}

// A promotion is judged by what the Pods show, recorded or not.
func TestCanaryThatIsPromotedTooEarlyIsAViolation(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*moment, *corev1.Pod)
		want   string
	}{
		{"nothing", func(*moment, *corev1.Pod) {}, ""},
		{"a restart that is not recorded", func(s *moment, pod *corev1.Pod) { s.restarted(pod, 1, 4*time.Minute) }, "is not 5m0s ago"},
		{"one before the handoff", func(s *moment, pod *corev1.Pod) { s.restarted(pod, 1, time.Hour) }, ""},
		{"its Pod was made anew", func(s *moment, pod *corev1.Pod) {
			for i := range pod.Status.Conditions {
				pod.Status.Conditions[i].LastTransitionTime = metav1.NewTime(s.now.Add(-5 * time.Minute))
			}
		}, "duration of 10m0s is not over"},
		{"the rollout is frozen", func(s *moment, _ *corev1.Pod) { s.rollout.Spec.Strategy.Frozen = true }, "while the rollout is paused or frozen"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, pod := runningCanary(t)
			s.now = s.now.Add(10 * time.Minute)
			p := s.plan()
			require.Equal(t, model.CanaryValidated, first(p))
			test.change(s, pod)
			said := ""
			for _, v := range plan.Validate(s.snapshot(), p) {
				said += v.Message + "\n"
			}
			require.Contains(t, said, test.want)
			if test.want == "" {
				require.Empty(t, said)
			}
		})
	}
}
