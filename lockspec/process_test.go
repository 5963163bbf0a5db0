//go:build linux

package lockspec_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agent-rollout/planner/lockspec"
)

// prepared starts a source that serves and a target that waits for all its locks.
func prepared(t testing.TB, n *testNode, target *testPod, source []*process) []*process {
	t.Helper()
	eventually(t, "the source serves", all(source, (*process).started))
	waiting := target.startAll()
	eventually(t, "the target waits", all(waiting, (*process).waiting))
	require.False(t, slices.ContainsFunc(waiting, (*process).started), "the target began beside the source")
	return waiting
}

func TestHandoff(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  syscall.Signal
	}{{"the source is stopped", syscall.SIGTERM}, {"the source is killed", syscall.SIGKILL}} {
		t.Run(tc.name, func(t *testing.T) {
			n := newNode(t)
			source, target := n.pod("blue"), n.pod("green")
			require.NoError(t, lockspec.MayOverlap(&source.spec, &target.spec))
			serving := source.startAll()
			waiting := prepared(t, n, target, serving)
			// One component at a time: each lock is its own.
			for i, r := range serving {
				r.signal(t, tc.end)
				eventually(t, "the target's component begins", waiting[i].started)
				for _, other := range waiting[i+1:] {
					require.False(t, other.started(), "%s began with %s", other.component, r.component)
				}
			}
			eventually(t, "the source has ended", all(serving, (*process).ended))
			ran := n.intervals()
			require.Len(t, ran, 6)
			require.Empty(t, overlaps(ran))
			for _, i := range ran {
				require.Equal(t, i.generation == "blue" && tc.end == syscall.SIGTERM, i.stopped, "%+v", i)
			}
		})
	}
}

// TestHandoffsUnderLoad hands over fifty times, stopped and killed in turn, while every core is busy.
func TestHandoffsUnderLoad(t *testing.T) {
	n := newNode(t)
	busy(t)
	serving := n.pod("g0").startAll()
	const handoffs = 50
	for i := range handoffs {
		waiting := prepared(t, n, n.pod("g"+strconv.Itoa(i+1)), serving)
		for j, r := range serving {
			end := syscall.SIGTERM
			if (i+j)%2 == 0 {
				end = syscall.SIGKILL
			}
			r.signal(t, end)
		}
		eventually(t, "the target serves", all(waiting, (*process).started))
		eventually(t, "the source has ended", all(serving, (*process).ended))
		serving = waiting
	}
	ran := n.intervals()
	require.Len(t, ran, (handoffs+1)*len(componentNames))
	require.Empty(t, overlaps(ran))
}

// busy keeps every core from being idle until the test ends, by processes of their own.
func busy(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	for range runtime.NumCPU() {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), helperRole+"="+roleBusy)
		stdin, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			require.NoError(t, stdin.Close()) // it ends with its input
			require.NoError(t, cmd.Wait())
		})
	}
}

// TestWaitingTargetStops: a Pod that is deleted while it waits ends at once and its program never runs.
func TestWaitingTargetStops(t *testing.T) {
	n := newNode(t)
	source, target := n.pod("blue"), n.pod("green")
	serving := source.startAll()
	waiting := prepared(t, n, target, serving)
	for _, r := range waiting {
		r.signal(t, syscall.SIGTERM)
	}
	eventually(t, "the target has ended", all(waiting, (*process).ended))
	for _, r := range waiting {
		status := r.cmd.ProcessState.Sys().(syscall.WaitStatus)
		require.True(t, status.Signaled() && status.Signal() == syscall.SIGTERM, "%v", r.cmd.ProcessState)
		require.False(t, r.started())
	}
	for _, r := range serving {
		require.False(t, r.ended())
		require.True(t, source.probe(r.component))
	}
}

func TestStartupProbe(t *testing.T) {
	n := newNode(t)
	source, target := n.pod("blue"), n.pod("green")
	require.False(t, source.probe("agent"), "nothing runs")
	serving := source.startAll()
	waiting := prepared(t, n, target, serving)
	for i, name := range componentNames {
		require.True(t, source.probe(name), "%s of the source runs", name)
		require.False(t, target.probe(name), "%s of the target waits", name)
		serving[i].signal(t, syscall.SIGKILL)
		eventually(t, "the target's component begins", waiting[i].started)
		require.True(t, target.probe(name), "%s of the target runs", name)
	}
	eventually(t, "the source has ended", all(serving, (*process).ended))
	require.False(t, source.probe("agent"), "the source was killed")

	state := filepath.Dir(target.mapped(target.container("agent").Command)[3])
	require.NoError(t, os.RemoveAll(state))
	require.False(t, target.probe("agent"), "the state directory is missing")
}

