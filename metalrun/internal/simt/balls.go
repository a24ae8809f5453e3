package simt

import (
	"maps"
	"slices"
	"sync"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// With Options.Exact every floating register, and every other that follows from one, has a
// row of balls beside its row of lanes (package ball), and so has memory that holds such
// values. An instruction is compiled as ever, but for loops that do several at once, and
// another in front of it or behind it does the same to the balls. Lanes take the path
// that the f32 values take: masks and addresses are those of the values.
//
// What a branch decides that another device may decide otherwise is unknown: registers
// that either arm sets, and what is stored there. What the arm not taken would have
// stored cannot be told. A choice between two values takes the one that exact arithmetic
// takes, and is off by their distance.

// balls are those of a machine.
type balls struct {
	n32, n64   []ball.Ball // by slot
	uni32      []ball.Ball
	uni64      []ball.Ball
	private    []ball.Ball // [cell][lane]
	doubt      []uint32    // lanes that another device may have sent elsewhere
	doubtful   bool        // there are some
	notes      map[Note]int
	scratch    []ball.Ball // rows of values
	spare      []ball.Ball
	third      []ball.Ball
	everything []uint32 // a mask of one lane
}

// Note is something about the exact value that a launch met at a position.
type Note struct {
	Pos  syntax.Pos
	Kind NoteKind
}

// NoteKind says what it is.
type NoteKind uint8

const (
	Unstable   NoteKind = iota // another device may decide otherwise
	TakenApart                 // bits of a float that devices need not have alike are taken for something else
	Overflow                   // a finite value may be infinite on some device
)

// asIs is the ball of memory whose contents every device has.
var asIs = ball.Ball{E: -1}

// Notes are those of launches, with how often each was made.
type Notes struct {
	mu    sync.Mutex
	Count map[Note]int
}

func (n *Notes) add(of map[Note]int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.Count == nil {
		n.Count = map[Note]int{}
	}
	for note, k := range of {
		n.Count[note] += k
	}
}

// newBalls makes the balls of a machine.
func (p *Program) newBalls(most int) *balls {
	b := &balls{
		n32: make([]ball.Ball, p.slots32*most), n64: make([]ball.Ball, p.slots64*most),
		uni32: make([]ball.Ball, len(p.uni32)), uni64: make([]ball.Ball, len(p.uni64)),
		private: make([]ball.Ball, p.exact.privateCells*most), doubt: make([]uint32, most),
		notes: map[Note]int{}, scratch: make([]ball.Ball, most), spare: make([]ball.Ball, most), third: make([]ball.Ball, most), everything: []uint32{^uint32(0)},
	}
	for r, info := range p.kernel.Regs {
		if at := p.slots[r]; info.Kind == ir.Literal && info.Type.IsFloat() && !at.varying {
			b.uni32[at.index] = ball.Of(float64(f32frombits(literal32(info))))
		}
	}
	return b
}

// enterBalls begins a threadgroup.
func (m *machine) enterBalls() {
	b := m.balls
	forgetCells(b.private[:m.p.exact.privateCells*m.n])
	for i := firstThreadgroup; i < len(m.objects); i++ {
		forgetCells(m.objects[i].cells)
	}
	clear(b.doubt)
	b.doubtful = false
}

func forgetCells(cells []ball.Ball) {
	for i := range cells {
		cells[i] = asIs
	}
}

// giveCells gives the memory of a threadgroup cells where the kernel holds balls there.
func (p *Program) giveCells(m *machine) {
	if p.exact == nil {
		return
	}
	for i := firstThreadgroup; i < len(m.objects); i++ {
		space := syntax.Threadgroup
		if i >= firstStatic {
			space = p.kernel.Objects[i-firstStatic].Space
		}
		if h := p.exact.holds(space, i); h != nil && space == syntax.Threadgroup {
			m.objects[i].cells = make([]ball.Ball, m.objects[i].size>>h.log())
		}
	}
}

// holds is how the kernel holds balls in an object of the machine, nil if it does not.
func (x *exactness) holds(space syntax.Space, object int) *holding {
	h := x.held[place{space, object}]
	if h == nil {
		h = x.held[place{space, -1}]
	}
	if h == nil || !h.has {
		return nil
	}
	return h
}

// bindCells gives buffers cells where the kernel may leave balls: those that the caller
// wants to have, or others.
func (p *Program) bindCells(l *Launch, table []memory) {
	if p.exact == nil {
		return
	}
	for _, b := range l.Buffers {
		h := p.exact.holds(syntax.Device, b.Index)
		if h == nil || b.ReadOnly {
			continue
		}
		table[b.Index].cells = b.Exact
		if b.Exact == nil {
			table[b.Index].cells = slices.Repeat([]ball.Ball{asIs}, len(b.Bytes)>>h.log())
		}
	}
}

// Cells is the logarithm of the bytes that a ball of a buffer stands for, ok false if the
// program leaves none there.
func (p *Program) Cells(index int) (log uint, ok bool) {
	if p.exact == nil {
		return 0, false
	}
	h := p.exact.holds(syntax.Device, index)
	if h == nil {
		return 0, false
	}
	return h.log(), true
}

// row is the balls of a register.
func (m *machine) row(at slot) []ball.Ball {
	b := m.balls
	switch {
	case at.varying && at.wide:
		return b.n64[at.index*m.n : (at.index+1)*m.n]
	case at.varying:
		return b.n32[at.index*m.n : (at.index+1)*m.n]
	case at.wide:
		return b.uni64[at.index : at.index+1]
	}
	return b.uni32[at.index : at.index+1]
}

// rowMask is the mask for a row: that of the lanes, or of one.
func (m *machine) rowMask(row []ball.Ball) []uint32 {
	if len(row) == 1 && m.n != 1 {
		return m.balls.everything
	}
	return m.mask
}

// note counts a note.
func (m *machine) note(pos syntax.Pos, kind NoteKind) { m.balls.notes[Note{pos, kind}]++ }

// doubt makes what a lane that is in doubt has set unknown.
func (m *machine) doubtRow(d []ball.Ball) {
	b := m.balls
	if !b.doubtful {
		return
	}
	if len(d) == 1 {
		for l, on := range b.doubt[:m.n] {
			if on&m.mask[l] != 0 {
				d[0] = ball.Unknown(d[0].X)
				return
			}
		}
		return
	}
	for l, on := range b.doubt[:m.n] {
		if on&m.mask[l] != 0 {
			d[l] = ball.Unknown(d[l].X)
		}
	}
}

// inDoubt puts lanes of a row that are not certain in doubt, and reports whether there are
// any.
func (m *machine) inDoubt(row []ball.Ball) bool {
	b, any := m.balls, false
	for l, on := range m.mask {
		if on != 0 && row[min(l, len(row)-1)].E != 0 {
			b.doubt[l], any = ^uint32(0), true
		}
	}
	b.doubtful = b.doubtful || any
	return any
}

// exactness is what a program with Options.Exact knows of its kernel.
type exactness struct {
	has          []bool // by register: there is a row of balls
	held         map[place]*holding
	privateLog   uint
	privateCells int // of a thread
}

// place is an object of an address space, -1 for any of the space.
type place struct {
	space  syntax.Space
	object int
}

// holding is how a kernel uses an object.
type holding struct {
	has   bool // it may hold values with balls of their own
	types map[ir.Scalar]bool
}

// mixed reports whether elements are accessed as different types, so that a value with a
// ball could be taken for something else.
func (h *holding) mixed() bool { return len(h.types) > 1 }

// log is that of the bytes of a cell.
func (h *holding) log() uint {
	size := int64(8)
	for s := range h.types {
		size = min(size, int64(s.Size()))
	}
	log, ok := log2(size)
	if !ok {
		return 3
	}
	return log
}

// analyseExactness finds which registers and objects follow from floats whose values
// devices may have differently. It starts from the assumption that none does but floats
// and takes it back until nothing changes.
func analyseExactness(u *uniformity) *exactness {
	x := &exactness{has: make([]bool, len(u.k.Regs)), held: map[place]*holding{}}
	for r, info := range u.k.Regs {
		x.has[r] = info.Type.IsFloat()
	}
	x.scan(u)
	for x.propagate(u, u.k.Body, false) {
	}
	x.privateLog = 2
	for at, h := range x.held {
		if at.space == syntax.Thread && h.has {
			x.privateLog = min(x.privateLog, h.log())
		}
	}
	for at, h := range x.held {
		if at.space == syntax.Thread && h.has {
			for _, o := range u.k.Objects {
				if o.Space == syntax.Thread {
					x.privateCells += (o.Size + 3) / 4 * 4 >> x.privateLog
				}
			}
			break
		}
	}
	return x
}

// place is where an access goes. An access to an object that is not known may be to any of
// its space.
func (x *exactness) place(u *uniformity, mem *ir.Mem) place {
	object := -1
	if mem.Space != syntax.Thread {
		object = u.pointsInto(mem.Base, mem.Space)
	} else if info := u.k.Regs[mem.Base]; info.Kind == ir.Address {
		object = info.Index
	}
	space := mem.Space
	if space == syntax.Constant {
		space = syntax.Device // both reach the buffers
	}
	if x.held[place{space, -1}] != nil {
		object = -1
	}
	return place{space, object}
}

// scan collects how objects are accessed.
func (x *exactness) scan(u *uniformity) {
	for pass := range 2 { // the second knows whether some access is to any object
		if pass == 1 {
			anywhere := maps.Clone(x.held)
			maps.DeleteFunc(anywhere, func(at place, _ *holding) bool { return at.object >= 0 })
			x.held = anywhere
		}
		for in := range ir.Instrs(u.k.Body...) {
			if in.Mem == nil {
				continue
			}
			at := x.place(u, in.Mem)
			if x.held[at] == nil {
				x.held[at] = &holding{types: map[ir.Scalar]bool{}}
			}
			x.held[at].types[in.From] = true
		}
	}
}

// propagate makes one pass over nodes, and reports whether anything has changed. doubt
// says that a decision which other devices may take otherwise leads here.
func (x *exactness) propagate(u *uniformity, nodes []ir.Node, doubt bool) (changed bool) {
	set := func(r ir.Reg) {
		if r != ir.None && !x.has[r] {
			x.has[r], changed = true, true
		}
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			changed = x.instr(u, n, doubt, set) || changed
		case *ir.If:
			for _, part := range ir.Parts(n) {
				changed = x.propagate(u, *part, doubt || x.has[n.Cond]) || changed
			}
		case *ir.Loop:
			inside := doubt || n.Cond != ir.None && x.has[n.Cond] || x.leavesInDoubt(n.Body, n, nil)
			for _, part := range ir.Parts(n) {
				changed = x.propagate(u, *part, inside) || changed
			}
		case *ir.Block:
			changed = x.propagate(u, n.Body, doubt || x.leavesInDoubt(n.Body, nil, n)) || changed
		}
	}
	return changed
}

