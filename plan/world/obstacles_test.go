package world

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// Scripts on one node with the DaemonSet blue, which is admitted where the label is blue.
func TestObstaclesOnOneNode(t *testing.T) {
	turned := "EditLabel n0001 " + slotKey + "=none"
	for _, test := range []struct {
		name   string
		script []string
		blue   string
	}{
		{"admission refuses Pods", []string{"DenyPods n0001", "."}, ""},
		{"and keeps those that are there", []string{".", "DenyPods n0001", "."}, "RR"},
		{"but not the next one", []string{".", "DenyPods n0001", "KillPod n0001 blue", "."}, ""},
		{"until it takes them again", []string{"DenyPods n0001", ".", "AllowPods n0001", "."}, "RR"},
		{"of other images it takes them", []string{"DenyPods n0001 agent:2", "."}, "RR"},
		{"a finalizer keeps the object alone", []string{".", "HoldPod n0001 blue", "KillPod n0001 blue", "."}, "~ee RR"},
		{"which goes with it", []string{".", "HoldPod n0001 blue", "KillPod n0001 blue", ".", "Free", "."}, "RR"},
		{"a held Pod that nobody deletes runs on", []string{".", "HoldPod n0001 blue", "FreePod n0001 blue", "."}, "RR"},
		{"processes that do not end keep the next Pod off", []string{".", "StickPod n0001 blue", "KillPod n0001 blue", "."}, "~RR"},
		{"until they end", []string{".", "StickPod n0001 blue", "KillPod n0001 blue", ".", "UnstickPod n0001 blue", "."}, "RR"},
		{"a controller that rests evicts nobody", []string{".", "RestController blue", turned, "."}, "RR"},
		{"and makes nobody", []string{".", "RestController blue", "KillPod n0001 blue", "."}, ""},
		{"until it starts anew", []string{".", "RestController blue", turned, ".", "WakeController blue", "."}, ""},
		{"or its DaemonSet is written", []string{".", "RestController blue", turned, ".", "EditTemplate blue agent agent:2", "."}, ""},
		{"an annotation is a write too", []string{".", "RestController blue", turned, ".", "EditAnnotation blue a=b", "."}, ""},
		{"admission adds a container to new Pods", []string{"InjectContainer side:1", "."}, "RRR"},
		{"until it does not any more", []string{"InjectContainer side:1", ".", "InjectNothing", "KillPod n0001 blue", "."}, "RR"},
		{"pressure evicts what has not started, again and again", []string{"PressNode n0001", ".", ".", "."}, "!ee"},
		{"and keeps what runs", []string{".", "PressNode n0001", "."}, "RR"},
		{"until it is over", []string{"PressNode n0001", ".", "RelieveNode n0001", "."}, "RR"},
		{"a machine that is off loses its Pod", []string{".", "LoseNode n0001", "LosePod n0001 blue", "."}, ""},
		{"and starts another one when it is back", []string{".", "LoseNode n0001", "LosePod n0001 blue", ".", "MendNode n0001", "."}, "RR"},
		{"a Node made anew keeps what runs, and loses the label", []string{".-delete", "RenewNode n0001", ".-delete"}, "RR"},
		{"by which the controller then goes", []string{".", "RenewNode n0001", "."}, ""},
		{"a DaemonSet made anew runs beside the former one's Pod", []string{".", "RemakeSet blue", ".-collect"}, "RR RR"},
		{"until that is collected", []string{".", "RemakeSet blue", "."}, "RR"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t, Options{}, worldtest.Nodes(1, labelled("blue")), worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "blue-to-green")))
			l.w.keys.NodeSlot = slotKey
			for _, step := range test.script {
				switch step {
				case ".":
					l.some()
				case ".-delete":
					l.settle(DeletePod)
				case ".-collect":
					l.settle(CollectPod)
				case "Free":
					l.do(podTransition(FreePod, l.pods("n0001", "blue")[0]))
				default:
					l.word(step)
				}
			}
			require.Equal(t, test.blue, l.draw("n0001", "blue"))
		})
	}
}

// some lets things happen by themselves until nothing is left, or until a Pod was evicted.
func (l *lab) some() {
	l.t.Helper()
	for {
		t, ok := l.next(nil)
		if !ok {
			return
		}
		l.do(t)
		if t.Kind == FailPod {
			return
		}
	}
}

func TestWhatAFinalizerKeepsIsTerminal(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(1), worldtest.Set("blue", "1"))
	l.settle()
	l.word("HoldPod n0001 blue")
	held := l.pod("n0001", "blue")
	l.word("KillPod n0001 blue")
	l.settle()
	object := l.w.podObject(held)
	require.Equal(t, corev1.PodSucceeded, object.Status.Phase)
	require.NotNil(t, object.DeletionTimestamp)
	require.Equal(t, []string{Holding}, object.Finalizers)
	require.True(t, l.w.Served("n0001"), "the controller looks through it")
}

func TestANodeMadeAnewHasAnotherUID(t *testing.T) {
	l := newLab(t, Options{Lagging: true}, worldtest.Nodes(1, labelled("blue")), worldtest.Set("blue", "1"))
	former := l.w.findNode("n0001").object
	l.word("RenewNode n0001")
	now := l.w.findNode("n0001").object
	require.NotEqual(t, former.UID, now.UID)
	require.Empty(t, now.Annotations)
	require.True(t, former.CreationTimestamp.Before(&now.CreationTimestamp))
	require.Equal(t, former, l.w.findNode("n0001").seen)
}

func TestEmptied(t *testing.T) {
	on := func(script ...string) *lab {
		l := newLab(t, Options{}, worldtest.Nodes(2, labelled("blue")), worldtest.Set("blue", "1", worldtest.OnLabel(slotKey, "blue", "blue-to-green")))
		l.w.keys.NodeSlot = slotKey
		l.settle()
		for _, step := range script {
			switch step {
			case ".":
				l.settle()
			case "delete":
				p := l.pod("n0001", "blue")
				_, err := l.w.Apply(l.now, model.Write{Object: model.ObjectRef{Kind: "Pod", Namespace: p.base.Namespace, Name: p.base.Name, UID: p.base.UID}, Delete: &model.Delete{}})
				require.NoError(t, err)
			case "label":
				_, err := l.w.Apply(l.now, labelWrite(l.w.findNode("n0001").object, slotKey, ptr("blue"), ptr("none")))
				require.NoError(t, err)
			default:
				l.word(step)
			}
		}
		return l
	}
	for _, test := range []struct {
		name   string
		script []string
		is     bool
	}{
		{"nobody wrote anything", nil, false},
		{"a person's deletion is not the executor's", []string{"KillPod n0001 blue"}, false},
		{"an executor's deletion", []string{"delete"}, true},
		{"until the next Pod serves", []string{"delete", "."}, false},
		{"even on a machine that is off and has lost its Pod", []string{"delete", "LoseNode n0001", "LosePod n0001 blue"}, true},
		{"a label that turns the Pod away, which serves on for a moment", []string{"label"}, true},
		{"until it is given back", []string{"label", "EditLabel n0001 " + slotKey + "=blue"}, false},
		{"what served nobody is not emptied", []string{"LoseNode n0001", "delete"}, false},
		{"a Node made anew", []string{"delete", "RenewNode n0001"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := []string(nil)
			if test.is {
				want = []string{"n0001"}
			}
			require.Equal(t, want, on(test.script...).w.Emptied())
		})
	}
}
