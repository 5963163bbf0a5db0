package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/simulate"
)

// answer is a decision that waits to be asked for. Exactly one field is set.
type answer struct {
	recover model.Direction
	retry   bool
	canary  model.CanaryVerb
}

// String is the answer as the flag gives it.
func (a answer) String() string {
	switch {
	case a.recover != "":
		return "recover=" + string(a.recover)
	case a.retry:
		return "retry"
	}
	return "canary=" + string(a.canary)
}

// readAnswers reads the flags and lists every fault in them.
func readAnswers(texts []string) (answers []answer, err error) {
	var faults []string
	for _, text := range texts {
		a, err := readAnswer(text)
		if err == nil && slices.ContainsFunc(answers, a.sameVerb) {
			err = errors.New("is given twice")
		}
		if err != nil {
			faults = append(faults, fmt.Sprintf("--decide %s: %v", text, err))
			continue
		}
		answers = append(answers, a)
	}
	if len(faults) > 0 {
		return nil, &dump.Error{Faults: faults}
	}
	return answers, nil
}

// sameVerb tells whether one of the two would never be given. A canary may be paused and resumed.
func (a answer) sameVerb(b answer) bool {
	return (a.recover != "") == (b.recover != "") && a.retry == b.retry && a.canary == b.canary
}

func readAnswer(text string) (a answer, err error) {
	verb, value, _ := strings.Cut(text, "=")
	switch verb {
	case "recover":
		a.recover = model.Direction(value)
		return a, oneOfWords(value, model.Forward, model.Back)
	case "retry":
		a.retry = true
		if value != "" {
			return a, errors.New("takes no value: the revision is the one that the plan asks about")
		}
		return a, nil
	case "canary":
		a.canary = model.CanaryVerb(value)
		return a, oneOfWords(value, model.PromoteCanary, model.FailCanary, model.PauseCanary, model.ResumeCanary)
	}
	return a, fmt.Errorf("%q is no decision: use recover=, retry or canary=", verb)
}

func oneOfWords[T ~string](value string, words ...T) error {
	known := make([]string, len(words))
	for i, word := range words {
		known[i] = string(word)
	}
	if !slices.Contains(known, value) {
		return fmt.Errorf("%q is not one of %s", value, strings.Join(known, ", "))
	}
	return nil
}

// decider gives each answer once, to the first plan that asks for it, beside what the document has decided.
func decider(written model.Decision, answers []answer) func(*model.Plan) *model.Decision {
	if len(answers) == 0 {
		return nil
	}
	left, given := slices.Clone(answers), written
	return func(p *model.Plan) *model.Decision {
		for i, a := range left {
			if !a.askedBy(p) {
				continue
			}
			left = slices.Delete(left, i, i+1)
			a.addTo(&given, p)
			now := given
			return &now
		}
		return nil
	}
}

// askedBy tells whether the plan waits for this answer.
func (a answer) askedBy(p *model.Plan) bool {
	reason := model.Reason("")
	if blocked := p.Blocked(); blocked != nil {
		reason = model.Reason(blocked.Reason)
	}
	switch {
	case a.recover != "":
		return reason == model.FailedHold
	case a.retry:
		return reason == model.RevisionRemembered
	case a.canary == model.PauseCanary:
		return p.Canary != nil && p.Canary.Verdict == model.CanaryRuns
	}
	return reason == model.CanaryAwaited || reason == model.CanaryPaused || reason == model.CanaryShort
}

// addTo binds the answer to the revision that the plan asks about.
func (a answer) addTo(d *model.Decision, p *model.Plan) {
	revision := p.Pair.TargetRevision
	if revision == "" {
		revision = p.Revision
	}
	switch {
	case a.retry:
		d.Retry = revision
		return
	case a.recover != "":
		d.Recover = a.recover
	default:
		d.Canary = a.canary
	}
	d.Revision = revision
}

// decisionText names what is decided.
func decisionText(d *model.Decision) string {
	var words []string
	if d.Recover != "" {
		words = append(words, answer{recover: d.Recover}.String())
	}
	if d.Canary != "" {
		words = append(words, answer{canary: d.Canary}.String())
	}
	if d.Retry != "" {
		words = append(words, answer{retry: true}.String())
	}
	return strings.Join(words, ", ")
}

// unasked names the decisions that no plan asked for.
func (s *simulated) unasked() (notes []string) {
	for _, a := range s.answers {
		if !slices.ContainsFunc(s.result.Turns, func(t simulate.Turn) bool {
			return t.Decision.Recover == a.recover && a.recover != "" || t.Decision.Retry != "" && a.retry || t.Decision.Canary == a.canary && a.canary != ""
		}) {
			notes = append(notes, fmt.Sprintf("no plan asked for the decision %s: it was not given.", a))
		}
	}
	return notes
}

// recovered is one direction of a recovery, from the instant of the decision on.
type recovered struct {
	direction model.Direction
	at        time.Duration
	// duration is until the last request was sent and the last node got its agent.
	duration time.Duration
	nodeTime time.Duration
	moved    int
	// unserved are the nodes without an agent at the end.
	unserved int
	result   simulate.Result
}

