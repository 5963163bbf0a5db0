//go:build !linux && !darwin

package command

// terminalSize knows no terminal here: lines are as wide as in a file, and there is no colour and no progress.
func terminalSize(uintptr) (columns int, ok bool) { return 0, false }
