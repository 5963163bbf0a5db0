package verify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// edit replaces a text that stands exactly once in a file of the module.
type edit struct {
	file, text, instead string
}

// row is a row of a table of faults: what its name stands for is missing where the edits are made.
type row struct {
	name  string
	edits []edit
}

// switched is the module with every row's edits behind a switch: copies of the files in which each function that an edit changes has the
// changed body beside its own, and the table that go build's -overlay reads. The files of the module are not touched. One program is built
// for all rows of a table, and the environment of a run says which row is missing in it.
type switched struct {
	root, dir string
	// bad are the rows that are not in the program, and why.
	bad map[string]error
	// cpu is what building has taken.
	cpu time.Duration
}

// missing is the variable of the environment that names the missing row.
const missing = "PLANNER_MISSING"

// needsGo skips the test on a machine without the go command.
func needsGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not on the PATH: patched copies of the library cannot be built here")
	}
}

// switches makes the overlay. A row whose edit does not fit is left out, and is bad: the table is to be kept in step with the code.
func switches(t *testing.T, rows []row) *switched {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	s := &switched{root: root, dir: t.TempDir(), bad: map[string]error{}}
	bodies := map[string][]insertion{} // by file
	for _, r := range rows {
		changed, err := s.changes(&r)
		if err != nil {
			s.bad[r.name] = fmt.Errorf("row %s: %w", r.name, err)
		}
		for file, list := range changed {
			bodies[file] = append(bodies[file], list...)
		}
	}
	replace := map[string]string{}
	for file, list := range bodies {
		source, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		replace[filepath.Join(root, file)] = s.write(t, len(replace), inserted(file, source, list))
		variable := filepath.Join(root, filepath.Dir(file), "overlay_missing.go")
		if _, ok := replace[variable]; !ok {
			f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.PackageClauseOnly)
			require.NoError(t, err)
			text := fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar overlayMissing = os.Getenv(%q)\n", f.Name.Name, missing)
			replace[variable] = s.write(t, len(replace), []byte(text))
		}
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.overlay(), table, 0o600))
	return s
}

func (s *switched) overlay() string { return filepath.Join(s.dir, "overlay.json") }

func (s *switched) write(t *testing.T, number int, text []byte) string {
	name := filepath.Join(s.dir, fmt.Sprintf("%d.go", number))
	require.NoError(t, os.WriteFile(name, text, 0o600))
	return name
}

// insertion is a changed body of a function, before its own one.
type insertion struct {
	row  string
	at   int // the offset after the function's opening brace
	line int // of the body
	body string
	// falls says that the function has no results, so that the changed body may end without a return.
	falls bool
}

// changes are the functions that the row's edits change, by file.
func (s *switched) changes(r *row) (map[string][]insertion, error) {
	sources, texts := map[string]string{}, map[string]string{}
	for _, e := range r.edits {
		if _, ok := texts[e.file]; !ok {
			source, err := os.ReadFile(filepath.Join(s.root, e.file))
			if err != nil {
				return nil, err
			}
			sources[e.file], texts[e.file] = string(source), string(source)
		}
		if count := strings.Count(texts[e.file], e.text); count != 1 {
			return nil, fmt.Errorf("%s must have this text once, and has it %d times: %s", e.file, count, e.text)
		}
		texts[e.file] = strings.Replace(texts[e.file], e.text, e.instead, 1)
	}
	changed := map[string][]insertion{}
	for file, text := range texts {
		list, err := changedBodies(r.name, file, sources[file], text)
		if err != nil {
			return nil, err
		}
		changed[file] = list
	}
	return changed, nil
}

// changedBodies compares two versions of a file, which may differ in the bodies of functions only.
func changedBodies(name, file, source, text string) (list []insertion, err error) {
	former, latter := functions{}, functions{}
	if err = former.read(file, source); err == nil {
		err = latter.read(file, text)
	}
	if err != nil {
		return nil, err
	}
	if former.outside != latter.outside {
		return nil, fmt.Errorf("%s changes outside the bodies of functions: only a body can be switched", file)
	}
	for i, f := range latter.list {
		if own := former.list[i]; f.body != own.body {
			list = append(list, insertion{row: name, at: own.at, line: f.line, body: f.body, falls: f.falls})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s is the same with the edits", file)
	}
	return list, nil
}

// functions are those of a file: the text in their braces, and the file without it.
type functions struct {
	outside string
	list    []function
}

type function struct {
	body     string
	at, line int
	falls    bool
}

func (f *functions) read(file, source string) error {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	var outside strings.Builder
	done := 0
	for _, declared := range tree.Decls {
		d, ok := declared.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		from, to := set.Position(d.Body.Lbrace), set.Position(d.Body.Rbrace)
		outside.WriteString(source[done : from.Offset+1])
		done = to.Offset
		f.list = append(f.list, function{body: source[from.Offset+1 : to.Offset], at: from.Offset + 1, line: from.Line, falls: d.Type.Results == nil})
	}
	outside.WriteString(source[done:])
	f.outside = outside.String()
	return nil
}

// inserted is the file with the changed bodies, each behind its row's name. The compiler's errors in a changed body name its row.
func inserted(file string, source []byte, list []insertion) []byte {
	slices.SortStableFunc(list, func(a, b insertion) int { return a.at - b.at })
	var text bytes.Buffer
	done := 0
	for k, i := range list {
		text.Write(source[done:i.at])
		done = i.at
		fmt.Fprintf(&text, "\nif overlayMissing == %q {\n//line row-%s/%s:%d\n%s", i.row, strings.ReplaceAll(i.row, " ", "-"), filepath.Base(file), i.line, i.body)
		if i.falls {
			text.WriteString("\nreturn")
		}
		text.WriteString("\n}\n")
		if k+1 == len(list) || list[k+1].at > i.at {
			fmt.Fprintf(&text, "//line %s:%d\n", filepath.Base(file), i.line)
		}
	}
	text.Write(source[done:])
	return text.Bytes()
}

// tests builds the test program of a package. It must compile: what the compiler finds is no finding of a property.
func (s *switched) tests(t *testing.T, pkg string) (program string) {
	t.Helper()
	program = filepath.Join(s.dir, filepath.Base(pkg)+".test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay="+s.overlay(), "-o", program, "./"+pkg)
	build.Dir = s.root
	output, err := build.CombinedOutput()
	s.cpu += cpuOf(build)
	require.NoError(t, err, "the patched copies do not compile:\n%s", output)
	return program
}

// run runs a test program in the package's folder, without what the row stands for, and returns what it printed.
func (s *switched) run(row, program, pkg string, args ...string) (output string, cpu time.Duration, err error) {
	command := exec.Command(program, args...)
	command.Dir = filepath.Join(s.root, pkg)
	command.Env = append(os.Environ(), missing+"="+row)
	printed, err := command.CombinedOutput()
	return string(printed), cpuOf(command), err
}

func cpuOf(command *exec.Cmd) time.Duration {
	if state := command.ProcessState; state != nil {
		return state.UserTime() + state.SystemTime()
	}
	return 0
}
