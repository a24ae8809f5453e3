package exact

import (
	"math"

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
	own     *machine.PrivateAccess // nil if the memory is shared
	in      *ir.Instr
	mixed   bool
	run     bool           // of elements at consecutive indices
	gathers bool           // of elements at varying 32-bit indices in a known object
	address []machine.Slot // the registers of the address that may differ between devices
	index   *machine.Slot  // that of the index, if it may
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
	if r := in.Mem.Index; r != ir.None && x.Depends(r) {
		a.index = &c.P.Slots[r]
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

// uncertain reports whether the address of a lane may differ on another device.
func (a *BallAccess) uncertain(m *machine.Machine, l int) bool {
	for _, at := range a.address {
		if row := ReadRow(m, at); row[min(l, len(row)-1)].E != 0 {
			return true
		}
	}
	return false
}

// reach is how many elements the address of a lane may be off by on another device, +Inf if nothing is known of it.
func (a *BallAccess) reach(m *machine.Machine, l int) float64 {
	if a.index == nil || len(a.address) != 1 {
		return math.Inf(1)
	}
	row := ReadRow(m, *a.index)
	return math.Ceil(row[min(l, len(row)-1)].E)
}

// Where calls f with the address of each active lane: an offset in an object, or in the lane's own memory if mem is
// nil. With once, it calls f once if all lanes have the same address.
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

// cellAt is the cell at an address; nil if the memory has no cells.
func cellAt(m *machine.Machine, mem *machine.Memory, off int64, l int) *ball.Ball {
	switch {
	case mem != nil:
		return cell(mem, off)
	case ExactOf(m.P).privateCells == 0:
		return nil
	}
	return &BallsOf(m).private[int(off>>ExactOf(m.P).PrivateLog)*m.Stride+l]
}

// cellsOf calls f for each cell of size bytes at an address.
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

// cell is the cell at an offset; nil if the memory has no cells.
func cell(mem *machine.Memory, off int64) *ball.Ball {
	cells := mem.Room()
	if cells == nil {
		return nil
	}
	return &cells[off>>mem.CellLog]
}

// loadBalls compiles a load. An element without a ball in memory gets the ball of its value.
func loadBalls(c *codegen.Compiler, in *ir.Instr) {
	if !hasBalls(c, in.Dst) {
		c.Value(in)
		return
	}
	x := ExactOf(c.P)
	held := x.Of(in.Mem).Depends
	var before, after machine.Op
	if !held && len(ballAddress(c, in)) == 0 && !c.P.Options.Traced {
		c.Value(in)
	} else {
		a := ballAccess(c, in)
		c.Do(func(m *machine.Machine) { before(m) })
		c.Value(in)
		before = a.load(destinations(c, in), held, mayAlias(c, in))
		if c.P.Options.Traced {
			before = tracedLoad(c, in, a, before)
		}
	}
	after = loaded(c, in)
	c.Do(after)
}

// tracedLoad is load, and records the source of each register.
func tracedLoad(c *codegen.Compiler, in *ir.Instr, a *BallAccess, load machine.Op) machine.Op {
	dst, crosses := destinations(c, in), ExactOf(c.P).CrossLaneReads.Reaches(in)
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

// ballAddress are the registers of an address that may differ between devices.
func ballAddress(c *codegen.Compiler, in *ir.Instr) (of []ir.Reg) {
	for _, r := range []ir.Reg{in.Mem.Base, in.Mem.Index} {
		if r != ir.None && ExactOf(c.P).Depends(r) {
			of = append(of, r)
		}
	}
	return of
}

// destinations are the destinations of the results of an instruction.
func destinations(c *codegen.Compiler, in *ir.Instr) (d []destination) {
	for _, r := range in.Dst {
		d = append(d, destinationOf(c, r))
	}
	return d
}

// cells are the cells of an access whose lanes all access one object, at addresses that are the same on every device;
// ok is false for any other access. first is the number of the cell of lane 0. If next is 0, all lanes access that
// cell; if it is 1, consecutive lanes access consecutive cells; if it is -1, m.Addr has the offsets. of gives the cells
// of memory.
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

// load copies balls from memory. It records the results for which memory has no balls, and those for which it has all:
// loaded does the rest.
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
			case a.own != nil && d.mayAlias && b.aliases.filled[first/m.Stride]:
				detachReader(m, first/m.Stride, live)
				b.aliases.add(d.Slot, cells[first:first+m.N:first+m.N], first/m.Stride)
				*b.representations.of(d.Slot) = written
				b.complete |= 1 << k
			default:
				none, of := loadRow(m, target(m, d), cells, log, first, next)
				b.note(k, none, of)
			}
		}
	}
}

