package command

import (
	"math"

	"github.com/agent-rollout/planner/plan/simulate"
	"github.com/agent-rollout/planner/plan/simulate/arena"
)

// comparedView is a comparison as JSON. Durations are in seconds.
type comparedView struct {
	Bound    boundView `json:"lowerBound"`
	Seeds    int       `json:"seeds"`
	NotReady []string  `json:"notReady,omitempty"`
	Rows     []rowView `json:"rows"`
	Arming   []rowView `json:"arming,omitempty"`
}

type rowView struct {
	Strategy string `json:"strategy"`
	// MaxSurge is the window that was looked for.
	MaxSurge int `json:"maxSurge,omitempty"`
	// Comparison marks what is no strategy of this planner.
	Comparison bool         `json:"comparison,omitempty"`
	Reason     string       `json:"reason,omitempty"`
	Numbers    *numbersView `json:"numbers,omitempty"`
}

type numbersView struct {
	Duration     spreadOf `json:"durationSeconds"`
	Bound        spreadOf `json:"ofLowerBound"`
	NodeTime     spreadOf `json:"nodeSecondsWithoutAgent"`
	LongestGap   spreadOf `json:"longestGapSeconds"`
	MostUnserved spreadOf `json:"mostWithoutAgent"`
	Budget       int      `json:"budget"`
	AboveBudget  bool     `json:"aboveBudget,omitempty"`
	PeakMilliCPU spreadOf `json:"extraPeakMilliCPU"`
	CoreSeconds  spreadOf `json:"extraCoreSeconds"`
	PeakMemory   spreadOf `json:"extraPeakMemoryBytes"`
	GiBSeconds   spreadOf `json:"extraGiBSeconds"`
	Writes       spreadOf `json:"writes"`
	TwoAtTheSame bool     `json:"twoProcessesAtATime,omitempty"`
}

func (c *compared) view() comparedView {
	view := comparedView{Bound: boundOf(&c.bound), Seeds: c.seeds, NotReady: c.down}
	for i := range c.rows {
		view.Rows = append(view.Rows, viewOfRow(&c.rows[i]))
		if arming := c.rows[i].Arming; arming != nil {
			view.Arming = append(view.Arming, viewOfRow(arming))
		}
	}
	return view
}

func viewOfRow(r *arena.Row) rowView {
	view := rowView{Strategy: r.Way.Name, MaxSurge: r.Window, Comparison: r.Way.Is == arena.CompareOnly, Reason: r.Reason}
	if r.Reason != "" {
		return view
	}
	of := func(value func(*simulate.Result) float64) spreadOf { return spread(values(r, value)) }
	view.Numbers = &numbersView{
		Duration:     of(func(r *simulate.Result) float64 { return seconds(r.Duration) }),
		Bound:        of(func(r *simulate.Result) float64 { return thousandths(boundShare(r)) }),
		NodeTime:     of(func(r *simulate.Result) float64 { return seconds(r.NodeTime) }),
		LongestGap:   of(func(r *simulate.Result) float64 { return seconds(r.LongestGap) }),
		MostUnserved: of(func(r *simulate.Result) float64 { return float64(r.MostUnserved) }),
		Budget:       r.Runs[0].Bound.Budget, AboveBudget: r.AboveBudget(), TwoAtTheSame: r.Doubles(),
		PeakMilliCPU: of(func(r *simulate.Result) float64 { return float64(r.Extra.PeakMilliCPU) }),
		CoreSeconds:  of(func(r *simulate.Result) float64 { return thousandths(r.Extra.CoreSeconds) }),
		PeakMemory:   of(func(r *simulate.Result) float64 { return float64(r.Extra.PeakMemory) }),
		GiBSeconds:   of(func(r *simulate.Result) float64 { return thousandths(r.Extra.GiBSeconds) }),
		Writes:       of(func(r *simulate.Result) float64 { return float64(writesOf(r)) }),
	}
	return view
}

func thousandths(x float64) float64 { return math.Round(x*1000) / 1000 }
