package codegen

import (
	"maps"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// ScalarCompiler translates nodes to a scalar program.
type ScalarCompiler struct {
	*Compiler
	Out       machine.ScalarProgram
	Registers map[ir.Reg]uint8
	passing   [machine.MaxScalarRegisters]bool // registers that one instruction sets and another reads
	reads     map[ir.Reg]int
	exits     map[any][]int // jumps to the end of a loop or block
	again     map[any][]int // jumps to the end of an iteration
	Failed    bool
	add       []SingleExtension
	Orders    func(n *ir.Loop) bool // an extension sees the order of blocks of a loop; nil: none does
}

// scalarProgram compiles the rest of the entry point for single-lane mode, or gives nil if it cannot.
func (c *Compiler) scalarProgram(nodes []ir.Node) *machine.ScalarProgram {
	o := &c.P.Options
	if !c.Does(machine.PassScalarInterpreter) || c.adversary != nil || o.Private || o.FlushSubnormals || o.SameValue {
		return nil
	}
	s := &ScalarCompiler{Compiler: c, Registers: map[ir.Reg]uint8{}, reads: map[ir.Reg]int{}, exits: map[any][]int{},
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
		for _, r := range machine.NodeReads(n) {
			s.reads[r]++
		}
		return true
	})
	s.list(nodes)
	s.land(s.exits, c.P.Kernel.Body[0])
	s.Emit(machine.ScalarInstr{Op: machine.SingleEnd})
	if s.Failed {
		return nil
	}
	for _, r := range slices.Sorted(maps.Keys(s.Registers)) {
		if at := c.P.Slots[r]; at.Index >= 0 && c.P.Kernel.Regs[r].Kind != ir.Literal {
			s.Out.Given = append(s.Out.Given, machine.ScalarInput{Register: s.Registers[r], From: at})
		}
		for _, x := range s.add {
			x.Given(r)
		}
	}
	s.Out.Notes = o.Check || o.Open
	c.scalarPrograms = append(c.scalarPrograms, &s.Out)
	return &s.Out
}

// Emit appends an instruction.
func (s *ScalarCompiler) Emit(in machine.ScalarInstr) { s.Out.Code = append(s.Out.Code, in) }

