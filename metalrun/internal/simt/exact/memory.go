package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// hold keeps the registers of an address for a second reader.
func hold(c *codegen.Compiler, mem *ir.Mem) {
	for _, r := range []ir.Reg{mem.Base, mem.Index} {
		if r != ir.None {
			c.Left[r]++
		}
	}
}

// BallAccess is an access to balls in memory.
type BallAccess struct {
	shared  *machine.MemoryAccess  // nil if the memory is a thread's
	own     *machine.PrivateAccess // nil if it is not
	in      *ir.Instr
	mixed   bool
	run     bool           // of elements at consecutive indices
	gathers bool           // of elements at 32-bit indices of each lane in a known object
	address []machine.Slot // what of the address other devices may have otherwise
}

func ballAccess(c *codegen.Compiler, in *ir.Instr) *BallAccess {
	x := ExactOf(c.P)
	h := x.Of(in.Mem)
	a := &BallAccess{in: in, mixed: h.Mixed()}
	for _, r := range []ir.Reg{in.Mem.Base, in.Mem.Index} {
		if r != ir.None && x.Depends(r) {
			a.address = append(a.address, c.P.Slots[r])
		}
	}
	hold(c, in.Mem)
	if in.Mem.Space == syntax.Thread {
		a.own = c.PrivateAccess(in)
	} else {
		a.shared = c.Access(in)
		a.run = c.Consecutive(a.shared)
		s := a.shared
		a.gathers = !a.run && !s.Uniform && s.Object >= 0 && s.Base == nil && s.Index32 != nil && s.Mult == 1 &&
			len(a.address) == 0
		a.shared.Write = in.Op != ir.Load
	}
	return a
}

// uncertain reports whether a lane of another device may mean another address.
func (a *BallAccess) uncertain(m *machine.Machine, l int) bool {
	for _, at := range a.address {
		if row := Look(m, at); row[min(l, len(row)-1)].E != 0 {
			return true
		}
	}
	return false
}

// Where calls f for the place that every active lane means, once if all lanes mean one: a byte of an
// object, or, if mem is nil, of its own memory.
func (a *BallAccess) Where(m *machine.Machine, extra int64, once bool, f func(l int, mem *machine.Memory, off int64)) {
	switch {
	case m.FirstActive() < 0:
		return
	case a.own != nil && a.own.Uniform:
		off := a.own.One(m, extra)
		for l, on := range m.Mask {
			if on != 0 {
				f(l, nil, off)
			}
		}
		return
	case a.own != nil:
		a.own.Many(m, extra)
		for l, on := range m.Mask {
			if on != 0 {
				f(l, nil, m.Addr[l])
			}
		}
		return
	case a.shared.Uniform:
		mem, off := a.shared.One(m, extra)
		for l, on := range m.Mask {
			if on != 0 {
				f(l, mem, off)
				if once {
					return
				}
			}
		}
		return
	}
	mem, ok := a.shared.Many(m, extra)
	for l, on := range m.Mask {
		if on == 0 {
			continue
		}
		if ok {
			f(l, mem, m.Addr[l])
		} else {
			at, off := a.shared.Lane(m, l, extra)
			f(l, at, off)
		}
	}
}

// cellAt is the ball at a place, nil if it has none.
func cellAt(m *machine.Machine, mem *machine.Memory, off int64, l int) *ball.Ball {
	switch {
	case mem != nil:
		return cell(mem, off)
	case ExactOf(m.P).privateCells == 0:
		return nil
	}
	return &BallsOf(m).private[int(off>>ExactOf(m.P).PrivateLog)*m.Stride+l]
}

// cellsOf calls f for the cell of every byte that a place of so many bytes has.
func cellsOf(m *machine.Machine, mem *machine.Memory, off int64, size, l int, f func(cell *ball.Ball, off int64)) {
	log := ExactOf(m.P).PrivateLog
	if mem != nil {
		log = mem.CellLog
	}
	for at := off; at < off+int64(size); at += 1 << log {
		if cell := cellAt(m, mem, at, l); cell != nil {
			f(cell, at)
		}
	}
}

