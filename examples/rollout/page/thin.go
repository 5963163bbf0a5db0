package page

import (
	"slices"
	"strconv"
)

// longest is the most instants that a series keeps.
const longest = 2000

// pair writes two numbers as an array.
func pair(at float64, of int) []byte {
	out := strconv.AppendFloat([]byte{'['}, at, 'f', -1, 64)
	return append(strconv.AppendInt(append(out, ','), int64(of), 10), ']')
}

// Thin makes a long series short: of slices of equal time it keeps the most of each column, so that no peak is lost.
func (s *Samples) Thin(duration float64) {
	if len(s.At) <= longest {
		return
	}
	runs := slicesOf(s.At, duration)
	s.Unserved, s.Overlap, s.Pulling = most(s.Unserved, runs), most(s.Overlap, runs), most(s.Pulling, runs)
	s.MilliCPU, s.Memory = most(s.MilliCPU, runs), most(s.Memory, runs)
	s.At = firsts(s.At, runs)
}

// Thin keeps the last account of slices of equal time: a ledger stays one that balances.
func (a *Accounts) Thin(duration float64) {
	if len(a.At) <= longest {
		return
	}
	runs := slicesOf(a.At, duration)
	for _, column := range []*[]int{&a.Eligible, &a.Available, &a.Ambient, &a.Committed, &a.Joining, &a.Exempt,
		&a.OnSource, &a.InOverlap, &a.OnTarget, &a.Updated, &a.Budget, &a.Window} {
		short := make([]int, len(runs))
		for i, run := range runs {
			short[i] = (*column)[run[1]-1]
		}
		*column = short
	}
	at := make([]float64, len(runs))
	for i, run := range runs {
		at[i] = a.At[run[1]-1]
	}
	a.At = at
}

// slicesOf are the runs of instants, from and to, that fall into one slice of the time.
func slicesOf(at []float64, duration float64) (runs [][2]int) {
	of := func(t float64) int { return int(t / max(duration, 1) * (longest - 1)) }
	for i := range at {
		if n := len(runs); n > 0 && of(at[runs[n-1][0]]) == of(at[i]) {
			runs[n-1][1] = i + 1
			continue
		}
		runs = append(runs, [2]int{i, i + 1})
	}
	return runs
}

// most is the greatest value in each run.
func most[V int | int64](column []V, runs [][2]int) []V {
	short := make([]V, len(runs))
	for i, run := range runs {
		short[i] = slices.Max(column[run[0]:run[1]])
	}
	return short
}

func firsts(at []float64, runs [][2]int) []float64 {
	short := make([]float64, len(runs))
	for i, run := range runs {
		short[i] = at[run[0]]
	}
	return short
}
