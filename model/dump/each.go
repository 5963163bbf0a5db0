package dump

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const chunk = 64

// each calls work for 0 … n-1 on all processors and waits for it. Once a call returns false the rest may be
// left out, and each returns true. Work writes to places of its own, so the result does not depend on the order.
func each(n int, work func(int) bool) (failed bool) {
	var next atomic.Int64
	var stop atomic.Bool
	run := func() {
		for !stop.Load() {
			begin := int(next.Add(chunk)) - chunk
			if begin >= n {
				return
			}
			for i := begin; i < min(begin+chunk, n); i++ {
				if !work(i) {
					stop.Store(true)
					return
				}
			}
		}
	}
	workers := min(runtime.GOMAXPROCS(0), (n+chunk-1)/chunk)
	if workers <= 1 {
		run()
		return stop.Load()
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(run)
	}
	group.Wait()
	return stop.Load()
}
