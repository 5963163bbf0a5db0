package model_test

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/agent-rollout/planner/model"
)

// An existing operator reads and writes these very strings.
func TestKeysAreThePersistedOnes(t *testing.T) {
	const p = "experimental.agent.datadoghq.com/"
	k := fmt.Sprintf("%x", sha256.Sum256([]byte("datadog/datadog-agent")))[:12]
	want := model.Keys{
		Mode:           p + "node-agent-rollout-mode",
		Cleanup:        p + "node-agent-rollout-cleanup",
		Revision:       p + "node-agent-rollout-revision",
		ActiveSlot:     p + "node-agent-rollout-active-slot",
		TargetSlot:     p + "node-agent-rollout-target-slot",
		TargetRevision: p + "node-agent-rollout-target-revision",
		Initialized:    p + "node-agent-rollout-pair-initialized",
		State:          p + "node-agent-rollout-state",
		Source:         p + "node-agent-rollout-source",
		Edited:         p + "node-agent-rollout-edited",
		Written:        p + "node-agent-rollout-written",
		Nudged:         p + "node-agent-rollout-nudged",
		Emptied:        p + "node-agent-rollout-emptied",
		Armed:          p + "node-agent-rollout-armed",
		Schema:         p + "node-agent-rollout-schema",
		Disable:        p + "node-agent-rollout-disable",
		PodSlot:        p + "node-agent-rollout-slot",
		NodeSlot:       p + "rollout-slot-" + k,
		NodeCandidate:  p + "rollout-candidate-" + k,
		NodeMoved:      p + "rollout-moved-" + k,
		NodeFence:      p + "rollout-fence-" + k,
	}
	require.Empty(t, cmp.Diff(want, model.NewKeys("", "datadog", "datadog-agent")))
	require.Empty(t, cmp.Diff(want, model.NewKeys(model.DefaultDomain, "datadog", "datadog-agent")))

	require.Equal(t, "prepared-blue-green-v1", model.ModePair)
	require.Equal(t, "prepared-surge-v1", model.ModeSurgePrepared)
	require.Equal(t, "blue-green-v1", model.MarkPair)
	require.Equal(t, "3", model.SchemaPair)
}

func TestKeysOfAnotherDomain(t *testing.T) {
	keys := reflect.ValueOf(model.NewKeys("rollout.example.com", "ns", "name"))
	seen := map[string]bool{}
	for i := range keys.NumField() {
		key := keys.Field(i).String()
		require.True(t, strings.HasPrefix(key, "rollout.example.com/"), key)
		require.Empty(t, validation.IsQualifiedName(key))
		require.False(t, seen[key], "%s stands for two things", key)
		seen[key] = true
	}
	require.NotEqual(t, model.NewKeys("", "a", "b").NodeSlot, model.NewKeys("", "a", "c").NodeSlot)
	require.NotEqual(t, model.NewKeys("", "a", "b").NodeSlot, model.NewKeys("", "c", "b").NodeSlot)
}

func TestSlot(t *testing.T) {
	for _, test := range []struct {
		slot, other model.Slot
		word        string
	}{{model.Blue, model.Green, "blue"}, {model.Green, model.Blue, "green"}, {model.NoSlot, model.NoSlot, ""}} {
		require.Equal(t, test.other, test.slot.Other())
		require.Equal(t, test.word, test.slot.String())
		parsed, ok := model.ParseSlot(test.word)
		require.Equal(t, test.slot, parsed)
		require.Equal(t, test.word != "", ok)
		text, err := test.slot.MarshalText()
		require.NoError(t, err)
		var again model.Slot
		require.NoError(t, again.UnmarshalText(text))
		require.Equal(t, test.slot, again)
	}
	require.Equal(t, [2]model.Slot{model.Blue, model.Green}, model.Slots())
	_, ok := model.ParseSlot("Blue")
	require.False(t, ok)
	slot := model.Green
	require.ErrorContains(t, slot.UnmarshalText([]byte("red")), `unknown slot "red"`)
	require.Equal(t, model.Green, slot, "a refused text changes nothing")
	require.Empty(t, model.Slot(9).String())
	require.Equal(t, model.NoSlot, model.Slot(9).Other())
}

