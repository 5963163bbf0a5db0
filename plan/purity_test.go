package plan_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/agent-rollout/planner/"

// pure are the packages that know no clock, chance, I/O or goroutine. Folders below plan/internal are pure as well.
var pure = []string{"budget", "model", "capacity", "lockspec", "plan", "plan/execute", "plan/property", "plan/simulate/arena", "plan/simulate/advise", "plan/internal/pair", "plan/internal/single", "plan/internal/step"}

// impureImports may not be imported by a pure package, nor what lies below them. "sync" is allowed for OnceValue alone, which
// only puts off the reading of embedded data: whoever calls sees no difference. A lock or a pool would mean state that
// two calls share.
var impureImports = []string{
	"os", "net", "io/ioutil", "io/fs", "math/rand", "crypto/rand", "runtime", "sync/atomic", "syscall", "log", "unsafe", "plugin",
	"k8s.io/klog", "k8s.io/client-go", "k8s.io/apimachinery/pkg/util/wait", "k8s.io/apimachinery/pkg/util/rand", "k8s.io/utils/clock",
}

// impureUses are functions and types of packages that a pure package may import otherwise. metav1.Now reads the clock too.
var impureUses = map[string][]string{
	"time":                                 {"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation"},
	"sync":                                 {"Mutex", "RWMutex", "WaitGroup", "Once", "Pool", "Map", "Cond", "NewCond", "Locker", "OnceFunc"},
	"fmt":                                  {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"k8s.io/apimachinery/pkg/apis/meta/v1": {"Now", "NowMicro"},
	"maps":                                 {"All", "Keys", "Values"},
}

// mapRanges are the functions of pure packages that walk over a map, each with the reason why its order does not show.
// Any other one fails the test, and so does an entry without such a function.
var mapRanges = map[string]string{
	"model.Text":                      "into a map, which json.Marshal writes with its keys sorted",
	"model.validateDesired":           "the faults are sorted by their paths afterwards",
	"model.ApplyEdits":                "into a map",
	"capacity.inOrder":                "the names are sorted afterwards",
	"capacity.compileNodeMatcher":     "the selector's pairs are sorted afterwards",
	"capacity.Add":                    "a sum by name",
	"plan/internal/pair.grows":        "a disjunction",
	"plan/internal/pair.bigEnough":    "a conjunction",
	"plan/internal/pair.slotSettings": "the map has one key",
	"plan/internal/single.remarked":   "into a set",
	"plan/internal/step.Carries":      "a conjunction",
	"plan/internal/step.Follow":       "each row is forgotten in its own place",
	"plan/internal/step.pruned":       "every value is pruned in its own place",
}

// arrows say which folders of this module a folder may import; what is left out may import nothing of it. A slash at
// the end means everything below, and the longest that fits holds.
var arrows = map[string][]string{
	"budget":         nil,
	"model":          {"budget"},
	"model/dump":     {"model", "budget"},
	"capacity":       {"model", "budget"},
	"lockspec":       {"model", "budget"},
	"plan/internal/": {"model", "budget", "capacity", "lockspec", "plan/internal/"},
	// The second opinion knows nothing of the planner.
	"plan/internal/validate": {"model", "budget", "capacity", "lockspec"},
	"plan":                   {"model", "budget", "capacity", "lockspec", "plan/internal/"},
	"plan/execute":           {"model", "budget", "capacity", "lockspec", "plan"},
	"plan/world/":            {"model", "budget", "capacity", "lockspec", "plan/world/"},
	"plan/property":          {"model", "budget", "capacity", "lockspec", "plan", "plan/world/"},
	"plan/simulate/":         {"model", "budget", "capacity", "lockspec", "plan", "plan/execute", "plan/world/", "plan/property", "plan/simulate/"},
	"plan/explore":           nil,
	"plan/verify":            {"model", "budget", "capacity", "lockspec", "plan", "plan/execute", "plan/world/", "plan/property", "plan/explore"},
	"examples/":              {"model", "model/dump", "budget", "capacity", "lockspec", "plan", "plan/execute", "plan/world/", "plan/property", "plan/simulate/", "plan/explore", "plan/verify", "examples/"},
}

func TestArrowsPointOneWay(t *testing.T) {
	checked := map[string]bool{}
	for _, file := range sources(t, "..") {
		folder, err := filepath.Rel("..", filepath.Dir(file))
		require.NoError(t, err)
		folder = filepath.ToSlash(folder)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, breach := range wrongWay(folder, parsed) {
			t.Errorf("%s: %s", file, breach)
		}
		checked[folder] = true
	}
	for _, folder := range pure {
		require.True(t, checked[folder], "%s was not looked at", folder)
	}
}

// sources returns the module's files that are no tests. Nested modules are others.
func sources(t *testing.T, root string) (files []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root:
			_, err := os.Stat(filepath.Join(file, "go.mod"))
			if err == nil || entry.Name() == "testdata" || (len(entry.Name()) > 1 && strings.ContainsAny(entry.Name()[:1], "._")) {
				return fs.SkipDir
			}
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			files = append(files, file)
		}
		return nil
	}))
	return files
}

