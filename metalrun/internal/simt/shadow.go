package simt

// A shadow is what the checks remember of one object: of each cell of it, who
// wrote it last and who has read it since. A cell is as many bytes as the
// narrowest access to the object takes, so that neighbours of a word are told
// apart where the kernel can tell them apart.
//
// Two accesses to a cell are ordered if one thread makes both, or if a barrier
// lies between them that both threads pass and whose flags name the memory: one of
// the threadgroup, or one of the simdgroup that both belong to. Nothing orders
// threadgroups of one launch. A fence without a barrier orders nothing here, for
// Metal has no acquiring and releasing atomics that could synchronise threads.
type shadow struct {
	object    int
	scope     memoryScope
	log       uint // of the bytes of a cell
	undefined bool // what this launch has not written means nothing
	writes    []record
	reads     [][2]record // empty if the kernel does not read the object, or is not known to need it
	spare     [][2]record // reads, while they are not needed
	coarse    coarse
}

// Between two barriers most kernels only read an array of the threadgroup, or only
// write it. As long as a kernel does so, reads need not be told apart: coarse
// is what is kept of all accesses to an object together. The first time that an
// object is both read and written between two barriers, the launch begins again
// with that object shadowed cell by cell, and so does every later launch.
type coarse struct {
	on          bool
	read, write uint64 // when it was last read, and written
	group       uint32 // whose cells filled counts
	filled      int    // cells written
}

// mixed says that an object has to be shadowed cell by cell.
type mixed struct{ object int }

// wrote counts a cell that a threadgroup writes for the first time.
func (s *shadow) wrote(c *clock, cell int) {
	if s.writes[cell].group() == c.group {
		return
	}
	if s.coarse.group != c.group {
		s.coarse.group, s.coarse.filled = c.group, 0
	}
	s.coarse.filled++
}

// full reports whether the threadgroup has written all cells.
func (s *shadow) full(c *clock) bool {
	return s.coarse.group == c.group && s.coarse.filled == len(s.writes)
}

// touch records an access to an object that is shadowed as a whole.
func (s *shadow) touch(c *clock, write bool) {
	now := c.now(s.scope)
	if write {
		s.coarse.write = now
	} else {
		s.coarse.read = now
	}
	if s.coarse.read == s.coarse.write {
		panic(mixed{s.object})
	}
}

// memoryScope is memory that the flags of a barrier name.
type memoryScope uint8

const (
	threadgroupMemory memoryScope = iota
	deviceMemory
)

func (f memoryScope) String() string { return [...]string{"threadgroup", "device"}[f] }

// record is one access to a cell.
type record struct {
	when uint64 // number of the threadgroup above its epoch; of a launch before this one: there was none
	turn uint32 // barriers of the simdgroup that order the memory and were passed before
	who  uint32 // thread, and site above it
}

const threadBits = 10 // MaxThreads

func (r *record) group() uint32 { return uint32(r.when >> 32) }
func (r *record) thread() int   { return int(r.who & (1<<threadBits - 1)) }
func (r *record) site() int     { return int(r.who >> threadBits) }

// together reports whether two accesses were made in one simdgroup, if they were
// made in one threadgroup.
func (r *record) together(q *record) bool {
	const simdgroup = (1<<threadBits - 1) &^ (Simdgroup - 1)
	return (r.who^q.who)&simdgroup == 0
}

// clock counts the barriers that a threadgroup has passed, by the memory that
// they order.
type clock struct {
	first uint32    // number of the launch's first threadgroup, from 1
	group uint32    // number of the one that runs
	epoch [2]uint32 // those of the threadgroup
	turns [2][MaxThreads / Simdgroup]uint32
}

// now is the time of an access to a kind of memory.
func (c *clock) now(s memoryScope) uint64 { return uint64(c.group)<<32 | uint64(c.epoch[s]) }

// ordered reports whether an access is ordered before what a lane does now.
func (c *clock) ordered(r *record, s memoryScope, lane int) bool {
	switch {
	case r.group() != c.group:
		return s == threadgroupMemory || !c.recent(r) // threadgroup memory is new to each threadgroup
	case r.when != c.now(s) || r.thread() == lane:
		return true
	}
	return r.thread()/Simdgroup == lane/Simdgroup && r.turn != c.turns[s][lane/Simdgroup]
}

// open reports whether an access is ordered before no other thread's.
func (c *clock) open(r *record, s memoryScope) bool {
	return c.recent(r) && (r.group() != c.group && s == deviceMemory || r.when == c.now(s))
}

// recent reports whether a record is of this launch.
func (c *clock) recent(r *record) bool { return r.group() >= c.first }

// written reports whether the cell holds what somebody stored.
func (s *shadow) written(c *clock, cell int) bool {
	w := &s.writes[cell]
	return w.group() == c.group || c.recent(w) && s.scope == deviceMemory
}

// enough reports whether the reads kept of a cell conflict with every write that
// the new read would conflict with: then it need not be kept.
func enough(kept *[2]record, now *record) bool {
	if kept[0].when != now.when || kept[1].when != now.when {
		return false
	}
	if !kept[0].together(&kept[1]) {
		return true
	}
	return kept[0].together(now) && kept[0].turn == now.turn && kept[1].turn == now.turn && kept[0].thread() != kept[1].thread()
}

// read keeps a read. Of all reads of a cell two are kept: the last one, and one
// of another thread that a write may conflict with where it does not with the last, of
// another threadgroup or simdgroup if there was any.
func (s *shadow) read(c *clock, cell int, now *record) {
	kept := &s.reads[cell]
	last := kept[0]
	kept[0] = *now
	alike := last.group() == now.group()
	switch {
	case alike && (last.when != now.when || last.thread() == now.thread()):
		return
	case !alike && (!c.recent(&last) || s.scope == threadgroupMemory):
		return
	}
	old := &kept[1]
	elsewhere := c.recent(old) && old.group() != now.group() && s.scope == deviceMemory
	if alike && (elsewhere || old.when == now.when && !old.together(now)) {
		return
	}
	kept[1] = last
}
