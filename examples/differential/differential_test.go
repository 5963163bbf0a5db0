package differential

import (
	"flag"
	"testing"
	"time"
)

var (
	clusters = flag.Uint64("clusters", 12_000, "how many random clusters to compare")
	seed     = flag.Uint64("seed", 1, "which random clusters")
	only     = flag.Int64("only", -1, "compare and draw the one cluster with that number")
)

// TestSync compares a sync of many random clusters.
func TestSync(t *testing.T) {
	n := startNative(t, time.Second)
	first, end := uint64(0), *clusters
	if *only >= 0 {
		first, end = uint64(*only), uint64(*only)+1
	}
	reached := census{}
	differences := 0
	for number := first; number < end && differences < 10; number++ {
		c := randomCluster(*seed, number)
		theirs := n.sync(t, c)
		ours, updated := newModelled(t, c).sync()
		reached.add(c, &theirs, updated)
		if *only >= 0 {
			t.Logf("%s\nreal:  %s\nworld: %s", c, &theirs, &ours)
		}
		left, right := c.oneFailed(theirs), c.oneFailed(ours)
		if updated {
			left, right = c.blurred(theirs), c.blurred(ours)
		}
		if !left.equal(&right) {
			differences++
			t.Errorf("%s\nreal:  %s\nworld: %s", c, &theirs, &ours)
		}
	}
	if *only < 0 && differences == 0 {
		reached.check(t, int(*clusters))
	}
}
