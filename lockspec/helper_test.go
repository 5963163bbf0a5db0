//go:build linux

package lockspec_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The test binary plays the programs behind the locks. These variables tell a process what to be.
const (
	helperRole    = "LOCKSPEC_HELPER"   // one of the roles below
	helperRecord  = "LOCKSPEC_RECORD"   // file of the component's record
	helperChild   = "LOCKSPEC_CHILD"    // file that takes the id of a child to start
	helperSocket  = "LOCKSPEC_SOCKET"   // datagram socket to serve
	helperReceipt = "LOCKSPEC_RECEIPTS" // file that takes the time of each datagram
	roleComponent = "component"
	roleSleeper   = "sleeper"
	roleBusy      = "busy"
)

// TestMain lets the test binary play the programs behind the locks.
func TestMain(m *testing.M) {
	switch os.Getenv(helperRole) {
	case "":
		os.Exit(m.Run())
	case roleComponent:
		exitOn(playComponent())
	case roleSleeper:
		for !missing(os.Getenv(helperChild)) {
			time.Sleep(10 * time.Millisecond)
		}
	case roleBusy:
		go func() {
			var turns atomic.Int64
			for {
				turns.Add(1)
			}
		}()
		_, err := io.Copy(io.Discard, os.Stdin)
		exitOn(err)
	default:
		os.Exit(2)
	}
}

func missing(file string) bool {
	_, err := os.Stat(file)
	return os.IsNotExist(err)
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "helper:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// A record is three int64 in a file that the component maps into its memory, so that what it wrote
// survives SIGKILL: when it began, when it was last seen alive, and when it stopped by itself. Times
// are CLOCK_MONOTONIC in nanoseconds, the same clock in every process; 0 is "not yet".
const (
	recordStart = iota
	recordBeat
	recordStop
	recordFields
)

// beatEvery is how close the last beat of a killed component is to its death.
const beatEvery = time.Millisecond

// playComponent runs until SIGTERM.
func playComponent() error {
	record, err := mapRecord(os.Getenv(helperRecord))
	if err != nil {
		return err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	atomic.StoreInt64(&record[recordStart], monotonic())
	if file := os.Getenv(helperChild); file != "" {
		if err := leaveChild(file); err != nil {
			return err
		}
	}
	if socket := os.Getenv(helperSocket); socket != "" {
		if err := serve(socket, os.Getenv(helperReceipt)); err != nil {
			return err
		}
	}
	beat := time.NewTicker(beatEvery)
	for {
		select {
		case <-beat.C:
			atomic.StoreInt64(&record[recordBeat], monotonic())
		case <-stop:
			atomic.StoreInt64(&record[recordStop], monotonic())
			return nil
		}
	}
}

func mapRecord(file string) (*[recordFields]int64, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const size = recordFields * 8
	if err := f.Truncate(size); err != nil {
		return nil, err
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return (*[recordFields]int64)(unsafe.Pointer(&mem[0])), nil
}

func readRecord(file string) (r [recordFields]int64) {
	data, err := os.ReadFile(file)
	if err != nil || len(data) != recordFields*8 {
		return r // the component has not begun
	}
	for i := range r {
		r[i] = int64(binary.NativeEndian.Uint64(data[8*i:]))
	}
	return r
}

// leaveChild starts a process that outlives this one, until the file is removed that takes its id.
func leaveChild(file string) error {
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return err
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), helperRole+"="+roleSleeper)
	if err := child.Start(); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strconv.Itoa(child.Process.Pid)), 0o600)
}

// serve takes over a socket path, as a component does that finds the file of the one before it, and
// appends the time of every datagram to a file.
func serve(socket, receipts string) error {
	log, err := os.OpenFile(receipts, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		return err
	}
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	go func() {
		buf := make([]byte, 64)
		for {
			if _, _, err := conn.ReadFrom(buf); err != nil {
				exitOn(err)
			}
			var stamp [8]byte
			binary.NativeEndian.PutUint64(stamp[:], uint64(monotonic()))
			if _, err := log.Write(stamp[:]); err != nil {
				exitOn(err)
			}
		}
	}()
	return nil
}

// monotonic reads the clock that all processes of the node share; time.Now's monotonic reading is private to a process.
func monotonic() int64 {
	const clockMonotonic = 1
	var ts syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		panic(errno)
	}
	return ts.Nano()
}
