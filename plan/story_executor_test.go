package plan_test

import (
	"fmt"
	"strconv"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/world"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// execute are the commands about the executor: its restarts and crashes, its requests and its caches.
func (s *teller) execute(verb string, args []string) bool {
	switch verb {
	case "restart":
		s.restart(args)
	case "crash-before":
		number, err := strconv.Atoi(args[0])
		require.NoError(s.t, err)
		s.start().sending.crash = number
		s.play(1, func(*model.Plan) bool { return false })
		s.lab.sending.crash = 0
	case "delay":
		s.start().sending.delay = model.Reason(args[0])
		s.play(400, func(*model.Plan) bool { return s.lab.sending.delay == "" })
		require.NotNil(s.t, s.lab.sending.delayed, "no action for reason %s", args[0])
	case "land":
		s.land()
	case "lag":
		s.start().settle()
		s.lab.lagging = args[0] == "on"
	case "stall":
		s.start().stalled = args[0] == "on"
		s.lab.settle()
	case "deliver":
		for _, cache := range world.Caches() {
			if cache.String() == args[0] {
				s.lab.world.DeliverUntil(cache, s.lab.now)
				return true
			}
		}
		s.t.Fatalf("no cache %q", args[0])
	case "quiet", "aloud":
		s.quiet = verb == "quiet"
	default:
		return false
	}
	return true
}

// restart lets another executor take over. It has read a live list, and knows nothing of what was issued before.
func (s *teller) restart(args []string) {
	executor := model.Executor{ID: args[0], Since: s.rollout.Status.ObservedAt, Listed: true}
	if s.lab != nil {
		for _, cache := range world.Caches() {
			s.lab.world.DeliverUntil(cache, s.lab.now)
		}
		s.lab.issued = nil
	}
	if len(args) > 1 {
		timeout, err := time.ParseDuration(args[1])
		require.NoError(s.t, err)
		executor.Since, executor.RequestTimeout = metav1.NewTime(s.start().now), metav1.Duration{Duration: timeout}
	}
	s.rollout.Status.Executor = executor
}

// land lets the delayed request reach the API server.
func (s *teller) land() {
	write := s.lab.sending.delayed
	require.NotNil(s.t, write, "nothing is on its way")
	s.lab.sending.delayed = nil
	fate := "lands"
	if _, err := s.lab.world.Apply(s.lab.now, *write); err != nil {
		fate = "is refused: " + err.Error()
	}
	fmt.Fprintf(&s.out, "! the late request for %s %s\n", write.Object.Name, fate)
	s.lab.settle()
	fmt.Fprintf(&s.out, "    %s\n", s.draw())
}
