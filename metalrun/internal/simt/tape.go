package simt

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// A tape is what a threadgroup did to its balls, operation by operation, in rows: where each
// result went and came from, the derivative by each operand, what the device lost in the operation,
// and what any device may lose in it. Read backwards from one element, with the sensitivity of that
// element to every place of a register or of memory (the adjoint, as in reverse differentiation), it
// gives what each rounding has done to the element, to first order.
//
// A tape holds the last records of a run, as many as its limit allows. What came before is
// recorded by running the threadgroup again up to there: memory is bounded, and time is the
// number of windows times that of a run. Lanes that the element does not depend on are left out
// (tape_lanes.go).

// tape records one threadgroup.
type tape struct {
	limit   int // most bytes of records
	until   int // operations after which the run ends; -1: none
	from    int // those before are not recorded
	first   int // those that are not recorded, or no longer
	count   int // operations so far
	sites   []*site
	known   map[*ir.Instr]int32
	records []taped
	bytes   int

	// Places are numbered: buffers, which all threadgroups share, then registers of all lanes,
	// then their memory, then objects of the threadgroup.
	n                        int
	narrow, wide, uni, uni64 int
	own                      int
	objects                  map[*memory]int
	base                     []int  // by object
	logs                     []uint // of the bytes of its places
	adjoint                  []float64

	fresh   bool      // the threadgroup has not been recorded yet
	finding bool      // only who stores to places of buffers that have an adjoint
	stores  []storing // those threadgroups, in turn
	storing []bool    // the lanes of the one that is recorded
	wants   []bool    // lanes that are recorded whole

	// Of the instruction that is recorded.
	lanes                  []int
	values, exacts, errors [][]float64 // of operands, by argument
	sources                []int32     // of a permutation, by lane
}

// site is an instruction.
type site struct {
	pos           syntax.Pos
	actual, bound float64
	lost          float64 // most bits that a cancellation cost
	times         int
}

// taped is one operation: dst = Σ by·src + lost, by lane; or, of a sum, dst is one value for all.
type taped struct {
	event  int
	site   int32
	args   int32
	sum    bool
	keeps  bool      // dst stays part of what it becomes
	dst    []int32   // by lane
	src    []int32   // by argument and lane; of a sum by term
	by     []float64 // likewise
	actual []float64 // what the device lost, by lane; of a sum one
	bound  []float64 // what any may lose
	bits   []float32 // that cancelled, by lane; nil: none
}

func (r *taped) bytes() int {
	return 176 + 4*(len(r.dst)+len(r.src)+len(r.bits)) + 8*(len(r.by)+len(r.actual)+len(r.bound))
}

// finished ends a run that has come to what is recorded already.
type finished struct{}

// begin numbers the places of a machine.
func (t *tape) begin(m *machine) {
	p, next := m.p, 0
	t.n = m.n
	own := 0
	t.objects, t.base, t.logs = map[*memory]int{}, make([]int, len(m.objects)), make([]uint, len(m.objects))
	for i := range m.objects {
		if i == analysis.FirstThreadgroup {
			t.narrow = next
			t.wide = t.narrow + p.slots32*m.n
			t.uni = t.wide + p.slots64*m.n
			t.uni64 = t.uni + len(p.uni32)
			t.own = t.uni64 + len(p.uni64)
			next = t.own + (p.privateWords*4>>p.exact.privateLog)*m.n
			own = next
		}
		mem := &m.objects[i]
		log := uint(2)
		switch h := p.exact.At(analysis.Place{Space: spaceOf(i, p), Object: i}); {
		case mem.cells != nil:
			log = mem.cellLog
		case h != nil:
			log = h.Log()
		}
		t.objects[mem], t.base[i], t.logs[i] = i, next, log
		next += int(mem.size>>log) + 1
	}
	t.adjoint = append(t.adjoint, make([]float64, max(0, next-len(t.adjoint)))...)
	if t.fresh {
		clear(t.adjoint[t.narrow:])
	}
	t.fresh = false
	t.want(own)
	t.records, t.first, t.count, t.bytes = nil, t.from, 0, 0
}

// spaceOf is the address space of a machine's object.
func spaceOf(object int, p *Program) syntax.Space {
	switch {
	case object < analysis.FirstThreadgroup:
		return syntax.Device
	case object < analysis.FirstStatic:
		return syntax.Threadgroup
	case p.kernel.Objects[object-analysis.FirstStatic].Space == syntax.Threadgroup:
		return syntax.Threadgroup
	}
	return syntax.Device
}

