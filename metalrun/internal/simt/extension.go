package simt

import "metalconform/metalrun/internal/ir"

// Extension adds something to the programs that are compiled, and to the machines that run them.
type Extension interface {
	// Source is the kernel as it is compiled, before anything is chosen or rewritten. Instrument is the kernel with
	// operations of the extension's own among the others.
	Source(p *program, k *ir.Kernel) *ir.Kernel
	Instrument(p *program, k *ir.Kernel) *ir.Kernel
	// Begin comes before the first instruction is compiled, and Finish behind the last.
	Begin(c *compiler)
	Finish(c *compiler)
	// Instr compiles an instruction by (*compiler).value and what the extension adds in front of it and behind; it is false
	// where the extension adds nothing.
	Instr(c *compiler, in *ir.Instr) bool
	// Op compiles an operation of the extension's own, and reports whether it is one.
	Op(c *compiler, in *ir.Instr) bool
	// Before and After are the same for what has to be next to the instruction itself.
	Before(c *compiler, in *ir.Instr)
	After(c *compiler, in *ir.Instr)
	// If wraps a compiled branch on a condition, whose construct has that number; Leave a function or a loop.
	If(c *compiler, n *ir.If, cond slot, id int, inside node) node
	Leave(c *compiler, n ir.Node, id int, inside node) node
	// Test is what a loop does in front of its test, Counted another form of a loop that a counter ends; nil: nothing, none.
	Test(c *compiler, n *ir.Loop) op
	Counted(c *compiler, l *counted, n *ir.Loop) node
	// Single is what the extension adds to a program for one thread; ok is false where it cannot.
	Single(s *soloCompiler) (add SingleExtension, ok bool)

	// Bind readies the buffers of a launch, and Attach a machine for one: it gets its state and its observers.
	Bind(p *program, l *dispatch, table []memory)
	Attach(m *machine)
	// Runner is another way to run the threadgroups of a launch; ok is false where there is none.
	Runner(p *program, l *dispatch, buffers []memory) (run groupRunner, machines func() []*machine, ok bool)
}

// SingleExtension is what an extension adds to a program for one thread that is being compiled.
type SingleExtension interface {
	// Given is told of each register that has a value when the program begins, and Enter of programs that begin.
	Given(r ir.Reg)
	// Instr adds what comes in front of an instruction that is no access, and gives what comes behind it; nil: nothing.
	Instr(in *ir.Instr) (behind soloCall)
	// Access adds what comes in front of an access to element k.
	Access(in *ir.Instr, k int, access soloInstr)
	// Construct is told of loops and functions, Branch and Join of the beginning and the end of a branch.
	Construct(n ir.Node, cond ir.Reg)
	Branch(n *ir.If)
	Join(n *ir.If)
	// Op compiles an operation of the extension's own, and reports whether it is one.
	Op(in *ir.Instr) bool
	// Search says how a search goes whose comparisons the extension has a say in; ok is false if it cannot be done at once.
	Search(q *soloSearch, s *searchedRegisters) (how SearchExtension, ok bool)
}

// searchedRegisters are the registers of a search.
type searchedRegisters struct {
	counter, limit, best ir.Reg // best is the index of the best element
	compared             ir.Reg
	element, held        ir.Reg // what is loaded of arrays, and how
	elementAt, heldAt    *ir.Mem
}

// SearchExtension does the turns of a search.
type SearchExtension interface {
	// Suits reports whether they can be done at once.
	Suits(m *machine) bool
	// Run does turns up to the one before end, and gives where it has come to, the index found and how often it was set.
	Run(m *machine, from, end, best int) (at, found, changes int)
	// Found says that the search has set the index.
	Found(m *machine, found int)
}

// NoExtension adds nothing. Extensions embed it for what they do not add.
type NoExtension struct{}

// Source, and whatever else there is to add.
func (NoExtension) Source(_ *program, k *ir.Kernel) *ir.Kernel     { return k }
func (NoExtension) Instrument(_ *program, k *ir.Kernel) *ir.Kernel { return k }
func (NoExtension) Begin(*compiler)                                {}
func (NoExtension) Finish(*compiler)                               {}
func (NoExtension) Instr(*compiler, *ir.Instr) bool                { return false }
func (NoExtension) Op(*compiler, *ir.Instr) bool                   { return false }
func (NoExtension) Before(*compiler, *ir.Instr)                    {}
func (NoExtension) After(*compiler, *ir.Instr)                     {}
func (NoExtension) If(_ *compiler, _ *ir.If, _ slot, _ int, inside node) node {
	return inside
}
func (NoExtension) Leave(_ *compiler, _ ir.Node, _ int, inside node) node { return inside }
func (NoExtension) Test(*compiler, *ir.Loop) op                           { return nil }
func (NoExtension) Counted(*compiler, *counted, *ir.Loop) node            { return nil }
func (NoExtension) Single(*soloCompiler) (SingleExtension, bool)          { return nil, true }
func (NoExtension) Bind(*program, *dispatch, []memory)                    {}
func (NoExtension) Attach(*machine)                                       {}
func (NoExtension) Runner(*program, *dispatch, []memory) (groupRunner, func() []*machine, bool) {
	return nil, nil, false
}

// NoSingle adds nothing to programs for one thread. Extensions embed it for what they do not add.
type NoSingle struct{}

// Given, and whatever else there is to add.
func (NoSingle) Given(ir.Reg)                                                   {}
func (NoSingle) Instr(*ir.Instr) soloCall                                       { return nil }
func (NoSingle) Access(*ir.Instr, int, soloInstr)                               {}
func (NoSingle) Construct(ir.Node, ir.Reg)                                      {}
func (NoSingle) Branch(*ir.If)                                                  {}
func (NoSingle) Join(*ir.If)                                                    {}
func (NoSingle) Op(*ir.Instr) bool                                              { return false }
func (NoSingle) Search(*soloSearch, *searchedRegisters) (SearchExtension, bool) { return nil, true }
