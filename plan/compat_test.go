package plan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// What an operator that was there before has persisted is read as it stands, and what is written here it can read. The
// keys and values are written out in these tests: they are the contract, whatever the constants say.
const (
	prefix    = "experimental.agent.datadoghq.com/node-agent-rollout-"
	slotLabel = "experimental.agent.datadoghq.com/rollout-slot-" + ownerHash
	candidate = "experimental.agent.datadoghq.com/rollout-candidate-" + ownerHash
	ownerHash = "978783acf923" // the first six bytes of SHA-256 over datadog/agent
)

// inherited makes the moment what that operator would have left: its revisions are MD5 sums, it knows no state, it marks
// no moves on nodes, and it leaves the active slot out while that is blue.
func inherited(s *moment) *moment {
	revisions := map[string]string{"": ""}
	renamed := func(revision string) string {
		if _, ok := revisions[revision]; !ok {
			revisions[revision] = fmt.Sprintf("%032x", len(revisions))
		}
		return revisions[revision]
	}
	rename := func(annotations map[string]string) {
		for _, key := range []string{"revision", "target-revision"} {
			if revision := annotations[prefix+key]; revision != "" {
				annotations[prefix+key] = renamed(revision)
			}
		}
	}
	for _, set := range s.objects.DaemonSets {
		delete(set.Annotations, prefix+"state")
		if set.Annotations[prefix+"active-slot"] == "blue" {
			delete(set.Annotations, prefix+"active-slot")
		}
		rename(set.Annotations)
		rename(set.Spec.Template.Annotations)
	}
	for _, pod := range s.objects.Pods {
		rename(pod.Annotations)
	}
	for _, node := range s.objects.Nodes {
		for key := range node.Annotations {
			if strings.Contains(key, "/rollout-") && key != candidate {
				delete(node.Annotations, key)
			}
		}
	}
	return s
}

// resumed is a lab that goes on from the moment.
func resumed(s *moment) *lab {
	s.t.Helper()
	w, err := world.New(s.snapshot(), world.Options{})
	require.NoError(s.t, err)
	return &lab{t: s.t, world: w, rollout: s.rollout, now: s.now}
}

func steady(t *testing.T, nodes int, tags ...string) *lab {
	t.Helper()
	l := newLab(t, workers(nodes), rolloutOf("1"))
	l.run()
	for _, tag := range tags {
		l.desire(tag)
		l.run()
	}
	return l
}

func TestInheritedSteadyPair(t *testing.T) {
	t.Run("another template is one ordinary rollout", func(t *testing.T) {
		s := inherited(momentOf(steady(t, 3)))
		s.rollout.Spec.Desired = conventional("2")
		l := resumed(s)
		p := l.advance()
		require.Equal(t, model.StateRepaired, p.Actions[0].Reason, "the active slot is written out")
		p = l.advance()
		require.Equal(t, model.NewRevision, p.Actions[0].Reason)
		end := l.run()
		require.True(t, end.Complete())
		require.Equal(t, 3, end.Pair.Updated)
		require.Equal(t, model.Green, end.Pair.Active)
		for _, line := range l.trace {
			require.NotContains(t, line, "WrapperInstalled", "it is armed already")
			require.NotContains(t, line, "DeletePod")
		}
	})
	for _, tags := range [][]string{nil, {"2"}} {
		for _, from := range []*model.DesiredFrom{nil, {Name: "agent"}} {
			t.Run(fmt.Sprintf("the same template is no change, after %d rollouts, from the deployed one %t", len(tags), from != nil), func(t *testing.T) {
				s := inherited(momentOf(steady(t, 3, tags...)))
				if from != nil {
					s.rollout.Spec.Desired, s.rollout.Spec.DesiredFrom = nil, from
				}
				l := resumed(s)
				end := l.run()
				require.True(t, end.Complete(), "%+v", end.Conditions)
				for _, line := range l.trace {
					require.NotContains(t, line, "SetNodeSlot")
					require.NotContains(t, line, "UpdateSlot")
				}
			})
		}
	}
	t.Run("no active slot is blue", func(t *testing.T) {
		s := inherited(momentOf(steady(t, 2)))
		for _, set := range s.objects.DaemonSets {
			require.NotContains(t, set.Annotations, prefix+"active-slot")
		}
		require.Equal(t, model.Blue, s.plan().Pair.Active)
	})
	t.Run("any one mark makes it a pair", func(t *testing.T) {
		for _, keep := range []string{"revision", "pair-initialized", "mode"} {
			s := inherited(momentOf(steady(t, 2)))
			for _, set := range s.objects.DaemonSets {
				for _, key := range []string{"revision", "pair-initialized", "mode"} {
					if key != keep {
						delete(set.Annotations, prefix+key)
						delete(set.Spec.Template.Annotations, prefix+key)
					}
				}
			}
			p := s.plan()
			require.NotEqual(t, model.PhaseArming, p.Phase, keep)
			require.Nil(t, p.Blocked(), keep)
		}
	})
}