// register is the number of a register in a lane.
func (t *tape) register(at slot, l int) int32 {
	switch {
	case at.varying && at.wide:
		return int32(t.wide + at.index*t.n + l)
	case at.varying:
		return int32(t.narrow + at.index*t.n + l)
	case at.wide:
		return int32(t.uni64 + at.index)
	}
	return int32(t.uni + at.index)
}

// memory is the number of a place in memory.
func (t *tape) memory(m *machine, mem *memory, off int64, l int) int32 {
	if mem == nil {
		return int32(t.own + int(off>>m.p.exact.privateLog)*t.n + l)
	}
	i := t.objects[mem]
	return int32(t.base[i] + int(off>>t.logs[i]))
}

// event counts an operation, and reports whether it is to be recorded.
func (t *tape) event() bool {
	if t.count == t.until {
		panic(finished{})
	}
	t.count++
	return !t.finding && t.count > t.from
}

// add appends a record.
func (t *tape) add(in *ir.Instr, r taped) {
	if len(r.dst) == 0 { // no lane that matters
		return
	}
	i, ok := t.known[in]
	if !ok {
		i = int32(len(t.sites))
		t.known[in] = i
		t.sites = append(t.sites, &site{pos: in.Pos})
	}
	r.site, r.event = i, t.count
	t.records = append(t.records, r)
	if t.bytes += r.bytes(); t.bytes > t.limit {
		t.drop()
	}
}

// drop forgets the older half of the records, by whole operations, but for the last one.
func (t *tape) drop() {
	n := 0
	for ; t.records[n].event < t.count && (t.bytes > t.limit/2 || t.records[n].event == t.first); n++ {
		t.bytes -= t.records[n].bytes()
		t.first = t.records[n].event
	}
	t.records = append([]taped(nil), t.records[n:]...)
}

// mark and rewind take back what a trial has recorded.
func (t *tape) mark() int {
	if t == nil {
		return 0
	}
	return t.count
}

func (t *tape) rewind(to int) {
	if t == nil {
		return
	}
	for n := len(t.records) - 1; n >= 0 && t.records[n].event > to; n-- {
		t.bytes -= t.records[n].bytes()
		t.records = t.records[:n]
	}
}

// backward takes the sensitivities from the end of the records to their beginning, and adds what the
// operations have contributed to their sites.
func (t *tape) backward() {
	var of []float64
	for i := len(t.records) - 1; i >= 0; i-- {
		r := &t.records[i]
		any := false
		of = of[:0]
		for range r.dst {
			of = append(of, 0)
		}
		for k := len(r.dst) - 1; k >= 0; k-- {
			d := r.dst[k]
			of[k] = t.adjoint[d]
			any = any || of[k] != 0
			if !r.keeps {
				t.adjoint[d] = 0
			}
		}
		if any {
			t.sites[r.site].take(t.adjoint, r, of)
		}
	}
}

// take adds the part of one record, whose results have sensitivities of.
func (s *site) take(adjoint []float64, r *taped, of []float64) {
	if r.sum {
		total := 0.0
		for _, a := range of {
			total += a
		}
		s.lose(total, r.actual[0], r.bound[0])
		for k, from := range r.src {
			adjoint[from] += float64(total * r.by[k])
		}
		return
	}
	for k, a := range of {
		if a == 0 {
			continue
		}
		if len(r.actual) > 0 {
			s.lose(a, r.actual[k], r.bound[k])
		}
		if r.bits != nil {
			s.lost = math.Max(s.lost, float64(r.bits[k]))
		}
		for j := range int(r.args) {
			at := j*len(r.dst) + k
			adjoint[r.src[at]] += float64(a * r.by[at])
		}
	}
}

func (s *site) lose(sensitivity, actual, bound float64) {
	s.times++
	s.actual += float64(sensitivity * actual)
	s.bound += math.Abs(sensitivity) * bound
}

// operands takes what an instruction is about to read.
func (t *tape) operands(m *machine, b *ballInstr) {
	if t.finding || t.count < t.from {
		return
	}
	t.lanes = t.lanes[:0]
	row := m.look(b.dst[0].slot)
	for l, on := range m.rowMask(row) {
		if on != 0 && l < len(row) && (b.crosses || t.wants[l] || !b.dst[0].varying) {
			t.lanes = append(t.lanes, l)
		}
	}
	if b.in.Op == ir.Simd || b.in.Op == ir.MatMul { // lanes read from others
		t.lanes = t.lanes[:0]
		for l, on := range m.mask {
			if on != 0 {
				t.lanes = append(t.lanes, l)
			}
		}
	}
	t.values, t.exacts, t.errors = t.values[:0], t.exacts[:0], t.errors[:0]
	for _, o := range b.args {
		v, x, e := make([]float64, len(t.lanes)), make([]float64, len(t.lanes)), make([]float64, len(t.lanes))
		for i, l := range t.lanes {
			v[i] = m.number(o.at, o.typ, l)
			x[i] = v[i]
			if o.has {
				row := m.look(o.at)
				known := row[min(l, len(row)-1)]
				x[i], e[i] = known.X, known.E
			}
		}
		t.values, t.exacts, t.errors = append(t.values, v), append(t.exacts, x), append(t.errors, e)
	}
}

