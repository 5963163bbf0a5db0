//go:build linux

package lockspec_test

import (
	"encoding/binary"
	"errors"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	sendEvery    = 10 * time.Millisecond
	pullAndStart = 2 * time.Second // a short one: an image already at hand, init containers, a start
)

// BenchmarkHandoffGap measures the silence of a node while three components change generation: the
// longest time between two datagrams that a component received on a socket path which both generations
// serve, at one datagram every 10 ms. One operation is one handoff; run it as
//
//	go test -run - -bench HandoffGap -benchtime 50x ./lockspec/
//
// and read median-ms, p99-ms (nearest rank) and longest-ms; lost/op counts datagrams that no
// component received. The resolution is the 10 ms between two datagrams, which
// silence never falls below, and the figures contain the start of a Go program, as the target's is one.
func BenchmarkHandoffGap(b *testing.B) {
	b.Run("prepared", func(b *testing.B) {
		benchmarkGap(b, func(g *gap) []*process {
			waiting := prepared(b, g.node, g.pod(), g.serving)
			g.mark() // from here on nothing serves both
			stop(b, g.serving)
			return waiting
		})
	})
	b.Run("delete-first", func(b *testing.B) {
		benchmarkGap(b, func(g *gap) []*process {
			next := g.pod()
			g.mark()
			stop(b, g.serving)
			eventually(b, "the source has ended", all(g.serving, (*process).ended))
			time.Sleep(pullAndStart)
			return next.startAll()
		})
	})
}

// gap is a node whose agent is sent datagrams without pause.
type gap struct {
	node     *testNode
	socket   string
	receipts string
	serving  []*process
	pods     int
	seen     int // receipts before the handoff that is measured
}

func (g *gap) pod() *testPod {
	g.pods++
	p := g.node.pod("g" + strconv.Itoa(g.pods))
	p.env["agent"] = []string{helperSocket + "=" + g.socket, helperReceipt + "=" + g.receipts}
	return p
}

// mark begins a handoff: the last receipt before it is where its silence may begin.
func (g *gap) mark() { g.seen = len(g.received()) }

// received returns the times of all datagrams received, in nanoseconds.
func (g *gap) received() []int64 {
	data, err := os.ReadFile(g.receipts)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		g.node.t.Fatal(err)
	}
	times := make([]int64, len(data)/8)
	for i := range times {
		times[i] = int64(binary.NativeEndian.Uint64(data[8*i:]))
	}
	return times
}

func stop(b *testing.B, runs []*process) {
	for _, r := range runs {
		r.signal(b, syscall.SIGTERM)
	}
}

func benchmarkGap(b *testing.B, handoff func(*gap) []*process) {
	n := newNode(b)
	g := &gap{node: n, socket: filepath.Join(n.dir, "agent.sock"), receipts: filepath.Join(n.dir, "receipts")}
	g.serving = g.pod().startAll()
	eventually(b, "the first Pod serves", func() bool { return !missing(g.socket) })
	quit, sent := make(chan struct{}), make(chan int)
	go send(g.socket, quit, sent)

	var silences []float64
	for range b.N {
		settled := len(g.received()) + 3
		eventually(b, "the source receives", func() bool { return len(g.received()) >= settled })
		next := handoff(g)
		eventually(b, "the target serves", all(next, (*process).started))
		began := readRecord(next[0].record)[recordStart]
		require.Equal(b, "agent", next[0].component)
		// Three after the target began: the silence is over and in the file.
		eventually(b, "the target receives", func() bool {
			got := g.received()
			return len(got) >= 3 && got[len(got)-3] > began
		})
		eventually(b, "the source has ended", all(g.serving, (*process).ended))
		silences = append(silences, longestSilence(g.received()[max(g.seen-1, 0):]))
		g.serving = next
	}
	close(quit)
	lost := <-sent - len(g.received())
	require.Empty(b, overlaps(n.intervals()))

	slices.Sort(silences)
	rank := func(p float64) float64 { return silences[int(math.Ceil(p*float64(len(silences))))-1] }
	b.ReportMetric(rank(0.5), "median-ms")
	b.ReportMetric(rank(0.99), "p99-ms")
	b.ReportMetric(silences[len(silences)-1], "longest-ms")
	b.ReportMetric(float64(max(lost, 0))/float64(b.N), "lost/op")
}

func longestSilence(times []int64) (ms float64) {
	for i := 1; i < len(times); i++ {
		ms = max(ms, float64(times[i]-times[i-1])/1e6)
	}
	return ms
}

// send sends a datagram at every tick, whether anyone is there or not, and reports how many in the end.
func send(socket string, quit <-chan struct{}, sent chan<- int) {
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram"})
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	count := 0
	for {
		select {
		case <-tick.C:
			count++
			_, _ = conn.WriteTo([]byte("1"), &net.UnixAddr{Name: socket, Net: "unixgram"}) // lost if nobody listens
		case <-quit:
			sent <- count
			return
		}
	}
}