func TestInheritedRollout(t *testing.T) {
	half := func(t *testing.T) *moment { // n1 is handed off and serves; n2 and n3 are in overlap, n2's candidate recorded
		l := steady(t, 3)
		l.desire("2")
		for l.last.Ledger.Eligible == 0 || !strings.Contains(strings.Join(l.trace, "\n"), "TargetProven") {
			l.advance()
		}
		return inherited(momentOf(l))
	}
	deployedImages := &model.DesiredFrom{Name: "agent", Images: map[string]string{"agent": "agent:2", "trace-agent": "agent:2"}}
	for _, from := range []*model.DesiredFrom{nil, deployedImages} {
		t.Run(fmt.Sprintf("it goes on where it stands, from the deployed one %t", from != nil), func(t *testing.T) {
			s := half(t)
			if from != nil {
				s.rollout.Spec.Desired, s.rollout.Spec.DesiredFrom = nil, from
			}
			require.Equal(t, "blue-to-green", s.node("n2").Labels[slotLabel])
			require.Equal(t, string(s.pod("n2", model.Green).UID), s.node("n2").Annotations[candidate])
			l := resumed(s)
			l.now = l.now.Add(time.Minute)
			end := l.run()
			require.True(t, end.Complete(), "%+v", end.Conditions)
			require.Equal(t, model.Green, end.Pair.Active)
			require.NotContains(t, strings.Join(l.trace, "\n"), "ReturnBegun")
			require.NotContains(t, strings.Join(l.trace, "\n"), "NewRevision")
		})
	}
	t.Run("the recorded candidate is enough without another executor", func(t *testing.T) {
		s := half(t)
		s.rollout.Spec.Desired, s.rollout.Spec.DesiredFrom = nil, deployedImages
		s.now = s.now.Add(time.Minute)
		l := resumed(s)
		l.step()
		p := l.step()
		require.Equal(t, model.TargetProven, p.Actions[0].Reason, "which that operator does not record")
		p = l.step()
		require.Equal(t, map[string]string{"n2": "paid"}, taken(&p))
	})
	t.Run("and is fenced by one that has a name", func(t *testing.T) {
		s := half(t)
		s.rollout.Status.Executor = model.Executor{ID: "ours", Listed: true}
		s.now = s.now.Add(time.Minute)
		p := s.plan()
		require.Empty(t, taken(p))
		require.Equal(t, model.NodeFenced, reportOf(t, p, "n2").Reason)
	})
	t.Run("another revision brings the nodes home first", func(t *testing.T) {
		s := half(t)
		s.rollout.Spec.Desired = conventional("3")
		l := resumed(s)
		l.now = l.now.Add(time.Minute)
		end := l.run()
		require.True(t, end.Complete())
		require.Contains(t, strings.Join(l.trace, "\n"), "ReturnComplete")
	})
}

