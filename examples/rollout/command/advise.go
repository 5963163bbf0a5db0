package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/simulate/advise"
	"github.com/agent-rollout/planner/plan/world"
)

// adviseFlags are the flags of one call.
type adviseFlags struct {
	in input
	timingFlags
	within time.Duration
	seeds  int
	output string
}

func newAdvise(live Live) *cobra.Command {
	f := adviseFlags{in: input{live: live}}
	cmd := &cobra.Command{
		Use:   "advise --within DURATION {-f FILE | FILE}...",
		Short: "Find the smallest maxUnavailable and maxSurge that keep a deadline",
		Long: `Find by simulation the smallest maxUnavailable with which the rollout is complete within the deadline, whatever the
window, and then the smallest maxSurge that keeps it with that budget. Only a Pair with overlap Locked has a window of its
own: of a Surge maxSurge is the same number, and the others have none. Everything counts from the state that the dump
shows: what was rolled out before, and arming, if a pair is still to be made.

A setting keeps the deadline if the rollout does with every one of the seeds. That more never takes longer holds in
expectation only, so the neighbours of what is found are tried as well. The answer is in nodes, with the share of the
eligible ones. The two numbers of the Rollout document are not read; all its other settings are.

No setting can be faster than ⌈nodes/budget⌉ × handoff + one preparation; where the old Pod goes first, with a RollingUpdate
and with overlap Never, than ⌈nodes/budget⌉ × (preparation + handoff). If none keeps the deadline, the answer says whether
that bound forbids it, and exits with 1.`,
		Example: `  # The settings for a maintenance window of two hours
  rollout advise --within 2h -f cluster.yaml -f rollout.yaml

  # With a slow registry, over ten draws of durations
  rollout advise --within 10m -f examples/snapshots/three-zones.yaml --pull 3m --seeds 10`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.in.flags(cmd)
	f.timingFlags.flags(cmd)
	flags := cmd.Flags()
	flags.DurationVar(&f.within, "within", 0, "the deadline, as in 2h or 45m")
	flags.IntVar(&f.seeds, "seeds", 3, "how many draws of all durations must keep the deadline, from --seed on")
	flags.StringVarP(&f.output, "output", "o", "text", "text, json or yaml")
	return cmd
}

func (f *adviseFlags) run(cmd *cobra.Command, files []string) error {
	err := oneOf("output", f.output, "text", "json", "yaml")
	switch {
	case !cmd.Flags().Changed("within"):
		err = errors.Join(err, errors.New("--within: give the deadline, as in --within 2h"))
	case f.within <= 0:
		err = errors.Join(err, fmt.Errorf("--within: %s is not longer than 0", f.within))
	}
	if f.seeds < 1 {
		err = errors.Join(err, fmt.Errorf("--seeds: %d is less than 1", f.seeds))
	}
	lagging := f.timings.CacheLag > 0
	if err = errors.Join(err, f.settleTimings()); err != nil {
		return asUsageError(cmd, err)
	}
	snapshot, err := f.in.read(cmd, files...)
	if err != nil {
		return err
	}
	w, err := world.New(snapshot, world.Options{Lagging: lagging})
	if err != nil {
		return err
	}
	options := advise.Options{Rollout: snapshot.Rollout, Within: f.within, Seed: f.seed, Seeds: f.seeds, Timings: f.timings}
	line := newProgress(cmd.ErrOrStderr(), isQuiet(cmd))
	options.OnStep = line.plans("trying", untilDone(cmd.Context(), validating()))
	steps := &trialSteps{out: cmd.OutOrStdout()}
	if f.output == "text" {
		options.OnTrial = func(t *advise.Trial) { line.clear(); steps.add(t) }
	}
	found, err := advise.Find(w, options)
	line.clear()
	if stopped := interrupted(err, "after "+counted(steps.count, "trial")); stopped != nil {
		return stopped
	}
	if err != nil {
		return refusal(err)
	}
	steps.end()
	advice := &advice{Advice: found, within: f.within, seeds: f.seeds, rollout: snapshot.Rollout}
	if isObject(f.output) {
		err = printObject(cmd.OutOrStdout(), kindAdvice, advice.view(), f.output)
	} else {
		err = advice.print(cmd.OutOrStdout())
	}
	if failure := advice.failure(); err == nil && failure != "" {
		err = notDone("no setting keeps %s: %s", elapsed(f.within), failure)
	}
	return err
}

// advice is the answer, with what was asked.
type advice struct {
	*advise.Advice
	within  time.Duration
	seeds   int
	rollout *model.Rollout
}

// untilDone ends a run when the context is done.
func untilDone(ctx context.Context, check func(*model.Snapshot, *model.Plan) error) func(*model.Snapshot, *model.Plan) error {
	return func(s *model.Snapshot, p *model.Plan) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return check(s, p)
	}
}

