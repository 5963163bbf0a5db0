package dump

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
)

// DefaultMaxBytes is the size in bytes above which an input is refused, if the options name no other.
const DefaultMaxBytes = 1 << 30

// Stdin is the path that means standard input.
const Stdin = "-"

// Dump is what was read, in the order of the inputs.
type Dump struct {
	Objects model.Objects
	// Rollout is the one document of ours, as it was written; nil if the inputs have none.
	Rollout *model.Rollout
	// Others are the objects of the kinds that the options keep.
	Others []Other
	// Skipped counts the objects of other kinds, by kind.
	Skipped map[string]int
	// Notes say, one sentence each, what Snapshot took from the objects because the Rollout does not say it.
	Notes []string

	document   *rolloutDocument // what Rollout was read from
	origins    []origin         // where the objects were read
	lookalikes []string         // objects that may have been meant to be the Rollout
	empty      []string         // lists without items
}

// Options bound what is read.
type Options struct {
	// MaxBytes is the largest size of one input in bytes; 0 means DefaultMaxBytes.
	MaxBytes int64
	// Stdin is read where a path is "-"; nil means os.Stdin.
	Stdin io.Reader
	// Inputs are read before the paths of Files.
	Inputs []Input
	// Keep names kinds that are not read here and are to be found in Dump.Others.
	Keep []string
}

// Input is a text that is no file, with the name that stands in its faults.
type Input struct {
	Name string
	Text io.Reader
}

// Error lists every fault of every input.
type Error struct {
	// Faults in the order of the inputs, each with its place: input, document, item, object and field.
	Faults []string
}

const shownFaults = 50

// Error returns the faults, one a line, fifty at most.
func (e *Error) Error() string {
	shown, rest := e.Faults, ""
	if len(shown) > shownFaults {
		rest = fmt.Sprintf("\nand %d more", len(shown)-shownFaults)
		shown = shown[:shownFaults]
	}
	return strings.Join(shown, "\n") + rest
}

// Read reads one input with default options; name stands in the faults. The error is an *Error: what could not be read, and
// the faulty values of what was read of the Rollout. Faults between objects are Snapshot's to find.
func Read(r io.Reader, name string) (*Dump, error) { return Options{}.Read(r, name) }

// Files reads all the paths with default options and merges them; "-" is standard input.
func Files(paths ...string) (*Dump, error) { return Options{}.Files(paths...) }

// Read is like the function of that name.
func (o Options) Read(r io.Reader, name string) (*Dump, error) {
	c := newCollector(o.Keep)
	o.read(c, r, name)
	return c.result()
}

// Files is like the function of that name.
func (o Options) Files(paths ...string) (*Dump, error) {
	c := newCollector(o.Keep)
	for _, input := range o.Inputs {
		o.read(c, input.Text, input.Name)
	}
	if len(paths)+len(o.Inputs) == 0 {
		c.faults = append(c.faults, "no input: name at least one file, or - for standard input")
	}
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			c.faultf(path, "given twice")
			continue
		}
		o.file(c, path)
	}
	return c.result()
}

func (o Options) file(c *collector, path string) {
	if path == Stdin {
		in := o.Stdin
		if in == nil {
			in = os.Stdin
		}
		o.read(c, in, "standard input")
		return
	}
	file, err := os.Open(path)
	if err != nil {
		c.faultf(path, "%v", cause(err))
		return
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		c.faultf(path, "is a directory: name the files in it")
		return
	}
	o.read(c, file, path)
}

// cause drops the path that os errors repeat.
func cause(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

func (o Options) read(c *collector, r io.Reader, name string) {
	limit := o.MaxBytes
	if limit <= 0 {
		limit = DefaultMaxBytes
	}
	text, err := readText(r, limit)
	if err != nil {
		c.faultf(name, "%v", cause(err))
		return
	}
	number := 0
	for _, d := range splitDocuments(text) {
		if d.empty() {
			continue
		}
		number++
		c.document(place{input: name, document: number, line: d.line}, d)
	}
	if number == 0 {
		c.faultf(name, "has no document")
	}
}

// SkippedKinds renders the skipped objects, sorted by kind: "3 ConfigMap, 1 Secret".
func (d *Dump) SkippedKinds() string {
	kinds := make([]string, 0, len(d.Skipped))
	for kind := range d.Skipped {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", d.Skipped[kind], kind)
	}
	return strings.Join(kinds, ", ")
}