// TestToolAnswers pins what the probe's script rests on: the tool's statuses in the release at hand.
func TestToolAnswers(t *testing.T) {
	n := newNode(t)
	source := n.pod("blue")
	serving := source.start("agent")
	eventually(t, "the source serves", serving.started)
	words := source.mapped(source.container("agent").Command)
	for _, tc := range []struct {
		name string
		args []string
		want int
	}{
		{"busy", []string{"-n", words[3], "true"}, 1},
		{"free", []string{"-n", words[3] + "x", "true"}, 0},
		{"no program", []string{"-n", words[3] + "x", "/no/program"}, 127},
		{"no directory", []string{"-n", filepath.Join(n.dir, "none", "x.lock"), "true"}, 111},
		{"no directory, waiting", []string{filepath.Join(n.dir, "none", "x.lock"), "true"}, 111},
	} {
		err := exec.Command(words[0], tc.args...).Run()
		var exit *exec.ExitError
		got := 0
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, tc.want, got, tc.name)
	}
	held := slices.DeleteFunc(procLocks(), func(l procLock) bool { return l.pid != serving.cmd.Process.Pid })
	require.Len(t, held, 2, "the component itself holds both locks")
	for _, l := range held {
		require.Equal(t, "POSIX", l.kind)
	}
}

// TestCrashInOverlap: a component that crashes loses its lock to the waiting target for good; its own
// restart waits, and the two Pods each hold a part. The plan has to lead out of this.
func TestCrashInOverlap(t *testing.T) {
	n := newNode(t)
	source, target := n.pod("blue"), n.pod("green")
	serving := source.startAll()
	waiting := prepared(t, n, target, serving)
	serving[0].signal(t, syscall.SIGKILL)
	eventually(t, "the target's component begins", waiting[0].started)
	restarted := source.start(serving[0].component)
	eventually(t, "the restarted component waits", restarted.waiting)
	require.False(t, restarted.started())
	require.False(t, source.probe(serving[0].component))
	require.True(t, source.probe(serving[1].component))
	require.False(t, target.probe(serving[1].component))
	require.Empty(t, overlaps(n.intervals()))
}

// TestMixedKindsOverlap lets two holders in, by locks that do not exclude each other: this is why
// MayOverlap refuses such a pair, and it shows that the other tests' check can find an overlap.
func TestMixedKindsOverlap(t *testing.T) {
	requireTools(t, flock)
	n := newNode(t)
	source, target := n.pod("blue"), n.pod("green", flockTool)
	var overlap *lockspec.OverlapError
	require.True(t, errors.As(lockspec.MayOverlap(&source.spec, &target.spec), &overlap))
	require.Equal(t, lockspec.DifferentKind, overlap.Difference)

	serving := source.startAll()
	eventually(t, "the source serves", all(serving, (*process).started))
	second := target.startAll()
	eventually(t, "the target serves too", all(second, (*process).started))
	eventually(t, "the source goes on", all(serving, func(r *process) bool {
		i := slices.IndexFunc(second, func(s *process) bool { return s.component == r.component })
		return readRecord(r.record)[recordBeat] > readRecord(second[i].record)[recordStart]
	}))
	require.Len(t, overlaps(n.intervals()), len(componentNames))
}

// TestFlockExcludesFlock: the second holder above got in because of the kinds, not because flock(1) fails.
func TestFlockExcludesFlock(t *testing.T) {
	requireTools(t, flock)
	n := newNode(t)
	first := n.pod("blue", flockTool).start("agent")
	eventually(t, "the first serves", first.started)
	second := n.pod("green", flockTool).start("agent")
	eventually(t, "the second waits", second.waiting)
	require.False(t, second.started())
}

// TestLockFileReplaced: the kernel locks inodes, not paths. The replaced file shows in two places.
func TestLockFileReplaced(t *testing.T) {
	n := newNode(t)
	source, target := n.pod("blue").start("agent"), n.pod("green")
	eventually(t, "the source serves", source.started)
	file := filepath.Join(n.locks, "agent.lock")
	require.True(t, holds(t, source, file))
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.WriteFile(file, nil, 0o600))

	second := target.start("agent")
	eventually(t, "a second holder gets in", second.started)
	eventually(t, "the source goes on", func() bool { return readRecord(source.record)[recordBeat] > readRecord(second.record)[recordStart] })
	require.NotEmpty(t, overlaps(n.intervals()))

	require.False(t, holds(t, source, file), "/proc/locks names another inode than the path has")
	require.True(t, holds(t, second, file))
	link, err := os.Readlink("/proc/" + strconv.Itoa(source.cmd.Process.Pid) + "/fd/3")
	require.NoError(t, err)
	require.Equal(t, file+" (deleted)", link)
}

