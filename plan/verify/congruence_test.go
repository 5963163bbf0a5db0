package verify_test

import (
	"slices"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/explore"
	"github.com/agent-rollout/planner/plan/verify"
	"github.com/stretchr/testify/require"
)

// scopeNamed is a scope, on so many nodes; 0 leaves them.
func scopeNamed(t *testing.T, name string, nodes int) verify.Scope {
	t.Helper()
	scopes := verify.Scopes()
	i := slices.IndexFunc(scopes, func(s verify.Scope) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0, "no scope is called %q", name)
	if nodes > 0 {
		scopes[i].Start.Nodes = scopes[i].Start.Nodes[:nodes]
	}
	return scopes[i]
}

// The key forgets names, UIDs, versions and instants. It may, as long as states of one key have the same
// transitions to states of the same keys: what a search does not look at, it has then seen.
func TestTheKeyIsSound(t *testing.T) {
	states := 300
	if *which == "long" {
		states = 3_000
	}
	for _, c := range []struct {
		name  string
		nodes int
	}{
		{"no fault", 2}, {"a full node", 2}, {"released, back", 2}, {"back", 1}, {"opt-out", 1}, {"teardown", 1}, {"takeover", 1}, {"slow start", 2},
		{"a container crashes", 1}, {"a node breaks", 1}, {"a node is lost", 1}, {"a pull that fails for a while", 1},
		{"an image that cannot be pulled for a while", 1}, {"a node joins", 1}, {"a node is removed", 2}, {"a node is tainted", 1},
		{"a Pod deleted by a person", 1}, {"a label edited by a person", 1}, {"a template edited by a person", 1},
		{"a DaemonSet deleted by a person, Orphan", 1}, {"a DaemonSet deleted by a person, Foreground", 1},
		{"Node cache lags", 1}, {"Pod cache lags", 1}, {"DaemonSet cache lags", 1}, {"Owner cache lags, teardown", 1},
		{"woken by what WakeOn names", 1}, {"every trigger is lost", 1}, {"the clock is wrong", 1}, {"never ready", 1},
		{"a canary, a container crashes", 2}, {"a canary pauses by itself, and is promoted", 1}, {"a canary, takeover", 2},
		{"a manual canary is paused, resumed and promoted", 2}, {"prepared surge, back", 2}, {"prepared surge, Crash", 1},
		{"prepared surge, takeover", 2}, {"plain surge, BreakNode", 1}, {"plain surge, superseded", 1}, {"delete-first, KillPod", 2},
		{"delete-first, takeover", 2}, {"obstacle: locked, StickPod", 1}, {"obstacle: locked, DenyPods", 2}, {"obstacle: released, HoldPod", 2},
		{"obstacle: released, RenewNode", 2}, {"obstacle: delete-first, PressNode", 2}, {"obstacle: prepared surge, RestController", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, err := verify.New(scopeNamed(t, c.name, c.nodes))
			require.NoError(t, err)
			compared, err := explore.Congruent(m, states)
			require.NoError(t, err)
			require.Positive(t, compared)
			t.Logf("%d pairs of states agree", compared)
		})
	}
}

// A key that forgets what matters is found out.
func TestAnUnsoundKeyIsFound(t *testing.T) {
	for _, c := range []struct {
		name, scope string
		forget      func([]byte)
	}{
		{"what no object shows", "a node is lost", func(key []byte) { clear(key[len(key)-4:]) }},
		{"what the executor has sent", "takeover", func(key []byte) { clear(key[len(key)-8 : len(key)-4]) }},
		{"a node", "no fault", func(key []byte) { clear(key[8:12]) }},
		{"the DaemonSets", "no fault", func(key []byte) { clear(key[4:8]) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, err := verify.New(scopeNamed(t, c.scope, 1))
			require.NoError(t, err)
			_, err = explore.Congruent(forgetful{m, c.forget}, 400)
			var differs *explore.CongruenceError
			require.ErrorAs(t, err, &differs)
		})
	}
}

type forgetful struct {
	*verify.Model
	forget func([]byte)
}

func (f forgetful) Key(s *verify.State, buf []byte) []byte {
	key := f.Model.Key(s, buf)
	f.forget(key)
	return key
}

// Keys are exact, and short.
func TestKeysAreShort(t *testing.T) {
	for nodes, want := range map[int]int{1: 20, 2: 24, 3: 28, 4: 32} {
		m, err := verify.New(verify.Scope{
			Start: model.Objects{Nodes: verify.Nodes(nodes, 0, 1, 2)}, Documents: []verify.Document{verify.Revision(1), verify.Revision(2)}, Prompt: true, Coarse: true,
		})
		require.NoError(t, err)
		require.Len(t, m.Key(m.Initial()[0], nil), want)
	}
}
