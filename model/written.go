package model

import (
	"strconv"
	"strings"
	"time"
)

// Written is which generation of a DaemonSet's spec was written when: "7 2026-11-30T09:00:00Z", as an annotation beside it. From then
// on its controller is awaited.
type Written struct {
	Generation int64
	At         time.Time
}

// String is the annotation's value, to the second.
func (w Written) String() string {
	return strconv.FormatInt(w.Generation, 10) + " " + w.At.UTC().Format(time.RFC3339)
}

// ParseWritten reads the annotation's value; anything else is no note.
func ParseWritten(value string) (w Written, ok bool) {
	generation, instant, found := strings.Cut(value, " ")
	number, err := strconv.ParseInt(generation, 10, 64)
	if err != nil || !found {
		return Written{}, false
	}
	at, err := time.Parse(time.RFC3339, instant)
	return Written{number, at}, err == nil
}
