package command

import (
	"encoding"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/examples/rollout/extendeddaemonset"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// The references are made from the types, so that they say what the code reads and prints.

const modulePath = "github.com/agent-rollout/planner/"

// TestDocumentReference: every field of the Rollout document has a line, and every line a meaning.
func TestDocumentReference(t *testing.T) {
	r := newReference()
	r.closed = []reflect.Type{reflect.TypeFor[model.Issued]()} // no person writes it
	r.fields(reflect.TypeFor[model.Rollout](), "")
	require.Empty(t, r.bare, "fields without a comment")
	holdFile(t, "../docs/document.md", "# The Rollout document\n\n"+
		"`apiVersion: "+model.RolloutAPIVersion+"`, `kind: "+model.RolloutKind+"`. Unknown fields are refused. A duration is written as in `10m` or `1h30m`, a time as in\n"+
		"`2026-01-05T09:00:00Z`. What is not said here of numbers: percentages are of the eligible nodes, rounded up.\n\n"+r.table())
}

// TestOutputReference: every kind that a command prints as JSON and YAML has its fields listed.
func TestOutputReference(t *testing.T) {
	var b strings.Builder
	b.WriteString("# What the commands print for programs\n\nWith `-o json` and `-o yaml`. Every object has `apiVersion: " + model.RolloutAPIVersion +
		"` and the kind that is given here. Fields may be added within a version; none is removed, and none\nchanges its meaning.\n")
	for _, o := range []struct {
		kind, by string
		of       reflect.Type
	}{
		{kindPlan, "plan", reflect.TypeFor[planView]()}, {kindDifference, "plan --diff", reflect.TypeFor[planDifference]()},
		{kindExplanation, "explain", reflect.TypeFor[explanation]()}, {kindMeaning, "explain REASON", reflect.TypeFor[meaningView]()},
		{kindTree, "tree", reflect.TypeFor[tree]()}, {kindSimulation, "simulate", reflect.TypeFor[resultView]()},
		{kindComparison, "compare", reflect.TypeFor[comparedView]()}, {kindAdvice, "advise", reflect.TypeFor[adviceView]()},
		{kindVerification, "verify", reflect.TypeFor[verifiedView]()}, {kindCheck, "check-template", reflect.TypeFor[checked]()},
		{kindImport, "import -o json", reflect.TypeFor[extendeddaemonset.Import]()}, {kindVersion, "version", reflect.TypeFor[build]()},
	} {
		r := newReference()
		r.fields(o.of, "")
		fmt.Fprintf(&b, "\n## %s\n\n`rollout %s`\n\n%s", o.kind, o.by, r.table())
	}
	holdFile(t, "../docs/output.md", b.String())
}

// TestReasonsReference: every reason with what ends it.
func TestReasonsReference(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Reasons\n\nThe codes that stand in plans, conditions and Events, as `rollout explain REASON` tells them. What to do about those that ask for a person stands in\n" +
		"[runbook.md](runbook.md).\n\n| reason | says | what ends it |\n|---|---|---|\n")
	for _, reason := range model.Reasons() {
		about := plan.About(reason)
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", reason, about.Says, about.Ends)
	}
	holdFile(t, "../docs/reasons.md", b.String())
}

// TestRunbook: what looks like a reason is one, and every reason for which a whole rollout is blocked is told.
func TestRunbook(t *testing.T) {
	text, err := os.ReadFile("../docs/runbook.md")
	require.NoError(t, err)
	others := []string{"Fail", "Resume", "OptOut", "PodScheduled"}
	for _, word := range regexp.MustCompile("`([A-Z][A-Za-z]+)`").FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(others, word[1]) {
			require.NotZero(t, plan.About(model.Reason(word[1])), word[1])
		}
	}
	for _, reason := range []model.Reason{
		model.TemplateRefused, model.BudgetSpent, model.CanaryAwaited, model.CanaryShort, model.PartitionReached, model.ControllerRests, model.StrategyChanged, model.KeyTaken,
		model.NameChanged, model.ForeignDaemonSet, model.ForeignPods, model.StateUnreadable, model.StateDiverged, model.SchemaUnknown, model.FailedHold, model.RevisionRemembered,
		model.NodesExcepted,
	} {
		require.Contains(t, string(text), "`"+string(reason)+"`")
	}
}

// holdFile compares a file with what it is to be, or rewrites it.
func holdFile(t *testing.T, path, want string) {
	t.Helper()
	if *rewrite {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o600))
		return
	}
	got, err := os.ReadFile(filepath.Clean(path))
	require.NoError(t, err)
	require.Equal(t, want, string(got), "-rewrite makes it anew")
}

// reference are the fields of a type in the order of the source.
type reference struct {
	comments map[string]map[string]string // of a package: of a type, and of a type's field
	rows     [][3]string
	bare     []string
	closed   []reflect.Type // whose fields are told elsewhere
}

func newReference() *reference { return &reference{comments: map[string]map[string]string{}} }

