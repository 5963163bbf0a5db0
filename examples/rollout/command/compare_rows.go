package command

import (
	"context"
	"iter"

	"github.com/agent-rollout/planner/plan/simulate/arena"
)

// rowsOf are the rows of the ways, in their order, each as soon as it and those before it are made, so many of them at the same time as
// atOnce says. They end with the first error, with the context's if that is done.
func rowsOf(ctx context.Context, a *arena.Arena, ways []arena.Way, o arena.Options, atOnce int) iter.Seq2[arena.Row, error] {
	type made struct {
		row arena.Row
		err error
	}
	return func(yield func(arena.Row, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		rows := make([]chan made, len(ways))
		room := make(chan struct{}, max(1, atOnce))
		for i := range rows {
			rows[i] = make(chan made, 1)
		}
		go func() {
			for i := range ways {
				room <- struct{}{}
				go func() {
					row, err := a.Row(ctx, ways[i], o)
					rows[i] <- made{row, err}
					<-room
				}()
			}
		}()
		for i := range rows {
			var next made
			select {
			case next = <-rows[i]:
			case <-ctx.Done():
				next.err = ctx.Err()
			}
			if !yield(next.row, next.err) || next.err != nil {
				return
			}
		}
	}
}
