package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/model"
)

func TestReasonsAreValidAndUnique(t *testing.T) {
	valid := regexp.MustCompile(`^[A-Z][A-Za-z]+$`)
	seen := map[model.Reason]bool{}
	for _, reason := range model.Reasons() {
		require.Regexp(t, valid, string(reason))
		require.LessOrEqual(t, len(reason), 128, "the API server's limit for the reason of an Event")
		require.False(t, seen[reason], "%s stands for two things", reason)
		seen[reason] = true
	}
}

// The closed set is the set of declared constants: a constant that is left out of it would be a reason that no
// reader of the set knows.
func TestReasonsAreTheDeclaredConstants(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	require.NoError(t, err)
	var declared []model.Reason
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			values := spec.(*ast.ValueSpec)
			kind, ok := values.Type.(*ast.Ident)
			require.True(t, ok && kind.Name == "Reason", "constant %s has no type Reason", values.Names[0].Name)
			for _, value := range values.Values {
				word, err := strconv.Unquote(value.(*ast.BasicLit).Value)
				require.NoError(t, err)
				declared = append(declared, model.Reason(word))
			}
		}
	}
	require.NotEmpty(t, declared)
	require.ElementsMatch(t, declared, model.Reasons())
}

func TestReasonsCannotBeChangedByTheCaller(t *testing.T) {
	list := model.Reasons()
	list[0] = "Other"
	require.NotEqual(t, list[0], model.Reasons()[0])
}

func TestWordsOfAReport(t *testing.T) {
	for _, test := range []struct {
		words []string
		text  func(i int) string
		parse func(text string) (int, error)
	}{
		{[]string{"Source", "Overlap", "Released", "Target", "Complete", "Leaving", "Foreign"},
			func(i int) string { return model.Stage(i).String() },
			func(text string) (int, error) {
				var s model.Stage
				err := s.UnmarshalText([]byte(text))
				return int(s), err
			}},
		{[]string{"Done", "Action", "Wait", "Block"},
			func(i int) string { return model.Verdict(i).String() },
			func(text string) (int, error) {
				var v model.Verdict
				err := v.UnmarshalText([]byte(text))
				return int(v), err
			}},
		{[]string{"", "available", "ambient", "exempt", "committed", "joining"},
			func(i int) string { return model.Blame(i).String() },
			func(text string) (int, error) {
				var b model.Blame
				err := b.UnmarshalText([]byte(text))
				return int(b), err
			}},
	} {
		for i, word := range test.words {
			require.Equal(t, word, test.text(i))
			parsed, err := test.parse(word)
			require.NoError(t, err)
			require.Equal(t, i, parsed)
		}
		require.Equal(t, "unknown", test.text(len(test.words)))
		_, err := test.parse("sideways")
		require.ErrorContains(t, err, `"sideways"`)
	}
	report := model.NodeReport{}
	require.True(t, report.SinceTime().IsZero())
	report.Since = noon.Unix()
	require.Equal(t, noon, report.SinceTime())
}