// State is written to two objects, one after the other: a reader meets half of it.
func TestInheritedHalfWrittenState(t *testing.T) {
	target := map[string]string{"target-slot": "green", "target-revision": strings.Repeat("a", 32)}
	for _, test := range []struct {
		name        string
		blue, green map[string]string // annotations, without their prefix; empty values are absent
		blocked     model.Reason
		active, to  model.Slot
		repairs     []string // the DaemonSets whose half is written
	}{
		{"a target on the source only", target, nil, "", model.Blue, model.Green, []string{"agent-green"}},
		{"a target on the target only", nil, target, "", model.Blue, model.Green, []string{"agent"}},
		{"completed on blue only", map[string]string{"active-slot": "green"}, plusNote(target, "active-slot", "blue"), "", model.Blue, model.Green, []string{"agent"}},
		{"completed on green only", plusNote(target, "active-slot", "blue"), map[string]string{"active-slot": "green"}, "", model.Blue, model.Green, []string{"agent-green"}},
		{"two target slots", target, plusNote(target, "target-slot", "blue"), model.StateDiverged, 0, 0, nil},
		{"two target revisions", target, plusNote(target, "target-revision", "b"), model.StateDiverged, 0, 0, nil},
		{"two active slots and no target", map[string]string{"active-slot": "blue"}, map[string]string{"active-slot": "green"}, model.StateDiverged, 0, 0, nil},
		{"a target slot without a revision", map[string]string{"target-slot": "green"}, nil, model.StateUnreadable, 0, 0, nil},
		{"a target revision without a slot", nil, map[string]string{"target-revision": "b"}, model.StateUnreadable, 0, 0, nil},
		{"an active slot that is none", map[string]string{"active-slot": "red"}, nil, model.StateUnreadable, 0, 0, nil},
		{"a state of a later version", map[string]string{"state": `{"version":2}`}, nil, model.StateUnreadable, 0, 0, nil},
		{"a state that is no JSON", nil, map[string]string{"state": "{"}, model.StateUnreadable, 0, 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := inherited(momentOf(steady(t, 2)))
			for slot, notes := range map[model.Slot]map[string]string{model.Blue: test.blue, model.Green: test.green} {
				for key, value := range notes {
					s.set(slot).Annotations[prefix+key] = value
				}
			}
			s.set(model.Green).Annotations[prefix+"revision"] = strings.Repeat("a", 32)
			s.set(model.Green).Spec.Template.Annotations[prefix+"revision"] = strings.Repeat("a", 32)
			p := s.plan()
			if test.blocked != "" {
				require.Empty(t, p.Actions, "the serving Pods are left alone")
				require.NotNil(t, p.Blocked())
				require.Equal(t, test.blocked, model.Reason(p.Blocked().Reason))
				require.Contains(t, p.Blocked().Message, "kubectl -n datadog annotate", "it says what clears it")
				return
			}
			require.Nil(t, p.Blocked())
			require.Equal(t, test.active, p.Pair.Active)
			require.Equal(t, test.to, p.Pair.Target)
			var repaired []string
			for i := range p.Actions {
				require.Equal(t, model.StateRepaired, p.Actions[i].Reason, "nothing else before the record is whole")
				repaired = append(repaired, p.Actions[i].Write.Object.Name)
			}
			require.Subset(t, []string{"agent", "agent-green"}, repaired)
			require.Subset(t, repaired, test.repairs)
		})
	}
}

func plusNote(notes map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	for k, v := range notes {
		if k != key {
			out[k] = v
		}
	}
	return out
}

func TestInheritedSchema(t *testing.T) {
	for _, test := range []struct {
		schema  string
		accepts bool
	}{{"3", true}, {"", true}, {"2", false}, {"4", false}} {
		t.Run("schema "+test.schema, func(t *testing.T) {
			for _, slot := range model.Slots() {
				s := inherited(momentOf(steady(t, 2)))
				s.set(slot).Spec.Template.Annotations[prefix+"schema"] = test.schema
				if test.schema == "" {
					delete(s.set(slot).Spec.Template.Annotations, prefix+"schema")
				}
				p := s.plan()
				if test.accepts {
					require.Nil(t, p.Blocked())
					continue
				}
				require.Empty(t, p.Actions)
				require.Equal(t, model.SchemaUnknown, model.Reason(p.Blocked().Reason))
				require.Contains(t, p.Blocked().Message, "Disable the pair under the operator that made it first")
			}
		})
	}
}

