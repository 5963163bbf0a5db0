package command

import (
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate"
)

// resultView is a simulated rollout as JSON. All durations are in seconds.
type resultView struct {
	Outcome         string          `json:"outcome"`
	Reason          string          `json:"reason,omitempty"`
	Message         string          `json:"message,omitempty"`
	Duration        float64         `json:"durationSeconds"`
	Bound           boundView       `json:"lowerBound"`
	LongestGap      float64         `json:"longestGapSeconds"`
	MedianGap       float64         `json:"medianGapSeconds"`
	NodeTime        float64         `json:"nodeSecondsWithoutAgent"`
	Gaps            []gapView       `json:"gaps,omitempty"`
	MostUnserved    int             `json:"mostWithoutAgent"`
	MostUnavailable int             `json:"mostUnavailableInPlans"`
	Budget          int             `json:"budget"`
	MostOverlap     int             `json:"mostInOverlap"`
	Window          int             `json:"window"`
	OverlapTime     float64         `json:"nodeSecondsInOverlap"`
	SmallestWindow  *windowView     `json:"smallestWindow,omitempty"`
	HeldBack        *heldView       `json:"heldBack,omitempty"`
	Recovery        []recoveredView `json:"recovery,omitempty"`
	// Assumed is what becomes of what failed in the inputs.
	Assumed string `json:"assumed,omitempty"`
	// Exceptions are the nodes that are set aside at the end.
	Exceptions []model.Exception `json:"exceptions,omitempty"`
	Plans      int               `json:"plans"`
	Writes     []writeView       `json:"writes,omitempty"`
	Timeline   []happeningView   `json:"timeline,omitempty"`
}

type boundView struct {
	Nodes       int     `json:"nodes"`
	Budget      int     `json:"budget"`
	Handoff     float64 `json:"handoffSeconds"`
	Preparation float64 `json:"preparationSeconds"`
	Total       float64 `json:"totalSeconds"`
}

type gapView struct {
	Node    string  `json:"node"`
	Longest float64 `json:"longestSeconds"`
	Total   float64 `json:"totalSeconds"`
	Open    bool    `json:"open,omitempty"`
	// Ineligible is beside that.
	Ineligible float64 `json:"ineligibleSeconds,omitempty"`
}

type windowView struct {
	MaxSurge int     `json:"maxSurge"`
	Reached  bool    `json:"reachesBound"`
	Duration float64 `json:"durationSeconds"`
}

// heldView is the limit that decided the duration; with a value of it that was tried, and what that gave.
type heldView struct {
	By       string  `json:"by"`
	From     int     `json:"from,omitempty"`
	To       int     `json:"to,omitempty"`
	Outcome  string  `json:"outcome,omitempty"`
	Duration float64 `json:"durationSeconds,omitempty"`
}

func (s *simulated) heldView() *heldView {
	if s.heldText() == "" {
		return nil
	}
	view := &heldView{By: s.result.DecidedBy.String()}
	if r := s.raised; r != nil {
		view.From, view.To, view.Outcome, view.Duration = r.From, r.To, r.Result.Outcome.String(), seconds(r.Result.Duration)
	}
	return view
}

type writeView struct {
	Verb    string           `json:"verb"`
	Object  string           `json:"object"`
	Kind    model.ActionKind `json:"kind"`
	Done    int              `json:"done"`
	Refused int              `json:"refused,omitempty"`
}

type happeningView struct {
	At    float64  `json:"atSeconds"`
	Until float64  `json:"untilSeconds,omitempty"`
	Nodes []string `json:"nodes,omitempty"`
	What  string   `json:"what"`
}

// seconds are rounded to a millisecond.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

func (s *simulated) view(timeline string) resultView {
	r := &s.result
	view := resultView{
		Outcome: r.Outcome.String(), Reason: r.Reason, Message: r.Message, Duration: seconds(r.Duration),
		Bound:      boundOf(&r.Bound),
		LongestGap: seconds(r.LongestGap), MedianGap: seconds(medianGap(r)), NodeTime: seconds(r.NodeTime),
		MostUnserved: r.MostUnserved, MostUnavailable: r.MostUnavailable, Budget: r.Limits.Unavailable,
		MostOverlap: r.MostOverlap, Window: r.Limits.Window, OverlapTime: seconds(r.OverlapTime), Plans: r.Plans,
	}
	own := simulate.BoundOfStrategy(r.Bound, s.options.Rollout)
	if r.Bound.Budget > 0 {
		view.Bound.Total = seconds(own.TotalAt(r.Bound.Budget)) // of this strategy
	}
	view.Recovery, view.HeldBack = s.recoveryViews(), s.heldView()
	view.Exceptions, view.Assumed = r.Last.Exceptions, s.inherited.text()
	for _, gap := range r.Gaps {
		view.Gaps = append(view.Gaps, viewOfGap(gap))
	}
	for _, w := range r.Writes {
		view.Writes = append(view.Writes, writeView(w))
	}
	if w := s.window; w != nil && !w.skipped {
		view.SmallestWindow = &windowView{w.maxSurge, w.reached, seconds(w.duration)}
	}
	if timeline == "none" {
		return view
	}
	for _, h := range s.happenings(timeline) {
		line := happeningView{At: seconds(h.at), Nodes: h.nodes, What: h.sentence()}
		if h.until != h.at {
			line.Until = seconds(h.until)
		}
		view.Timeline = append(view.Timeline, line)
	}
	return view
}

func viewOfGap(gap simulate.NodeGap) gapView {
	return gapView{gap.Node, seconds(gap.Longest), seconds(gap.Total), gap.Open, seconds(gap.Ineligible)}
}

func boundOf(b *simulate.Bound) boundView {
	return boundView{b.Nodes, b.Budget, seconds(b.Handoff), seconds(b.Preparation), seconds(b.Total)}
}