// cell is the ball at an offset, nil if the memory has none.
func cell(mem *machine.Memory, off int64) *ball.Ball {
	cells := mem.Room()
	if cells == nil {
		return nil
	}
	return &cells[off>>mem.CellLog]
}

// loadBalls compiles a load. What has no ball in memory is the value itself.
func loadBalls(c *codegen.Compiler, in *ir.Instr) {
	if !hasBalls(c, in.Dst) {
		c.Value(in)
		return
	}
	x := ExactOf(c.P)
	held := x.Of(in.Mem).Depends
	var before, after machine.Op
	if !held && len(ballAddress(c, in)) == 0 && !c.P.Options.Taped {
		c.Value(in)
	} else {
		a := ballAccess(c, in)
		c.Do(func(m *machine.Machine) { before(m) })
		c.Value(in)
		before = a.load(destinations(c, in), held, borrow(c, in))
		if c.P.Options.Taped {
			before = tapedLoad(c, in, a, before)
		}
	}
	after = loaded(c, in)
	c.Do(after)
}

// tapedLoad also records where registers come from.
func tapedLoad(c *codegen.Compiler, in *ir.Instr, a *BallAccess, load machine.Op) machine.Op {
	dst, crosses := destinations(c, in), ExactOf(c.P).Crossing.Reaches(in)
	return func(m *machine.Machine) {
		if t := BallsOf(m).Recorder; t != nil && t.Event() {
			for k, d := range dst {
				if ExactOf(c.P).Depends(in.Dst[k]) {
					t.Load(m, in, d.Slot, t.Places(m, a, int64(k)*int64(in.From.Size()), nil), crosses)
				}
			}
		}
		load(m)
	}
}

// ballAddress is what of an address other devices may have otherwise.
func ballAddress(c *codegen.Compiler, in *ir.Instr) (of []ir.Reg) {
	for _, r := range []ir.Reg{in.Mem.Base, in.Mem.Index} {
		if r != ir.None && ExactOf(c.P).Depends(r) {
			of = append(of, r)
		}
	}
	return of
}

// destinations are the slots of results.
func destinations(c *codegen.Compiler, in *ir.Instr) (d []destination) {
	for _, r := range in.Dst {
		d = append(d, destinationOf(c, r))
	}
	return d
}

// cells are those of an access whose lanes all mean cells of one object that there is no doubt
// about: first is the number of lane 0's, and if next is 0 all lanes mean that one, if it is 1 each
// lane the one behind its neighbour's; next is -1 where m.addr has the offsets. ok is false for any
// other access. of gives the cells of memory.
func (a *BallAccess) cells(m *machine.Machine, extra int64, of func(*machine.Memory) []ball.Ball) (cells []ball.Ball,
	log uint, first, next int, ok bool) {
	switch {
	case len(a.address) > 0 || m.FirstActive() < 0:
		return nil, 0, 0, 0, false
	case a.own != nil:
		if cells = BallsOf(m).private; !a.own.Uniform || len(cells) == 0 {
			return nil, 0, 0, 0, false
		}
		log = ExactOf(m.P).PrivateLog
		return cells, log, int(a.own.One(m, extra)>>log) * m.Stride, 1, true
	case a.shared.Uniform:
		mem, off := a.shared.One(m, extra)
		return of(mem), mem.CellLog, int(off >> mem.CellLog), 0, true
	}
	if a.run && extra == 0 {
		if x, ok := a.shared.Extent(m); ok {
			if cells := of(x.Mem); cells == nil || x.Mem.CellLog == a.shared.Log {
				return cells, a.shared.Log, int(x.Origin + x.Index), 1, true
			}
		}
	}
	mem, ok := a.shared.Many(m, extra)
	if !ok {
		return nil, 0, 0, 0, false
	}
	return of(mem), mem.CellLog, 0, -1, true
}

