package simt

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// hold keeps the registers of an address for a second reader.
func (c *compiler) hold(mem *ir.Mem) {
	for _, r := range []ir.Reg{mem.Base, mem.Index} {
		if r != ir.None {
			c.left[r]++
		}
	}
}

// ballAccess is an access to balls in memory.
type ballAccess struct {
	shared  *access        // nil if the memory is a thread's
	own     *privateAccess // nil if it is not
	in      *ir.Instr
	mixed   bool
	run     bool   // of elements at consecutive indices
	gathers bool   // of elements at 32-bit indices of each lane in a known object
	address []slot // what of the address other devices may have otherwise
}

func (c *compiler) ballAccess(in *ir.Instr) *ballAccess {
	x := c.p.exact
	h := x.Of(in.Mem)
	a := &ballAccess{in: in, mixed: h.Mixed()}
	for _, r := range []ir.Reg{in.Mem.Base, in.Mem.Index} {
		if r != ir.None && x.Depends(r) {
			a.address = append(a.address, c.p.slots[r])
		}
	}
	c.hold(in.Mem)
	if in.Mem.Space == syntax.Thread {
		a.own = c.privateAccess(in)
	} else {
		a.shared = c.access(in)
		a.run = c.consecutive(a.shared)
		s := a.shared
		a.gathers = !a.run && !s.uniform && s.object >= 0 && s.base == nil && s.index32 != nil && s.mult == 1 && len(a.address) == 0
		a.shared.write = in.Op != ir.Load
	}
	return a
}

// uncertain reports whether a lane of another device may mean another address.
func (a *ballAccess) uncertain(m *machine, l int) bool {
	for _, at := range a.address {
		if row := m.look(at); row[min(l, len(row)-1)].E != 0 {
			return true
		}
	}
	return false
}

// where calls f for the place that every active lane means, once if all lanes mean one: a byte of an
// object, or, if mem is nil, of its own memory.
func (a *ballAccess) where(m *machine, extra int64, once bool, f func(l int, mem *memory, off int64)) {
	switch {
	case m.firstActive() < 0:
		return
	case a.own != nil && a.own.uniform:
		off := a.own.one(m, extra)
		for l, on := range m.mask {
			if on != 0 {
				f(l, nil, off)
			}
		}
		return
	case a.own != nil:
		a.own.many(m, extra)
		for l, on := range m.mask {
			if on != 0 {
				f(l, nil, m.addr[l])
			}
		}
		return
	case a.shared.uniform:
		mem, off := a.shared.one(m, extra)
		for l, on := range m.mask {
			if on != 0 {
				f(l, mem, off)
				if once {
					return
				}
			}
		}
		return
	}
	mem, ok := a.shared.many(m, extra)
	for l, on := range m.mask {
		if on == 0 {
			continue
		}
		if ok {
			f(l, mem, m.addr[l])
		} else {
			at, off := a.shared.lane(m, l, extra)
			f(l, at, off)
		}
	}
}

// cellAt is the ball at a place, nil if it has none.
func (m *machine) cellAt(mem *memory, off int64, l int) *ball.Ball {
	switch {
	case mem != nil:
		return mem.cell(off)
	case m.p.exact.privateCells == 0:
		return nil
	}
	return &m.balls.private[int(off>>m.p.exact.privateLog)*m.stride+l]
}

// cellsOf calls f for the cell of every byte that a place of so many bytes has.
func (m *machine) cellsOf(mem *memory, off int64, size, l int, f func(cell *ball.Ball, off int64)) {
	log := m.p.exact.privateLog
	if mem != nil {
		log = mem.cellLog
	}
	for at := off; at < off+int64(size); at += 1 << log {
		if cell := m.cellAt(mem, at, l); cell != nil {
			f(cell, at)
		}
	}
}

// cell is the ball at an offset, nil if the memory has none.
func (mem *memory) cell(off int64) *ball.Ball {
	cells := mem.room()
	if cells == nil {
		return nil
	}
	return &cells[off>>mem.cellLog]
}

// loadBalls compiles a load. What has no ball in memory is the value itself.
func (c *compiler) loadBalls(in *ir.Instr) {
	if !c.hasBalls(in.Dst) {
		c.value(in)
		return
	}
	x := c.p.exact
	held := x.Of(in.Mem).Depends
	var before, after op
	if !held && len(c.ballAddress(in)) == 0 && !c.p.options.taped {
		c.value(in)
	} else {
		a := c.ballAccess(in)
		c.do(func(m *machine) { before(m) })
		c.value(in)
		before = a.load(c.destinations(in), held, c.borrow(in))
		if c.p.options.taped {
			before = c.tapedLoad(in, a, before)
		}
	}
	after = c.loaded(in)
	c.do(after)
}