// trialSteps prints the settings that were tried, each when that is done.
type trialSteps struct {
	out   io.Writer
	count int
}

func (s *trialSteps) add(t *advise.Trial) {
	if s.count++; s.count == 1 {
		_, _ = fmt.Fprintf(s.out, "%-14s  %-8s  %-5s  %s\n", "MAXUNAVAILABLE", "MAXSURGE", "KEEPS", "DURATION")
	}
	surge, keeps := "-", "no"
	if t.MaxSurge > 0 {
		surge = strconv.Itoa(t.MaxSurge)
	}
	if t.Keeps {
		keeps = "yes"
	}
	_, _ = fmt.Fprintf(s.out, "%-14d  %-8s  %-5s  %s\n", t.MaxUnavailable, surge, keeps, strings.Join(wrapped(trialText(t), columnsOf(s.out)-33), "\n"+strings.Repeat(" ", 33)))
}

func (s *trialSteps) end() {
	if s.count > 0 {
		_, _ = io.WriteString(s.out, "\n")
	}
}

// failure says why no setting keeps the deadline; empty if one does.
func (a *advice) failure() string {
	b := &a.Bound
	switch a.Failure {
	case advise.Found:
		return ""
	case advise.NothingToRoll:
		return a.Blocked
	case advise.BelowBound:
		return fmt.Sprintf("one handoff (%s) after one preparation (%s) takes %s, even with all %s at a time",
			elapsed(b.Handoff), elapsed(b.Preparation), elapsed(b.TotalAt(b.Nodes)), nodes(b.Nodes))
	case advise.NoEnd:
		return fmt.Sprintf("with all %s at a time the rollout %s", nodes(b.Nodes), a.All.Incomplete)
	case advise.TooSlow:
		text := fmt.Sprintf("with all %s at a time the rollout takes %s", nodes(b.Nodes), trialText(a.All))
		if a.AtTarget == 0 {
			text += ", though its lower bound is " + elapsed(b.TotalAt(b.Nodes))
		}
		return text
	}
	return ""
}

// trialText is the median duration with its range.
func trialText(t *advise.Trial) string {
	if t.Incomplete != "" {
		return "no end: it " + t.Incomplete
	}
	return durationsOf(t).text(asDuration)
}

func durationsOf(t *advise.Trial) spreadOf {
	values := make([]float64, len(t.Durations))
	for i := range values {
		values[i] = seconds(t.Durations[i])
	}
	return spread(values)
}

func (a *advice) print(out io.Writer) error {
	t := newTable(out)
	t.row("Deadline", fmt.Sprintf("%s, for %s; every one of %s of the durations has to keep it", elapsed(a.within), nodes(a.Bound.Nodes), counted(a.seeds, "draw")))
	if a.Bound.Nodes > 0 {
		t.row("Lower bound", a.boundText())
	}
	t.row("Varied", a.variedText())
	t.row("Not varied", notVaried(a.rollout))
	if a.Chosen == nil {
		t.row("Advice", "none")
		return t.flush()
	}
	c := a.Chosen
	t.row("Advice", strings.Join(a.words(c), ", "))
	t.row("Duration", trialText(c))
	if a.LessBudget != nil {
		t.row("One less", fmt.Sprintf("maxUnavailable: %d takes %s%s", a.LessBudget.MaxUnavailable, trialText(a.LessBudget), emptyIf(!a.Surges, ", whatever the window")))
	}
	if a.LessWindow != nil {
		t.row(emptyIf(a.LessBudget != nil, "One less"), fmt.Sprintf("maxSurge: %d takes %s", a.LessWindow.MaxSurge, trialText(a.LessWindow)))
	}
	return t.flush()
}

// variedText says which settings were tried, in the place of the document's.
func (a *advice) variedText() string {
	switch s := a.rollout.WithDefaults().Spec.Strategy; {
	case a.Surges:
		return "maxUnavailable, with a window of all nodes, and then maxSurge with that budget"
	case s.Type == model.Surge:
		return "maxUnavailable; maxSurge is the same number"
	}
	return "maxUnavailable"
}

