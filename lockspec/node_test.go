//go:build linux

package lockspec_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
)

// requireTools skips where the real tools are missing, but not in CI, where that would hide everything.
func requireTools(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := os.Stat(tool); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing: install the Debian packages s6 and util-linux in CI", tool)
		}
		t.Skipf("%s is missing: apt-get install s6 util-linux", tool)
	}
}

const (
	setlock = "/usr/bin/s6-setlock"
	flock   = "/usr/bin/flock"
)

var componentNames = []string{"agent", "process-agent", "trace-agent"}

// testNode is one machine: a directory for the lock files, and the processes of all Pods on it.
type testNode struct {
	t     testing.TB
	dir   string
	locks string // the host lock directory
	spec  model.LockSpec
	runs  []*process // in the order of their start
	count int
}

func newNode(t testing.TB) *testNode {
	t.Helper()
	requireTools(t, setlock)
	// Not TempDir: its path holds the test's name, too long for a socket's.
	dir, err := os.MkdirTemp("", "node")
	require.NoError(t, err)
	n := &testNode{t: t, dir: dir, locks: lockDirectory(t, dir), spec: datadog(t, anyCommand)}
	t.Cleanup(func() {
		for _, p := range n.runs {
			if !p.ended() { // or its number may be another's by now
				_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // the group: flock(1) forks
				<-p.done
			}
		}
		require.NoError(t, os.RemoveAll(dir))
	})
	return n
}

// lockDirectory prefers a tmpfs, which is what /var/run is on a node. On an overlay, where temporary
// directories may lie, /proc/locks shows other inodes than stat.
func lockDirectory(t testing.TB, dir string) string {
	t.Helper()
	locks, err := os.MkdirTemp("/dev/shm", "locks")
	if err != nil {
		locks = filepath.Join(dir, "locks")
		require.NoError(t, os.Mkdir(locks, 0o755))
	}
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(locks)) })
	return locks
}

// testPod is a wrapped Pod whose directories lie in the node's.
type testPod struct {
	node       *testNode
	generation string
	spec       corev1.PodSpec
	paths      *strings.Replacer
	env        map[string][]string // by component
	cloneFlags uintptr             // namespaces of each container
}

// pod renders a Pod of three components and runs its init container, which copies the tool.
func (n *testNode) pod(generation string, edits ...func(*corev1.PodSpec)) *testPod {
	n.t.Helper()
	exe, err := os.Executable()
	require.NoError(n.t, err)
	var template corev1.PodTemplateSpec
	for _, name := range componentNames {
		template.Spec.Containers = append(template.Spec.Containers, corev1.Container{Name: name, Image: "agent:" + generation, Command: []string{exe, name}})
	}
	template, err = lockspec.Wrap(template, n.spec)
	require.NoError(n.t, err)
	for _, edit := range edits {
		edit(&template.Spec)
	}
	n.count++
	home := filepath.Join(n.dir, generation+strconv.Itoa(n.count))
	state, tools := filepath.Join(home, "state"), filepath.Join(home, "tools")
	require.NoError(n.t, os.MkdirAll(state, 0o755))
	require.NoError(n.t, os.MkdirAll(tools, 0o755))
	p := &testPod{node: n, generation: generation, spec: template.Spec, env: map[string][]string{}, paths: strings.NewReplacer(
		n.spec.StateDirectory, state, n.spec.ToolsDirectory, tools, n.spec.HostDirectory, n.locks)} // the longest of a common prefix first
	for _, c := range p.spec.InitContainers {
		words := p.mapped(c.Command)
		out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
		require.NoError(n.t, err, "%s", out)
	}
	return p
}

func (p *testPod) mapped(words []string) []string {
	mapped := make([]string, len(words))
	for i, w := range words {
		mapped[i] = p.paths.Replace(w)
	}
	return mapped
}

func (p *testPod) container(name string) corev1.Container {
	i := slices.IndexFunc(p.spec.Containers, func(c corev1.Container) bool { return c.Name == name })
	require.GreaterOrEqual(p.node.t, i, 0, name)
	return p.spec.Containers[i]
}

// process is one start of a container.
type process struct {
	component, generation string
	cmd                   *exec.Cmd
	record                string
	done                  chan struct{} // closed when it has ended and was waited for
}

