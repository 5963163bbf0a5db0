package step

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What is awaited for ten minutes is overdue at the tenth, and not a second before; it is to be looked at again just then.
func TestDeadline(t *testing.T) {
	began := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name   string
		since  time.Time
		now    time.Duration
		passed bool
		at     time.Time
	}{
		{"just begun", began, 0, false, began.Add(10 * time.Minute)},
		{"a second before", began, 10*time.Minute - time.Second, false, began.Add(10 * time.Minute)},
		{"on the instant", began, 10 * time.Minute, true, time.Time{}},
		{"long ago", began, time.Hour, true, time.Time{}},
		{"an instant that is not known", time.Time{}, time.Hour, false, time.Time{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			passed, at := Deadline{began.Add(test.now), 10 * time.Minute}.Passed(test.since)
			require.Equal(t, test.passed, passed)
			require.Equal(t, test.at, at)
		})
	}
	require.Equal(t, "12m0s", Deadline{Now: began.Add(12*time.Minute + 300*time.Millisecond)}.Lasted(began))
}