func TestNodeLabel(t *testing.T) {
	const absent = "-"
	tests := []struct {
		value       string
		want        model.NodeLabel
		written     string // absent: the label is removed
		blue, green bool   // admitted, if the slot does not own unlabelled nodes
		owner       bool   // admitted, if it does: only an unlabelled node differs
	}{
		{absent, model.NodeLabel{Kind: model.Unlabelled}, absent, false, false, true},
		{"blue", model.NodeLabel{Kind: model.Serves, To: model.Blue}, "blue", true, false, false},
		{"green", model.NodeLabel{Kind: model.Serves, To: model.Green}, "green", false, true, false},
		{"blue-pending", model.NodeLabel{Kind: model.Serves, To: model.Blue}, "blue", true, false, false},
		{"green-pending", model.NodeLabel{Kind: model.Serves, To: model.Green}, "green", false, true, false},
		{"blue-to-green", model.NodeLabel{Kind: model.Overlaps, To: model.Green}, "blue-to-green", true, true, false},
		{"green-to-blue", model.NodeLabel{Kind: model.Overlaps, To: model.Blue}, "green-to-blue", true, true, false},
		{"released-to-blue", model.NodeLabel{Kind: model.Released, To: model.Blue}, "released-to-blue", false, false, false},
		{"released-to-green", model.NodeLabel{Kind: model.Released, To: model.Green}, "released-to-green", false, false, false},
		{"", model.NodeLabel{Kind: model.Foreign}, absent, false, false, false},
		{"Blue", model.NodeLabel{Kind: model.Foreign}, absent, false, false, false},
		{"blue-to-blue", model.NodeLabel{Kind: model.Foreign}, absent, false, false, false},
		{"released-to-", model.NodeLabel{Kind: model.Foreign}, absent, false, false, false},
	}
	for _, test := range tests {
		t.Run(test.value, func(t *testing.T) {
			label := model.ParseNodeLabel(test.value, test.value != absent)
			require.Equal(t, test.want, label)
			written, ok := label.Value()
			require.Equal(t, test.written != absent, ok)
			if ok {
				require.Equal(t, test.written, written)
				require.Equal(t, label, model.ParseNodeLabel(written, true), "written and read again")
			}
			require.Equal(t, test.blue, label.Admits(model.Blue, false))
			require.Equal(t, test.green, label.Admits(model.Green, false))
			require.Equal(t, test.blue || test.owner, label.Admits(model.Blue, true))
			require.Equal(t, test.green || test.owner, label.Admits(model.Green, true))
		})
	}
}

func TestMoved(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	tests := []struct {
		value string
		want  model.Moved
	}{
		{"2026-11-30T09:00:00Z paid", model.Moved{At: at, Paid: true}},
		{"2026-11-30T09:00:00Z free", model.Moved{At: at}},
		{"2026-11-30T09:00:00Z", model.Moved{At: at, Paid: true}},
		{"2026-11-30T09:00:00Z gratis", model.Moved{At: at, Paid: true}},
		{"yesterday free", model.Moved{}},
		{"yesterday paid", model.Moved{Paid: true}},
		{"", model.Moved{Paid: true}},
	}
	for _, test := range tests {
		t.Run(test.value, func(t *testing.T) {
			require.Equal(t, test.want, model.ParseMoved(test.value))
		})
	}
	berlin := time.FixedZone("CET", 3600)
	require.Equal(t, "2026-11-30T09:00:00Z free", model.Moved{At: time.Date(2026, 11, 30, 10, 0, 0, 999, berlin)}.String())
	for _, moved := range []model.Moved{{At: at, Paid: true}, {At: at}} {
		require.Equal(t, moved, model.ParseMoved(moved.String()))
	}
}
