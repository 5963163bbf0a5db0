package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	limitsFile   = "budget/limits.go"
	fallbackFile = "capacity/fallback.go"
	overlapFile  = "lockspec/overlap.go"
)

// The packages below the planner: a fault in their arithmetic fails the test that is named, of their own package.
func TestTheTestsBelowKillMutants(t *testing.T) {
	needsGo(t)
	if testing.Short() {
		t.Skip("builds a program a package")
	}
	mutants := []struct {
		name, pkg, test string
		edit            edit
	}{
		{"a free seat is always left", "budget", "TestAdmissionKeepsTheBudget", edit{limitsFile, "return a.Committed+1 <= limits.Unavailable", "return true"}},
		{"the exempt are charged", "budget", "TestAdmissionKeepsTheBudget", edit{"budget/ledger.go", "return l.Committed + l.Ambient - l.Exempt", "return l.Committed + l.Ambient"}},
		{"a paid move is not booked", "budget", "TestAdmissionKeepsTheBudget", edit{limitsFile, "\t\ta.Available--\n\t\ta.Committed++\n", ""}},
		{"an exempt node that moves stays exempt", "budget", "TestAdmissionKeepsTheBudget", edit{limitsFile, "\t\t\ta.Exempt--\n", ""}},
		{"the window has one place more", "budget", "TestAdmit", edit{limitsFile, "a.Overlap+cost.Overlap > limits.Window", "a.Overlap+cost.Overlap > limits.Window+1"}},
		{"the cohort has no end", "budget", "TestAdmit", edit{limitsFile, "case cost.OffSource > 0 && a.OffSource+cost.OffSource > limits.Cohort:", "case false:"}},
		{"percentages are rounded down", "budget", "TestResolveRoundsUp", edit{"budget/number.go", "(percent*total + 99) / 100", "percent * total / 100"}},
		{"the slow start skips its first step", "budget", "TestRamp", edit{"budget/slowstart.go", "(1+int(steps))*increase", "(2+int(steps))*increase"}},
		{"what is above allocatable may fall back", "capacity", "TestFallbackEqualsTheRule", edit{fallbackFile, "len(above) > 0", "len(above) > 99"}},
		{"the source's room is never given back", "capacity", "TestFallbackEqualsTheRule", edit{fallbackFile, "o.Spec.NodeName == q.Node.Name && slices.Contains(q.Leaving, o.UID)", "false"}},
		{"a message that is not understood is capacity", "capacity", "TestFallbackEqualsTheRule", edit{fallbackFile, "if !message.OnlyCapacity(q.CountPodSlots) {", "if false {"}},
		{"a Pod that fits already may cost its source", "capacity", "TestFallbackEqualsTheRule", edit{fallbackFile, "if len(now) == 0 {", "if false {"}},
		{"locks of different kinds exclude each other", "lockspec", "TestMayOverlapProperty", edit{overlapFile, "case !la.kind.Excludes(lb.kind):", "case false:"}},
		{"locks of different directories exclude each other", "lockspec", "TestMayOverlapProperty", edit{overlapFile, "case la.directory != lb.directory:", "case false:"}},
		{"a component that only one has may overlap", "lockspec", "TestMayOverlapProperty", edit{overlapFile, "if name := b.Containers[i].Name; container(a, name) == nil {", "if name := b.Containers[i].Name; false {"}},
	}
	var list []row
	for _, c := range mutants {
		list = append(list, row{c.name, []edit{c.edit}})
	}
	s, programs := switches(t, list), map[string]string{}
	for _, c := range mutants {
		if programs[c.pkg] == "" {
			programs[c.pkg] = s.tests(t, c.pkg)
		}
	}
	for _, c := range mutants {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, s.bad[c.name])
			output, _, err := s.run(c.name, programs[c.pkg], c.pkg, "-test.run=^"+c.test+"$", "-rapid.nofailfile", "-rapid.shrinktime=0s")
			require.Error(t, err, "the mutant lives: %s", output)
			require.Contains(t, output, "--- FAIL: "+c.test)
		})
	}
}

// A row that does not fit the code fails by its name, and the other rows are built.
func TestRowsThatDoNotFitAreNamed(t *testing.T) {
	const kept = "return a.Committed+1 <= limits.Unavailable"
	s := switches(t, []row{
		{"fits", []edit{{limitsFile, kept, "return true"}}},
		{"moved", []edit{{limitsFile, "what stands there no more", ""}}},
		{"outside", []edit{{limitsFile, "package budget\n", "package budget // changed\n"}}},
		{"nothing", []edit{{limitsFile, kept, kept}}},
		{"gone", []edit{{"budget/gone.go", "package", ""}}},
	})
	require.NoError(t, s.bad["fits"])
	require.ErrorContains(t, s.bad["moved"], "row moved: budget/limits.go must have this text once, and has it 0 times: what stands there no more")
	require.ErrorContains(t, s.bad["outside"], "row outside: budget/limits.go changes outside the bodies of functions")
	require.ErrorContains(t, s.bad["nothing"], "row nothing: budget/limits.go is the same with the edits")
	require.ErrorContains(t, s.bad["gone"], "row gone: ")
	require.Len(t, s.bad, 4)
}
