package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

func TestStateText(t *testing.T) {
	at := metav1.NewTime(noon)
	state := model.State{
		Sequence: 7, Proven: "r2", TargetSince: &at,
		Return:  &model.Return{Revision: "r3", Cause: model.ReturnFailed, Since: at},
		Failed:  &model.Failed{Revision: "r3", Reason: model.TargetFailed, Node: "n1", Since: at},
		Retried: "r0", DeleteFirst: true, HandedOver: &at,
		Canary: &model.CanaryRecord{
			Revision: "r3", Begun: at, LastRestart: &at, Verdict: model.CanaryIsPaused, Reason: model.CanaryRestarts, Node: "n1", Detail: "3 restarts", Since: &at, Resumed: true,
		},
	}
	const text = `{"version":1,"sequence":7,"proven":"r2","targetSince":"2026-11-30T12:00:00Z",` +
		`"return":{"revision":"r3","cause":"Failed","since":"2026-11-30T12:00:00Z"},` +
		`"failed":{"revision":"r3","reason":"TargetFailed","node":"n1","since":"2026-11-30T12:00:00Z"},` +
		`"retried":"r0","canary":{"revision":"r3","begun":"2026-11-30T12:00:00Z","lastRestart":"2026-11-30T12:00:00Z",` +
		`"resumed":true,"verdict":"Paused","reason":"CanaryRestarts","node":"n1","detail":"3 restarts","since":"2026-11-30T12:00:00Z"},` +
		`"deleteFirst":true,"handedOver":"2026-11-30T12:00:00Z"}`
	require.Equal(t, text, state.Text())
	read, err := model.ParseState(text)
	require.NoError(t, err)
	require.Equal(t, text, read.Text())
}

func TestStateKeepsUnknownFields(t *testing.T) {
	read, err := model.ParseState(`{"sequence":1,"version":1,"later":{"nodes":["n1"],"start":1e3},"zeta":null}`)
	require.NoError(t, err)
	require.Equal(t, `{"later":{"nodes":["n1"],"start":1e3},"sequence":1,"version":1,"zeta":null}`, read.Text())
	read.Proven, read.Sequence = "r1", 2
	require.Equal(t, `{"later":{"nodes":["n1"],"start":1e3},"proven":"r1","sequence":2,"version":1,"zeta":null}`, read.Text())
	again, err := model.ParseState(read.Text())
	require.NoError(t, err)
	require.Equal(t, read.Text(), again.Text())
}

func TestStateThatIsNotReadable(t *testing.T) {
	empty, err := model.ParseState("")
	require.NoError(t, err)
	require.Equal(t, model.State{Version: model.StateVersion}, empty)
	for text, want := range map[string]string{
		`{"version":2}`:                `version 2, and this library knows up to 1`,
		`{"version":0}`:                `version 0`,
		`{}`:                           `version 0`,
		`{"version":1,"sequence":"x"}`: "not readable",
		`{"version":1`:                 "not readable",
		`[]`:                           "not readable",
	} {
		_, err := model.ParseState(text)
		require.ErrorContains(t, err, want, text)
	}
}
