package explore_test

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

var which = flag.String("scope", "", "long runs the longer benchmarks too")

// TestMain trades memory for time: the live heap of a search is small, and most of what it makes is garbage at once.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