// playBoth plays the other direction too: the same seed leads to the same state until the decision.
func (s *simulated) playBoth() error {
	i := slices.IndexFunc(s.answers, func(a answer) bool { return a.recover != "" })
	if i < 0 || !slices.ContainsFunc(s.result.Turns, func(t simulate.Turn) bool { return t.Decision.Recover != "" }) {
		return nil
	}
	for _, direction := range []model.Direction{model.Forward, model.Back} {
		result := s.result
		if direction != s.answers[i].recover {
			answers := slices.Clone(s.answers)
			answers[i].recover = direction
			options := s.options
			options.OnStep = s.line.plans("the other direction", untilDone(s.ctx, validating()))
			options.Decide = decider(options.Rollout.Spec.Decision, answers)
			var err error
			if result, err = simulate.Run(s.start.Clone(), new(plan.Planner).Next, options); err != nil {
				return err
			}
		}
		s.either = append(s.either, recoveredBy(direction, &result))
	}
	return nil
}

func recoveredBy(direction model.Direction, r *simulate.Result) recovered {
	i := slices.IndexFunc(r.Turns, func(t simulate.Turn) bool { return t.Decision.Recover != "" })
	turn := &r.Turns[i]
	out := recovered{direction: direction, at: turn.At, nodeTime: r.NodeTime - turn.NodeTime, result: *r}
	nodes := map[string]bool{}
	for i := range r.Timeline {
		e := &r.Timeline[i]
		if e.At < turn.At || e.What != simulate.Sent && e.What != simulate.Served {
			continue
		}
		out.duration = e.At - turn.At
		if e.What == simulate.Sent && movesNode(e.Action) {
			nodes[e.Node] = true
		}
	}
	out.moved = len(nodes)
	for i := range r.Gaps {
		if r.Gaps[i].Open {
			out.unserved++
		}
	}
	return out
}

// movesNode tells whether the action begins or ends a way of the node from one slot, or one Pod, to the other.
func movesNode(a *model.Action) bool { return a.Kind == model.SetNodeSlot || a.Kind == model.DeletePod }

// text says how the direction ended and what it cost.
func (r *recovered) text() string {
	end := r.result.Outcome.Word()
	switch {
	case r.isBack():
		end = "every node is back"
	case r.result.Outcome != simulate.Complete && r.result.Reason != "":
		end += " (" + r.result.Reason + ")"
	}
	when := "after " + elapsed(r.duration)
	if r.duration == 0 {
		when = "at once"
	}
	text := fmt.Sprintf("%s: %s %s; %s moved; %s of nodes' time without an agent", r.direction, end, when, nodes(r.moved), elapsed(r.nodeTime))
	if r.unserved > 0 {
		text += fmt.Sprintf("; %s still without one at the end", nodes(r.unserved))
	}
	return text
}

// isBack tells whether the run ended as a return does.
func (r *recovered) isBack() bool { return r.direction == model.Back && remembers(&r.result) }

// remembers tells whether the run ended because the revision is remembered as failed.
func remembers(r *simulate.Result) bool {
	return r.Outcome == simulate.Blocked && r.Reason == string(model.RevisionRemembered)
}

// wentBack tells whether the run ended at the source because that was decided.
func (s *simulated) wentBack() bool {
	return remembers(&s.result) && slices.ContainsFunc(s.result.Turns, func(t simulate.Turn) bool { return t.Decision.Recover == model.Back })
}

// ending says how the run ended; a return that was decided is what was asked for, though the rollout is blocked then.
func (s *simulated) ending() string {
	switch back := s.wentBack(); {
	case back && s.onOneDaemonSet():
		return "back at the former revision, as decided: " + s.result.Message
	case back:
		return "back at the source, as decided: " + s.result.Message
	}
	if r := &s.result; r.Outcome == simulate.Complete && len(r.Last.Exceptions) > 0 {
		return "complete, but for what is set aside: " + exceptionsText(r.Last.Exceptions)
	}
	return s.result.Ending()
}

// exceptionsText names the first of the nodes that are set aside, with the cause.
func exceptionsText(exceptions []model.Exception) string {
	const shown = 3
	var texts []string
	for _, e := range exceptions[:min(shown, len(exceptions))] {
		text := e.Node + " (" + string(e.Reason)
		if e.Detail != "" {
			text += ": " + e.Detail
		}
		texts = append(texts, text+")")
	}
	if more := len(exceptions) - shown; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

// recoveredView is one direction as JSON.
type recoveredView struct {
	Direction model.Direction `json:"direction"`
	Outcome   string          `json:"outcome"`
	Reason    string          `json:"reason,omitempty"`
	At        float64         `json:"decidedAtSeconds"`
	Duration  float64         `json:"durationSeconds"`
	Moved     int             `json:"nodesMoved"`
	NodeTime  float64         `json:"nodeSecondsWithoutAgent"`
	Unserved  int             `json:"withoutAgentAtTheEnd,omitempty"`
}

func (s *simulated) recoveryViews() (views []recoveredView) {
	for i := range s.either {
		r := &s.either[i]
		views = append(views, recoveredView{r.direction, r.result.Outcome.String(), r.result.Reason, seconds(r.at), seconds(r.duration), r.moved, seconds(r.nodeTime), r.unserved})
	}
	return views
}
