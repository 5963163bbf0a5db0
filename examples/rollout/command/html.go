package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/examples/rollout/page"
	"github.com/agent-rollout/planner/model"
)

// callKey is the annotation of the root command that holds the command line.
const callKey = "call"

// pageOf is a page with what all have: the call, the rollout's name and the verdict.
func pageOf(cmd *cobra.Command, r *model.Rollout, c colour, text string) *page.Page {
	tone := map[colour]page.Tone{green: page.Good, yellow: page.Mixed, red: page.Bad}[c]
	// The command's name stands above.
	text = strings.TrimPrefix(text, strings.ToUpper(cmd.Name()[:1])+cmd.Name()[1:]+": ")
	return &page.Page{
		Command: cmd.Name(), Call: cmd.Root().Annotations[callKey], Verdict: strings.ToUpper(text[:1]) + text[1:], Tone: tone,
		Subject: strings.TrimPrefix(r.Metadata.Namespace+"/"+r.Metadata.Name, "/"),
	}
}

// shellLine is a command line as a shell reads it.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; word == "" || strings.ContainsAny(word, " '\"\\$`&|;<>()*?[]{}~#!\t\n") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// settingsTable is the document with its defaults, but for the DaemonSet that is desired.
func settingsTable(r *model.Rollout) (page.Table, error) {
	spec := r.WithDefaults().Spec
	spec.Desired = nil
	text, err := yaml.Marshal(spec)
	return page.Table{Title: "Settings", Note: "spec of the Rollout document, with defaults", Closed: true, Text: string(text)}, err
}

// timingsTable is the seed, and how long things take.
func (f *timingFlags) timingsTable() page.Table {
	t := page.Table{Title: "Seed and durations", Note: "before jitter; the same input and seed give the same page", Closed: true,
		Head: []string{"Flag", "Value", "What"}, Numbers: []int{1}}
	add := func(name, value, what string) {
		t.Rows = append(t.Rows, page.Row{Cells: []string{"--" + name, value, what}})
	}
	add("seed", fmt.Sprint(f.seed), "of all durations")
	for _, d := range f.durations() {
		add(d.name, max(*d.field, 0).String(), d.usage)
	}
	add("jitter", fmt.Sprint(max(f.timings.Jitter, 0)), "share over which every duration is spread")
	return t
}

// linesTable are lines of text under a title.
func linesTable(title string, lines []string) page.Table {
	t := page.Table{Title: title}
	for _, line := range lines {
		t.Rows = append(t.Rows, page.Row{Cells: []string{line}})
	}
	return t
}