// notVaried are the other settings of the pacing, which were as the document has them.
func notVaried(r *model.Rollout) string {
	s := r.WithDefaults().Spec.Strategy
	words := []string{strings.TrimSpace(string(s.Type) + " " + string(s.Overlap)), fmt.Sprintf("settleSeconds: %d", *s.SettleSeconds)}
	for _, number := range []struct {
		name  string
		value *intstr.IntOrString
	}{{"exemptUnhealthy", s.ExemptUnhealthy}, {"partition", s.Partition}} {
		if *number.value != intstr.FromInt32(0) {
			words = append(words, fmt.Sprintf("%s: %s", number.name, number.value))
		}
	}
	if *s.MaxWrites != model.DefaultMaxWrites {
		words = append(words, fmt.Sprintf("maxWrites: %d", *s.MaxWrites))
	}
	if len(s.SpreadBy) > 0 {
		words = append(words, "spreadBy: "+strings.Join(s.SpreadBy, ", "))
	}
	if s.SlowStart != nil {
		words = append(words, fmt.Sprintf("slowStart: %s every %s", &s.SlowStart.Increase, s.SlowStart.Interval.Duration))
	}
	if s.Canary != nil {
		words = append(words, "the canary")
	}
	return strings.Join(words, ", ") + ", and the rest of the document"
}

func emptyIf(empty bool, text string) string {
	if empty {
		return ""
	}
	return text
}

func (a *advice) words(t *advise.Trial) []string {
	share := func(n int) string { return fmt.Sprintf("%d (%s of the nodes)", n, percent(n, a.Bound.Nodes)) }
	words := []string{"maxUnavailable: " + share(t.MaxUnavailable)}
	if a.Surges {
		words = append(words, "maxSurge: "+share(t.MaxSurge))
	}
	return words
}

func (a *advice) boundText() string {
	b := &a.Bound
	text := boundText(b, fmt.Sprintf("⌈%d/maxUnavailable⌉", b.Nodes))
	switch {
	case a.AtTarget > 0:
		return text + fmt.Sprintf(", for a whole rollout; %d of %s are at the target already", a.AtTarget, nodes(b.Nodes))
	case a.Least == 0:
		return text + ": above the deadline for any budget"
	case a.Least > 1:
		return text + fmt.Sprintf(": less than %d at a time cannot keep the deadline, jitter aside", a.Least)
	}
	return text
}

func percent(n, of int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of)) }

// adviceView is an advice as JSON. Durations are in seconds.
type adviceView struct {
	Within       float64    `json:"withinSeconds"`
	Seeds        int        `json:"seeds"`
	Nodes        int        `json:"nodes"`
	Handoff      float64    `json:"handoffSeconds"`
	Preparation  float64    `json:"preparationSeconds"`
	AtTarget     int        `json:"nodesAtTarget,omitempty"`
	LeastByBound int        `json:"leastMaxUnavailableByLowerBound,omitempty"`
	Failure      string     `json:"failure,omitempty"`
	Advice       *trialView `json:"advice,omitempty"`
	LessBudget   *trialView `json:"oneLessMaxUnavailable,omitempty"`
	LessWindow   *trialView `json:"oneLessMaxSurge,omitempty"`
}

type trialView struct {
	MaxUnavailable int       `json:"maxUnavailable"`
	ShareOfNodes   float64   `json:"maxUnavailableShare"`
	MaxSurge       int       `json:"maxSurge,omitempty"`
	SurgeShare     float64   `json:"maxSurgeShare,omitempty"`
	Duration       *spreadOf `json:"durationSeconds,omitempty"`
	Incomplete     string    `json:"incomplete,omitempty"`
}

func (a *advice) view() adviceView {
	b := &a.Bound
	trial := func(t *advise.Trial) *trialView {
		if t == nil {
			return nil
		}
		view := &trialView{MaxUnavailable: t.MaxUnavailable, ShareOfNodes: thousandths(float64(t.MaxUnavailable) / float64(b.Nodes)),
			MaxSurge: t.MaxSurge, SurgeShare: thousandths(float64(t.MaxSurge) / float64(b.Nodes)), Incomplete: t.Incomplete}
		if t.Incomplete == "" {
			s := durationsOf(t)
			view.Duration = &s
		}
		return view
	}
	return adviceView{Within: seconds(a.within), Seeds: a.seeds, Nodes: b.Nodes, Handoff: seconds(b.Handoff), Preparation: seconds(b.Preparation),
		AtTarget: a.AtTarget, LeastByBound: a.Least, Failure: a.failure(), Advice: trial(a.Chosen), LessBudget: trial(a.LessBudget), LessWindow: trial(a.LessWindow)}
}