// load copies balls from memory, and notes for which results there are none, and for which there
// are all: loaded does the rest.
func (a *BallAccess) load(dst []destination, held bool, live []machine.Slot) machine.Op {
	size := int64(a.in.From.Size())
	return func(m *machine.Machine) {
		b := BallsOf(m)
		b.bare, b.complete = 0, 0
		for k, d := range dst {
			if a.mixed {
				a.loadMixed(m, target(m, d), int64(k)*size, held)
				continue
			}
			if row := rawRow(m, d.Slot); a.gathers && len(row) > 1 {
				if none, of, ok := a.gather(m, target(m, d), int64(k)*size); ok {
					b.note(k, none, of)
					continue
				}
			}
			cells, log, first, next, ok := a.cells(m, int64(k)*size, (*machine.Memory).Balls)
			switch {
			case !ok:
				a.loadEach(m, d, int64(k)*size, held)
			case cells == nil || next == 1 && m.Whole && untouched(cells[first:first+m.N]):
				b.bare |= 1 << k
			case a.own != nil && d.lent && b.lent.filled[first/m.Stride]:
				recall(m, first/m.Stride, live)
				b.lent.lend(d.Slot, cells[first:first+m.N:first+m.N], first/m.Stride)
				*b.kinds.of(d.Slot) = written
				b.complete |= 1 << k
			default:
				none, of := loadRow(m, target(m, d), cells, log, first, next)
				b.note(k, none, of)
			}
		}
	}
}

// note notes that none of so many lanes' results k have no ball in memory.
func (b *balls) note(k, none, of int) {
	switch none {
	case of:
		b.bare |= 1 << k
	case 0:
		b.complete |= 1 << k
	}
}

// gather copies the balls of cells of a known object, at any 32-bit index, and counts lanes as loadRow
// does. ok is false for what the general path has to see.
func (a *BallAccess) gather(m *machine.Machine, row []ball.Ball, extra int64) (none, of int, ok bool) {
	mem := &m.Objects[a.shared.Object]
	at := int64(m.Uni64[a.shared.Base64]-a.shared.Origin) + a.in.Mem.Disp + extra
	cells := mem.Balls()
	if mem.CellLog != a.shared.Log || cells == nil || at&(a.shared.Size-1) != 0 {
		return 0, 0, false
	}
	first := at >> mem.CellLog
	cells = cells[:min(int64(len(cells)), mem.Size>>mem.CellLog)]
	signed, mask, index := a.in.Mem.IndexSigned, m.Mask[:len(row)], a.shared.Index32(m)[:len(row)]
	for l := range row {
		if mask[l] == 0 {
			continue
		}
		i := uint64(machine.WordIndex(index[l], signed) + first)
		if i >= uint64(len(cells)) {
			return 0, 0, false
		}
		row[l] = cells[i]
		of++
		if row[l].None() {
			none++
		}
	}
	return none, of, true
}

// loadEach is load for lanes whose cells are anywhere.
func (a *BallAccess) loadEach(m *machine.Machine, d destination, extra int64, held bool) {
	row := target(m, d)
	a.Where(m, extra, len(row) == 1, func(l int, mem *machine.Memory, off int64) {
		row[min(l, len(row)-1)] = a.loadedBall(m, mem, off, l, held)
	})
}

// loadedBall is what a lane reads at a place.
func (a *BallAccess) loadedBall(m *machine.Machine, mem *machine.Memory, off int64, l int, held bool) ball.Ball {
	switch {
	case a.uncertain(m, l):
		return ball.Unknown(0)
	case !held:
		return ball.Ball{}
	}
	return heldBall(m, mem, off, l, a.in.From)
}

// loadMixed is load where memory may have been written as another type.
func (a *BallAccess) loadMixed(m *machine.Machine, row []ball.Ball, extra int64, held bool) {
	a.Where(m, extra, len(row) == 1, func(l int, mem *machine.Memory, off int64) {
		row[min(l, len(row)-1)] = a.mixedBall(m, mem, off, l, held)
	})
}

// mixedBall is what a lane reads at such a place. Where the memory does not know of which type it
// is, nothing is known of an element of which some part has a ball.
func (a *BallAccess) mixedBall(m *machine.Machine, mem *machine.Memory, off int64, l int, held bool) (b ball.Ball) {
	switch {
	case a.uncertain(m, l):
		return ball.Unknown(0)
	case !held:
	case mem != nil && mem.Kinds != nil:
		var whole bool
		if b, whole = typed(mem, off, a.in.From); !whole {
			note(m, a.in.Pos, TakenApart)
		}
	default:
		cellsOf(m, mem, off, a.in.From.Size(), l, func(cell *ball.Ball, _ int64) {
			if !cell.None() {
				b = ball.Unknown(cell.X)
			}
		})
	}
	return b
}