// A label that names the other slot is left by overlap; one that an older operator wrote is rewritten first; one that means
// nothing is replaced at once. Either way the node ends where the active slot serves it.
func TestInheritedLabels(t *testing.T) {
	for _, test := range []struct{ label, next string }{
		{"green", "green-to-blue"},
		{"green-pending", "green"}, // rewritten as the slot that it means, since no slot's affinity knows it; then left
		{"blue-to-green", ""},      // the inactive slot has this revision too: the node goes home
		{"purple", "blue"},
		{"", "blue"},
	} {
		t.Run("label "+test.label, func(t *testing.T) {
			l := steady(t, 2)
			_, err := l.world.Do(l.now, world.Transition{Kind: world.EditLabel, Node: "n1", Value: slotLabel + "=" + test.label})
			require.NoError(t, err)
			l.settle()
			first := ""
			l.judge = func(_ *model.Snapshot, p *model.Plan) {
				for i := range p.Actions {
					if a := &p.Actions[i]; a.Kind == model.SetNodeSlot && first == "" {
						first = *a.Write.Patch.Labels[0].To
					}
				}
			}
			end := l.run()
			require.True(t, end.Complete(), "%+v", end.Conditions)
			require.True(t, l.world.Served("n1"))
			require.Equal(t, "blue", momentOf(l).node("n1").Labels[slotLabel])
			if test.next != "" {
				require.Equal(t, test.next, first)
			}
		})
	}
}

// The owner's cleanup annotation means that a teardown has begun: it is finished whatever the intent says. What the
// intent says comes after it.
func TestInheritedCleanup(t *testing.T) {
	for _, intent := range []model.Intent{model.Run, model.OptOut, model.Teardown} {
		t.Run(string(intent), func(t *testing.T) {
			s := inherited(momentOf(steady(t, 2, "2")))
			s.rollout.Spec.Intent = intent
			s.rollout.Metadata.Annotations = map[string]string{prefix + "cleanup": "blue-green-v1", prefix + "mode": "prepared-blue-green-v1", "kept": "yes"}
			l := resumed(s)
			released := false
			for range 20 {
				p := l.advance()
				released = released || p.ReleaseOwner
				if len(p.Actions) > 0 && p.Actions[0].Kind == model.RecordIntent {
					break
				}
				require.False(t, released, "not before the annotation is gone")
			}
			require.Equal(t, []string{
				"DeleteSlot DaemonSet/datadog/agent", "DeleteSlot DaemonSet/datadog/agent-green",
				"ClearNode Node/n1", "ClearNode Node/n2", "RecordIntent DatadogAgent/datadog/agent",
			}, sent(l))
			after := momentOf(l)
			require.Empty(t, after.objects.DaemonSets)
			require.Empty(t, after.objects.Pods)
			for _, n := range after.objects.Nodes {
				require.NotContains(t, n.Labels, slotLabel)
				require.Empty(t, n.Annotations)
			}
			require.Equal(t, map[string]string{"kept": "yes"}, after.rollout.Metadata.Annotations)
			end := l.run()
			require.True(t, end.Complete())
			require.Equal(t, intent == model.Teardown, len(momentOf(l).objects.DaemonSets) == 0)
			require.Equal(t, intent != model.Run, end.ReleaseOwner)
		})
	}
}

// sent are the kinds and objects of all actions so far.
func sent(l *lab) (lines []string) {
	for _, line := range l.trace {
		words := strings.Fields(line)
		lines = append(lines, words[1]+" "+words[2])
	}
	return lines
}