func under(folder, rule string) bool {
	return folder == rule || (strings.HasSuffix(rule, "/") && strings.HasPrefix(folder+"/", rule))
}

// wrongWay returns the imports against the arrows.
func wrongWay(folder string, file *ast.File) (breaches []string) {
	longest := ""
	for rule := range arrows {
		if under(folder, rule) && len(rule) > len(longest) {
			longest = rule
		}
	}
	allowed := arrows[longest]
	if longest == "" {
		return []string{fmt.Sprintf("the folder %s has no place in the layout", folder)}
	}
	for _, spec := range file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		ours, isOurs := strings.CutPrefix(name, module)
		if isOurs && !slices.ContainsFunc(allowed, func(rule string) bool { return under(ours, rule) }) {
			breaches = append(breaches, fmt.Sprintf("%s imports %s", folder, ours))
		}
	}
	return breaches
}

func TestPurePackagesArePure(t *testing.T) {
	load := exports(t)
	seen := map[string]bool{}
	for _, folder := range pureFolders(t) {
		var files []*ast.File
		fset := token.NewFileSet()
		entries, err := os.ReadDir(filepath.Join("..", folder))
		require.NoError(t, err)
		for _, entry := range entries {
			if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				file, err := parser.ParseFile(fset, filepath.Join("..", folder, name), nil, parser.SkipObjectResolution)
				require.NoError(t, err)
				files = append(files, file)
			}
		}
		require.NotEmpty(t, files, folder)
		for _, breach := range impurities(t, folder, fset, files, load, seen) {
			t.Error(breach)
		}
	}
	for name := range mapRanges {
		require.True(t, seen[name], "mapRanges names %s, which walks over no map", name)
	}
}

func pureFolders(t *testing.T) []string {
	t.Helper()
	folders := slices.Clone(pure)
	below, err := filepath.Glob("internal/*")
	require.NoError(t, err)
	for _, folder := range below {
		if folder = path.Join("plan", filepath.ToSlash(folder)); !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// exports reads types from the compiler's export data, which the build of this test has left in the cache.
func exports(t *testing.T) types.Importer {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "fmt", "os", "time", "sync", "maps", "math/rand"}
	for _, folder := range pureFolders(t) {
		args = append(args, "./"+folder)
	}
	command := exec.Command("go", args...)
	command.Dir = ".."
	var fault bytes.Buffer
	command.Stderr = &fault
	out, err := command.Output()
	require.NoError(t, err, fault.String())
	files := map[string]string{}
	for scanner := bufio.NewScanner(bytes.NewReader(out)); scanner.Scan(); {
		name, file, _ := strings.Cut(scanner.Text(), " ")
		files[name] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
		if files[name] == "" {
			return nil, errors.New("no export data of " + name)
		}
		return os.Open(files[name])
	})
}

// purity looks at one package.
type purity struct {
	folder   string
	fset     *token.FileSet
	info     *types.Info
	function string
	// seen collects the functions of mapRanges that were met.
	seen     map[string]bool
	sorted   map[ast.Node]bool
	breaches []string
}

func impurities(t *testing.T, folder string, fset *token.FileSet, files []*ast.File, load types.Importer, seen map[string]bool) []string {
	t.Helper()
	p := &purity{folder: folder, fset: fset, seen: seen, sorted: map[ast.Node]bool{}, info: &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
	}}
	config := types.Config{Importer: load}
	_, err := config.Check(module+folder, fset, files, p.info)
	require.NoError(t, err)
	for _, file := range files {
		p.imports(file)
		for _, declaration := range file.Decls {
			p.declaration(declaration)
			ast.Inspect(declaration, func(node ast.Node) bool { p.look(node); return true })
		}
	}
	return p.breaches
}