// tapedLoad also records where registers come from.
func (c *compiler) tapedLoad(in *ir.Instr, a *ballAccess, load op) op {
	dst, crosses := c.destinations(in), c.p.exact.crossing.Reaches(in)
	return func(m *machine) {
		if t := m.tape; t != nil && t.event() {
			for k, d := range dst {
				if c.p.exact.Depends(in.Dst[k]) {
					t.load(m, in, d.slot, t.places(m, a, int64(k)*int64(in.From.Size()), nil), crosses)
				}
			}
		}
		load(m)
	}
}

// ballAddress is what of an address other devices may have otherwise.
func (c *compiler) ballAddress(in *ir.Instr) (of []ir.Reg) {
	for _, r := range []ir.Reg{in.Mem.Base, in.Mem.Index} {
		if r != ir.None && c.p.exact.Depends(r) {
			of = append(of, r)
		}
	}
	return of
}

// destinations are the slots of results.
func (c *compiler) destinations(in *ir.Instr) (d []destination) {
	for _, r := range in.Dst {
		d = append(d, c.destination(r))
	}
	return d
}

// cells are those of an access whose lanes all mean cells of one object that there is no doubt
// about: first is the number of lane 0's, and if next is 0 all lanes mean that one, if it is 1 each
// lane the one behind its neighbour's; next is -1 where m.addr has the offsets. ok is false for any
// other access. of gives the cells of memory.
func (a *ballAccess) cells(m *machine, extra int64, of func(*memory) []ball.Ball) (cells []ball.Ball, log uint, first, next int, ok bool) {
	switch {
	case len(a.address) > 0 || m.firstActive() < 0:
		return nil, 0, 0, 0, false
	case a.own != nil:
		if cells = m.balls.private; !a.own.uniform || len(cells) == 0 {
			return nil, 0, 0, 0, false
		}
		log = m.p.exact.privateLog
		return cells, log, int(a.own.one(m, extra)>>log) * m.stride, 1, true
	case a.shared.uniform:
		mem, off := a.shared.one(m, extra)
		return of(mem), mem.cellLog, int(off >> mem.cellLog), 0, true
	}
	if a.run && extra == 0 {
		if x, ok := a.shared.extent(m); ok {
			if cells := of(x.mem); cells == nil || x.mem.cellLog == a.shared.log {
				return cells, a.shared.log, int(x.origin + x.index), 1, true
			}
		}
	}
	mem, ok := a.shared.many(m, extra)
	if !ok {
		return nil, 0, 0, 0, false
	}
	return of(mem), mem.cellLog, 0, -1, true
}

