package world

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world/worldtest"
)

// What is written at once is what is written one after the other, whatever was written before.
func TestKeysOfOneStateAreOne(t *testing.T) {
	l := newLab(t, Options{}, worldtest.Nodes(2), worldtest.Set("blue", "1"))
	k := NewKeyer(KeyOptions{Rollout: &model.Rollout{}, Places: 2, Ages: []time.Duration{time.Hour}, Restarts: 3})
	seen := map[string]bool{}
	for {
		s := Sender{Run: "run-1", Now: l.now, True: l.now}
		key, view := k.Append(nil, l.w, s), k.AppendView([]byte("head"), l.w, s)
		bothKey, bothView := k.AppendBoth([]byte("a"), []byte("head"), l.w, s)
		require.Equal(t, "a"+string(key), string(bothKey))
		require.Equal(t, view, bothView)
		require.Len(t, key, k.Len())
		seen[string(key)] = true
		next, ok := l.next(nil)
		if !ok {
			break
		}
		l.do(next)
	}
	require.Greater(t, len(seen), 10)
}

// A clone finds its own nodes and Pods, few or many, and what happens to it happens to nobody else.
func TestClonesGoTheirOwnWay(t *testing.T) {
	for _, n := range []int{2, 50} {
		l := newLab(t, Options{Lagging: true}, worldtest.Nodes(n), worldtest.Set("blue", "1")).settle(Deliver)
		c := l.w.Clone()
		require.Equal(t, l.w.Nodes(), c.Nodes())
		for _, own := range c.nodes {
			require.Same(t, own, c.findNode(own.object.Name))
			require.NotSame(t, own, l.w.findNode(own.object.Name))
			require.Len(t, own.pods, 1)
			require.Same(t, own, own.pods[0].node)
			require.Same(t, c.sets[0], own.pods[0].set)
			require.Same(t, own.pods[0], c.podNamed(namespacedName(own.pods[0].base)))
			_, err := c.Do(l.now, podTransition(KillPod, own.pods[0]))
			require.NoError(t, err)
			require.True(t, own.pods[0].terminating())
			require.False(t, l.w.findNode(own.object.Name).pods[0].terminating())
		}
		require.Nil(t, c.findNode("another"))
		require.Equal(t, l.w.Pending()+n, c.Pending())
	}
}
