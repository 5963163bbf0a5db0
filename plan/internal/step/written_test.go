package step

import (
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A note speaks of one generation: what a person writes afterwards is not it.
func TestWrittenAt(t *testing.T) {
	made, written := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC), time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	keys := model.NewKeys("", "n", "agent")
	for _, test := range []struct {
		name       string
		generation int64
		note       string
		at         time.Time
		known      bool
	}{
		{"never changed since it was made", 1, "", made, true},
		{"as noted", 7, "7 2026-11-30T09:00:00Z", written, true},
		{"edited by a person since", 8, "7 2026-11-30T09:00:00Z", written, false},
		{"the noted write has not come", 6, "7 2026-11-30T09:00:00Z", written, false},
		{"no note", 7, "", time.Time{}, false},
		{"no number", 7, "x 2026-11-30T09:00:00Z", time.Time{}, false},
		{"made at no known instant", 1, "", time.Time{}, false},
		{"made at no known instant, but noted", 1, "1 2026-11-30T09:00:00Z", written, true},
		{"no instant", 7, "7 yesterday", time.Time{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Generation: test.generation, CreationTimestamp: metav1.NewTime(made), Annotations: map[string]string{keys.Written: test.note}}}
			if strings.HasPrefix(test.name, "made at no known instant") {
				set.CreationTimestamp = metav1.Time{}
			}
			at, known := WrittenAt(&keys, set)
			require.Equal(t, test.known, known)
			if known {
				require.Equal(t, test.at, at)
			}
		})
	}
}

func TestNoteWritten(t *testing.T) {
	keys := model.NewKeys("", "n", "agent")
	set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Generation: 6}}
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		note func(*Edits)
		want string
	}{
		{func(e *Edits) { e.NoteWritten(&keys, set, now) }, "7 2026-11-30T09:00:00Z"},
		{func(e *Edits) { e.NotePresent(&keys, set, now) }, "6 2026-11-30T09:00:00Z"},
	} {
		e := Edits{}
		test.note(&e)
		require.Len(t, e.List, 1)
		require.Equal(t, keys.Written, e.List[0].Key)
		require.Equal(t, test.want, *e.List[0].To)
	}
}