// Register numbers a register.
func (s *ScalarCompiler) Register(r ir.Reg) uint8 {
	if n, ok := s.Registers[r]; ok {
		return n
	}
	n := len(s.Out.Initial)
	if n == machine.MaxScalarRegisters {
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
func (s *ScalarCompiler) Wide(r ir.Reg) bool { return s.P.Slots[r].Wide }

func (s *ScalarCompiler) list(nodes []ir.Node) {
	for _, n := range nodes {
		if s.Failed {
			return
		}
		s.node(n)
	}
}

func (s *ScalarCompiler) node(n ir.Node) {
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

func (s *ScalarCompiler) loop(n *ir.Loop) {
	head := s.early(n)
	iteration := machine.ScalarLoop{Argmin: s.argmin(n, head), Pos: n.Pos,
		Cost: machine.IterationCost + machine.Cost(n.Head) + machine.Cost(n.Body) + machine.Cost(n.Post)}
	runs, first, rest := s.withoutCounters(n, head)
	iteration.Runs = runs
	for _, run := range first {
		s.block(run)
	}
	if iteration.Argmin != nil {
		s.Emit(machine.ScalarInstr{Op: machine.SingleArgmin})
	}
	iteration.Top = int32(len(s.Out.Code))
	s.list(rest[0])
	if n.Cond != ir.None {
		s.exits[n] = append(s.exits[n], s.unless(n.Cond))
	}
	begins := len(s.Out.Code)
	s.list(rest[1])
	if iteration.Argmin != nil {
		iteration.Argmin.Branch = len(s.Out.Branches) - 1 // the last, if any are noted
	}
	s.land(s.again, n)
	s.list(rest[2])
	again := machine.ScalarInstr{Op: machine.SingleAgain}
	if step := machine.OnlyInstr(n.Post); step != nil && !s.Failed {
		if last := len(s.Out.Code) - 1; s.Out.Code[last].Op == machine.SingleAdd { // steps the counter
			again = s.Out.Code[last]
			again.Op, s.Out.Code = machine.SingleAddAgain, s.Out.Code[:last]
			first := s.Out.Code[iteration.Top]
			switch {
			case iteration.Argmin != nil:
				again.Op = machine.SingleArgminAgain
			case begins == int(iteration.Top)+1 && first.Op == machine.SingleUnlessULt:
				again.Op, iteration.A, iteration.B = machine.SingleAddAgainULt, first.A, first.B
			}
		}
	}
	s.Out.Loops = append(s.Out.Loops, iteration)
	again.At = int32(len(s.Out.Loops) - 1)
	if iteration.Argmin != nil {
		s.Out.Code[iteration.Top-1].At = again.At
	}
	s.Emit(again)
	s.land(s.exits, n)
}

// early compiles the loads of the head of a loop that give the same constant in each iteration, and gives the rest of
// the head. Such loads are reached even if the loop has no iteration.
func (s *ScalarCompiler) early(n *ir.Loop) (head []ir.Node) {
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

// fixed reports whether no iteration of a loop sets a register.
func (s *ScalarCompiler) fixed(n *ir.Loop, r ir.Reg) bool {
	return r == ir.None || !ir.Sets([]ir.Node{n}, r)
}

// jump emits a jump and gives its index. The caller sets its target later.
func (s *ScalarCompiler) jump() int {
	s.Emit(machine.ScalarInstr{Op: machine.SingleJump})
	return len(s.Out.Code) - 1
}

// here sets the target of a jump to the next instruction.
func (s *ScalarCompiler) here(jump int) { s.Out.Code[jump].At = int32(len(s.Out.Code)) }

// land sets the target of the jumps to a construct to the next instruction.
func (s *ScalarCompiler) land(jumps map[any][]int, to any) {
	for _, j := range jumps[to] {
		s.here(j)
	}
	delete(jumps, to)
}

// unless emits a jump that is taken if a condition does not hold. The comparison before it becomes part of the jump if
// nothing else reads its result.
func (s *ScalarCompiler) unless(cond ir.Reg) int {
	in := machine.ScalarInstr{Op: machine.SingleUnless, A: s.Register(cond)}
	if last := len(s.Out.Code) - 1; last >= 0 && s.passing[in.A] {
		if compared := s.Out.Code[last]; compared.D == in.A && compared.Op >= machine.SingleEq &&
			compared.Op <= machine.SingleFLe {
			s.Out.Code = s.Out.Code[:last]
			in = compared
			in.Op += machine.SingleUnlessEq - machine.SingleEq
			s.pairLoads(&in)
		}
	}
	s.Emit(in)
	return len(s.Out.Code) - 1
}

// pairLoads makes the loads of two elements part of the jump that compares them.
func (s *ScalarCompiler) pairLoads(in *machine.ScalarInstr) {
	at := len(s.Out.Code) - 2
	if at < 0 || in.Op != machine.SingleUnlessFLt && in.Op != machine.SingleUnlessFLe || !s.passing[in.A] ||
		!s.passing[in.B] {
		return
	}
	p := machine.ScalarPair{A: s.Out.Code[at], B: s.Out.Code[at+1]}
	if p.Later = p.A.D == in.B; p.Later {
		p.A, p.B = p.B, p.A
	}
	if p.A.Op != machine.SingleLoadElement || p.B.Op != machine.SingleLoadElement || p.A.D != in.A || p.B.D != in.B {
		return
	}
	s.Out.Code = s.Out.Code[:at]
	in.Op += machine.SingleUnlessFLtPair - machine.SingleUnlessFLt
	in.A, in.B, in.X = p.A.B, p.B.B, int32(len(s.Out.Pairs))
	s.Out.Pairs = append(s.Out.Pairs, p)
}

func (s *ScalarCompiler) instr(in *ir.Instr) {
	s.specified(in)
	var behind []machine.ScalarCall
	for _, x := range s.add {
		if x.Op(in) {
			return
		}
		if f := x.Instr(in); f != nil {
			behind = append(behind, f)
		}
	}
	switch in.Op {
	case ir.Nop, ir.Cover:
	case ir.Copy:
		s.Emit(machine.ScalarInstr{Op: machine.SingleCopy, D: s.Register(in.Dst[0]), A: s.Register(in.Args[0])})
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

// block emits the counter of a block of instructions.
func (s *ScalarCompiler) block(number int) {
	s.Out.Blocks = append(s.Out.Blocks, number)
	s.Emit(machine.ScalarInstr{Op: machine.SingleCount, At: int32(len(s.Out.Blocks) - 1)})
}

// Call emits what an extension does.
func (s *ScalarCompiler) Call(f machine.ScalarCall) {
	s.Out.Calls = append(s.Out.Calls, f)
	s.Emit(machine.ScalarInstr{Op: machine.SingleCalls, At: int32(len(s.Out.Calls) - 1)})
}

// Fork emits a call of an extension that may jump.
func (s *ScalarCompiler) Fork(f func(m *machine.Machine) (next int)) {
	s.Out.Forks = append(s.Out.Forks, f)
	s.Emit(machine.ScalarInstr{Op: machine.SingleForks, At: int32(len(s.Out.Forks) - 1)})
}

// specified gives up if an instruction may give an unspecified value that has to be reported or replaced.
func (s *ScalarCompiler) specified(in *ir.Instr) {
	if o := &s.P.Options; (o.Check || o.Open) && unspecifiedKind(s.P.Kernel, in) != "" {
		s.Failed = true
	}
}

// note emits that observers see a branch.
func (s *ScalarCompiler) note(n *ir.If) {
	if o := &s.P.Options; o.Check || o.Open {
		s.Out.Branches = append(s.Out.Branches, machine.ScalarBranch{Of: n})
		s.Emit(machine.ScalarInstr{Op: machine.SingleNote, A: s.Register(n.Cond), At: int32(len(s.Out.Branches) - 1)})
	}
}

// withoutCounters takes the counters out of the parts of a loop, so that the end of each iteration counts their runs.
// iteration has the runs from the body of an iteration to the head of the next, first those of the first head. The
// counters stay if an extension sees their order.
// order.
func (s *ScalarCompiler) withoutCounters(n *ir.Loop, head []ir.Node) (iteration, first []int, rest [3][]ir.Node) {
	rest = [3][]ir.Node{head, n.Body, n.Post}
	if !analysis.Straight(head) || !analysis.Straight(n.Post) || analysis.HasExit(n.Body) ||
		s.Orders != nil && s.Orders(n) {
		return nil, nil, rest
	}
	var body, post []int
	first, rest[0] = machine.SplitCounters(head)
	body, rest[1] = machine.SplitCounters(n.Body)
	post, rest[2] = machine.SplitCounters(n.Post)
	return slices.Concat(body, post, first), first, rest
}

// finishScalarPrograms sets the numbers of the branches of scalar programs.
func (c *Compiler) finishScalarPrograms() {
	for _, s := range c.scalarPrograms {
		for i := range s.Branches {
			s.Branches[i].Id = c.constructIDs[s.Branches[i].Of]
		}
	}
}

func (s *ScalarCompiler) arithmetic(in *ir.Instr) {
	ops, ok := machine.ScalarArithmetic[in.Op]
	kind := 0
	if ok {
		switch t := s.Typ(in.Args[0]); {
		case s.Wide(in.Args[0]):
			kind = 1
		case t == ir.F32 || t.IsFloat() && s.Typ(in.Dst[0]) == ir.Bool:
			kind = 2
		case t.IsFloat(): // a narrow float would be rounded twice
			ok = false
		}
	}
	if !ok || ops[kind] == machine.SingleEnd {
		s.Failed = true
		return
	}
	s.Emit(machine.ScalarInstr{Op: ops[kind], D: s.Register(in.Dst[0]), A: s.Register(in.Args[0]),
		B: s.Register(in.Args[1])})
}

func (s *ScalarCompiler) conversion(in *ir.Instr) {
	d, a := s.Register(in.Dst[0]), s.Register(in.Args[0])
	if machine.SameLanes(in.From, in.To) || in.From == ir.U32 && s.Wide(in.Dst[0]) {
		s.Emit(machine.ScalarInstr{Op: machine.SingleCopy, D: d, A: a})
		return
	}
	f := machine.Conversion(in.From, in.To)
	if !s.Wide(in.Dst[0]) {
		narrow := f
		f = func(v machine.Element) machine.Element { return machine.Element(uint32(narrow(v))) }
	}
	s.Out.Convert = append(s.Out.Convert, f)
	s.Emit(machine.ScalarInstr{Op: machine.SingleConvert, D: d, A: a, At: int32(len(s.Out.Convert) - 1)})
}

// Place gives the element of an access and the register of its index; ok is false if the object is not known.
func (s *ScalarCompiler) Place(in *ir.Instr, write bool) (at machine.ScalarMemory, index uint8, ok bool) {
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
	at = machine.ScalarMemory{Access: &machine.MemoryAccess{In: in, Size: size, Write: write}, Object: known,
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
func (s *ScalarCompiler) transfer(in *ir.Instr) {
	mem, own, size := in.Mem, in.Mem.Space == syntax.Thread, in.From.Size()
	at, index, ok := s.Place(in, in.Op == ir.Store)
	if !ok {
		return
	}
	plain := mem.Index == ir.None || !at.Signed && !s.Wide(mem.Index)
	op, values, seen := machine.SingleLoad, in.Dst, false
	if in.Op == ir.Store {
		op, values, seen = machine.SingleStore, in.Args, !own || s.Punned(at.Object)
		at.Encode = machine.Encode32(in.From)
	} else {
		at.Decode = machine.Decode32(in.From)
	}
	switch {
	case own && plain && at.Scale == 4 && mem.Disp == 0 && len(values) == 1:
		op += machine.SingleLoadElement - machine.SingleLoad
	case own:
		op += machine.SingleLoadOwn - machine.SingleLoad
	case plain && op == machine.SingleLoad && size == 4:
		op = machine.SingleLoadWord
	}
	for k, r := range values {
		at.Disp, at.Quiet = mem.Disp+int64(k)*int64(size), seen && s.Made[r] && s.Typ(r).IsFloat()
		s.Out.Memory = append(s.Out.Memory, at)
		access := machine.ScalarInstr{Op: op, D: s.Register(r), A: s.Register(mem.Base), B: index,
			At: int32(len(s.Out.Memory) - 1), X: int32(at.First), Y: int32(at.Size)}
		for _, x := range s.add {
			x.Access(in, k, access)
		}
		s.Emit(access)
	}
}
