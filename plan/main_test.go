package plan_test

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// quickChecks is the number of random checks of a run without the flag -rapid.checks.
const quickChecks = 40

// TestMain plays the same random games every time, so that a change is judged by what it changes. Other seeds, and more
// games, look further: go test ./plan -run TestProperties -rapid.seed=7 -rapid.checks=1000
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": strconv.Itoa(quickChecks)} {
		if given[name] {
			continue
		}
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