// holds reports whether /proc/locks shows the process as the holder of the file that is at the path now.
func holds(t *testing.T, r *process, file string) bool {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	inode := info.Sys().(*syscall.Stat_t).Ino
	return slices.ContainsFunc(procLocks(), func(l procLock) bool { return !l.blocked && l.pid == r.cmd.Process.Pid && l.inode == inode })
}

// TestChildSurvives: without a PID namespace of its own, nothing ends the children of a component that
// is killed before the runtime has noticed. The target begins while such a child still runs.
func TestChildSurvives(t *testing.T) {
	n := newNode(t)
	source, target := n.pod("blue"), n.pod("green")
	childFile := filepath.Join(n.dir, "child")
	source.env["agent"] = []string{helperChild + "=" + childFile}
	serving := source.start("agent")
	var child int
	eventually(t, "the child runs", func() bool {
		data, _ := os.ReadFile(childFile)
		child, _ = strconv.Atoi(string(data))
		return child != 0
	})
	require.FileExists(t, filepath.Join("/proc", strconv.Itoa(child), "fd", "3"), "the child inherits the descriptor, not the lock")
	waiting := target.start("agent")
	eventually(t, "the target waits", waiting.waiting)

	serving.signal(t, syscall.SIGKILL)
	eventually(t, "the target begins", waiting.started)
	require.NoError(t, syscall.Kill(child, 0), "the child is gone: nothing was shown")
	require.True(t, target.probe("agent"))

	// In a container the runtime now kills the child; here it goes when its file does.
	require.Empty(t, overlaps(n.intervals()), "the main processes never overlapped")
}

// TestPrivatePIDNamespace shows where a main process as PID 1 differs: the kernel takes its children with
// it, and drops SIGTERM while the tool waits, for which PID 1 has no handler. Such a target ends with
// SIGKILL, after the Pod's grace period; its program still never runs.
func TestPrivatePIDNamespace(t *testing.T) {
	n := newNode(t)
	if err := (&exec.Cmd{Path: "/bin/true", SysProcAttr: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}}).Run(); err != nil {
		t.Skipf("no PID namespaces here, run as root: %v", err)
	}
	source, target := n.pod("blue"), n.pod("green")
	source.cloneFlags, target.cloneFlags = syscall.CLONE_NEWPID, syscall.CLONE_NEWPID
	childFile := filepath.Join(n.dir, "child")
	source.env["agent"] = []string{helperChild + "=" + childFile}
	serving := source.start("agent")
	eventually(t, "the child runs", func() bool { return len(descendants(serving.cmd.Process.Pid)) == 1 })
	child := descendants(serving.cmd.Process.Pid)[0]

	deleted, waiting := target.start("agent"), n.pod("green").start("agent")
	eventually(t, "the targets wait", all([]*process{deleted, waiting}, (*process).waiting))
	// A signal without a handler is dropped as it is sent to PID 1: it is not even pending.
	deleted.signal(t, syscall.SIGTERM)
	require.Zero(t, pendingSignals(t, deleted.cmd.Process.Pid))
	require.True(t, deleted.waiting())
	deleted.signal(t, syscall.SIGKILL)
	eventually(t, "the deleted target has ended", deleted.ended)
	require.False(t, deleted.started())

	serving.signal(t, syscall.SIGKILL)
	eventually(t, "the other target begins", waiting.started)
	eventually(t, "the child ends with the namespace", func() bool { return missing("/proc/" + strconv.Itoa(child)) })
	require.FileExists(t, childFile, "it was not told to go")
}

// TestLockedTemplateIsWhatRuns: the words that the processes above ran are those that Inspect reads.
func TestLockedTemplateIsWhatRuns(t *testing.T) {
	n := newNode(t)
	pod := n.pod("blue")
	runs := pod.startAll()
	eventually(t, "the Pod serves", all(runs, (*process).started))
	w, whole := lockspec.Inspect(&pod.spec)
	require.True(t, whole)
	require.Len(t, w.Components, len(runs))
	for i, c := range w.Components {
		require.Equal(t, runs[i].component, c.Container)
		require.True(t, holds(t, runs[i], pod.paths.Replace(c.LockFile)))
		require.True(t, holds(t, runs[i], pod.paths.Replace(c.ActiveLock)))
	}
}
