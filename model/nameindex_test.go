package model

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

// TestNameIndexFindsAsAMapWould: short names from few letters, so that places and hashes meet.
func TestNameIndexFindsAsAMapWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.StringMatching(`[ab]{0,5}`)).Draw(t, "names")
		var nodes []*corev1.Node
		want := map[string]int32{}
		for i, name := range names {
			node := &corev1.Node{}
			node.Name = name
			nodes = append(nodes, node)
			want[name] = int32(i)
		}
		index := newNameIndex(nodes)
		for _, name := range append(names, "c", "", "aaaaaa") {
			got, ok := index.find(nodes, name)
			number, known := want[name]
			require.Equal(t, known, ok, name)
			if known {
				require.Equal(t, number, got, name)
			}
		}
	})
}

// TestNameIndexIsNoList: no name of a large fleet is far from its place.
func TestNameIndexIsNoList(t *testing.T) {
	var nodes []*corev1.Node
	for i := range 20000 {
		node := &corev1.Node{}
		node.Name = fmt.Sprintf("ip-10-%d-%d-%d.ec2.internal", i/65536, i/256%256, i%256)
		nodes = append(nodes, node)
	}
	index := newNameIndex(nodes)
	farthest := uint32(0)
	for _, node := range nodes {
		hash := hashName(node.Name)
		mask := uint32(len(index) - 1)
		farthest = max(farthest, (index.slot(nodes, node.Name, hash)-hash)&mask)
	}
	require.Less(t, farthest, uint32(100))
}
