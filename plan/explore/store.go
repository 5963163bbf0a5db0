package explore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
)

const (
	widest    = 32 // bytes of a key that is kept as it is
	digest    = 16 // bytes kept of a longer one
	pageBits  = 14
	pageSize  = 1 << pageBits
	pageMask  = pageSize - 1
	firstSize = 1 << 10
)

// KeyError says that a model's keys do not have one length.
type KeyError struct{ Length, Want int }

// Error gives both lengths.
func (e *KeyError) Error() string {
	return fmt.Sprintf("a key has %d bytes where the first one has %d: keys of up to %d bytes must all have one length", e.Length, e.Want, widest)
}

// store is the visited set: keys in pages by the state's number, an open-addressed table of numbers to find
// them, and the number of each state's parent.
type store struct {
	width   int  // of a key, as kept
	digests bool // longer keys, kept as digests
	keys    [][]byte
	parents [][]int32
	slots   []int32 // number + 1; 0 is free
	count   int
	seed    maphash.Seed
}

func newStore(firstKey int) *store {
	s := &store{width: firstKey, slots: make([]int32, firstSize), seed: maphash.MakeSeed()}
	if firstKey > widest {
		s.width, s.digests = digest, true
	}
	return s
}

// kept returns the form in which a key is stored.
func (s *store) kept(key []byte, sum *[sha256.Size]byte) ([]byte, error) {
	switch {
	case s.digests:
		*sum = sha256.Sum256(key)
		return sum[:digest], nil
	case len(key) != s.width:
		return nil, &KeyError{len(key), s.width}
	}
	return key, nil
}

func (s *store) hash(kept []byte) uint64 {
	if s.digests {
		return binary.LittleEndian.Uint64(kept)
	}
	return maphash.Bytes(s.seed, kept)
}

func (s *store) key(id int32) []byte {
	at := int(id&pageMask) * s.width
	return s.keys[id>>pageBits][at : at+s.width]
}

func (s *store) parent(id int32) int32 { return s.parents[id>>pageBits][id&pageMask] }

// find returns the state's number, or -1 and the slot that it would take.
func (s *store) find(kept []byte) (id int32, slot uint64) {
	mask := uint64(len(s.slots) - 1)
	for slot = s.hash(kept) & mask; ; slot = (slot + 1) & mask {
		id = s.slots[slot] - 1
		if id < 0 || string(s.key(id)) == string(kept) {
			return id, slot
		}
	}
}

// add returns the state's number and whether it is new.
func (s *store) add(kept []byte, parent int32) (id int32, fresh bool) {
	id, slot := s.find(kept)
	if id >= 0 {
		return id, false
	}
	id = int32(s.count)
	if id&pageMask == 0 {
		s.keys = append(s.keys, make([]byte, pageSize*s.width))
		s.parents = append(s.parents, make([]int32, pageSize))
	}
	copy(s.key(id), kept)
	s.parents[id>>pageBits][id&pageMask] = parent
	s.slots[slot] = id + 1
	if s.count++; s.count > len(s.slots)/4*3 {
		s.grow()
	}
	return id, true
}

func (s *store) grow() {
	slots := make([]int32, 2*len(s.slots))
	mask := uint64(len(slots) - 1)
	for id := range int32(s.count) {
		slot := s.hash(s.key(id)) & mask
		for slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		slots[slot] = id + 1
	}
	s.slots = slots
}

// full tells whether no more states can be numbered.
func (s *store) full() bool { return s.count == math.MaxInt32 }

// bytes is the memory of the visited set.
func (s *store) bytes() int64 {
	return int64(len(s.keys))*pageSize*int64(s.width) + int64(len(s.parents))*pageSize*4 + int64(len(s.slots))*4
}
