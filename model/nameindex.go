package model

import corev1 "k8s.io/api/core/v1"

// nameIndex finds a node's number by its name. It is a table of open addresses without a pointer in it: half the size of a map of
// strings, nothing for the garbage collector to look at, and the name is compared in the node itself.
type nameIndex []nameSlot

// nameSlot is empty if its number, which counts from one, is 0.
type nameSlot struct {
	hash   uint32
	number int32
}

// newNameIndex numbers the nodes in their order. Of two of one name the last is found.
func newNameIndex(nodes []*corev1.Node) nameIndex {
	size := 4
	for size < 2*len(nodes) {
		size *= 2
	}
	x := make(nameIndex, size)
	for i, node := range nodes {
		hash := hashName(node.Name)
		at := x.slot(nodes, node.Name, hash)
		x[at] = nameSlot{hash, int32(i + 1)}
	}
	return x
}

// find returns the number of the node of that name among those that the index was made of.
func (x nameIndex) find(nodes []*corev1.Node, name string) (int32, bool) {
	if len(nodes) == 0 {
		return 0, false
	}
	number := x[x.slot(nodes, name, hashName(name))].number
	return number - 1, number > 0
}

// lookup is a name that is looked for, and what was found: the node's number, counting from one, 0 for none.
type lookup struct {
	name, found string
	hash        uint32
	number      int32
}

// findAll looks for several names at once. Each is a way through memory of its own, from the name over the table and the node to the node's name; taken
// step by step, the ways of all go on at the same time.
func (x nameIndex) findAll(nodes []*corev1.Node, list []lookup) {
	if len(nodes) == 0 {
		return
	}
	for i := range list {
		list[i].hash = hashName(list[i].name)
	}
	mask := uint32(len(x) - 1)
	for i := range list {
		at := list[i].hash & mask
		for x[at].number != 0 && x[at].hash != list[i].hash {
			at = (at + 1) & mask
		}
		list[i].number = x[at].number
	}
	for i := range list {
		if l := &list[i]; l.number > 0 {
			l.found = nodes[l.number-1].Name
		}
	}
	for i := range list {
		if l := &list[i]; l.number > 0 && l.found != l.name { // two names with one hash
			l.number = x[x.slot(nodes, l.name, l.hash)].number
		}
	}
}

// slot returns the place of the name, or the empty one where it would be. At least half of all places are empty.
func (x nameIndex) slot(nodes []*corev1.Node, name string, hash uint32) uint32 {
	mask := uint32(len(x) - 1)
	at := hash & mask
	for x[at].number != 0 && (x[at].hash != hash || nodes[x[at].number-1].Name != name) {
		at = (at + 1) & mask
	}
	return at
}

// hashName is FNV-1a with its high bits mixed in, since the low ones alone choose the place.
func hashName(name string) uint32 {
	hash := uint64(14695981039346656037)
	for i := range len(name) {
		hash = (hash ^ uint64(name[i])) * 1099511628211
	}
	return uint32(hash ^ hash>>32)
}