// result records an instruction after it has run.
func (t *tape) result(m *machine, b *ballInstr) {
	switch {
	case !t.event():
	case b.in.Op == ir.MatMul:
		t.product(m, b)
	case b.in.Op == ir.Simd && b.reduces:
		t.reduction(m, b)
	case b.in.Op == ir.Simd && b.permutes:
		t.permutation(m, b)
	default:
		for i, d := range b.dst {
			if i == 0 && b.formula != nil && b.c.typ(b.in.Dst[0]).IsFloat() {
				t.elementwise(m, b)
			} else {
				t.forgets(m, b, d.slot)
			}
		}
	}
}

// forgets records that a register no longer holds what it held.
func (t *tape) forgets(m *machine, b *ballInstr, d slot) {
	r := taped{dst: make([]int32, len(t.lanes))}
	for i, l := range t.lanes {
		r.dst[i] = t.register(d, l)
	}
	t.add(b.in, r)
}

// elementwise records a function of the operands of each lane.
func (t *tape) elementwise(m *machine, b *ballInstr) {
	n, args := len(t.lanes), len(b.args)
	r := taped{args: int32(args), dst: make([]int32, n), src: make([]int32, args*n), by: make([]float64, args*n), actual: make([]float64, n), bound: make([]float64, n)}
	typ, row := b.c.typ(b.in.Dst[0]), m.look(b.dst[0].slot)
	cancels := b.in.Op == ir.Add || b.in.Op == ir.Sub || b.in.Op == ir.FMA
	if cancels {
		r.bits = make([]float32, n)
	}
	at, on, by := make([]ball.Ball, args), make([]ball.Ball, args), make([]float64, args)
	for i, l := range t.lanes {
		r.dst[i] = t.register(b.dst[0].slot, l)
		for j, o := range b.args {
			at[j], on[j] = ball.Ball{X: t.exacts[j][i]}, ball.Ball{X: t.values[j][i]}
			r.src[j*n+i] = t.register(o.at, l)
		}
		result := row[min(l, len(row)-1)]
		b.derivatives(by, at, result.X)
		got := m.number(b.dst[0].slot, typ, l)
		r.actual[i] = sane(got - b.formula(on).X)
		r.bound[i] = result.E
		for j := range args {
			by[j] = sane(by[j])
			r.bound[i] -= math.Abs(by[j]) * t.errors[j][i]
			r.by[j*n+i] = by[j]
		}
		r.bound[i] = math.Max(0, sane(r.bound[i]))
		switch {
		case b.anchors: // rounded in the definition too: what is left is that it may round elsewhere
			r.actual[i], r.bound[i] = sane(got-result.X), sane(result.E)
		case b.rounds != nil && t.errors[0][i] == 0:
			r.bound[i] = math.Abs(r.actual[i])
		case b.rounds != nil:
			r.bound[i] = b.rounds.Rounding(got)
		case b.reads:
			r.bound[i] = 0 // counted where it was rounded
		}
		if cancels && result.X != 0 {
			largest, off := 0.0, 0.0
			for j := range args {
				term := math.Abs(at[j].X)
				if b.in.Op == ir.FMA && j < 2 {
					term = math.Abs(at[0].X * at[1].X)
				}
				largest = math.Max(largest, term)
				off += t.errors[j][i]
			}
			if off > 0 && largest > math.Abs(result.X) {
				r.bits[i] = float32(math.Log2(largest / math.Abs(result.X)))
			}
		}
	}
	t.add(b.in, r)
}

// sane is a figure that can be added up: 0 where it is none.
func sane(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}

// reduction records the sum, product or extreme of a group's active lanes, or of those before one.
func (t *tape) reduction(m *machine, b *ballInstr) {
	name, width := simdName(b.in.Fn)
	row, typ := m.look(b.dst[0].slot), b.c.typ(b.in.Dst[0])
	for first := 0; first < len(t.lanes); {
		last := first
		for last < len(t.lanes) && t.lanes[last]/width == t.lanes[first]/width {
			last++
		}
		if !b.prefix {
			t.folded(m, b, name, row, typ, first, last, t.lanes[first:last])
		}
		for i := first; b.prefix && i < last; i++ {
			end := i + 1
			if b.exclusive {
				end = i
			}
			t.folded(m, b, name, row, typ, first, end, t.lanes[i:i+1])
		}
		first = last
	}
}

