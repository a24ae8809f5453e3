package simt

import (
	"maps"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Where one thread is left, a loop over rows of one lane is mostly the way to that loop. What is
// left of the entry point is therefore compiled a second time, for one thread: registers are
// numbers, not rows, and control flow is jumps. Only the reference device has it, and only
// where all that is left is common arithmetic, and accesses to objects that are known. What checks
// and exact execution do beside that are instructions of the program, too (solo_check.go, solo_balls.go).

// solo is a program for one thread.
type solo struct {
	code    []soloInstr
	initial []uint64 // of the registers
	given   []soloInput
	memory  []soloMemory
	convert []func(v element) element
	turns   []soloTurn
	pairs   []soloPair
	looks   []*ir.Instr

	branches  []soloBranch // whose outcomes are noted
	notes     bool         // outcomes are
	exact     []soloGiven  // the balls that registers begin with
	balls     []soloBalls
	decisions []soloDecision
}

// maxSolo is the most registers of such a program, so that a byte numbers them.
const maxSolo = 256

// soloInstr is an instruction: what it sets and reads, and where it jumps to or which entry of
// one of the program's lists it means.
type soloInstr struct {
	op      soloOp
	d, a, b uint8
	at      int32
	x, y    int32 // of an element of an array: the array's first word, and its words
}

// soloInput is a register and where its value is when the program begins.
type soloInput struct {
	register uint8
	from     slot
}

// soloTurn is the end of a loop's turn, and where the next one begins.
type soloTurn struct {
	top    int32
	a, b   uint8       // what a loop that begins with a comparison alone compares
	runs   []int       // that are counted
	search *soloSearch // nil: it is no such loop
	pos    syntax.Pos
	cost   int64
}

// soloPair is two elements of arrays that are compared.
type soloPair struct {
	a, b  soloInstr // their loads
	later bool      // a is loaded after b
}

// soloMemory is an element in memory: of one of the machine's objects, or of an array of the thread,
// which is one of the kernel's.
type soloMemory struct {
	object      int
	origin      uint64 // pointer to its beginning
	disp, scale int64  // of the element; scale is 0 where there is no index
	signed      bool   // the index has 32 bits and a sign
	first, size int64  // an array's first word, and its words
	quiet       bool   // a NaN that is stored gets the same bits everywhere
	decode      func(raw uint32) uint32
	encode      func(lane uint32) uint32
	access      *access // what it is in faults
	observer    *observer
	view        *view
}

// soloCompiler translates nodes.
type soloCompiler struct {
	*compiler
	out       solo
	registers map[ir.Reg]uint8
	passing   [maxSolo]bool // registers that one instruction sets and another reads
	reads     map[ir.Reg]int
	exits     map[any][]int // jumps to the end of a loop or block
	again     map[any][]int // jumps to the end of a loop's turn
	failed    bool
}

// solo compiles what is left of the entry point for one thread, or gives nil.
func (c *compiler) solo(nodes []ir.Node) *solo {
	o := &c.p.options
	if !c.does(passScalarInterpreter) || c.adversary != nil || o.private || o.FlushSubnormals || o.SameValue || !c.soloBalls() {
		return nil
	}
	s := &soloCompiler{compiler: c, registers: map[ir.Reg]uint8{}, reads: map[ir.Reg]int{}, exits: map[any][]int{}, again: map[any][]int{}}
	ir.Walk(nodes, func(n ir.Node) bool {
		for _, r := range soloReads(n) {
			s.reads[r]++
		}
		return true
	})
	s.list(nodes)
	s.land(s.exits, c.p.kernel.Body[0])
	s.emit(soloInstr{op: soloEnd})
	if s.failed {
		return nil
	}
	for _, r := range slices.Sorted(maps.Keys(s.registers)) {
		if at := c.p.slots[r]; at.index >= 0 && c.p.kernel.Regs[r].Kind != ir.Literal {
			s.out.given = append(s.out.given, soloInput{s.registers[r], at})
		}
		s.givenBall(r)
	}
	s.out.notes = o.Check || o.open
	c.solos = append(c.solos, &s.out)
	return &s.out
}

// soloReads are the registers that a node itself reads.
func soloReads(n ir.Node) []ir.Reg {
	switch n := n.(type) {
	case *ir.Instr:
		list := slices.Clone(n.Args)
		if n.Mem != nil {
			list = append(list, n.Mem.Base, n.Mem.Index)
		}
		return list
	case *ir.If:
		return []ir.Reg{n.Cond}
	case *ir.Loop:
		return []ir.Reg{n.Cond}
	}
	return nil
}

func (s *soloCompiler) emit(in soloInstr) { s.out.code = append(s.out.code, in) }

// register numbers a register.
func (s *soloCompiler) register(r ir.Reg) uint8 {
	if n, ok := s.registers[r]; ok {
		return n
	}
	n := len(s.out.initial)
	if n == maxSolo {
		s.failed = true
		return 0
	}
	info := s.p.kernel.Regs[r]
	initial := uint64(literal32(info))
	if s.wide(r) {
		initial = literal64(info)
	}
	s.out.initial = append(s.out.initial, initial)
	s.passing[n] = info.Kind == ir.Temp && s.reads[r] == 1
	s.registers[r] = uint8(n)
	return uint8(n)
}

func (s *soloCompiler) wide(r ir.Reg) bool { return s.p.slots[r].wide }

func (s *soloCompiler) list(nodes []ir.Node) {
	for _, n := range nodes {
		if s.failed {
			return
		}
		s.node(n)
	}
}

func (s *soloCompiler) node(n ir.Node) {
	switch n := n.(type) {
	case *ir.Instr:
		s.instr(n)
	case *ir.If:
		s.note(n)
		decision := s.decision(n)
		skip := s.unless(n.Cond)
		s.list(n.Then)
		if len(n.Else) > 0 {
			end := s.jump()
			s.here(skip)
			s.list(n.Else)
			skip = end
		}
		s.here(skip)
		s.join(decision)
	case *ir.Loop:
		s.certain(n, n.Cond)
		s.loop(n)
	case *ir.Block:
		s.certain(n, ir.None)
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

func (s *soloCompiler) loop(n *ir.Loop) {
	head := s.early(n)
	turn := soloTurn{search: s.search(n, head), pos: n.Pos, cost: turnCost + cost(n.Head) + cost(n.Body) + cost(n.Post)}
	runs, first, rest := s.tallied(n, head)
	turn.runs = runs
	for _, run := range first {
		s.emit(soloInstr{op: soloTally, at: int32(run)})
	}
	if turn.search != nil {
		s.emit(soloInstr{op: soloSearching})
	}
	turn.top = int32(len(s.out.code))
	s.list(rest[0])
	if n.Cond != ir.None {
		s.exits[n] = append(s.exits[n], s.unless(n.Cond))
	}
	begins := len(s.out.code)
	s.list(rest[1])
	if turn.search != nil {
		turn.search.branch = len(s.out.branches) - 1 // the last, if any are noted
	}
	s.land(s.again, n)
	s.list(rest[2])
	again := soloInstr{op: soloAgain}
	if step := onlyInstr(n.Post); step != nil && !s.failed {
		if last := len(s.out.code) - 1; s.out.code[last].op == soloAdd { // what counts the turns
			again = s.out.code[last]
			again.op, s.out.code = soloAddAgain, s.out.code[:last]
			first := s.out.code[turn.top]
			switch {
			case turn.search != nil:
				again.op = soloSearchAgain
			case begins == int(turn.top)+1 && first.op == soloUnlessULt:
				again.op, turn.a, turn.b = soloAddAgainULt, first.a, first.b
			}
		}
	}
	s.out.turns = append(s.out.turns, turn)
	again.at = int32(len(s.out.turns) - 1)
	if turn.search != nil {
		s.out.code[turn.top-1].at = again.at
	}
	s.emit(again)
	s.land(s.exits, n)
}

// early compiles loads of constant memory that give the same in each turn of a loop, which are
// reached in any case, and gives what else its head has.
func (s *soloCompiler) early(n *ir.Loop) (head []ir.Node) {
	others := false
	for _, node := range n.Head {
		in, ok := node.(*ir.Instr)
		if ok && in.Op == ir.Load && in.Mem.Space == syntax.Constant && !in.Mem.Volatile && !others &&
			s.fixed(n, in.Mem.Base) && s.fixed(n, in.Mem.Index) && s.p.kernel.Regs[in.Dst[0]].Kind == ir.Temp {
			s.instr(in)
		} else {
			head = append(head, node)
			others = others || !ok || in.Op != counterOp
		}
	}
	return head
}

// fixed reports whether no turn of a loop sets a register.
func (s *soloCompiler) fixed(n *ir.Loop, r ir.Reg) bool {
	return r == ir.None || !ir.Sets([]ir.Node{n}, r)
}

// jump emits a jump and gives its place; its target follows.
func (s *soloCompiler) jump() int {
	s.emit(soloInstr{op: soloJump})
	return len(s.out.code) - 1
}

// here lets a jump lead here.
func (s *soloCompiler) here(jump int) { s.out.code[jump].at = int32(len(s.out.code)) }

// land lets the jumps to a construct lead here.
func (s *soloCompiler) land(jumps map[any][]int, to any) {
	for _, j := range jumps[to] {
		s.here(j)
	}
	delete(jumps, to)
}

// unless emits a jump for where a condition does not hold. A comparison in front of it that nothing
// else reads becomes part of it.
func (s *soloCompiler) unless(cond ir.Reg) int {
	in := soloInstr{op: soloUnless, a: s.register(cond)}
	if last := len(s.out.code) - 1; last >= 0 && s.passing[in.a] {
		if compared := s.out.code[last]; compared.d == in.a && compared.op >= soloEq && compared.op <= soloFLe {
			s.out.code = s.out.code[:last]
			in = compared
			in.op += soloUnlessEq - soloEq
			s.pair(&in)
		}
	}
	s.emit(in)
	return len(s.out.code) - 1
}

// pair makes the loads of two elements in front of a comparison that jumps part of it.
func (s *soloCompiler) pair(in *soloInstr) {
	at := len(s.out.code) - 2
	if at < 0 || in.op != soloUnlessFLt && in.op != soloUnlessFLe || !s.passing[in.a] || !s.passing[in.b] {
		return
	}
	p := soloPair{a: s.out.code[at], b: s.out.code[at+1]}
	if p.later = p.a.d == in.b; p.later {
		p.a, p.b = p.b, p.a
	}
	if p.a.op != soloLoadElement || p.b.op != soloLoadElement || p.a.d != in.a || p.b.d != in.b {
		return
	}
	s.out.code = s.out.code[:at]
	in.op += soloUnlessFLtPair - soloUnlessFLt
	in.a, in.b, in.x = p.a.b, p.b.b, int32(len(s.out.pairs))
	s.out.pairs = append(s.out.pairs, p)
}

// soloArithmetic are the operations on integers of 32 and of 64 bits and on floats; soloEnd is none.
var soloArithmetic = map[ir.Op][3]soloOp{
	ir.Add: {soloAdd, soloAddQ, soloAddF}, ir.Sub: {soloSub, soloSubQ, soloSubF}, ir.Mul: {soloMul, soloMulQ, soloMulF}, ir.Div: {2: soloDivF},
	ir.And: {soloAnd, soloAnd}, ir.Or: {soloOr, soloOr}, ir.Xor: {soloXor, soloXor},
	ir.Shl: {soloShl, soloShlQ}, ir.LShr: {soloLShr, soloLShrQ}, ir.AShr: {soloAShr, soloAShrQ},
	ir.PtrAdd: {1: soloAddQ},
	ir.Eq:     {soloEq, soloEq, soloEqF}, ir.Ne: {soloNe, soloNe, soloNeF},
	ir.ULt: {soloULt, soloULt}, ir.ULe: {soloULe, soloULe}, ir.SLt: {soloSLt, soloSLtQ}, ir.SLe: {soloSLe, soloSLeQ},
	ir.FLt: {2: soloFLt}, ir.FLe: {2: soloFLe},
}

func (s *soloCompiler) instr(in *ir.Instr) {
	s.specified(in)
	commit := s.ball(in)
	switch in.Op {
	case ir.Nop:
	case ir.Copy:
		s.emit(soloInstr{op: soloCopy, d: s.register(in.Dst[0]), a: s.register(in.Args[0])})
	case ir.Convert:
		s.conversion(in)
	case ir.Load, ir.Store:
		s.transfer(in)
	case observeOp:
		s.observe(in)
	case samplingOp:
		s.look(in)
	case counterOp:
		s.emit(soloInstr{op: soloTally, at: int32(numberOf(in))})
	default:
		s.arithmetic(in)
	}
	if commit != nil {
		s.emitBall(commit)
	}
}

func (s *soloCompiler) arithmetic(in *ir.Instr) {
	ops, ok := soloArithmetic[in.Op]
	kind := 0
	if ok {
		switch t := s.typ(in.Args[0]); {
		case s.wide(in.Args[0]):
			kind = 1
		case t == ir.F32 || t.IsFloat() && s.typ(in.Dst[0]) == ir.Bool:
			kind = 2
		case t.IsFloat(): // rounds twice
			ok = false
		}
	}
	if !ok || ops[kind] == soloEnd {
		s.failed = true
		return
	}
	s.emit(soloInstr{op: ops[kind], d: s.register(in.Dst[0]), a: s.register(in.Args[0]), b: s.register(in.Args[1])})
}

func (s *soloCompiler) conversion(in *ir.Instr) {
	d, a := s.register(in.Dst[0]), s.register(in.Args[0])
	if sameLanes(in.From, in.To) || in.From == ir.U32 && s.wide(in.Dst[0]) {
		s.emit(soloInstr{op: soloCopy, d: d, a: a})
		return
	}
	f := conversion(in.From, in.To)
	if !s.wide(in.Dst[0]) {
		narrow := f
		f = func(v element) element { return element(uint32(narrow(v))) }
	}
	s.out.convert = append(s.out.convert, f)
	s.emit(soloInstr{op: soloConvert, d: d, a: a, at: int32(len(s.out.convert) - 1)})
}

// place is where an access goes, and the register of its index; ok is false if that is not known.
func (s *soloCompiler) place(in *ir.Instr, write bool) (at soloMemory, index uint8, ok bool) {
	mem, own := in.Mem, in.Mem.Space == syntax.Thread
	size, known := int64(in.From.Size()), -1
	if !own {
		known = s.u.PointsInto(mem.Base, mem.Space)
	}
	base := s.p.kernel.Regs[mem.Base]
	if own && (base.Kind != ir.Address || size != 4) || !own && known < 0 || size > 4 {
		s.failed = true
		return at, 0, false
	}
	at = soloMemory{access: &access{in: in, size: size, write: write}, object: known, disp: mem.Disp}
	if own {
		at.object, at.first, at.size = base.Index, int64(s.p.privateBase[base.Index]), int64(s.p.kernel.Objects[base.Index].Size)/4
	} else {
		at.origin = s.origin(known)
	}
	if mem.Index != ir.None {
		index, at.scale, at.signed = s.register(mem.Index), mem.Scale, mem.IndexSigned && !s.wide(mem.Index)
	}
	return at, index, true
}

// transfer compiles a load or a store of elements of up to 32 bits.
func (s *soloCompiler) transfer(in *ir.Instr) {
	mem, own, size := in.Mem, in.Mem.Space == syntax.Thread, in.From.Size()
	at, index, ok := s.place(in, in.Op == ir.Store)
	if !ok {
		return
	}
	plain := mem.Index == ir.None || !at.signed && !s.wide(mem.Index)
	op, values, seen := soloLoad, in.Dst, false
	if in.Op == ir.Store {
		op, values, seen = soloStore, in.Args, !own || s.punned(at.object)
		at.encode = encode32(in.From)
	} else {
		at.decode = decode32(in.From)
	}
	switch {
	case own && plain && at.scale == 4 && mem.Disp == 0 && len(values) == 1:
		op += soloLoadElement - soloLoad
	case own:
		op += soloLoadOwn - soloLoad
	case plain && op == soloLoad && size == 4:
		op = soloLoadWord
	}
	for k, r := range values {
		at.disp, at.quiet = mem.Disp+int64(k)*int64(size), seen && s.made[r] && s.typ(r).IsFloat()
		s.out.memory = append(s.out.memory, at)
		access := soloInstr{op: op, d: s.register(r), a: s.register(mem.Base), b: index, at: int32(len(s.out.memory) - 1), x: int32(at.first), y: int32(at.size)}
		s.transferBall(in, k, access)
		s.emit(access)
	}
}
