package sanitize

import (
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Finding is what a check saw in a launch, which ran to its end or up to a fault.
type Finding struct {
	Check Check
	Msg   string // one lower-case clause, with the order or the value that is missing
	Party
	Other  *Party          // the other access, or where the memory is declared; nil if there is none
	Object *machine.Object // of a race, or of what is read before it is written; nil: of no object
	Among  Scope           // of a race
	Grade  Grade
	Trials []Trial

	object, vector int // of a race: in which object, and the bytes of the vectors to whose components both store, or 0

	disorder bool // a race of atomics, which is none if no result changes
}

// Party is one side of a finding: a position in the source, and the thread that
// was there.
type Party struct {
	Pos           syntax.Pos
	Does          string       // such as "write", "declaration"
	Thread, Group machine.Size // positions in the threadgroup and in the grid; not of a declaration
}

// Scope is the least group that has both parties of a race: what would have to be in order.
type Scope string

// Scopes.
const (
	Threads      Scope = "threads"      // of a simdgroup
	Simdgroups   Scope = "simdgroups"   // of a threadgroup
	Threadgroups Scope = "threadgroups" // of a launch
)

// Check names a kind of finding.
type Check string

// Checks.
const (
	Race          Check = "race"          // two threads access memory, one of them writes, and nothing orders them
	Uninitialised Check = "uninitialised" // memory that nobody has written reaches an output or a branch
	Inactive      Check = "inactive"      // so does the value of a lane that is not active
	// so does a division by zero, or a float that is no number of the integer type
	Undefined   Check = "undefined"
	NotFinite   Check = "fastmath" // so does what fast math makes of a NaN or an infinity
	EarlyReturn Check = "return"   // some threads have returned before a barrier: fine on Apple GPUs alone
)

// mostFindings bounds what a launch reports.
const mostFindings = 32

// findings are those of one launch, each pair of positions once.
type findings struct {
	List   []Finding
	seen   map[findingKey]bool
	recent [4]findingKey // made or found again, the last first: most repeat in a loop
}

type findingKey struct {
	check     Check
	pos, with syntax.Pos
	object    int
}

// add reports a finding about an object: only the first between two positions
// counts.
func (f *findings) add(object int, x Finding) {
	key := findingKey{check: x.Check, pos: x.Pos, object: object}
	if x.Other != nil {
		key.with = x.Other.Pos
	}
	if f.fresh(key) {
		f.List = append(f.List, x)
	}
}

// fresh reports whether a finding is new and there is room for it, and marks it as
// made.
func (f *findings) fresh(key findingKey) bool {
	if f.full() {
		return false
	}
	for i := range f.recent {
		if f.recent[i] == key {
			return false
		}
	}
	if f.seen[key] {
		f.remember(key)
		return false
	}
	if f.seen == nil {
		f.seen = map[findingKey]bool{}
	}
	f.seen[key] = true
	f.remember(key)
	return true
}

// full reports whether there is no room for another finding.
func (f *findings) full() bool { return len(f.seen) == mostFindings }

// remember puts a key ahead of the recent ones.
func (f *findings) remember(key findingKey) {
	copy(f.recent[1:], f.recent[:])
	f.recent[0] = key
}

// party is a lane of the threadgroup that runs.
func party(m *machine.Machine, pos syntax.Pos, does string, lane int) Party {
	return Party{Pos: pos, Does: does, Thread: m.Thread(lane), Group: m.Group}
}

// declaration is where an object of a machine is declared.
func declaration(p *machine.Program, object int) syntax.Pos {
	if object >= analysis.FirstStatic {
		return p.Kernel.Objects[object-analysis.FirstStatic].Pos
	}
	for _, a := range p.Kernel.Args {
		if a.Threadgroup && a.Index == object-analysis.FirstThreadgroup || !a.Threadgroup && a.Index == object {
			return a.Pos
		}
	}
	return p.Kernel.Pos
}
