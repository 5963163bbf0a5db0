package plan_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/property"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var everywhere = flag.Bool("everywhere", false, "crash before every action of every story, not only before the first of a kind and reason")

// TestCrashAnywhere is L4: every story comes to the same end when its executor dies before one of its actions and another one takes
// over: with -everywhere before every action, otherwise before the first one of every kind and reason. On the way of the undisturbed
// story every plan is made again from a copy of its snapshot with the lists in another order, and is the same to the byte.
func TestCrashAnywhere(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/*.story")
	require.NoError(t, err)
	stories := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		script, _, _ := strings.Cut(string(text), "----\n")
		if disturbsExecutor(script) {
			continue
		}
		stories++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".story"), func(t *testing.T) {
			t.Parallel()
			undisturbed := crashed(t, script, 0, honest)
			met := map[string]bool{}
			for k, what := range undisturbed.actions {
				if k < undisturbed.named || (met[what] && !*everywhere) {
					continue
				}
				met[what] = true
				require.Equal(t, undisturbed.end, crashed(t, script, k+1, honest).end, "the executor died before its action %d, %s", k+1, what)
			}
		})
	}
	require.Greater(t, stories, 25)
}

// A planner that relies on what it did itself does not survive a crash.
func TestCrashAnywhereFindsAMutant(t *testing.T) {
	const script = "nodes 2\npair 1\ndesired 2\nrun\n"
	forgetful := func(s *model.Snapshot, p *model.Plan) {
		*p, _ = dropping(func(a *model.Action) bool {
			return a.Reason == model.RolloutComplete && s.Rollout.Status.Executor.ID != ""
		})(
			func(*model.Snapshot) (model.Plan, error) { return *p, nil })(s)
	}
	ends := map[string]bool{}
	undisturbed := crashed(t, script, 0, forgetful)
	ends[undisturbed.end] = true
	for k := undisturbed.named; k < len(undisturbed.actions); k++ {
		ends[crashed(t, script, k+1, forgetful).end] = true
	}
	require.Greater(t, len(ends), 1, "it came to one end from everywhere")
}

// disturbsExecutor: stories of crashes and of lagging caches have their own.
func disturbsExecutor(script string) bool {
	return slices.ContainsFunc(strings.Split(script, "\n"), func(line string) bool {
		words := strings.Fields(line)
		return len(words) > 0 && slices.Contains([]string{"lag", "stall", "delay", "land", "crash-before"}, words[0])
	})
}

// honest changes nothing.
func honest(*model.Snapshot, *model.Plan) {}

// told is what a story came to.
type told struct {
	end     string
	actions []string // what they were for
	// named is the number of actions that no crash goes before: those of the set-up "pair" or "steady", which the stories without it
	// are about, and those before the story's last command that names a Pod, which would then not be there.
	named int
}

// crashed tells a story and what follows of it by itself, with a crash before the k-th action; 0 is none. Every plan is
// changed before it is carried out.
func crashed(t *testing.T, script string, k int, change func(*model.Snapshot, *model.Plan)) (result told) {
	s := &teller{t: t, rollout: rolloutOf("1"), tag: "1", images: map[string]world.Behaviour{}}
	judge := func(snapshot *model.Snapshot, p *model.Plan) {
		if k == 0 {
			again, err := plan.Next(property.Shuffled(snapshot, seeded(uint64(len(result.actions))).r.IntN))
			require.NoError(t, err)
			require.Equal(t, jsonOf(p), jsonOf(&again))
		}
		change(snapshot, p)
		sent := k - 1 - len(result.actions)
		for i := range p.Actions {
			result.actions = append(result.actions, string(p.Actions[i].Kind)+" "+string(p.Actions[i].Reason))
		}
		if sent >= 0 && sent < len(p.Actions) {
			p.Actions, p.RequeueAfter = p.Actions[:sent], time.Second
			s.rollout.Status.Executor = model.Executor{ID: "after-" + strconv.Itoa(k), Since: metav1.NewTime(s.lab.now), Listed: true}
		}
	}
	for _, line := range strings.Split(script, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if s.lab == nil && slices.Contains([]string{"pair", "steady", "settle", "run", "steps", "until", "wait"}, words[0]) {
			s.start().judge = judge
		}
		if words[0] == "crash" || words[0] == "kill-pod" {
			result.named = len(result.actions)
		}
		require.True(t, s.command(words[0], words[1:]), line)
		if words[0] == "pair" || words[0] == "steady" {
			result.named = len(result.actions)
		}
	}
	p := s.lab.run()
	result.end = s.endState(&p)
	return result
}

// endState is what two runs of one story must have in common: neither times nor names nor UIDs.
func (s *teller) endState(p *model.Plan) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s complete %t", p.Phase, p.Complete())
	if blocked := p.Blocked(); blocked != nil {
		fmt.Fprintf(&text, " blocked %s", blocked.Reason)
	}
	cluster := s.snapshot().Cluster
	slots := map[string]string{}
	active := ""
	for _, set := range cluster.DaemonSets() {
		slots[string(set.UID)] = set.Name
		active = set.Annotations[slotKeys.ActiveSlot]
		state, err := model.ParseState(set.Annotations[slotKeys.State])
		require.NoError(s.t, err)
		failed := ""
		if state.Failed != nil {
			failed = state.Failed.Revision
		}
		fmt.Fprintf(&text, "\n%s revision %s active %s target %s %s returns %t failed %s proven %s strategy %s affinity %s", set.Name,
			set.Annotations[slotKeys.Revision], active, set.Annotations[slotKeys.TargetSlot], set.Annotations[slotKeys.TargetRevision],
			state.Return != nil, failed, state.Proven, set.Spec.UpdateStrategy.Type, jsonOf(set.Spec.Template.Spec.Affinity))
	}
	for i := range cluster.Len() {
		node := cluster.Node(i)
		label, ok := node.Labels[slotKeys.NodeSlot]
		if !ok {
			label = active // who owns unlabelled nodes has it
		}
		fmt.Fprintf(&text, "\n%s %s", node.Name, label)
		var pods []string
		for _, pod := range cluster.Pods(i) {
			if pod.Namespace == namespace {
				pods = append(pods, slots[string(model.ControllerUID(pod))]+" "+pod.Annotations[slotKeys.Revision]+podState(pod))
			}
		}
		slices.Sort(pods)
		fmt.Fprintf(&text, " %s", strings.Join(pods, ", "))
	}
	return text.String()
}