// load copies balls from memory, and notes for which results there are none, and for which there
// are all: loaded does the rest.
func (a *ballAccess) load(dst []destination, held bool, live []slot) op {
	size := int64(a.in.From.Size())
	return func(m *machine) {
		b := m.balls
		b.bare, b.complete = 0, 0
		for k, d := range dst {
			if a.mixed {
				a.loadMixed(m, m.target(d), int64(k)*size, held)
				continue
			}
			if row := m.rawRow(d.slot); a.gathers && len(row) > 1 {
				if none, of, ok := a.gather(m, m.target(d), int64(k)*size); ok {
					b.note(k, none, of)
					continue
				}
			}
			cells, log, first, next, ok := a.cells(m, int64(k)*size, (*memory).balls)
			switch {
			case !ok:
				a.loadEach(m, d, int64(k)*size, held)
			case cells == nil || next == 1 && m.whole && untouched(cells[first:first+m.n]):
				b.bare |= 1 << k
			case a.own != nil && d.lent && b.lent.filled[first/m.stride]:
				m.recall(first/m.stride, live)
				b.lent.lend(d.slot, cells[first:first+m.n:first+m.n], first/m.stride)
				*b.kinds.of(d.slot) = written
				b.complete |= 1 << k
			default:
				none, of := m.loadRow(m.target(d), cells, log, first, next)
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
func (a *ballAccess) gather(m *machine, row []ball.Ball, extra int64) (none, of int, ok bool) {
	mem := &m.objects[a.shared.object]
	at := int64(m.uni64[a.shared.base64]-a.shared.origin) + a.in.Mem.Disp + extra
	cells := mem.balls()
	if mem.cellLog != a.shared.log || cells == nil || at&(a.shared.size-1) != 0 {
		return 0, 0, false
	}
	first := at >> mem.cellLog
	cells = cells[:min(int64(len(cells)), mem.size>>mem.cellLog)]
	signed, mask, index := a.in.Mem.IndexSigned, m.mask[:len(row)], a.shared.index32(m)[:len(row)]
	for l := range row {
		if mask[l] == 0 {
			continue
		}
		i := uint64(wordIndex(index[l], signed) + first)
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
func (a *ballAccess) loadEach(m *machine, d destination, extra int64, held bool) {
	row := m.target(d)
	a.where(m, extra, len(row) == 1, func(l int, mem *memory, off int64) {
		row[min(l, len(row)-1)] = a.loadedBall(m, mem, off, l, held)
	})
}

// loadedBall is what a lane reads at a place.
func (a *ballAccess) loadedBall(m *machine, mem *memory, off int64, l int, held bool) ball.Ball {
	switch {
	case a.uncertain(m, l):
		return ball.Unknown(0)
	case !held:
		return ball.Ball{}
	}
	return m.held(mem, off, l, a.in.From)
}

// loadMixed is load where memory may have been written as another type.
func (a *ballAccess) loadMixed(m *machine, row []ball.Ball, extra int64, held bool) {
	a.where(m, extra, len(row) == 1, func(l int, mem *memory, off int64) {
		row[min(l, len(row)-1)] = a.mixedBall(m, mem, off, l, held)
	})
}

// mixedBall is what a lane reads at such a place. Where the memory does not know of which type it
// is, nothing is known of an element of which some part has a ball.
func (a *ballAccess) mixedBall(m *machine, mem *memory, off int64, l int, held bool) (b ball.Ball) {
	switch {
	case a.uncertain(m, l):
		return ball.Unknown(0)
	case !held:
	case mem != nil && mem.kinds != nil:
		var whole bool
		if b, whole = mem.typed(off, a.in.From); !whole {
			m.note(a.in.Pos, TakenApart)
		}
	default:
		m.cellsOf(mem, off, a.in.From.Size(), l, func(cell *ball.Ball, _ int64) {
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
func (m *machine) loadRow(row, cells []ball.Ball, log uint, first, next int) (none, of int) {
	if next == 1 && m.whole {
		copy(row, cells[first:])
		for i := range row {
			if row[i].None() {
				none++
			}
		}
		return none, len(row)
	}
	for l, on := range m.rowMask(row)[:len(row)] {
		if on == 0 {
			continue
		}
		at := first + l*next
		if next < 0 {
			at = int(m.addr[l] >> log)
		}
		of++
		if row[l] = cells[at]; row[l].None() {
			none++
		}
	}
	return none, of
}

// storeRow copies the balls of a row, nil for none, to cells.
func (m *machine) storeRow(row, cells []ball.Ball, log uint, first, next int) {
	if cells == nil {
		return
	}
	step := stride(row)
	switch {
	case m.whole && next == 1 && step == 1:
		copy(cells[first:], row)
		return
	case m.whole && next == 1 && row == nil:
		if row = cells[first : first+m.n]; !untouched(row) { // memory that nobody has touched need not be there
			clear(row)
		}
		return
	}
	for l, on := range m.mask {
		if on == 0 {
			continue
		}
		at := first + l*next
		if next < 0 {
			at = int(m.addr[l] >> log)
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
func (c *compiler) loaded(in *ir.Instr) op {
	dst, t := c.destinations(in), in.From.Type()
	x := c.p.exact
	fresh := !x.Of(in.Mem).Depends && len(c.ballAddress(in)) == 0
	return func(m *machine) {
		for k, d := range dst {
			bare := fresh || m.balls.bare>>k&1 != 0
			switch {
			case m.balls.doubtful:
			case bare:
				m.follows(d)
				continue
			case m.balls.complete>>k&1 != 0:
				continue
			}
			row := m.row(d.slot)
			if t == ir.F32 && d.varying {
				m.loadedRow(row, asF(m.lanes(d.index)), bare)
				continue
			}
			for l, on := range m.rowMask(row) {
				if on != 0 && l < len(row) && (bare || row[l].None()) {
					row[l] = m.valueBall(d.slot, t, l)
				}
			}
			m.doubtRow(row)
		}
	}
}

// loadedRow is the hot case: floats.
func (m *machine) loadedRow(row []ball.Ball, values []float32, bare bool) {
	for l, on := range m.mask {
		if on != 0 && (bare || row[l].None()) {
			row[l] = ball.Of(float64(values[l]))
		}
	}
	m.doubtRow(row)
}

// storeBalls compiles a store.
func (c *compiler) storeBalls(in *ir.Instr) {
	x := c.p.exact
	if !x.Of(in.Mem).Depends {
		c.value(in)
		return
	}
	a := c.ballAccess(in)
	if in.Mem.Space == syntax.Device && len(a.address) > 0 { // it may make all of a buffer unknown
		c.p.inOrder = true
	}
	var args []ballOperand
	for _, r := range in.Args {
		args = append(args, c.ballOperand(r))
	}
	var live []slot
	c.do(func(m *machine) {
		for k := range args {
			if m.balls.journal != nil {
				m.balls.journal.note(m, a, int64(k)*int64(in.From.Size()))
			}
			if m.tape != nil {
				m.tape.store(m, in, &args[k], m.tape.places(m, a, int64(k)*int64(in.From.Size()), nil), 0)
			}
			var row, full []ball.Ball // none if memory will hold all there is to know; or for some lanes
			alike := !m.balls.doubtful && len(a.address) == 0
			simple := alike && !a.mixed
			if o := &args[k]; o.has && !(alike && *m.balls.kinds.of(o.at) != written && m.alikeRow(o, false)) {
				row = m.stored(m.look(o.at))
				if full = row; !in.From.Type().IsFloat() {
					row, full = m.uncertain(row, in.From.Size() == 1), nil
				}
			}
			if simple {
				of := (*memory).balls
				if row != nil {
					of = (*memory).room
				}
				if cells, log, first, next, ok := a.cells(m, int64(k)*int64(in.From.Size()), of); ok {
					if a.own != nil {
						m.recall(first/m.stride, live)
						m.fill(first/m.stride, full)
					}
					m.storeRow(row, cells, log, first, next)
					continue
				}
			}
			if a.own != nil {
				m.recallAll()
			}
			a.where(m, int64(k)*int64(in.From.Size()), false, func(l int, mem *memory, off int64) {
				var b ball.Ball
				if row != nil {
					b = row[min(l, len(row)-1)]
				}
				m.hold(mem, off, l, in.From, a.stored(m, mem, l, b))
			})
		}
		a.scattered(m)
	})
	c.value(in)
	live = c.borrowing()
}

// stored is a row as memory gets it: expressions end there.
func (m *machine) stored(row []ball.Ball) []ball.Ball {
	if !m.p.rewritten {
		return row
	}
	kept := append(m.balls.kept[0][:0], row...)
	m.balls.kept[0] = kept
	for l := range kept {
		kept[l] = kept[l].Leaf()
	}
	return kept
}

// uncertain is a row of integers as memory gets it: those that every device has are what memory holds,
// and may be read as something else.
func (m *machine) uncertain(row []ball.Ball, bytes bool) []ball.Ball {
	kept := append(m.balls.kept[0][:0], row...)
	m.balls.kept[0] = kept
	for l := range kept {
		if kept[l].E == 0 || bytes && kept[l].One() {
			kept[l] = ball.Ball{}
		}
	}
	return kept
}

// scattered makes all that a store may have reached unknown, where another device may mean
// another address.
func (a *ballAccess) scattered(m *machine) {
	if len(a.address) == 0 {
		return
	}
	for l, on := range m.mask {
		if on == 0 || !a.uncertain(m, l) {
			continue
		}
		m.forgetReached(a.in, l)
		if a.own == nil {
			return
		}
	}
}

// forgetReached makes all that a store of a lane may reach unknown.
func (m *machine) forgetReached(in *ir.Instr, l int) {
	m.note(in.Pos, Unstable)
	if in.Mem.Space == syntax.Thread {
		cells := m.balls.private
		for i := l; i < len(cells[:m.p.exact.privateCells*m.stride]); i += m.stride {
			cells[i] = ball.Unknown(0)
		}
		return
	}
	for _, at := range m.p.exact.Places(in.Mem) {
		cells, kinds := m.objects[at.Object].room(), m.objects[at.Object].kinds
		for i := range cells {
			cells[i] = ball.Unknown(0)
		}
		for i := range kinds {
			kinds[i] = brokenCell
		}
	}
}

// stored is what memory gets of a ball.
func (a *ballAccess) stored(m *machine, mem *memory, l int, b ball.Ball) ball.Ball {
	switch {
	case a.uncertain(m, l), m.balls.doubtful && m.balls.doubt[l] != 0:
		return ball.Unknown(b.X)
	case mem != nil && mem.kinds != nil:
		return b
	case a.mixed && b.E > 0:
		m.note(a.in.Pos, TakenApart)
		return ball.Unknown(b.X)
	case a.mixed:
		return ball.Ball{}
	}
	return b
}
