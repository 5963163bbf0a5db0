package command

import (
	"io"
	"os"
)

// widest is how many columns a line takes at most where there is no terminal, as far as names allow.
const widest = 100

// columnsOf is how many columns a line of this output may take: the terminal's, and widest where there is none.
func columnsOf(out io.Writer) int {
	const narrowest = 40
	if columns, ok := terminalOf(out); ok && columns > 0 {
		return max(narrowest, columns)
	}
	return widest
}

// terminalOf tells whether the output is a terminal, and how wide that is; 0 if it does not say.
func terminalOf(out io.Writer) (columns int, ok bool) {
	file, isFile := out.(*os.File)
	if !isFile {
		return 0, false
	}
	return terminalSize(file.Fd())
}

// colour is an SGR colour of a terminal. The set is closed.
type colour string

const (
	green  colour = "32"
	yellow colour = "33"
	red    colour = "31"
)

// verdict is the one line that says how it stands, before everything else: bold and in colour on a terminal, unless NO_COLOR is
// set (no-color.org) or the terminal is dumb.
func verdict(out io.Writer, c colour, text string) error {
	_, ok := terminalOf(out)
	return verdictIn(out, ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", c, text)
}

func verdictIn(out io.Writer, coloured bool, c colour, text string) error {
	begin, end := "", ""
	if coloured {
		begin, end = "\x1b[1;"+string(c)+"m", "\x1b[0m"
	}
	lines := wrapped(text, columnsOf(out))
	for _, line := range lines {
		if _, err := io.WriteString(out, begin+line+end+"\n"); err != nil {
			return err
		}
	}
	return nil
}