func (p *purity) breach(node ast.Node, format string, args ...any) {
	p.breaches = append(p.breaches, p.fset.Position(node.Pos()).String()+": "+fmt.Sprintf(format, args...))
}

func (p *purity) imports(file *ast.File) {
	for _, spec := range file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if slices.ContainsFunc(impureImports, func(impure string) bool { return name == impure || strings.HasPrefix(name, impure+"/") }) {
			p.breach(spec, "import of %s", name)
		}
	}
}

// declaration keeps the function's name; a variable of the package is for the package alone.
func (p *purity) declaration(declaration ast.Decl) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		p.function = p.folder + "." + d.Name.Name
		if d.Recv == nil && d.Name.Name == "init" {
			p.breach(d, "func init")
		}
	case *ast.GenDecl:
		p.function = p.folder + "."
		for _, spec := range d.Specs {
			values, ok := spec.(*ast.ValueSpec)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, name := range values.Names {
				if name.IsExported() {
					p.breach(name, "the exported variable %s can be changed by anybody", name.Name)
				}
			}
		}
	}
}

func (p *purity) look(node ast.Node) {
	switch n := node.(type) {
	case *ast.GoStmt:
		p.breach(n, "go statement")
	case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
		p.breach(n, "channel")
	case *ast.UnaryExpr:
		switch n.Op {
		case token.ARROW:
			p.breach(n, "channel")
		case token.AND:
			p.changes(n.X, "its address is taken")
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			p.changes(left, "it is assigned to")
		}
	case *ast.IncDecStmt:
		p.changes(n.X, "it is assigned to")
	case *ast.CallExpr:
		p.call(n)
	case *ast.RangeStmt:
		p.ranges(n)
	case *ast.SelectorExpr:
		p.use(n)
	}
}

// call allows the keys of a map as they are sorted, and finds built-in functions that change a variable.
func (p *purity) call(n *ast.CallExpr) {
	if name := types.ExprString(n.Fun); strings.HasPrefix(name, "slices.Sorted") && len(n.Args) > 0 {
		if inner, ok := n.Args[0].(*ast.CallExpr); ok {
			p.sorted[inner.Fun] = true
		}
	} else if (name == "delete" || name == "clear" || name == "copy") && len(n.Args) > 0 {
		p.changes(n.Args[0], "its content is changed")
	}
}

func (p *purity) ranges(n *ast.RangeStmt) {
	kind := p.info.TypeOf(n.X)
	if kind == nil {
		return
	}
	switch kind.Underlying().(type) {
	case *types.Map:
		if p.seen[p.function] = true; mapRanges[p.function] == "" {
			p.breach(n, "%s walks over a map: sort its keys, or say in mapRanges why the order does not show", p.function)
		}
	case *types.Chan:
		p.breach(n, "channel")
	}
}

// use finds functions, types and variables of other packages that are not pure.
func (p *purity) use(n *ast.SelectorExpr) {
	object := p.info.Uses[n.Sel]
	if object == nil || object.Pkg() == nil || object.Parent() != object.Pkg().Scope() || p.sorted[n] {
		return
	}
	if slices.Contains(impureUses[object.Pkg().Path()], object.Name()) {
		p.breach(n, "use of %s.%s", object.Pkg().Path(), object.Name())
	}
}

// changes tells whether the expression is, or lies in, a variable of a package.
func (p *purity) changes(expr ast.Expr, how string) {
	for {
		switch e := expr.(type) {
		case *ast.IndexExpr:
			expr = e.X
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.SliceExpr:
			expr = e.X
		case *ast.SelectorExpr:
			if variable, ok := p.info.Uses[e.Sel].(*types.Var); ok && !variable.IsField() {
				expr = e.Sel
				continue
			}
			expr = e.X
		case *ast.Ident:
			variable, ok := p.info.Uses[e].(*types.Var)
			if ok && variable.Pkg() != nil && variable.Parent() == variable.Pkg().Scope() {
				p.breach(e, "the variable %s of the package: %s", e.Name, how)
			}
			return
		default:
			return
		}
	}
}