// What stands on the objects half way, key by key.
func TestWrittenVocabulary(t *testing.T) {
	l := steady(t, 3)
	first, err := plan.Render(&model.Snapshot{Cluster: momentOf(l).snapshot().Cluster, Rollout: rolloutOf("1")})
	require.NoError(t, err)
	l.desire("2")
	for l.last.Pair.OnTarget == 0 {
		l.advance()
	}
	second, err := plan.Render(&model.Snapshot{Cluster: momentOf(l).snapshot().Cluster, Rollout: rolloutOf("2")})
	require.NoError(t, err)
	s := momentOf(l)

	for slot, revision := range map[model.Slot]string{model.Blue: first.Revision, model.Green: second.Revision} {
		set := s.set(slot)
		require.JSONEq(t, `{"version":1,"sequence":1,"targetSince":"`+targetSince(t, set)+`"}`, set.Annotations[prefix+"state"])
		delete(set.Annotations, appsv1.DeprecatedTemplateGeneration) // the API server's own
		require.Equal(t, map[string]string{
			prefix + "revision": revision, prefix + "active-slot": "blue", prefix + "target-slot": "green",
			prefix + "target-revision": second.Revision, prefix + "pair-initialized": "blue-green-v1", prefix + "state": set.Annotations[prefix+"state"],
			prefix + "written": set.Annotations[prefix+"written"],
		}, set.Annotations)
		require.Regexp(t, fmt.Sprintf("^%d 2026-01-05T09:00:", set.Generation), set.Annotations[prefix+"written"], "ours alone: the last write of the spec")
		require.Equal(t, map[string]string{
			prefix + "revision": revision, prefix + "mode": "prepared-blue-green-v1", prefix + "armed": "blue-green-v1", prefix + "schema": "3",
		}, set.Spec.Template.Annotations)
		require.Equal(t, appsv1.OnDeleteDaemonSetStrategyType, set.Spec.UpdateStrategy.Type)
		require.Equal(t, admissionTerms(slot), set.Spec.Template.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms)
	}
	green := s.set(model.Green)
	require.Equal(t, "agent-green", green.Name)
	require.Equal(t, "agent-green", green.Labels["app.kubernetes.io/instance"])
	require.Equal(t, map[string]string{"app.kubernetes.io/instance": "agent-green"}, green.Spec.Selector.MatchLabels)
	require.Equal(t, "agent-green", green.Spec.Template.Labels["app.kubernetes.io/instance"])
	for _, c := range green.Spec.Template.Spec.Containers {
		require.Equal(t, []corev1.EnvVar{{Name: "DD_CMD_PORT", Value: "5002"}}, c.Env)
	}
	require.Len(t, second.Revision, 64)
	require.Equal(t, second.Revision, s.pod("n1", model.Green).Annotations[prefix+"revision"])

	require.Equal(t, "green", s.node("n1").Labels[slotLabel])
	require.NotContains(t, s.node("n1").Annotations, candidate, "removed with the label that it was recorded under")
	require.Equal(t, "blue-to-green", s.node("n2").Labels[slotLabel])
	require.Equal(t, string(s.pod("n2", model.Green).UID), s.node("n2").Annotations[candidate])

	end := l.run()
	require.True(t, end.Complete())
	for _, slot := range model.Slots() {
		notes := momentOf(l).set(slot).Annotations
		require.Equal(t, "green", notes[prefix+"active-slot"])
		require.NotContains(t, notes, prefix+"target-slot")
		require.NotContains(t, notes, prefix+"target-revision")
	}

	l.rollout.Spec.Intent = model.OptOut
	l.run()
	left := momentOf(l)
	require.Len(t, left.objects.DaemonSets, 1)
	for key := range left.set(model.Blue).Annotations {
		require.NotContains(t, key, "experimental.agent.datadoghq.com")
	}
	require.Empty(t, left.set(model.Blue).Spec.Template.Annotations)
	for _, n := range left.objects.Nodes {
		require.NotContains(t, n.Labels, slotLabel)
		require.Empty(t, n.Annotations)
	}
}

func targetSince(t *testing.T, set *appsv1.DaemonSet) string {
	t.Helper()
	state, err := model.ParseState(set.Annotations[prefix+"state"])
	require.NoError(t, err)
	return state.TargetSince.UTC().Format(time.RFC3339)
}

// admissionTerms are the required terms of the slot while blue owns the unlabelled nodes.
func admissionTerms(slot model.Slot) []corev1.NodeSelectorTerm {
	in := corev1.NodeSelectorRequirement{Key: slotLabel, Operator: corev1.NodeSelectorOpIn, Values: []string{slot.String(), "blue-to-green", "green-to-blue"}}
	terms := []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{in}}}
	if slot == model.Blue {
		terms = append(terms, corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: slotLabel, Operator: corev1.NodeSelectorOpDoesNotExist}}})
	}
	return terms
}