// folded records that lanes to have what the lanes numbered first to last make.
func (t *tape) folded(m *machine, b *ballInstr, name string, row []ball.Ball, typ ir.Type, first, last int, to []int) {
	r := taped{sum: true, actual: make([]float64, 1), bound: make([]float64, 1)}
	for _, l := range to {
		r.dst = append(r.dst, t.register(b.dst[0].slot, l))
	}
	result, got := row[min(to[0], len(row)-1)], m.number(b.dst[0].slot, typ, to[0])
	exact, taken := 0.0, -1
	if b.multiplies {
		exact = 1
	}
	r.bound[0] = result.E
	for i := first; i < last; i++ {
		by, v := 1.0, t.values[0][i]
		switch {
		case b.multiplies:
			by = sane(result.X / t.exacts[0][i])
			exact *= v
		case b.selects:
			by = 0
			if v == got && taken < 0 {
				by, taken, exact = 1, i, v
			}
		default:
			exact += v
		}
		r.src, r.by = append(r.src, t.register(b.args[0].at, t.lanes[i])), append(r.by, by)
		r.bound[0] -= math.Abs(by) * t.errors[0][i]
	}
	r.bound[0] = math.Max(0, sane(r.bound[0]))
	if b.selects {
		r.bound[0] = 0
	}
	if taken >= 0 || !b.selects {
		r.actual[0] = sane(got - exact)
	}
	t.add(b.in, r)
}

// permutation records which lane each has read from.
func (t *tape) permutation(m *machine, b *ballInstr) {
	n := len(t.lanes)
	r := taped{args: 1, dst: make([]int32, n), src: make([]int32, n), by: make([]float64, n)}
	for i, l := range t.lanes {
		r.dst[i], r.src[i], r.by[i] = t.register(b.dst[0].slot, l), t.sources[l], 1
		if t.sources[l] < 0 { // of no active lane
			r.src[i], r.by[i] = r.dst[i], 0
		}
	}
	t.add(b.in, r)
}

// moved notes which operand and lane a lane of a permutation reads; of nil, none that is known.
func (t *tape) moved(m *machine, l int, of *ballOperand, from int) {
	if len(t.sources) < m.n {
		t.sources = make([]int32, m.n)
	}
	t.sources[l] = -1
	if of != nil {
		t.sources[l] = t.register(of.at, from)
	}
}

// load records that registers get what memory has at places, by lane; uniform registers once.
func (t *tape) load(m *machine, in *ir.Instr, d slot, places []int32, crosses bool) {
	r := taped{args: 1}
	for l, on := range m.mask {
		if on == 0 || d.varying && !crosses && !t.wants[l] {
			continue
		}
		r.dst, r.src, r.by = append(r.dst, t.register(d, l)), append(r.src, places[l]), append(r.by, 1)
		if !d.varying {
			break
		}
	}
	t.add(in, r)
}

// places are those of an access, by lane.
func (t *tape) places(m *machine, a *ballAccess, extra int64, into []int32) []int32 {
	if len(into) < m.n {
		into = make([]int32, m.n)
	}
	a.where(m, extra, false, func(l int, mem *memory, off int64) {
		into[l] = t.memory(m, mem, off, l)
		if t.finding && mem != nil && int(into[l]) < t.narrow && t.adjoint[into[l]] != 0 {
			t.stored(number(m.group, m.launch.Groups), l)
		}
	})
	return into
}

// number is that of a threadgroup in the grid.
func number(group, of Size) int { return (group[2]*of[1]+group[1])*of[0] + group[0] }

// store records that memory gets what a register has, nothing if that has no ball; added to what is
// there, or instead of it.
func (t *tape) store(m *machine, in *ir.Instr, arg *ballOperand, places []int32, adds float64) {
	if !t.event() {
		return
	}
	crosses := m.p.exact.crossing.Reaches(in)
	for l, on := range m.mask {
		if on == 0 || !crosses && !t.wants[l] {
			continue
		}
		r := taped{dst: places[l : l+1 : l+1], keeps: adds != 0}
		r.dst = append([]int32(nil), r.dst...)
		if arg.has {
			by := 1.0
			if adds != 0 {
				by = adds
			}
			r.args, r.src, r.by = 1, []int32{t.register(arg.at, l)}, []float64{by}
		}
		t.add(in, r)
	}
}