// note records how many of the lanes of result k have no ball in memory: none of of lanes.
func (b *balls) note(k, none, of int) {
	switch none {
	case of:
		b.bare |= 1 << k
	case 0:
		b.complete |= 1 << k
	}
}

// gather copies the balls at varying 32-bit indices of a known object, and counts lanes as loadRow does. ok is false if
// the general path has to do it.
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

// loadEach is load for lanes with cells in several objects.
func (a *BallAccess) loadEach(m *machine.Machine, d destination, extra int64, held bool) {
	row := target(m, d)
	a.Where(m, extra, len(row) == 1, func(l int, mem *machine.Memory, off int64) {
		row[min(l, len(row)-1)] = a.loadedBall(m, mem, off, l, held)
	})
}

// loadedBall is the ball that a lane reads at an address.
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

// mixedBall is the ball that a lane reads from such memory. If memory has no record of types, an element is unknown if
// some cell of it has a ball.
func (a *BallAccess) mixedBall(m *machine.Machine, mem *machine.Memory, off int64, l int, held bool) (b ball.Ball) {
	switch {
	case a.uncertain(m, l):
		return ball.Unknown(0)
	case !held:
	case mem != nil && mem.Representations != nil:
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
		if row = cells[first : first+m.N]; !untouched(row) { // a store to untouched pages would allocate them
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

// stride is the distance from the ball of one lane to that of the next: 0 in a uniform row.
func stride(row []ball.Ball) int {
	if len(row) > 1 {
		return 1
	}
	return 0
}

// loaded gives the elements without a ball in memory the balls of their values.
func loaded(c *codegen.Compiler, in *ir.Instr) machine.Op {
	dst, t := destinations(c, in), in.From.Type()
	x := ExactOf(c.P)
	fresh := !x.Of(in.Mem).Depends && len(ballAddress(c, in)) == 0
	return func(m *machine.Machine) {
		for k, d := range dst {
			bare := fresh || BallsOf(m).bare>>k&1 != 0
			switch {
			case BallsOf(m).anyUncertain:
			case bare:
				follows(m, d)
				continue
			case BallsOf(m).complete>>k&1 != 0:
				continue
			}
			row := writableRow(m, d.Slot)
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

// loadedRow is the most common case of loaded: a varying float.
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
	if in.Mem.Space == syntax.Device && len(a.address) > 0 { // it may make a whole buffer unknown
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
			var row, full []ball.Ball // nil if the values in memory are enough; full has a ball in every lane
			alike := !BallsOf(m).anyUncertain && len(a.address) == 0
			simple := alike && !a.mixed
			o := &args[k]
			if o.Has && !(alike && *BallsOf(m).representations.of(o.At) != written && alikeRow(m, o, false)) {
				row = stored(m, ReadRow(m, o.At))
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
						detachReader(m, first/m.Stride, live)
						setFilled(m, first/m.Stride, full)
					}
					storeRow(m, row, cells, log, first, next)
					continue
				}
			}
			if a.own != nil {
				detachAll(m)
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
	live = aliasSlots(c)
}

// stored is a row as memory gets it: an expression ends where it is stored.
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

// uncertain is a row of integers as memory gets it: an integer that is the same on every device needs no ball, and may
// be read as another type.
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

// scattered makes all that a store may have reached unknown, if its address may differ on another device.
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
	for _, at := range ExactOf(m.P).Objects(in.Mem) {
		cells, kinds := m.Objects[at.Object].Room(), m.Objects[at.Object].Representations
		for i := range cells {
			cells[i] = ball.Unknown(0)
		}
		for i := range kinds {
			kinds[i] = brokenCell
		}
	}
}

// stored is a ball as memory gets it.
func (a *BallAccess) stored(m *machine.Machine, mem *machine.Memory, l int, b ball.Ball) ball.Ball {
	switch {
	case a.uncertain(m, l), BallsOf(m).anyUncertain && BallsOf(m).uncertain[l] != 0:
		return ball.Unknown(b.X)
	case mem != nil && mem.Representations != nil:
		return b
	case a.mixed && b.E > 0:
		note(m, a.in.Pos, TakenApart)
		return ball.Unknown(b.X)
	case a.mixed:
		return ball.Ball{}
	}
	return b
}
