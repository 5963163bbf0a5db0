// Package snapshots_test makes the snapshots of this folder and keeps them in step with what the planner renders:
//
//	go test ./examples/snapshots -rewrite
package snapshots_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/model/dump"
	"github.com/agent-rollout/planner/plan"
	"github.com/agent-rollout/planner/plan/world"
)

var rewrite = flag.Bool("rewrite", false, "write the snapshots anew")

var (
	installed = time.Date(2026, time.November, 2, 9, 0, 0, 0, time.UTC)
	armed     = time.Date(2026, time.November, 23, 9, 0, 0, 0, time.UTC)
	now       = time.Date(2026, time.November, 30, 9, 0, 0, 0, time.UTC)
)

// uuid makes an identifier from a name: the files stay the same from run to run.
func uuid(name string) string {
	h := fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:32]}, "-")
}

// snapshots are the files. Each is played in the world until it is what its document says.
var snapshots = []struct {
	name     string
	document string
	play     func(t *testing.T, document *model.Rollout) *stage
	flow     bool // short values on one line: the file would be too long otherwise
	check    func(t *testing.T, s *model.Snapshot, p *model.Plan)
}{
	{name: "conventional", document: conventionalDocument, play: playConventional, check: checkConventional},
	{name: "two-workers", document: twoWorkersDocument, play: playTwoWorkers, check: checkTwoWorkers},
	{name: "three-zones", document: threeZonesDocument, play: playThreeZones, flow: true, check: checkThreeZones},
	{name: "half-way", document: halfWayDocument, play: playHalfWay, flow: true, check: checkHalfWay},
}

func TestSnapshots(t *testing.T) {
	for _, s := range snapshots {
		t.Run(s.name, func(t *testing.T) {
			d, err := dump.Read(strings.NewReader(s.document), "document")
			require.NoError(t, err)
			made := printed(t, s.play(t, d.Rollout).objects(), s.flow) + "---\n" + s.document
			path := s.name + ".yaml"
			if *rewrite {
				require.NoError(t, os.WriteFile(path, []byte(made), 0o644))
			}
			present, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, made == string(present), "%s is not what the planner renders now: run go test with -rewrite", path)
			require.Less(t, bytes.Count(present, []byte("\n")), 2500, "too long to read")

			d, err = dump.Files(path)
			require.NoError(t, err)
			snapshot, err := d.Snapshot()
			require.NoError(t, err)
			p, err := plan.Next(snapshot)
			require.NoError(t, err)
			require.Nil(t, p.Blocked())
			require.Empty(t, p.Faults)
			require.Empty(t, p.Needs)
			s.check(t, snapshot, &p)
		})
	}
}

// From what the file says the planner reaches the end by itself: every node that is well runs the desired images.
func TestSnapshotsLeadToTheEnd(t *testing.T) {
	for _, file := range snapshots {
		t.Run(file.name, func(t *testing.T) {
			d, err := dump.Files(file.name + ".yaml")
			require.NoError(t, err)
			snapshot, err := d.Snapshot()
			require.NoError(t, err)
			s := &stage{t: t, rollout: snapshot.Rollout, now: snapshot.Now()}
			s.world, err = world.New(snapshot, world.Options{})
			require.NoError(t, err)
			s.advance(func(*model.Plan) bool { return false })
			cluster, served := s.snapshot().Cluster, 0
			for i := range cluster.Len() {
				for _, pod := range cluster.Pods(i) {
					ready, _ := model.ReadySince(pod)
					if pod.Namespace == namespace && ready && model.NodeReady(cluster.Node(i)) {
						require.Equal(t, wanted, pod.Spec.Containers[0].Image, pod.Name)
						served++
					}
				}
			}
			well := 0
			for i := range cluster.Len() {
				if model.NodeReady(cluster.Node(i)) {
					well++
				}
			}
			require.Equal(t, well, served)
		})
	}
}

// stage is a world with the planner at work in it.
type stage struct {
	t       *testing.T
	world   *world.World
	rollout *model.Rollout
	now     time.Time
}

// newStage installs the conventional DaemonSet and lets its Pods start.
func newStage(t *testing.T, document *model.Rollout, set *appsv1.DaemonSet, nodes []*corev1.Node, others ...*corev1.Pod) *stage {
	t.Helper()
	cluster, err := model.NewCluster(model.Objects{Nodes: nodes, Pods: others, DaemonSets: []*appsv1.DaemonSet{set}})
	require.NoError(t, err)
	rollout := *document
	rollout.Metadata.UID, rollout.Metadata.APIVersion, rollout.Metadata.Kind = set.OwnerReferences[0].UID, "datadoghq.com/v2alpha1", "DatadogAgent"
	rollout.Status.OtherPods, rollout.Status.ObservedAt = model.OtherPods{All: true}, metav1.NewTime(installed)
	s := &stage{t: t, rollout: &rollout, now: installed}
	s.world, err = world.New(&model.Snapshot{Cluster: cluster, Rollout: &rollout}, world.Options{})
	require.NoError(t, err)
	s.settle()
	return s
}

// settle lets everything happen that happens by itself, a second apart.
func (s *stage) settle() {
	s.t.Helper()
	for range 5000 {
		list := s.world.Enabled(s.now)
		if len(list) == 0 {
			return
		}
		s.do(list[0])
	}
	s.t.Fatal("the world does not come to rest")
}

func (s *stage) do(transition world.Transition) {
	s.t.Helper()
	_, err := s.world.Do(s.now, transition)
	require.NoError(s.t, err)
}

func (s *stage) snapshot() *model.Snapshot {
	s.t.Helper()
	snapshot, err := s.world.Snapshot(s.now, s.rollout)
	require.NoError(s.t, err)
	return snapshot
}

// advance plans and carries out until the rollout is complete or done says so, which it is asked after every plan.
func (s *stage) advance(done func(*model.Plan) bool) {
	s.t.Helper()
	for range 500 {
		p, err := plan.Next(s.snapshot())
		require.NoError(s.t, err)
		require.Nil(s.t, p.Blocked())
		for i := range p.Actions {
			_, err := s.world.Apply(s.now, p.Actions[i].Write)
			require.NoError(s.t, err)
		}
		if p.Complete() || done(&p) {
			return
		}
		s.settle()
		s.now = s.now.Add(max(p.RequeueAfter.Truncate(time.Second), 5*time.Second))
	}
	s.t.Fatal("the rollout comes to no end")
}

// arm makes the pair at the deployed revision, a week before now.
func (s *stage) arm() *stage {
	s.t.Helper()
	final := s.rollout.Spec
	before := map[string]string{}
	for container := range final.DesiredFrom.Images {
		before[container] = deployed
	}
	s.rollout.Spec.DesiredFrom = &model.DesiredFrom{Name: agentName, Images: before}
	s.now = armed
	s.advance(func(*model.Plan) bool { return false })
	s.settle()
	s.rollout.Spec = final
	s.now = now
	return s
}

func (s *stage) objects() model.Objects {
	cluster := s.snapshot().Cluster
	objects := model.Objects{DaemonSets: cluster.DaemonSets(), Pods: cluster.Stray()}
	for i := range cluster.Len() {
		objects.Nodes = append(objects.Nodes, cluster.Node(i))
		objects.Pods = append(objects.Pods, cluster.Pods(i)...)
	}
	return objects
}
