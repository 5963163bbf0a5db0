package verify_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// edit replaces a text that stands exactly once in a file of the module.
type edit struct {
	file, text, instead string
}

// patched is the module with some texts replaced: copies of the files, and the table that go build's -overlay reads. The files of
// the module are not touched.
type patched struct {
	root, overlay string
	built         int
	// cpu is what building and running has taken so far.
	cpu time.Duration
}

// needsGo skips the test on a machine without the go command.
func needsGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not on the PATH: patched copies of the library cannot be built here")
	}
}

// patch makes the overlay. A text that does not stand exactly once fails the test: the table is to be kept in step with the code.
func patch(t *testing.T, edits ...edit) *patched {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	contents := map[string]string{}
	for _, e := range edits {
		if _, ok := contents[e.file]; !ok {
			source, err := os.ReadFile(filepath.Join(root, e.file))
			require.NoError(t, err)
			contents[e.file] = string(source)
		}
		require.Equal(t, 1, strings.Count(contents[e.file], e.text), "%s must have this text once: %s", e.file, e.text)
		contents[e.file] = strings.Replace(contents[e.file], e.text, e.instead, 1)
	}
	dir, replace := t.TempDir(), map[string]string{}
	for file, content := range contents {
		copied := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		require.NoError(t, os.WriteFile(copied, []byte(content), 0o600))
		replace[filepath.Join(root, file)] = copied
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, table, 0o600))
	return &patched{root: root, overlay: overlay}
}

// tests builds the test program of a package with the texts replaced. It must compile: what the compiler finds is no finding of a
// property.
func (p *patched) tests(t *testing.T, pkg string) (program string) {
	t.Helper()
	p.built++
	program = filepath.Join(filepath.Dir(p.overlay), fmt.Sprintf("%d.test", p.built))
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay="+p.overlay, "-o", program, "./"+pkg)
	build.Dir = p.root
	output, err := p.output(build)
	require.NoError(t, err, "the patched copy does not compile:\n%s", output)
	return program
}

// run runs a test program in the package's folder and returns what it printed.
func (p *patched) run(program, pkg string, args ...string) (output string, err error) {
	command := exec.Command(program, args...)
	command.Dir = filepath.Join(p.root, pkg)
	return p.output(command)
}

func (p *patched) output(command *exec.Cmd) (string, error) {
	printed, err := command.CombinedOutput()
	if state := command.ProcessState; state != nil {
		p.cpu += state.UserTime() + state.SystemTime()
	}
	return string(printed), err
}
