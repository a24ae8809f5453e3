package codegen

import (
	"maps"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// SoloCompiler translates nodes.
type SoloCompiler struct {
	*Compiler
	Out       machine.Solo
	Registers map[ir.Reg]uint8
	passing   [machine.MaxSolo]bool // registers that one instruction sets and another reads
	reads     map[ir.Reg]int
	exits     map[any][]int // jumps to the end of a loop or block
	again     map[any][]int // jumps to the end of a loop's turn
	Failed    bool
	add       []SingleExtension
	Orders    func(n *ir.Loop) bool // something sees the order of a loop's blocks; nil: nothing does
}

// solo compiles what is left of the entry point for one thread, or gives nil.
func (c *Compiler) solo(nodes []ir.Node) *machine.Solo {
	o := &c.P.Options
	if !c.Does(machine.PassScalarInterpreter) || c.adversary != nil || o.Private || o.FlushSubnormals || o.SameValue {
		return nil
	}
	s := &SoloCompiler{Compiler: c, Registers: map[ir.Reg]uint8{}, reads: map[ir.Reg]int{}, exits: map[any][]int{},
		again: map[any][]int{}}
	for _, e := range c.extensions {
		add, ok := e.Single(s)
		if !ok {
			return nil
		}
		if add != nil {
			s.add = append(s.add, add)
		}
	}
	ir.Walk(nodes, func(n ir.Node) bool {
		for _, r := range machine.SoloReads(n) {
			s.reads[r]++
		}
		return true
	})
	s.list(nodes)
	s.land(s.exits, c.P.Kernel.Body[0])
	s.Emit(machine.SoloInstr{Op: machine.SoloEnd})
	if s.Failed {
		return nil
	}
	for _, r := range slices.Sorted(maps.Keys(s.Registers)) {
		if at := c.P.Slots[r]; at.Index >= 0 && c.P.Kernel.Regs[r].Kind != ir.Literal {
			s.Out.Given = append(s.Out.Given, machine.SoloInput{Register: s.Registers[r], From: at})
		}
		for _, x := range s.add {
			x.Given(r)
		}
	}
	s.Out.Notes = o.Check || o.Open
	c.solos = append(c.solos, &s.Out)
	return &s.Out
}

// Emit appends an instruction.
func (s *SoloCompiler) Emit(in machine.SoloInstr) { s.Out.Code = append(s.Out.Code, in) }

// Register numbers a register.
func (s *SoloCompiler) Register(r ir.Reg) uint8 {
	if n, ok := s.Registers[r]; ok {
		return n
	}
	n := len(s.Out.Initial)
	if n == machine.MaxSolo {
		s.Failed = true
		return 0
	}
	info := s.P.Kernel.Regs[r]
	initial := uint64(machine.Literal32(info))
	if s.Wide(r) {
		initial = machine.Literal64(info)
	}
	s.Out.Initial = append(s.Out.Initial, initial)
	s.passing[n] = info.Kind == ir.Temp && s.reads[r] == 1
	s.Registers[r] = uint8(n)
	return uint8(n)
}

// Wide reports whether a register has 64 bits.
func (s *SoloCompiler) Wide(r ir.Reg) bool { return s.P.Slots[r].Wide }

func (s *SoloCompiler) list(nodes []ir.Node) {
	for _, n := range nodes {
		if s.Failed {
			return
		}
		s.node(n)
	}
}

func (s *SoloCompiler) node(n ir.Node) {
	switch n := n.(type) {
	case *ir.Instr:
		s.instr(n)
	case *ir.If:
		s.note(n)
		for _, x := range s.add {
			x.Branch(n)
		}
		skip := s.unless(n.Cond)
		s.list(n.Then)
		if len(n.Else) > 0 {
			end := s.jump()
			s.here(skip)
			s.list(n.Else)
			skip = end
		}
		s.here(skip)
		for _, x := range s.add {
			x.Join(n)
		}
	case *ir.Loop:
		for _, x := range s.add {
			x.Construct(n, n.Cond)
		}
		s.loop(n)
	case *ir.Block:
		for _, x := range s.add {
			x.Construct(n, ir.None)
		}
		s.list(n.Body)
		s.land(s.exits, n)
	case *ir.Exit:
		switch {
		case n.Kind == ir.Continue:
			s.again[n.Loop] = append(s.again[n.Loop], s.jump())
		case n.Kind == ir.Break:
			s.exits[n.Loop] = append(s.exits[n.Loop], s.jump())
		default:
			s.exits[n.Block] = append(s.exits[n.Block], s.jump())
		}
	}
}

func (s *SoloCompiler) loop(n *ir.Loop) {
	head := s.early(n)
	turn := machine.SoloTurn{Search: s.search(n, head), Pos: n.Pos,
		Cost: machine.TurnCost + machine.Cost(n.Head) + machine.Cost(n.Body) + machine.Cost(n.Post)}
	runs, first, rest := s.tallied(n, head)
	turn.Runs = runs
	for _, run := range first {
		s.block(run)
	}
	if turn.Search != nil {
		s.Emit(machine.SoloInstr{Op: machine.SoloSearching})
	}
	turn.Top = int32(len(s.Out.Code))
	s.list(rest[0])
	if n.Cond != ir.None {
		s.exits[n] = append(s.exits[n], s.unless(n.Cond))
	}
	begins := len(s.Out.Code)
	s.list(rest[1])
	if turn.Search != nil {
		turn.Search.Branch = len(s.Out.Branches) - 1 // the last, if any are noted
	}
	s.land(s.again, n)
	s.list(rest[2])
	again := machine.SoloInstr{Op: machine.SoloAgain}
	if step := machine.OnlyInstr(n.Post); step != nil && !s.Failed {
		if last := len(s.Out.Code) - 1; s.Out.Code[last].Op == machine.SoloAdd { // what counts the turns
			again = s.Out.Code[last]
			again.Op, s.Out.Code = machine.SoloAddAgain, s.Out.Code[:last]
			first := s.Out.Code[turn.Top]
			switch {
			case turn.Search != nil:
				again.Op = machine.SoloSearchAgain
			case begins == int(turn.Top)+1 && first.Op == machine.SoloUnlessULt:
				again.Op, turn.A, turn.B = machine.SoloAddAgainULt, first.A, first.B
			}
		}
	}
	s.Out.Turns = append(s.Out.Turns, turn)
	again.At = int32(len(s.Out.Turns) - 1)
	if turn.Search != nil {
		s.Out.Code[turn.Top-1].At = again.At
	}
	s.Emit(again)
	s.land(s.exits, n)
}

// early compiles loads of constant memory that give the same in each turn of a loop, which are
// reached in any case, and gives what else its head has.
func (s *SoloCompiler) early(n *ir.Loop) (head []ir.Node) {
	others := false
	for _, node := range n.Head {
		in, ok := node.(*ir.Instr)
		if ok && in.Op == ir.Load && in.Mem.Space == syntax.Constant && !in.Mem.Volatile && !others &&
			s.fixed(n, in.Mem.Base) && s.fixed(n, in.Mem.Index) && s.P.Kernel.Regs[in.Dst[0]].Kind == ir.Temp {
			s.instr(in)
		} else {
			head = append(head, node)
			others = others || !ok || in.Op != machine.CounterOp
		}
	}
	return head
}

// fixed reports whether no turn of a loop sets a register.
func (s *SoloCompiler) fixed(n *ir.Loop, r ir.Reg) bool {
	return r == ir.None || !ir.Sets([]ir.Node{n}, r)
}

// jump emits a jump and gives its place; its target follows.
func (s *SoloCompiler) jump() int {
	s.Emit(machine.SoloInstr{Op: machine.SoloJump})
	return len(s.Out.Code) - 1
}

// here lets a jump lead here.
func (s *SoloCompiler) here(jump int) { s.Out.Code[jump].At = int32(len(s.Out.Code)) }

// land lets the jumps to a construct lead here.
func (s *SoloCompiler) land(jumps map[any][]int, to any) {
	for _, j := range jumps[to] {
		s.here(j)
	}
	delete(jumps, to)
}

// unless emits a jump for where a condition does not hold. A comparison in front of it that nothing
// else reads becomes part of it.
func (s *SoloCompiler) unless(cond ir.Reg) int {
	in := machine.SoloInstr{Op: machine.SoloUnless, A: s.Register(cond)}
	if last := len(s.Out.Code) - 1; last >= 0 && s.passing[in.A] {
		if compared := s.Out.Code[last]; compared.D == in.A && compared.Op >= machine.SoloEq &&
			compared.Op <= machine.SoloFLe {
			s.Out.Code = s.Out.Code[:last]
			in = compared
			in.Op += machine.SoloUnlessEq - machine.SoloEq
			s.pair(&in)
		}
	}
	s.Emit(in)
	return len(s.Out.Code) - 1
}

// pair makes the loads of two elements in front of a comparison that jumps part of it.
func (s *SoloCompiler) pair(in *machine.SoloInstr) {
	at := len(s.Out.Code) - 2
	if at < 0 || in.Op != machine.SoloUnlessFLt && in.Op != machine.SoloUnlessFLe || !s.passing[in.A] ||
		!s.passing[in.B] {
		return
	}
	p := machine.SoloPair{A: s.Out.Code[at], B: s.Out.Code[at+1]}
	if p.Later = p.A.D == in.B; p.Later {
		p.A, p.B = p.B, p.A
	}
	if p.A.Op != machine.SoloLoadElement || p.B.Op != machine.SoloLoadElement || p.A.D != in.A || p.B.D != in.B {
		return
	}
	s.Out.Code = s.Out.Code[:at]
	in.Op += machine.SoloUnlessFLtPair - machine.SoloUnlessFLt
	in.A, in.B, in.X = p.A.B, p.B.B, int32(len(s.Out.Pairs))
	s.Out.Pairs = append(s.Out.Pairs, p)
}

func (s *SoloCompiler) instr(in *ir.Instr) {
	s.specified(in)
	var behind []machine.SoloCall
	for _, x := range s.add {
		if x.Op(in) {
			return
		}
		if f := x.Instr(in); f != nil {
			behind = append(behind, f)
		}
	}
	switch in.Op {
	case ir.Nop:
	case ir.Copy:
		s.Emit(machine.SoloInstr{Op: machine.SoloCopy, D: s.Register(in.Dst[0]), A: s.Register(in.Args[0])})
	case ir.Convert:
		s.conversion(in)
	case ir.Load, ir.Store:
		s.transfer(in)
	case machine.CounterOp:
		s.block(machine.NumberOf(in))
	default:
		s.arithmetic(in)
	}
	for _, f := range behind {
		s.Call(f)
	}
}

// block emits that a block of instructions begins.
func (s *SoloCompiler) block(number int) {
	s.Out.Blocks = append(s.Out.Blocks, number)
	s.Emit(machine.SoloInstr{Op: machine.SoloTally, At: int32(len(s.Out.Blocks) - 1)})
}

// Call emits what an extension does.
func (s *SoloCompiler) Call(f machine.SoloCall) {
	s.Out.Calls = append(s.Out.Calls, f)
	s.Emit(machine.SoloInstr{Op: machine.SoloCalls, At: int32(len(s.Out.Calls) - 1)})
}

// Fork emits what an extension does that may go on elsewhere.
func (s *SoloCompiler) Fork(f func(m *machine.Machine) (next int)) {
	s.Out.Forks = append(s.Out.Forks, f)
	s.Emit(machine.SoloInstr{Op: machine.SoloForks, At: int32(len(s.Out.Forks) - 1)})
}

// specified gives up where an instruction may give a value that Metal leaves unspecified, if that is to
// be seen or replaced.
func (s *SoloCompiler) specified(in *ir.Instr) {
	if o := &s.P.Options; (o.Check || o.Open) && unspecifiedKind(s.P.Kernel, in) != "" {
		s.Failed = true
	}
}

// note notes which way a branch goes.
func (s *SoloCompiler) note(n *ir.If) {
	if o := &s.P.Options; o.Check || o.Open {
		s.Out.Branches = append(s.Out.Branches, machine.SoloBranch{Of: n})
		s.Emit(machine.SoloInstr{Op: machine.SoloNote, A: s.Register(n.Cond), At: int32(len(s.Out.Branches) - 1)})
	}
}

// tallied takes the runs out of the parts of a loop whose turns then count them: those of a turn, from its body to the
// head of the next, and those of the first head. Where accesses are looked at, they stay if something sees their order.
func (s *SoloCompiler) tallied(n *ir.Loop, head []ir.Node) (turn, first []int, rest [3][]ir.Node) {
	rest = [3][]ir.Node{head, n.Body, n.Post}
	if !analysis.Straight(head) || !analysis.Straight(n.Post) || analysis.HasExit(n.Body) ||
		s.Orders != nil && s.Orders(n) {
		return nil, nil, rest
	}
	var body, post []int
	first, rest[0] = machine.Tallies(head)
	body, rest[1] = machine.Tallies(n.Body)
	post, rest[2] = machine.Tallies(n.Post)
	return slices.Concat(body, post, first), first, rest
}

// finishSolos gives programs for one thread the numbers of their branches.
func (c *Compiler) finishSolos() {
	for _, s := range c.solos {
		for i := range s.Branches {
			s.Branches[i].Id = c.constructIDs[s.Branches[i].Of]
		}
	}
}

func (s *SoloCompiler) arithmetic(in *ir.Instr) {
	ops, ok := machine.SoloArithmetic[in.Op]
	kind := 0
	if ok {
		switch t := s.Typ(in.Args[0]); {
		case s.Wide(in.Args[0]):
			kind = 1
		case t == ir.F32 || t.IsFloat() && s.Typ(in.Dst[0]) == ir.Bool:
			kind = 2
		case t.IsFloat(): // rounds twice
			ok = false
		}
	}
	if !ok || ops[kind] == machine.SoloEnd {
		s.Failed = true
		return
	}
	s.Emit(machine.SoloInstr{Op: ops[kind], D: s.Register(in.Dst[0]), A: s.Register(in.Args[0]),
		B: s.Register(in.Args[1])})
}

func (s *SoloCompiler) conversion(in *ir.Instr) {
	d, a := s.Register(in.Dst[0]), s.Register(in.Args[0])
	if machine.SameLanes(in.From, in.To) || in.From == ir.U32 && s.Wide(in.Dst[0]) {
		s.Emit(machine.SoloInstr{Op: machine.SoloCopy, D: d, A: a})
		return
	}
	f := machine.Conversion(in.From, in.To)
	if !s.Wide(in.Dst[0]) {
		narrow := f
		f = func(v machine.Element) machine.Element { return machine.Element(uint32(narrow(v))) }
	}
	s.Out.Convert = append(s.Out.Convert, f)
	s.Emit(machine.SoloInstr{Op: machine.SoloConvert, D: d, A: a, At: int32(len(s.Out.Convert) - 1)})
}

// Place is where an access goes, and the register of its index; ok is false if that is not known.
func (s *SoloCompiler) Place(in *ir.Instr, write bool) (at machine.SoloMemory, index uint8, ok bool) {
	mem, own := in.Mem, in.Mem.Space == syntax.Thread
	size, known := int64(in.From.Size()), -1
	if !own {
		known = s.U.PointsInto(mem.Base, mem.Space)
	}
	base := s.P.Kernel.Regs[mem.Base]
	if own && (base.Kind != ir.Address || size != 4) || !own && known < 0 || size > 4 {
		s.Failed = true
		return at, 0, false
	}
	at = machine.SoloMemory{Access: &machine.MemoryAccess{In: in, Size: size, Write: write}, Object: known,
		Disp: mem.Disp}
	if own {
		at.Object, at.First, at.Size = base.Index, int64(s.P.PrivateBase[base.Index]),
			int64(s.P.Kernel.Objects[base.Index].Size)/4
	} else {
		at.Origin = s.origin(known)
	}
	if mem.Index != ir.None {
		index, at.Scale, at.Signed = s.Register(mem.Index), mem.Scale, mem.IndexSigned && !s.Wide(mem.Index)
	}
	return at, index, true
}

// transfer compiles a load or a store of elements of up to 32 bits.
func (s *SoloCompiler) transfer(in *ir.Instr) {
	mem, own, size := in.Mem, in.Mem.Space == syntax.Thread, in.From.Size()
	at, index, ok := s.Place(in, in.Op == ir.Store)
	if !ok {
		return
	}
	plain := mem.Index == ir.None || !at.Signed && !s.Wide(mem.Index)
	op, values, seen := machine.SoloLoad, in.Dst, false
	if in.Op == ir.Store {
		op, values, seen = machine.SoloStore, in.Args, !own || s.Punned(at.Object)
		at.Encode = machine.Encode32(in.From)
	} else {
		at.Decode = machine.Decode32(in.From)
	}
	switch {
	case own && plain && at.Scale == 4 && mem.Disp == 0 && len(values) == 1:
		op += machine.SoloLoadElement - machine.SoloLoad
	case own:
		op += machine.SoloLoadOwn - machine.SoloLoad
	case plain && op == machine.SoloLoad && size == 4:
		op = machine.SoloLoadWord
	}
	for k, r := range values {
		at.Disp, at.Quiet = mem.Disp+int64(k)*int64(size), seen && s.Made[r] && s.Typ(r).IsFloat()
		s.Out.Memory = append(s.Out.Memory, at)
		access := machine.SoloInstr{Op: op, D: s.Register(r), A: s.Register(mem.Base), B: index,
			At: int32(len(s.Out.Memory) - 1), X: int32(at.First), Y: int32(at.Size)}
		for _, x := range s.add {
			x.Access(in, k, access)
		}
		s.Emit(access)
	}
}
