package machine

import "metalconform/metalrun/internal/syntax"

// Events are kinds of events that an observer may want to see. A machine reports no events that none of its observers
// wants.
type Events uint8

// Kinds of events.
const (
	Branches Events = 1 << iota // which arms of branches threads take
	Loops                       // loops and their iterations
	Blocks                      // blocks of instructions
	Accesses                    // accesses to memory
	Order                       // blocks and accesses in the order of execution
)

// Observer sees what the threads of a machine do. It has its own state and changes nothing that threads see.
type Observer interface {
	// Enter begins a threadgroup, or the machine's part of it: private memory is unwritten.
	Enter(m *Machine)
	// Begin follows Enter if the machine runs whole threadgroups, and gives the number of the threadgroup in the grid.
	// End follows a threadgroup that does not fault.
	Begin(m *Machine, number int)
	End(m *Machine)
	// Finish follows the last threadgroup that the machine runs in a launch.
	Finish(m *Machine)
	// Branch is a decision of some threads: which of them take the branch with the number id.
	Branch(m *Machine, id int, taken []uint32, threads int)
	// Loop and LoopEnd enclose the iterations of a loop; Iteration begins each but the first.
	Loop(m *Machine, pos syntax.Pos)
	Iteration(m *Machine)
	LoopEnd(m *Machine)
	// Blocks are the numbers of blocks of instructions that the active threads execute, each so many times.
	Blocks(m *Machine, blocks []int, times int)
	// Unspecified is a hit: a lane gets a value that Metal does not specify.
	Unspecified(m *Machine, site Choice, does, what string, lane int)
	// Where says where the active threads are, for faults; "" if the observer does not know.
	Where(m *Machine) string
}

// NoObserver ignores all events. Observers embed it for the events that they ignore.
type NoObserver struct{}

// Enter sees nothing.
func (NoObserver) Enter(*Machine) {}

// Begin sees nothing.
func (NoObserver) Begin(*Machine, int) {}

// End sees nothing.
func (NoObserver) End(*Machine) {}

// Finish sees nothing.
func (NoObserver) Finish(*Machine) {}

// Branch sees nothing.
func (NoObserver) Branch(*Machine, int, []uint32, int) {}

// Loop sees nothing.
func (NoObserver) Loop(*Machine, syntax.Pos) {}

// Iteration sees nothing.
func (NoObserver) Iteration(*Machine) {}

// LoopEnd sees nothing.
func (NoObserver) LoopEnd(*Machine) {}

// Blocks sees nothing.
func (NoObserver) Blocks(*Machine, []int, int) {}

// Unspecified sees nothing.
func (NoObserver) Unspecified(*Machine, Choice, string, string, int) {}

// Where sees nothing.
func (NoObserver) Where(*Machine) string { return "" }

// observing are the observers of a machine.
type observing struct {
	observers []Observer
	Seen      Events // what they want to see
}

// Observe adds an observer that wants to see some events.
func (m *Machine) Observe(o Observer, wants Events) {
	m.observers, m.Seen = append(m.observers, o), m.Seen|wants
}

// sees reports whether an observer wants to see any of some events.
func (m *Machine) sees(e Events) bool { return m.Seen&e != 0 }

// branched tells observers of a decision.
func (m *Machine) branched(id int, taken []uint32, threads int) {
	for _, o := range m.observers {
		o.Branch(m, id, taken, threads)
	}
}

func (m *Machine) loopBegins(pos syntax.Pos) {
	if m.sees(Loops) {
		for _, o := range m.observers {
			o.Loop(m, pos)
		}
	}
}

func (m *Machine) iterates() {
	if m.sees(Loops) {
		for _, o := range m.observers {
			o.Iteration(m)
		}
	}
}

func (m *Machine) loopEnds() {
	if m.sees(Loops) {
		for _, o := range m.observers {
			o.LoopEnd(m)
		}
	}
}

// Take tells observers of blocks that the active threads execute.
func (m *Machine) Take(blocks []int, times int) {
	if len(blocks) == 0 || times == 0 || !m.sees(Blocks) {
		return
	}
	for _, o := range m.observers {
		o.Blocks(m, blocks, times)
	}
}

// Hit tells observers that a lane gets an unspecified value.
func (m *Machine) Hit(site Choice, does, what string, lane int) {
	for _, o := range m.observers {
		o.Unspecified(m, site, does, what, lane)
	}
}

// where says where the active threads are, if an observer knows.
func (m *Machine) where() string {
	for _, o := range m.observers {
		if at := o.Where(m); at != "" {
			return at
		}
	}
	return ""
}

// Finish tells observers that the machine has run its last threadgroup.
func (m *Machine) Finish() {
	for _, o := range m.observers {
		o.Finish(m)
	}
}

// StateSlot is where an extension keeps its state of a machine or of a program.
type StateSlot int

// maxSlots is the greatest number of extensions.
const maxSlots = 4

var slotsTaken StateSlot

// NewStateSlot reserves a slot, when a package is initialised.
func NewStateSlot() StateSlot {
	if slotsTaken++; slotsTaken > maxSlots {
		panic("machine: too many extensions")
	}
	return slotsTaken - 1
}

// states are those of extensions, by their slots.
type states [maxSlots]any

// Attachment is what an extension adds to the launches of a program.
type Attachment interface {
	// Bind prepares the buffers of a launch. Attach gives a machine for a launch its state and its observers.
	Bind(p *Program, l *Dispatch, table []Memory)
	Attach(m *Machine)
	// Runner is another way to run the threadgroups of a launch; ok is false if there is none.
	Runner(p *Program, l *Dispatch, buffers []Memory) (run GroupRunner, machines func() []*Machine, ok bool)
}
