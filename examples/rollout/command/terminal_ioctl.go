//go:build linux || darwin

package command

import (
	"syscall"
	"unsafe"
)

// terminalSize asks the terminal behind the descriptor for its columns. What does not answer is no terminal.
func terminalSize(descriptor uintptr) (columns int, ok bool) {
	var size struct{ rows, columns, width, height uint16 }
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, descriptor, syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), err == 0
}