// leavesInDoubt reports whether an exit from a construct hangs on a decision that is
// followed.
func (x *exactness) leavesInDoubt(nodes []ir.Node, loop *ir.Loop, block *ir.Block) bool {
	return ir.Contains(nodes, func(n ir.Node) bool {
		branch, ok := n.(*ir.If)
		return ok && x.has[branch.Cond] && ir.Contains([]ir.Node{branch}, func(n ir.Node) bool {
			e, ok := n.(*ir.Exit)
			return ok && (loop != nil && e.Loop == loop || block != nil && e.Block == block)
		})
	})
}

// instr is propagate for an instruction.
func (x *exactness) instr(u *uniformity, in *ir.Instr, doubt bool, set func(ir.Reg)) (changed bool) {
	from := doubt
	for _, r := range reads(in) {
		literal := r != ir.None && u.k.Regs[r].Kind == ir.Literal
		from = from || r != ir.None && x.has[r] && !literal
	}
	if in.Mem != nil {
		h := x.held[x.place(u, in.Mem)]
		stores := in.Op.Info().Effects.Has(ir.Writes)
		if stores && !h.has && from {
			h.has, changed = true, true
		}
		from = from || h.has
	}
	if from && in.Op != ir.Barrier {
		for _, r := range in.Dst {
			set(r)
		}
	}
	return changed
}