// Every rule finds what breaks it: a check that cannot fail proves nothing.
func TestPurityFindsBreaches(t *testing.T) {
	load := exports(t)
	tests := []struct{ name, source, want string }{
		{"an import", `import _ "os"`, "import of os"},
		{"what lies below an import", `import _ "math/rand"`, "import of math/rand"},
		{"the clock", `import "time"; func f() time.Time { return time.Now() }`, "use of time.Now"},
		{"the clock under another name", `import clock "time"; var f = clock.Since`, "use of time.Since"},
		{"a timer", `import "time"; func f() { time.Sleep(1) }`, "use of time.Sleep"},
		{"a lock", `import "sync"; type t struct { sync.Mutex }`, "use of sync.Mutex"},
		{"output", `import "fmt"; func f() { fmt.Println() }`, "use of fmt.Println"},
		{"a goroutine", `func f() { go f() }`, "go statement"},
		{"a select", `func f() { select {} }`, "channel"},
		{"a channel", `func f() { _ = make(chan int) }`, "channel"},
		{"init", `func init() {}`, "func init"},
		{"an exported variable", `var V = 1`, "exported variable V"},
		{"a variable that counts", `var v int; func f() { v++ }`, "variable v of the package: it is assigned to"},
		{"a variable that remembers", `var v = map[string]int{}; func f() { v["a"] = 1 }`, "variable v of the package: it is assigned to"},
		{"a variable that forgets", `var v = map[string]int{}; func f() { delete(v, "a") }`, "variable v of the package: its content is changed"},
		{"a field of a variable", `var v struct{ n []int }; func f() { v.n[0] = 1 }`, "variable v of the package: it is assigned to"},
		{"a variable that is given away", `var v int; func f() *int { return &v }`, "variable v of the package: its address is taken"},
		{"another package's variable", `import "time"; func f() { time.UTC = nil }`, "variable UTC of the package: it is assigned to"},
		{"a map's order", `func f(m map[string]int) (out []string) { for k := range m { out = append(out, k) }; return out }`, "p.f walks over a map"},
		{"the order of a named map", `type t map[string]int; func f(m t) { for range m {} }`, "p.f walks over a map"},
		{"the order of a map's keys", `import ("maps"; "slices"); func f(m map[string]int) []string { return slices.Collect(maps.Keys(m)) }`, "use of maps.Keys"},
		{"sorted keys", `import ("maps"; "slices"); func f(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }`, ""},
		{"a table that is only read", `var v = map[string]int{}; func f() int { local := v["a"]; local++; return local }`, ""},
		{"time without the clock", `import "time"; func f(t time.Time) time.Time { return t.Add(time.Second) }`, ""},
		{"embedded data that is read late", `import "sync"; var v = sync.OnceValue(func() int { return 1 })`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p; "+test.source, parser.SkipObjectResolution)
			require.NoError(t, err)
			found := strings.Join(impurities(t, "p", fset, []*ast.File{file}, load, map[string]bool{}), "\n")
			if test.want == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, found, test.want)
		})
	}
}

func TestArrowsFindBreaches(t *testing.T) {
	tests := []struct{ folder, imports, want string }{
		{"budget", "model", "budget imports model"},
		{"model", "lockspec", "model imports lockspec"},
		{"capacity", "lockspec", "capacity imports lockspec"},
		{"lockspec", "capacity", "lockspec imports capacity"},
		{"model", "model/dump", "model imports model/dump"},
		{"plan/internal/pair", "plan", "plan/internal/pair imports plan"},
		{"plan", "plan/world", "plan imports plan/world"},
		{"plan/world", "plan", "plan/world imports plan"},
		{"plan/simulate", "plan/internal/pair", "plan/simulate imports plan/internal/pair"},
		{"plan/explore", "plan/internal/pair", "plan/explore imports plan/internal/pair"},
		{"examples/rollout", "plan/internal/pair", "examples/rollout imports plan/internal/pair"},
		{"plan/internal/validate", "plan/internal/step", "plan/internal/validate imports plan/internal/step"},
		{"plan/internal/validate", "capacity", ""},
		{"utils", "model", "no place in the layout"},
		{"plan", "plan/internal/pair", ""},
		{"examples/rollout", "plan/simulate", ""},
	}
	for _, test := range tests {
		t.Run(test.folder+" "+test.imports, func(t *testing.T) {
			source := fmt.Sprintf("package p; import _ %q", module+test.imports)
			file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ImportsOnly)
			require.NoError(t, err)
			found := strings.Join(wrongWay(test.folder, file), "\n")
			if test.want == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, found, test.want)
		})
	}
}
