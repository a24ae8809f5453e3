package sanitize

import (
	"metalconform/metalrun/internal/simt/machine"
)

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
	cells     int
	writes    []*page[record]    // nil where nobody has written
	apart     bool               // reads are told apart: the kernel reads the object, and is not known not to need it
	reads     []*page[[2]record] // nil where nobody has read
	coarse    coarse
	pagePool  *pagePool
	bytes     []byte // of a buffer
}

// last is the last write to a cell.
func (s *shadow) last(cell int) record {
	if p := s.writes[cell>>pageLog]; p != nil {
		return p[cell&(pageCells-1)]
	}
	return record{}
}

// touched reports whether anybody has written to a cell.
func (s *shadow) touched(cell int) bool {
	w := s.last(cell)
	return w.made()
}

// toWrite is the page of a cell that is about to be written.
func (s *shadow) toWrite(cell int) *page[record] {
	p := s.writes[cell>>pageLog]
	if p == nil {
		p = s.pagePool.writes.take()
		s.writes[cell>>pageLog] = p
		if s.scope == deviceMemory {
			first := cell &^ (pageCells - 1) << s.log
			s.pagePool.save(s.object, first, s.bytes[first:min(first+pageCells<<s.log, len(s.bytes))])
		}
	}
	return p
}

// toRead is the page of a cell that is about to be read.
func (s *shadow) toRead(cell int) *page[[2]record] {
	p := s.reads[cell>>pageLog]
	if p == nil {
		p = s.pagePool.reads.take()
		s.reads[cell>>pageLog] = p
	}
	return p
}

// Between two barriers most kernels only read an array of the threadgroup, or only
// write it. As long as a kernel does so, reads need not be told apart: coarse
// is what is kept of all accesses to an object together. The first time that an
// object is both read and written between two barriers, the launch begins again
// with that object shadowed cell by cell, and so does every later launch.
type coarse struct {
	on          bool
	read, write uint32 // the last barrier before it was read, and written
	group       uint32 // whose cells filled counts
	filled      int    // cells written
}

// mixed says that an object has to be shadowed cell by cell.
type mixed struct{ object int }

// wrote counts a cell that a threadgroup writes for the first time.
func (s *shadow) wrote(c *Clock, last *record) {
	if !s.coarse.on || last.when >= c.group {
		return
	}
	if s.coarse.group != c.group {
		s.coarse.group, s.coarse.filled = c.group, 0
	}
	s.coarse.filled++
}

// full reports whether the threadgroup has written all cells.
func (s *shadow) full(c *Clock) bool {
	return s.coarse.group == c.group && s.coarse.filled == s.cells
}

// touch records an access to an object that is shadowed as a whole.
func (s *shadow) touch(c *Clock, write bool) {
	if now := c.epoch[s.scope]; write {
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
	ThreadgroupMemory memoryScope = iota
	deviceMemory
)

// String is for messages.
func (f memoryScope) String() string { return [...]string{"threadgroup", "device"}[f] }

// record is one access to a cell, or none.
type record struct {
	when uint32 // the moment; 0: never
	who  uint32 // thread, and site above it
}

const threadBits = 10 // MaxThreads

// made reports whether there was the access.
func (r *record) made() bool { return r.when > 0 }

// own reports whether a lane of the threadgroup that began at a moment has made the access.
func (r *record) own(group uint32, lane int) bool {
	return r.when >= group && r.who&(1<<threadBits-1) == uint32(lane)
}

func (r *record) thread() int { return int(r.who & (1<<threadBits - 1)) }
func (r *record) site() int   { return int(r.who >> threadBits) }

// together reports whether two accesses were made in one simdgroup, if they were
// made in one threadgroup.
func (r *record) together(q *record) bool {
	const simdgroup = (1<<threadBits - 1) &^ (machine.Simdgroup - 1)
	return (r.who^q.who)&simdgroup == 0
}

// written reports whether the cell holds what somebody stored.
func (s *shadow) written(c *Clock, cell int) bool {
	w := s.last(cell)
	return w.when >= c.group || w.made() && s.scope == deviceMemory
}

// enough reports whether the kept reads of a cell conflict with every write that the read now would conflict with: then
// now need not be kept. simdgroupEpoch is the last barrier of the reader's simdgroup.
func enough(kept *[2]record, now *record, epoch, simdgroupEpoch uint32) bool {
	if kept[0].when < epoch || kept[1].when < epoch {
		return false
	}
	if !kept[0].together(&kept[1]) {
		return true
	}
	return kept[0].together(now) && kept[0].when >= simdgroupEpoch && kept[1].when >= simdgroupEpoch &&
		kept[0].thread() != kept[1].thread()
}

// read keeps a read. Of all reads of a cell two are kept: the last one, and one
// of another thread that a write may conflict with where it does not with the last, of
// another threadgroup or simdgroup if there was any.
func (s *shadow) read(c *Clock, kept *[2]record, now *record) {
	last := kept[0]
	kept[0] = *now
	alike := last.when >= c.group
	switch {
	case alike && (last.when < c.epoch[s.scope] || last.thread() == now.thread()):
		return
	case !alike && (!last.made() || s.scope == ThreadgroupMemory):
		return
	}
	old := &kept[1]
	elsewhere := old.made() && old.when < c.group && s.scope == deviceMemory
	if alike && (elsewhere || old.when >= c.epoch[s.scope] && !old.together(now)) {
		return
	}
	kept[1] = last
}
