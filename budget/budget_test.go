package budget

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"
)

func TestResolve(t *testing.T) {
	tests := []struct {
		name  string
		value intstr.IntOrString
		total int
		want  int
		fault string
	}{
		{name: "a number", value: intstr.FromInt32(2), total: 10, want: 2},
		{name: "a number above the total", value: intstr.FromInt32(20), total: 10, want: 20},
		{name: "zero", value: intstr.FromInt32(0), total: 10, want: 0},
		{name: "a tenth of 7 rounds up", value: intstr.FromString("10%"), total: 7, want: 1},
		{name: "a tenth of 15 rounds up", value: intstr.FromString("10%"), total: 15, want: 2},
		{name: "a hundredth of one node", value: intstr.FromString("1%"), total: 1, want: 1},
		{name: "5% of 288", value: intstr.FromString("5%"), total: 288, want: 15},
		{name: "a whole number of percent does not round", value: intstr.FromString("5%"), total: 300, want: 15},
		{name: "any share of nothing", value: intstr.FromString("10%"), total: 0, want: 0},
		{name: "0%", value: intstr.FromString("0%"), total: 300, want: 0},
		{name: "100%", value: intstr.FromString("100%"), total: 300, want: 300},
		{name: "a quoted number", value: intstr.FromString("2"), fault: "without quotes"},
		{name: "nothing", value: intstr.FromString(""), fault: "without quotes"},
		{name: "only the sign", value: intstr.FromString("%"), fault: "whole percentage"},
		{name: "negative percent", value: intstr.FromString("-1%"), fault: "whole percentage"},
		{name: "plus sign", value: intstr.FromString("+1%"), fault: "whole percentage"},
		{name: "fraction", value: intstr.FromString("1.5%"), fault: "whole percentage"},
		{name: "above 100", value: intstr.FromString("150%"), fault: "whole percentage"},
		{name: "negative", value: intstr.FromInt32(-1), fault: "between 0"},
		{name: "absurd", value: intstr.FromInt32(2_000_000_000), fault: "between 0"},
		{name: "no type", value: intstr.IntOrString{Type: 7}, fault: "int or a percentage"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Resolve(test.value, test.total)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				require.Error(t, Check(test.value))
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

// The fast ceiling against counting: the least n such that n hundred percent-nodes cover the share.
func TestResolveRoundsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		percent := rapid.IntRange(0, 100).Draw(t, "percent")
		total := rapid.IntRange(0, 5000).Draw(t, "total")
		want := 0
		for want*100 < percent*total {
			want++
		}
		got, err := Resolve(intstr.FromString(strconv.Itoa(percent)+"%"), total)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

func TestAdmit(t *testing.T) {
	limits := Limits{Cohort: 20, Unavailable: 3, Window: 4, Writes: 10}
	account := func(available, ambient, committed int) Account {
		return Account{Ledger: Ledger{Eligible: available + ambient + committed, Available: available, Ambient: ambient, Committed: committed}}
	}
	tests := []struct {
		name    string
		account Account
		cost    Cost
		want    Limit
	}{
		{"paid with room", account(18, 1, 1), Cost{Seat: PaidSeat}, Admitted},
		{"paid counts ambient nodes", account(17, 2, 1), Cost{Seat: PaidSeat}, Unavailable},
		{"free does not count ambient nodes", account(10, 9, 1), Cost{Seat: FreeSeat}, Admitted},
		{"free takes a seat all the same", account(10, 7, 3), Cost{Seat: FreeSeat}, Unavailable},
		{"what has not settled is charged once", account(17, 3, 0), Cost{Seat: FreeSeat, Settling: true}, Admitted},
		{"what has not settled serves: nothing else may be above the limit", account(16, 4, 0), Cost{Seat: FreeSeat, Settling: true}, Unavailable},
		{"an exempt node that has not settled is charged once it moves", Account{Ledger: Ledger{Eligible: 20, Available: 16, Ambient: 4, Exempt: 1}}, Cost{Seat: FreeSeat, Settling: true, Exempt: true}, Unavailable},
		{"no seat passes a spent budget", account(10, 7, 3), Cost{Seat: NoSeat, Writes: 1}, Admitted},
		{"window full", Account{Overlap: 4}, Cost{Overlap: 1}, Window},
		{"giving back a window seat is never held", Account{Overlap: 9}, Cost{Overlap: -1}, Admitted},
		{"writes full", Account{Writes: 10}, Cost{Writes: 1}, Writes},
		{"cohort full", Account{OffSource: 20}, Cost{OffSource: 1}, Cohort},
		{"the cohort is asked before the budget", Account{OffSource: 20, Ledger: Ledger{Committed: 3}}, Cost{OffSource: 1, Seat: PaidSeat}, Cohort},
		{"an unknown seat is never admitted", account(20, 0, 0), Cost{Seat: 9}, Unavailable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := test.account
			got := test.account.Admit(limits, test.cost)
			require.Equal(t, test.want, got, test.want.String())
			if got != Admitted {
				require.Equal(t, before, test.account, "a held move charges nothing")
			}
		})
	}
}

// admitSlowly is the rule as the package comment states it, counted node by node.
func admitSlowly(columns []rune, exempt int, limit int, seat Seat) bool {
	committed, ambient := 0, 0
	for _, column := range columns {
		switch column {
		case 'c':
			committed++
		case 'm':
			ambient++
		}
	}
	switch seat {
	case PaidSeat:
		return committed+ambient-exempt < limit
	case FreeSeat:
		return committed < limit
	}
	return true
}

// Whatever is admitted, in whatever order: the committed nodes stay within the limit, the ledger
// stays balanced, and the answer is that of the slow rule. mutant admits one seat too many.
func TestAdmissionKeepsTheBudget(t *testing.T) {
	check := func(t *rapid.T, admit func(*Account, Limits, Cost) Limit) (kept bool) {
		columns := rapid.SliceOfN(rapid.SampledFrom([]rune("aaam")), 1, 12).Draw(t, "nodes")
		limits := Limits{Unavailable: rapid.IntRange(1, 5).Draw(t, "limit"), Window: 99, Writes: 999, Cohort: 99}
		account := Account{Ledger: Ledger{Eligible: len(columns)}}
		for _, column := range columns {
			if column == 'a' {
				account.Available++
			} else {
				account.Ambient++
			}
		}
		account.Exempt = rapid.IntRange(0, account.Ambient).Draw(t, "exempt")
		kept = true
		for i, column := range columns {
			seat := FreeSeat
			if column == 'a' {
				seat = PaidSeat
			}
			want := admitSlowly(columns, account.Exempt, limits.Unavailable, seat)
			got := admit(&account, limits, Cost{Seat: seat, Exempt: seat == FreeSeat && account.Exempt > 0}) == Admitted
			kept = kept && want == got && account.Balanced() && account.Committed <= limits.Unavailable
			if got {
				columns[i] = 'c'
			}
		}
		return kept
	}
	rapid.Check(t, func(t *rapid.T) {
		require.True(t, check(t, (*Account).Admit))
	})
	killed := false
	rapid.Check(t, func(t *rapid.T) {
		mutant := func(a *Account, limits Limits, cost Cost) Limit {
			limits.Unavailable++
			return a.Admit(limits, cost)
		}
		killed = killed || !check(t, mutant)
	})
	require.True(t, killed, "the property does not see a budget overspent by one")
}

func TestRamp(t *testing.T) {
	minute := time.Minute
	tests := []struct {
		name           string
		most, increase int
		interval       time.Duration
		elapsed        time.Duration
		want           int
	}{
		{"start", 50, 5, minute, 0, 5},
		{"last second of the first interval", 50, 5, minute, 59 * time.Second, 5},
		{"second interval", 50, 5, minute, minute, 10},
		{"reaches the most", 50, 5, minute, 9 * minute, 50},
		{"stays at the most", 50, 5, minute, 1e6 * minute, 50},
		{"the last step is cut", 12, 5, minute, 2 * minute, 12},
		{"increase above the most", 3, 5, minute, 0, 3},
		{"no interval", 7, 1, 0, 0, 7},
		{"clock went back", 7, 2, minute, -time.Hour, 2},
		{"an increase of 0 counts as 1", 7, 0, minute, minute, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, Ramp(test.most, test.increase, test.interval, test.elapsed))
		})
	}
}

func TestWords(t *testing.T) {
	require.Equal(t, "12 eligible = 9 available + 2 ambient + 1 committed (1 exempt)",
		Ledger{Eligible: 12, Available: 9, Ambient: 2, Committed: 1, Exempt: 1}.String())
	require.Equal(t, 3, Ledger{Ambient: 2, Committed: 1}.Unavailable())
	words := []string{}
	for limit := Admitted; limit <= Writes+1; limit++ {
		words = append(words, limit.String())
	}
	require.Equal(t, []string{"admitted", "cohort", "budget", "window", "writes", "unknown"}, words)
	require.Equal(t, "none free paid unknown", NoSeat.String()+" "+FreeSeat.String()+" "+PaidSeat.String()+" "+Seat(9).String())
	require.False(t, Ledger{Eligible: 2, Available: 1}.Balanced())
}
