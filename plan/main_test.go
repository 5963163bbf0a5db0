package plan_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain plays the same random games every time, so that a change is judged by what it changes. Other seeds, and more
// games, look further: go test ./plan -run TestProperties -rapid.seed=7 -rapid.checks=1000
func TestMain(m *testing.M) {
	flag.Parse()
	if seed := flag.Lookup("rapid.seed"); seed != nil && seed.Value.String() == seed.DefValue {
		if err := flag.Set("rapid.seed", "1"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
