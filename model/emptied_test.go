package model

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestEmptiedIsReadAsItIsWritten(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	e := Emptied{"n2": {At: at, Paid: true}, "n1": {At: at.Add(time.Minute)}}
	require.Equal(t, `{"n1":"2026-11-30T09:01:00Z free","n2":"2026-11-30T09:00:00Z paid"}`, e.Text())
	read, err := ParseEmptied(e.Text())
	require.NoError(t, err)
	require.Equal(t, e, read)
	read, err = ParseEmptied("")
	require.NoError(t, err)
	require.Empty(t, read)
	require.Empty(t, read.Text())
	for _, odd := range []string{"{", "[]", `{"n1": 1}`, `{"n1": "paid"}`} {
		_, err = ParseEmptied(odd)
		require.Error(t, err, odd)
	}
}

// A Node that was made anew under its name was not emptied.
func TestEmptiedOf(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	e := Emptied{"n1": {At: at, Paid: true}}
	node := func(name string, made time.Time) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(made)}}
	}
	require.Equal(t, e["n1"], e.Of(node("n1", at.Add(-time.Hour))))
	require.Zero(t, e.Of(node("n1", at.Add(time.Second))))
	require.Zero(t, e.Of(node("n2", at.Add(-time.Hour))))
}

func TestEmptiedNext(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	e := Emptied{"served": {At: at}, "dark": {At: at}}
	next := e.Next(func(node string) bool { return node == "served" }, Emptied{"taken": {At: at, Paid: true}})
	require.Equal(t, Emptied{"dark": {At: at}, "taken": {At: at, Paid: true}}, next)
	require.Len(t, e, 2)
}

// The record stays well below what an object may carry, and says when it is full.
func TestEmptiedIsBounded(t *testing.T) {
	e := Emptied{}
	for i := 0; !e.Full(); i++ {
		e[fmt.Sprintf("ip-10-0-%d.eu-west-1.compute.internal", i)] = Moved{At: time.Unix(1764550000, 0), Paid: true}
	}
	require.Greater(t, len(e), 1000)
	require.LessOrEqual(t, len(e.Text()), mostEmptied)
}
