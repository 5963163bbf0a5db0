package command

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/agent-rollout/planner/model"
)

// progress is a line on standard error that says how far a long work is: its phase, what is done, how quickly, and how long it
// will take. It appears after two seconds, and only on a terminal. It may be used by several goroutines at a time.
type progress struct {
	out io.Writer // nil: nothing is shown
	now func() time.Time

	lock         sync.Mutex
	phase        string
	begun, shown time.Time
	since        time.Time // when the phase began, with so many done
	from         int
}

const (
	progressAfter = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

// newProgress is silent if stderr is no terminal or nothing is wanted.
func newProgress(stderr io.Writer, quiet bool) *progress {
	p := &progress{now: time.Now}
	if _, ok := terminalOf(stderr); ok && !quiet {
		p.out = stderr
	}
	p.begun = p.now()
	return p
}

// step shows how far the phase is, now and then.
func (p *progress) step(phase string, done, total int, unit string) {
	if p.out == nil {
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	now := p.now()
	if phase != p.phase || done < p.from {
		p.phase, p.since, p.from = phase, now, done
	}
	if now.Sub(p.begun) < progressAfter || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	_, _ = io.WriteString(p.out, "\r\x1b[K"+progressText(phase, done, total, done-p.from, now.Sub(p.since), unit))
}

// progressText is the line; made is what was done within the time that has passed, from which the rest is reckoned. A total of 0 is not known.
func progressText(phase string, done, total, made int, passed time.Duration, unit string) string {
	text := fmt.Sprintf("%s: %d of %d %s", phase, done, total, unit)
	if total == 0 {
		text = fmt.Sprintf("%s: %d %s", phase, done, unit)
	}
	if made <= 0 || passed <= 0 {
		return text
	}
	rate := float64(made) / passed.Seconds()
	if total == 0 {
		return text + fmt.Sprintf(", %.3g a second", rate)
	}
	left := time.Duration(float64(total-done) / rate * float64(time.Second))
	return text + fmt.Sprintf(", %.3g a second, about %s left", rate, left.Round(time.Second))
}

// clear takes the line away, before something else is printed.
func (p *progress) clear() {
	if p.out == nil {
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	if !p.shown.IsZero() {
		_, _ = io.WriteString(p.out, "\r\x1b[K")
	}
	p.shown = time.Time{}
}

// plans shows how many nodes the plans of a run find updated, and checks each.
func (p *progress) plans(phase string, check func(*model.Snapshot, *model.Plan) error) func(*model.Snapshot, *model.Plan) error {
	return func(s *model.Snapshot, next *model.Plan) error {
		p.step(phase, next.Pair.Updated, next.Pair.Desired, "nodes")
		return check(s, next)
	}
}
