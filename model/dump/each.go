package dump

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// each calls work for 0 … n-1 on all processors and waits for it. Once a call returns false the rest may be left out, and each
// returns false. Work writes to places of its own, so the result does not depend on the order.
func each(n int, work func(int) bool) bool {
	var next atomic.Int64
	var stop atomic.Bool
	run := func() {
		for i := int(next.Add(1)) - 1; i < n && !stop.Load(); i = int(next.Add(1)) - 1 {
			if !work(i) {
				stop.Store(true)
			}
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		group.Go(run)
	}
	run()
	group.Wait()
	return !stop.Load()
}
