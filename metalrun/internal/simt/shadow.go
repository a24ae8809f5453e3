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
// Metal has no acquiring and releasing atomics by which threads could meet.
type shadow struct {
	place     int
	space     fenced
	log       uint // of the bytes of a cell
	undefined bool // what this launch has not written means nothing
	writes    []record
	reads     [][2]record // empty if the kernel does not read the object
}

// fenced is memory that the flags of a barrier name.
type fenced uint8

const (
	threadgroupMemory fenced = iota
	deviceMemory
)

func (f fenced) String() string { return [...]string{"threadgroup", "device"}[f] }

// record is one access to a cell.
type record struct {
	group uint32 // number of the threadgroup, from 1; 0: there was none
	epoch uint32 // barriers of the threadgroup that order the memory and were passed before
	turn  uint32 // likewise those of the simdgroup
	who   uint32 // thread, and site above it
}

const threadBits = 10 // MaxThreads

func (r *record) thread() int { return int(r.who & (1<<threadBits - 1)) }
func (r *record) site() int   { return int(r.who >> threadBits) }

// clock counts the barriers that a threadgroup has passed, by the memory that
// they order.
type clock struct {
	group uint32
	epoch [2]uint32
	turns [2][MaxThreads / Simdgroup]uint32
}

// record is the access of a lane now.
func (c *clock) record(s fenced, lane int, site uint32) record {
	return record{c.group, c.epoch[s], c.turns[s][lane/Simdgroup], site<<threadBits | uint32(lane)}
}

// ordered reports whether an access is ordered before what a lane does now.
func (c *clock) ordered(r *record, s fenced, lane int) bool {
	switch {
	case r.group != c.group:
		return s == threadgroupMemory || r.group == 0 // threadgroup memory is new to each threadgroup
	case r.epoch != c.epoch[s] || r.thread() == lane:
		return true
	}
	return r.thread()/Simdgroup == lane/Simdgroup && r.turn != c.turns[s][lane/Simdgroup]
}

// written reports whether the cell holds what somebody stored.
func (s *shadow) written(c *clock, cell int) bool {
	g := s.writes[cell].group
	return g == c.group || g != 0 && s.space == deviceMemory
}

// read remembers a read. Of all reads of a cell two are kept: the last one, and
// one of another thread that a write may conflict with where it does not with the
// last, of another threadgroup or simdgroup if there was any.
func (s *shadow) read(c *clock, cell int, now record) {
	kept := &s.reads[cell]
	last := kept[0]
	kept[0] = now
	switch {
	case last.group == 0 || last.group == now.group && (last.thread() == now.thread() || last.epoch != now.epoch):
		return
	case last.group != now.group && s.space == threadgroupMemory:
		return
	}
	old := &kept[1]
	current := old.group == now.group && old.epoch == now.epoch
	elsewhere := old.group != 0 && old.group != now.group && s.space == deviceMemory
	if last.group == now.group && (elsewhere || current && old.thread()/Simdgroup != now.thread()/Simdgroup) {
		return
	}
	kept[1] = last
}
