package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
)

// input is where a command's snapshot comes from.
type input struct {
	files []string
	set   []string
	now   string
	// live reads a cluster, in programs that can.
	live Live
	// lone accepts a file that holds just one DaemonSet, and needs no clock: nothing that is done depends on it.
	lone bool
	// observed is when a cluster was read; zero where files alone were.
	observed time.Time
	// document is the Rollout as it was read.
	document *model.Rollout
	// selecting is what selects Pods by their labels in the inputs that were read.
	selecting []model.Selecting
}

func (in *input) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVarP(&in.files, "filename", "f", nil, `a dump or a Rollout document, YAML or JSON; "-" is standard input (repeatable)`)
	f.StringArrayVar(&in.set, "set", nil, "change one field of the Rollout document: strategy.maxUnavailable=10%, images.agent=…; null removes it (repeatable)")
	f.StringVar(&in.now, "now", "", "the instant to plan at, as in 2026-01-05T09:00:00Z, instead of status.observedAt")
}

// read makes the snapshot, and says on stderr what it took that nobody wrote. more are files named as arguments.
func (in *input) read(cmd *cobra.Command, more ...string) (*model.Snapshot, error) {
	stderr := notesOf(cmd)
	d, err := in.load(cmd, slices.Concat(in.files, more))
	if err != nil {
		return nil, err
	}
	if in.selecting, err = d.Selecting(); err != nil {
		return nil, err
	}
	lone := in.lone && d.Rollout == nil
	in.document = d.Rollout
	if lone {
		if err := synthesize(d, stderr); err != nil {
			return nil, err
		}
	}
	if d, err = withSettings(d, in.set); err != nil {
		return nil, err
	}
	if err := in.setClock(d); err != nil {
		return nil, err
	}
	if in.lone {
		d.Rollout = timeless(d.Rollout)
	}
	snapshot, err := d.Snapshot()
	if err != nil {
		return nil, blamed(err, in.set)
	}
	if err := lockFaults(snapshot.Rollout, in.set); err != nil {
		return nil, err
	}
	note(stderr, ineffective(snapshot.Rollout)...)
	if !lone { // what is taken for granted of a cluster does not matter for one DaemonSet
		note(stderr, d.Notes...)
		if d.Rollout.Status.ObservedAt.IsZero() {
			note(stderr, "if the dump was made later, give its time with --now: a Pod that is Ready for a moment only does not count as available.")
		}
	}
	noteSkipped(stderr, d)
	if !in.lone {
		note(stderr, missing(snapshot.Cluster)...)
		if snapshot.Cluster.Len() == 0 {
			return nil, notDone("the inputs have no Node: %s", allObjects)
		}
	}
	return snapshot, nil
}

// load reads the files, and where they have no object of a cluster, the cluster that the program can read.
func (in *input) load(cmd *cobra.Command, files []string) (*dump.Dump, error) {
	options := dump.Options{Stdin: cmd.InOrStdin(), Keep: dump.SelectingKinds()}
	if in.live == nil {
		if len(files) == 0 {
			return nil, errors.New("no input: name a file with -f, or -f - for standard input")
		}
		return options.Files(files...)
	}
	document := false
	if len(files) > 0 {
		given := new(bytes.Buffer)
		options.Stdin = io.TeeReader(options.Stdin, given) // it is read once more below
		d, err := options.Files(files...)
		if err != nil || len(d.Objects.Nodes)+len(d.Objects.Pods)+len(d.Objects.DaemonSets) > 0 {
			return d, err
		}
		options.Stdin, document = given, d.Rollout != nil
	}
	inputs, err := in.live(cmd.Context(), !document)
	if err != nil {
		return nil, err
	}
	options.Inputs = inputs
	in.observed = time.Now()
	return options.Files(files...)
}

const allObjects = "kubectl get nodes,pods,daemonsets -A prints all that is needed."