// start runs the container's command, as the kubelet does.
func (p *testPod) start(name string) *process {
	n := p.node
	n.t.Helper()
	words := p.mapped(p.container(name).Command)
	run := &process{component: name, generation: p.generation, cmd: exec.Command(words[0], words[1:]...),
		record: filepath.Join(n.dir, fmt.Sprintf("record%d", len(n.runs))), done: make(chan struct{})}
	run.cmd.Env = append(os.Environ(), append(p.env[name], helperRole+"="+roleComponent, helperRecord+"="+run.record)...)
	run.cmd.Stderr = os.Stderr
	run.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Cloneflags: p.cloneFlags}
	require.NoError(n.t, run.cmd.Start())
	go func() {
		_ = run.cmd.Wait()
		close(run.done)
	}()
	n.runs = append(n.runs, run)
	return run
}

func (p *testPod) startAll() []*process {
	var runs []*process
	for _, name := range componentNames {
		runs = append(runs, p.start(name))
	}
	return runs
}

// probe runs the container's startup probe and returns whether it succeeds.
func (p *testPod) probe(name string) bool {
	words := p.mapped(p.container(name).StartupProbe.Exec.Command)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stderr = nil
	err := cmd.Run()
	if err != nil {
		require.IsType(p.node.t, &exec.ExitError{}, err)
	}
	return err == nil
}

func (r *process) started() bool { return readRecord(r.record)[recordStart] != 0 }

func (r *process) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// waiting reports whether the kernel has the process queued for a lock.
func (r *process) waiting() bool {
	locks := procLocks()
	return slices.ContainsFunc(locks, func(l procLock) bool { return l.blocked && l.pid == r.cmd.Process.Pid })
}

func (r *process) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	require.NoError(t, r.cmd.Process.Signal(s))
}

// procLock is one line of /proc/locks.
type procLock struct {
	blocked bool
	kind    string // POSIX, FLOCK, OFDLCK
	pid     int
	inode   uint64
}

func procLocks() (locks []procLock) {
	data, err := os.ReadFile("/proc/locks")
	if err != nil {
		panic(err)
	}
	// 1: POSIX  ADVISORY  WRITE 4711 00:1a:6047 0 EOF, and "1: -> POSIX ..." for one that waits.
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		blocked := len(f) > 1 && f[1] == "->"
		if blocked {
			f = slices.Delete(f, 1, 2)
		}
		if len(f) < 6 {
			continue
		}
		pid, _ := strconv.Atoi(f[4])
		inode, _ := strconv.ParseUint(f[5][strings.LastIndex(f[5], ":")+1:], 10, 64)
		locks = append(locks, procLock{blocked, f[1], pid, inode})
	}
	return locks
}

// descendants returns the children of a process.
func descendants(pid int) (children []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		data, _ := os.ReadFile(file)
		for _, word := range strings.Fields(string(data)) {
			child, _ := strconv.Atoi(word)
			children = append(children, child)
		}
	}
	return children
}

// pendingSignals returns the set of signals that are queued for a process.
func pendingSignals(t testing.TB, pid int) uint64 {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(data), "ShdPnd:")
	require.True(t, found)
	set, err := strconv.ParseUint(strings.Fields(rest)[0], 16, 64)
	require.NoError(t, err)
	return set
}

// interval is when one program ran for sure. The end of a program that was killed is its last beat:
// it ran at least until then, so an overlap that is found is one, and one of less than a beat may be missed.
type interval struct {
	component, generation string
	start, end            int64
	stopped               bool // by itself, so that the end is exact
}

// intervals returns what ran on the node, sorted by component and start.
func (n *testNode) intervals() (all []interval) {
	for _, p := range n.runs {
		r := readRecord(p.record)
		if r[recordStart] == 0 {
			continue
		}
		i := interval{p.component, p.generation, r[recordStart], max(r[recordStart], r[recordBeat]), false}
		if r[recordStop] != 0 {
			i.end, i.stopped = r[recordStop], true
		}
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b interval) int {
		if c := strings.Compare(a.component, b.component); c != 0 {
			return c
		}
		return int(min(max(a.start-b.start, -1), 1))
	})
	return all
}

// overlaps returns the pairs of programs of one component that ran at the same time.
func overlaps(sorted []interval) (found []string) {
	for i, a := range sorted {
		for _, b := range sorted[i+1:] {
			if b.component == a.component && b.start < a.end {
				found = append(found, fmt.Sprintf("%s: %s ran until %d, %s began at %d", a.component, a.generation, a.end, b.generation, b.start))
			}
		}
	}
	return found
}

// eventually waits for what must come; the bound only ends a test that would hang.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !cond(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}

func all(runs []*process, cond func(*process) bool) func() bool {
	return func() bool { return !slices.ContainsFunc(runs, func(r *process) bool { return !cond(r) }) }
}
