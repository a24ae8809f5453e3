package simt

import "metalconform/metalrun/internal/syntax"

// Events are kinds of what threads do that an observer may want to see. A machine asks nobody about what none of its
// observers wants.
type Events uint8

// Kinds of events.
const (
	Branches Events = 1 << iota // which way threads go
	Loops                       // loops that they are in, and iterations of these
	Blocks                      // blocks of instructions that they execute
	Accesses                    // accesses to memory
	Order                       // blocks and accesses in the order in which they come
)

// Observer sees what the threads of a machine do. It has state of its own and changes nothing that they see.
type Observer interface {
	// Enter begins a threadgroup, or the machine's part of it: private memory holds what nobody has written.
	Enter(m *machine)
	// Begin follows Enter where the machine runs whole threadgroups, and says which of the grid it is. End ends it unless it faults.
	Begin(m *machine, number int)
	End(m *machine)
	// Finish says that the machine runs no more threadgroups of its launch.
	Finish(m *machine)
	// Branch is a decision of so many threads, and which of them take the branch with that number.
	Branch(m *machine, id int, taken []uint32, threads int)
	// Loop and LoopEnd enclose the iterations of a loop; Iteration begins each but the first.
	Loop(m *machine, pos syntax.Pos)
	Iteration(m *machine)
	LoopEnd(m *machine)
	// Blocks are blocks of instructions that the active threads execute so many times, by their numbers.
	Blocks(m *machine, blocks []int, times int)
	// Unspecified is a value that Metal does not specify, and that a lane gets at a site.
	Unspecified(m *machine, site Choice, does, what string, lane int)
	// Where says where the active threads are, for faults; "" if it does not know.
	Where(m *machine) string
}

// NoObserver sees nothing. Observers embed it for what they do not look at.
type NoObserver struct{}

// Enter, and whatever else there is to see.
func (NoObserver) Enter(*machine)                                    {}
func (NoObserver) Begin(*machine, int)                               {}
func (NoObserver) End(*machine)                                      {}
func (NoObserver) Finish(*machine)                                   {}
func (NoObserver) Branch(*machine, int, []uint32, int)               {}
func (NoObserver) Loop(*machine, syntax.Pos)                         {}
func (NoObserver) Iteration(*machine)                                {}
func (NoObserver) LoopEnd(*machine)                                  {}
func (NoObserver) Blocks(*machine, []int, int)                       {}
func (NoObserver) Unspecified(*machine, Choice, string, string, int) {}
func (NoObserver) Where(*machine) string                             { return "" }

// observing is who observes a machine.
type observing struct {
	observers []Observer
	seen      Events // what they want to see
}

// observe adds an observer that wants to see some events.
func (m *machine) observe(o Observer, wants Events) {
	m.observers, m.seen = append(m.observers, o), m.seen|wants
}

// sees reports whether an observer wants to see any of some events.
func (m *machine) sees(e Events) bool { return m.seen&e != 0 }

// branched tells observers of a decision.
func (m *machine) branched(id int, taken []uint32, threads int) {
	for _, o := range m.observers {
		o.Branch(m, id, taken, threads)
	}
}

func (m *machine) loopBegins(pos syntax.Pos) {
	if m.sees(Loops) {
		for _, o := range m.observers {
			o.Loop(m, pos)
		}
	}
}

func (m *machine) iterates() {
	if m.sees(Loops) {
		for _, o := range m.observers {
			o.Iteration(m)
		}
	}
}

func (m *machine) loopEnds() {
	if m.sees(Loops) {
		for _, o := range m.observers {
			o.LoopEnd(m)
		}
	}
}

// take tells observers of blocks that the active threads execute so many times.
func (m *machine) take(blocks []int, times int) {
	if len(blocks) == 0 || times == 0 || !m.sees(Blocks) {
		return
	}
	for _, o := range m.observers {
		o.Blocks(m, blocks, times)
	}
}

// hit tells observers of an unspecified value that a lane gets.
func (m *machine) hit(site Choice, does, what string, lane int) {
	for _, o := range m.observers {
		o.Unspecified(m, site, does, what, lane)
	}
}

// where says where the active threads are, if an observer knows.
func (m *machine) where() string {
	for _, o := range m.observers {
		if at := o.Where(m); at != "" {
			return at
		}
	}
	return ""
}

// finish tells observers that there is no more to see.
func (m *machine) finish() {
	for _, o := range m.observers {
		o.Finish(m)
	}
}

// StateSlot is where an extension keeps its state of a machine or of a program.
type StateSlot int

// maxSlots is how many extensions there may be.
const maxSlots = 4

var slotsTaken StateSlot

// newStateSlot reserves a slot, when a package is initialised.
func newStateSlot() StateSlot {
	if slotsTaken++; slotsTaken > maxSlots {
		panic("machine: too many extensions")
	}
	return slotsTaken - 1
}

// states are those of extensions, by their slots.
type states [maxSlots]any