func (r *reference) table() string {
	var b strings.Builder
	b.WriteString("| field | value | meaning |\n|---|---|---|\n")
	for _, row := range r.rows {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", row[0], row[1], strings.ReplaceAll(row[2], "|", `\|`))
	}
	return b.String()
}

// fields adds the fields of a struct, and those of structs of this module in it.
func (r *reference) fields(t reflect.Type, path string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if name == "" && f.Anonymous {
			if inner := deref(f.Type); ours(inner) {
				r.fields(inner, path)
			}
			continue
		}
		if slices.ContainsFunc(r.rows, func(row [3]string) bool { return row[0] == path+name }) {
			continue // an outer field hides it
		}
		r.field(t, f, path+name, options)
	}
}

func (r *reference) field(owner reflect.Type, f reflect.StructField, path, options string) {
	inner, suffix := deref(f.Type), ""
	for inner.Kind() == reflect.Slice && inner.Elem().Kind() != reflect.Uint8 {
		inner, suffix = deref(inner.Elem()), suffix+"[]"
	}
	meaning := r.comment(owner, f.Name)
	if meaning == "" && ours(inner) {
		meaning = r.comment(inner, "")
	}
	if meaning == "" {
		r.bare = append(r.bare, path)
	}
	r.rows = append(r.rows, [3]string{path + suffix, r.value(inner, strings.Contains(options, "string")), meaning})
	if inner.Kind() == reflect.Struct && ours(inner) && !isText(inner) && !slices.Contains(r.closed, inner) {
		r.fields(inner, path+suffix+".")
	}
}

func deref(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func ours(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), modulePath) }

func isText(t reflect.Type) bool {
	text := reflect.TypeFor[encoding.TextMarshaler]()
	return t.Implements(text) || reflect.PointerTo(t).Implements(text)
}

// value says what may be written.
func (r *reference) value(t reflect.Type, quoted bool) string {
	switch name := t.String(); name {
	case "intstr.IntOrString":
		return "number or percentage"
	case "v1.Duration", "time.Duration":
		return map[string]string{"v1.Duration": "duration", "time.Duration": "nanoseconds"}[name]
	case "v1.Time":
		return "time"
	}
	if t == reflect.TypeFor[model.Reason]() {
		return "[Reason](reasons.md)"
	}
	if ours(t) && (t.Kind() == reflect.String || isText(t)) {
		if words := r.words(t); len(words) > 0 {
			return strings.Join(words, ", ")
		}
		return "string"
	}
	switch t.Kind() {
	case reflect.Map:
		return "map of " + r.value(deref(t.Elem()), false)
	case reflect.Struct:
		if ours(t) {
			return "object"
		}
		return strings.TrimPrefix(t.Name(), "v1.") + " of Kubernetes"
	case reflect.Bool:
		return "true or false"
	case reflect.Interface:
		return "any"
	case reflect.String:
		return "string"
	case reflect.Slice:
		return "list"
	}
	if quoted {
		return "string"
	}
	return "number"
}

// mostWords is how many words of a closed set are listed.
const mostWords = 8

// words are the constants of a string type.
func (r *reference) words(t reflect.Type) (words []string) {
	for _, file := range sources(t.PkgPath()) {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if of, ok := v.Type.(*ast.Ident); !ok || of.Name != t.Name() || len(v.Values) != 1 {
					continue
				}
				if literal, ok := v.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
					word, _ := strconv.Unquote(literal.Value)
					words = append(words, "`"+word+"`")
				}
			}
		}
	}
	if len(words) > mostWords {
		return nil
	}
	return words
}

// comment is that of a field, or without one of the type itself, in one line.
func (r *reference) comment(t reflect.Type, field string) string {
	if !ours(t) {
		return ""
	}
	comments := r.comments[t.PkgPath()]
	if comments == nil {
		comments = commentsOf(sources(t.PkgPath()))
		r.comments[t.PkgPath()] = comments
	}
	return comments[t.Name()+"."+field]
}

func commentsOf(files []*ast.File) map[string]string {
	comments := map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				for _, s := range n.Specs {
					if spec, ok := s.(*ast.TypeSpec); ok {
						comments[spec.Name.Name+"."] = oneLine(firstOf(spec.Doc, n.Doc))
						fieldComments(comments, spec)
					}
				}
			}
			return true
		})
	}
	return comments
}

func fieldComments(comments map[string]string, spec *ast.TypeSpec) {
	of, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range of.Fields.List {
		for _, name := range f.Names {
			comments[spec.Name.Name+"."+name.Name] = oneLine(firstOf(f.Doc, f.Comment))
		}
	}
}

func firstOf(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			return g.Text()
		}
	}
	return ""
}

func oneLine(text string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	return strings.Join(strings.Fields(paragraph), " ")
}

// sources are the files of a package of this module.
func sources(path string) (files []*ast.File) {
	set := token.NewFileSet()
	names, _ := filepath.Glob(filepath.Join("../../..", strings.TrimPrefix(path, modulePath), "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if file, err := parser.ParseFile(set, name, nil, parser.ParseComments); err == nil {
			files = append(files, file)
		}
	}
	return files
}
