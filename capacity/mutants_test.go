package capacity

import (
	"testing"

	"pgregory.net/rapid"
)

// property is a statement about a drawn case, held by an implementation. It returns the first
// disagreement, or "".
type property[Case any, Impl any] struct {
	draw  *rapid.Generator[Case]
	holds func(Case, Impl) string
	// reached names what a case exercises; a run that never reaches one of wanted has shown nothing.
	reached func(Case) []string
	wanted  []string
}

// check holds the property for the implementation, and then demands that every mutant breaks it within
// a fixed row of cases: a property that nothing can break proves nothing.
func (p property[Case, Impl]) check(t *testing.T, impl Impl, mutants map[string]Impl) {
	t.Helper()
	t.Run("holds", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			if fault := p.holds(p.draw.Draw(rt, "case"), impl); fault != "" {
				rt.Fatal(fault)
			}
		})
	})
	const seeds = 3000
	cases := make([]Case, seeds)
	for seed := range cases {
		cases[seed] = p.draw.Example(seed)
	}
	t.Run("reaches", func(t *testing.T) {
		seen := map[string]int{}
		for _, c := range cases {
			for _, r := range p.reached(c) {
				seen[r]++
			}
		}
		for _, r := range p.wanted {
			if seen[r] == 0 {
				t.Errorf("no case of %d reached %q: %v", seeds, r, seen)
			}
		}
	})
	t.Run("holds in the row", func(t *testing.T) {
		for seed, c := range cases {
			if fault := p.holds(c, impl); fault != "" {
				t.Fatalf("seed %d: %s", seed, fault)
			}
		}
	})
	for name, mutant := range mutants {
		t.Run("kills "+name, func(t *testing.T) {
			for _, c := range cases {
				if p.holds(c, mutant) != "" {
					return
				}
			}
			t.Errorf("the mutant lives through %d cases", seeds)
		})
	}
}