// untouched reports whether no cell has a ball.
func untouched(cells []ball.Ball) bool {
	for i := range cells {
		if !cells[i].None() {
			return false
		}
	}
	return true
}

// loadRow copies the balls of cells to the lanes of a row, and counts those that have none.
func loadRow(m *machine.Machine, row, cells []ball.Ball, log uint, first, next int) (none, of int) {
	if next == 1 && m.Whole {
		copy(row, cells[first:])
		for i := range row {
			if row[i].None() {
				none++
			}
		}
		return none, len(row)
	}
	for l, on := range RowMask(m, row)[:len(row)] {
		if on == 0 {
			continue
		}
		at := first + l*next
		if next < 0 {
			at = int(m.Addr[l] >> log)
		}
		of++
		if row[l] = cells[at]; row[l].None() {
			none++
		}
	}
	return none, of
}

// storeRow copies the balls of a row, nil for none, to cells.
func storeRow(m *machine.Machine, row, cells []ball.Ball, log uint, first, next int) {
	if cells == nil {
		return
	}
	step := stride(row)
	switch {
	case m.Whole && next == 1 && step == 1:
		copy(cells[first:], row)
		return
	case m.Whole && next == 1 && row == nil:
		if row = cells[first : first+m.N]; !untouched(row) { // memory that nobody has touched need not be there
			clear(row)
		}
		return
	}
	for l, on := range m.Mask {
		if on == 0 {
			continue
		}
		at := first + l*next
		if next < 0 {
			at = int(m.Addr[l] >> log)
		}
		if row == nil {
			cells[at] = ball.Ball{}
		} else {
			cells[at] = row[l*step]
		}
	}
}

// stride is from the ball of one lane to that of the next.
func stride(row []ball.Ball) int {
	if len(row) > 1 {
		return 1
	}
	return 0
}

// loaded gives what has no ball in memory its value.
func loaded(c *codegen.Compiler, in *ir.Instr) machine.Op {
	dst, t := destinations(c, in), in.From.Type()
	x := ExactOf(c.P)
	fresh := !x.Of(in.Mem).Depends && len(ballAddress(c, in)) == 0
	return func(m *machine.Machine) {
		for k, d := range dst {
			bare := fresh || BallsOf(m).bare>>k&1 != 0
			switch {
			case BallsOf(m).doubtful:
			case bare:
				follows(m, d)
				continue
			case BallsOf(m).complete>>k&1 != 0:
				continue
			}
			row := ballRow(m, d.Slot)
			if t == ir.F32 && d.Varying {
				loadedRow(m, row, machine.AsF(m.Lanes(d.Index)), bare)
				continue
			}
			for l, on := range RowMask(m, row) {
				if on != 0 && l < len(row) && (bare || row[l].None()) {
					row[l] = valueBall(m, d.Slot, t, l)
				}
			}
			doubtRow(m, row)
		}
	}
}

// loadedRow is the hot case: floats.
func loadedRow(m *machine.Machine, row []ball.Ball, values []float32, bare bool) {
	for l, on := range m.Mask {
		if on != 0 && (bare || row[l].None()) {
			row[l] = ball.Of(float64(values[l]))
		}
	}
	doubtRow(m, row)
}