// missing says which kinds of object a dump has none of, though its cluster has some.
func missing(c *model.Cluster) (notes []string) {
	if c.PodCount()+len(c.Stray()) > 0 {
		return notes
	}
	for _, set := range c.DaemonSets() {
		if count := int(set.Status.CurrentNumberScheduled); count > 0 {
			return append(notes, fmt.Sprintf("the inputs have no Pod, though DaemonSet %s/%s has %d: %s", set.Namespace, set.Name, count, allObjects))
		}
	}
	return notes
}

// noteSkipped names the kinds of object in the inputs that are not read, once, in one line.
func noteSkipped(stderr io.Writer, d *dump.Dump) {
	if skipped := d.SkippedKinds(); skipped != "" {
		note(stderr, "objects of other kinds are not read: "+skipped+".")
	}
}

// doubled is what is unsafe about a surge without locks.
const doubled = "two processes of the agent run on a node at the same time, on the same files and sockets."

// noteDoubled says it of a rollout that is one.
func noteDoubled(stderr io.Writer, r *model.Rollout) {
	if s := r.WithDefaults().Spec.Strategy; s.Type == model.Surge && s.Overlap == model.Never {
		note(stderr, "Surge Never: "+doubled)
	}
}

func note(stderr io.Writer, notes ...string) {
	for _, text := range notes {
		_, _ = fmt.Fprintf(stderr, "note: %s\n", text)
	}
}

func (in *input) setClock(d *dump.Dump) error {
	if d.Rollout == nil || in.now == "" && in.observed.IsZero() {
		return nil
	}
	if in.now == "" {
		d.Rollout = observedAt(d.Rollout, in.observed)
		return nil
	}
	now, err := time.Parse(time.RFC3339, in.now)
	if err != nil {
		return fmt.Errorf("--now: %q is no instant: write it as 2026-01-05T09:00:00Z", in.now)
	}
	d.Rollout = observedAt(d.Rollout, now)
	return nil
}

func observedAt(r *model.Rollout, now time.Time) *model.Rollout {
	own := *r
	own.Status.ObservedAt = metav1.NewTime(now)
	return &own
}

// synthesize gives a dump that holds just one DaemonSet the least document that rolls it out. A manifest, which has no
// UID, is no object of a cluster.
func synthesize(d *dump.Dump, stderr io.Writer) error {
	sets := d.Objects.DaemonSets
	if len(sets) != 1 {
		return fmt.Errorf("the inputs have no %s document (apiVersion: %s) and %d DaemonSets: add the document, or give exactly one DaemonSet",
			model.RolloutKind, model.RolloutAPIVersion, len(sets))
	}
	set := sets[0]
	d.Rollout = least(set)
	if set.UID == "" {
		d.Objects.DaemonSets = nil
	}
	note(stderr, fmt.Sprintf("no %s document is in the inputs: the least one is taken, with DaemonSet %s as desired and defaults for the rest.",
		model.RolloutKind, strings.TrimPrefix(set.Namespace+"/"+set.Name, "/")))
	return nil
}

func least(set *appsv1.DaemonSet) *model.Rollout {
	owner := model.Owner{Namespace: set.Namespace, Name: set.Name}
	if ref := metav1.GetControllerOfNoCopy(set); ref != nil {
		owner.Name, owner.UID, owner.APIVersion, owner.Kind = ref.Name, ref.UID, ref.APIVersion, ref.Kind
	}
	return &model.Rollout{
		TypeMeta: metav1.TypeMeta{APIVersion: model.RolloutAPIVersion, Kind: model.RolloutKind},
		Metadata: owner,
		Spec:     model.Spec{Desired: set},
	}
}

// timeless gives a document without an instant a fixed one.
func timeless(r *model.Rollout) *model.Rollout {
	if r == nil || !r.Status.ObservedAt.IsZero() {
		return r
	}
	return observedAt(r, time.Unix(0, 0).UTC())
}