// storeBalls compiles a store.
func storeBalls(c *codegen.Compiler, in *ir.Instr) {
	x := ExactOf(c.P)
	if !x.Of(in.Mem).Depends {
		c.Value(in)
		return
	}
	a := ballAccess(c, in)
	if in.Mem.Space == syntax.Device && len(a.address) > 0 { // it may make all of a buffer unknown
		c.P.InOrder = true
	}
	var args []BallOperand
	for _, r := range in.Args {
		args = append(args, ballOperand(c, r))
	}
	var live []machine.Slot
	c.Do(func(m *machine.Machine) {
		for k := range args {
			if BallsOf(m).journal != nil {
				BallsOf(m).journal.note(m, a, int64(k)*int64(in.From.Size()))
			}
			if BallsOf(m).Recorder != nil {
				BallsOf(m).Recorder.Store(m, in, &args[k],
					BallsOf(m).Recorder.Places(m, a, int64(k)*int64(in.From.Size()), nil), 0)
			}
			var row, full []ball.Ball // none if memory will hold all there is to know; or for some lanes
			alike := !BallsOf(m).doubtful && len(a.address) == 0
			simple := alike && !a.mixed
			if o := &args[k]; o.Has && !(alike && *BallsOf(m).kinds.of(o.At) != written && alikeRow(m, o, false)) {
				row = stored(m, Look(m, o.At))
				if full = row; !in.From.Type().IsFloat() {
					row, full = uncertain(m, row, in.From.Size() == 1), nil
				}
			}
			if simple {
				of := (*machine.Memory).Balls
				if row != nil {
					of = (*machine.Memory).Room
				}
				if cells, log, first, next, ok := a.cells(m, int64(k)*int64(in.From.Size()), of); ok {
					if a.own != nil {
						recall(m, first/m.Stride, live)
						fill(m, first/m.Stride, full)
					}
					storeRow(m, row, cells, log, first, next)
					continue
				}
			}
			if a.own != nil {
				recallAll(m)
			}
			a.Where(m, int64(k)*int64(in.From.Size()), false, func(l int, mem *machine.Memory, off int64) {
				var b ball.Ball
				if row != nil {
					b = row[min(l, len(row)-1)]
				}
				holdAt(m, mem, off, l, in.From, a.stored(m, mem, l, b))
			})
		}
		a.scattered(m)
	})
	c.Value(in)
	live = borrowing(c)
}

// stored is a row as memory gets it: expressions end there.
func stored(m *machine.Machine, row []ball.Ball) []ball.Ball {
	if !ExactOf(m.P).rewritten {
		return row
	}
	kept := append(BallsOf(m).kept[0][:0], row...)
	BallsOf(m).kept[0] = kept
	for l := range kept {
		kept[l] = kept[l].Leaf()
	}
	return kept
}

// uncertain is a row of integers as memory gets it: those that every device has are what memory holds,
// and may be read as something else.
func uncertain(m *machine.Machine, row []ball.Ball, bytes bool) []ball.Ball {
	kept := append(BallsOf(m).kept[0][:0], row...)
	BallsOf(m).kept[0] = kept
	for l := range kept {
		if kept[l].E == 0 || bytes && kept[l].One() {
			kept[l] = ball.Ball{}
		}
	}
	return kept
}

// scattered makes all that a store may have reached unknown, where another device may mean
// another address.
func (a *BallAccess) scattered(m *machine.Machine) {
	if len(a.address) == 0 {
		return
	}
	for l, on := range m.Mask {
		if on == 0 || !a.uncertain(m, l) {
			continue
		}
		forgetReached(m, a.in, l)
		if a.own == nil {
			return
		}
	}
}

// forgetReached makes all that a store of a lane may reach unknown.
func forgetReached(m *machine.Machine, in *ir.Instr, l int) {
	note(m, in.Pos, Unstable)
	if in.Mem.Space == syntax.Thread {
		cells := BallsOf(m).private
		for i := l; i < len(cells[:ExactOf(m.P).privateCells*m.Stride]); i += m.Stride {
			cells[i] = ball.Unknown(0)
		}
		return
	}
	for _, at := range ExactOf(m.P).Places(in.Mem) {
		cells, kinds := m.Objects[at.Object].Room(), m.Objects[at.Object].Kinds
		for i := range cells {
			cells[i] = ball.Unknown(0)
		}
		for i := range kinds {
			kinds[i] = brokenCell
		}
	}
}

// stored is what memory gets of a ball.
func (a *BallAccess) stored(m *machine.Machine, mem *machine.Memory, l int, b ball.Ball) ball.Ball {
	switch {
	case a.uncertain(m, l), BallsOf(m).doubtful && BallsOf(m).doubt[l] != 0:
		return ball.Unknown(b.X)
	case mem != nil && mem.Kinds != nil:
		return b
	case a.mixed && b.E > 0:
		note(m, a.in.Pos, TakenApart)
		return ball.Unknown(b.X)
	case a.mixed:
		return ball.Ball{}
	}
	return b
}
