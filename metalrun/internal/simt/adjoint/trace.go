package adjoint

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// A trace is what a threadgroup did to its balls, operation by operation, in rows: where each
// Result went and came from, the derivative by each operand, what the device lost in the operation,
// and what any device may lose in it. Read backwards from one element, with the sensitivity of that
// element to every place of a register or of memory (the adjoint, as in reverse differentiation), it
// gives what each rounding has done to the element, to first order.
//
// A trace holds the last records of a run, as many as its limit allows. What came before is
// recorded by running the threadgroup again up to there: memory is bounded, and time is the
// number of windows times that of a run. Lanes that the element does not depend on are left out
// (tape_lanes.go).

// trace records one threadgroup.
type trace struct {
	window
	numbering
	sites []*errorSource
	known map[*ir.Instr]int32

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

// window is which operations are recorded, and their records.
type window struct {
	limit   int // most bytes of records
	until   int // operations after which the run ends; -1: none
	from    int // those before are not recorded
	first   int // those that are not recorded, or no longer
	count   int // operations so far
	records []operation
	bytes   int
}

// numbering are numbered: buffers, which all threadgroups share, then registers of all lanes,
// then their memory, then objects of the threadgroup.
type numbering struct {
	n                        int
	narrow, wide, uni, uni64 int
	own                      int
	objects                  map[*machine.Memory]int
	base                     []int  // by object
	logs                     []uint // of the bytes of its places
	adjoint                  []float64
}

// errorSource is an instruction.
type errorSource struct {
	pos           syntax.Pos
	actual, bound float64
	lost          float64 // most bits that a cancellation cost
	times         int
}

// operation is one operation: dst = Σ by·src + lost, by lane; or, of a sum, dst is one value for all.
type operation struct {
	event  int
	site   int32
	args   int32
	sum    bool
	keeps  bool      // dst stays part of what it becomes
	dst    []int32   // by lane
	src    []int32   // by argument and lane; of a sum by term
	by     []float64 // derivatives, in the order of src
	actual []float64 // what the device lost, by lane; of a sum one
	bound  []float64 // what any may lose
	bits   []float32 // that cancelled, by lane; nil: none
}

func (r *operation) bytes() int {
	return 176 + 4*(len(r.dst)+len(r.src)+len(r.bits)) + 8*(len(r.by)+len(r.actual)+len(r.bound))
}

// finished ends a run that has come to what is recorded already.
type finished struct{}

// begin numbers the places of a machine.
func (t *trace) begin(m *machine.Machine) {
	p, next := m.P, 0
	t.n = m.N
	own := 0
	t.objects, t.base, t.logs = map[*machine.Memory]int{}, make([]int, len(m.Objects)), make([]uint, len(m.Objects))
	for i := range m.Objects {
		if i == analysis.FirstThreadgroup {
			t.narrow = next
			t.wide = t.narrow + p.Slots32*m.N
			t.uni = t.wide + p.Slots64*m.N
			t.uni64 = t.uni + len(p.Uni32)
			t.own = t.uni64 + len(p.Uni64)
			next = t.own + (p.PrivateWords*4>>exact.ExactOf(p).PrivateLog)*m.N
			own = next
		}
		mem := &m.Objects[i]
		log := uint(2)
		switch h := exact.ExactOf(p).At(analysis.MemoryObject{Space: spaceOf(i, p), Object: i}); {
		case mem.Cells != nil:
			log = mem.CellLog
		case h != nil:
			log = h.Log()
		}
		t.objects[mem], t.base[i], t.logs[i] = i, next, log
		next += int(mem.Size>>log) + 1
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
func spaceOf(object int, p *machine.Program) syntax.Space {
	switch {
	case object < analysis.FirstThreadgroup:
		return syntax.Device
	case object < analysis.FirstStatic:
		return syntax.Threadgroup
	case p.Kernel.Objects[object-analysis.FirstStatic].Space == syntax.Threadgroup:
		return syntax.Threadgroup
	}
	return syntax.Device
}

// register is the number of a register in a lane.
func (t *trace) register(at machine.Slot, l int) int32 {
	switch {
	case at.Varying && at.Wide:
		return int32(t.wide + at.Index*t.n + l)
	case at.Varying:
		return int32(t.narrow + at.Index*t.n + l)
	case at.Wide:
		return int32(t.uni64 + at.Index)
	}
	return int32(t.uni + at.Index)
}

// memory is the number of a place in memory.
func (t *trace) memory(m *machine.Machine, mem *machine.Memory, off int64, l int) int32 {
	if mem == nil {
		return int32(t.own + int(off>>exact.ExactOf(m.P).PrivateLog)*t.n + l)
	}
	i := t.objects[mem]
	return int32(t.base[i] + int(off>>t.logs[i]))
}

// Event counts an operation, and reports whether it is to be recorded.
func (t *trace) Event() bool {
	if t.count == t.until {
		panic(finished{})
	}
	t.count++
	return !t.finding && t.count > t.from
}

// add appends a record.
func (t *trace) add(in *ir.Instr, r operation) {
	if len(r.dst) == 0 { // no lane that matters
		return
	}
	i, ok := t.known[in]
	if !ok {
		i = int32(len(t.sites))
		t.known[in] = i
		t.sites = append(t.sites, &errorSource{pos: in.Pos})
	}
	r.site, r.event = i, t.count
	t.records = append(t.records, r)
	if t.bytes += r.bytes(); t.bytes > t.limit {
		t.drop()
	}
}

// drop forgets the older half of the records, by whole operations, but for the last one.
func (t *trace) drop() {
	n := 0
	for ; t.records[n].event < t.count && (t.bytes > t.limit/2 || t.records[n].event == t.first); n++ {
		t.bytes -= t.records[n].bytes()
		t.first = t.records[n].event
	}
	t.records = append([]operation(nil), t.records[n:]...)
}

// Mark and Rewind take back what a trial has recorded.
func (t *trace) Mark() int { return t.count }

// Rewind forgets what was recorded since a mark.
func (t *trace) Rewind(to int) {
	for n := len(t.records) - 1; n >= 0 && t.records[n].event > to; n-- {
		t.bytes -= t.records[n].bytes()
		t.records = t.records[:n]
	}
}

// backward takes the sensitivities from the end of the records to their beginning, and adds what the
// operations have contributed to their sites.
func (t *trace) backward() {
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
func (s *errorSource) take(adjoint []float64, r *operation, of []float64) {
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

func (s *errorSource) lose(sensitivity, actual, bound float64) {
	s.times++
	s.actual += float64(sensitivity * actual)
	s.bound += math.Abs(sensitivity) * bound
}

// Operands takes what an instruction is about to read.
func (t *trace) Operands(m *machine.Machine, b *exact.BallInstr) {
	if t.finding || t.count < t.from {
		return
	}
	t.lanes = t.lanes[:0]
	row := exact.ReadRow(m, b.Dst[0].Slot)
	for l, on := range exact.RowMask(m, row) {
		if on != 0 && l < len(row) && (b.Crosses || t.wants[l] || !b.Dst[0].Varying) {
			t.lanes = append(t.lanes, l)
		}
	}
	if b.In.Op == ir.Simd || b.In.Op == ir.MatMul { // lanes read from others
		t.lanes = t.lanes[:0]
		for l, on := range m.Mask {
			if on != 0 {
				t.lanes = append(t.lanes, l)
			}
		}
	}
	t.values, t.exacts, t.errors = t.values[:0], t.exacts[:0], t.errors[:0]
	for _, o := range b.Args {
		v, x, e := make([]float64, len(t.lanes)), make([]float64, len(t.lanes)), make([]float64, len(t.lanes))
		for i, l := range t.lanes {
			v[i] = exact.Number(m, o.At, o.Typ, l)
			x[i] = v[i]
			if o.Has {
				row := exact.ReadRow(m, o.At)
				known := row[min(l, len(row)-1)]
				x[i], e[i] = known.X, known.E
			}
		}
		t.values, t.exacts, t.errors = append(t.values, v), append(t.exacts, x), append(t.errors, e)
	}
}

// Result records an instruction after it has run.
func (t *trace) Result(m *machine.Machine, b *exact.BallInstr) {
	switch {
	case !t.Event():
	case b.In.Op == ir.MatMul:
		t.product(m, b)
	case b.In.Op == ir.Simd && b.Reduces:
		t.reduction(m, b)
	case b.In.Op == ir.Simd && b.Permutes:
		t.permutation(m, b)
	default:
		for i, d := range b.Dst {
			if i == 0 && b.Formula != nil && b.C.Typ(b.In.Dst[0]).IsFloat() {
				t.elementwise(m, b)
			} else {
				t.forgets(m, b, d.Slot)
			}
		}
	}
}

// forgets records that a register no longer holds what it held.
func (t *trace) forgets(m *machine.Machine, b *exact.BallInstr, d machine.Slot) {
	r := operation{dst: make([]int32, len(t.lanes))}
	for i, l := range t.lanes {
		r.dst[i] = t.register(d, l)
	}
	t.add(b.In, r)
}

// elementwise records a function of the operands of each lane.
func (t *trace) elementwise(m *machine.Machine, b *exact.BallInstr) {
	n, args := len(t.lanes), len(b.Args)
	r := operation{args: int32(args), dst: make([]int32, n), src: make([]int32, args*n), by: make([]float64, args*n),
		actual: make([]float64, n), bound: make([]float64, n)}
	typ, row := b.C.Typ(b.In.Dst[0]), exact.ReadRow(m, b.Dst[0].Slot)
	cancels := b.In.Op == ir.Add || b.In.Op == ir.Sub || b.In.Op == ir.FMA
	if cancels {
		r.bits = make([]float32, n)
	}
	at, on, by := make([]ball.Ball, args), make([]ball.Ball, args), make([]float64, args)
	for i, l := range t.lanes {
		r.dst[i] = t.register(b.Dst[0].Slot, l)
		for j, o := range b.Args {
			at[j], on[j] = ball.Ball{X: t.exacts[j][i]}, ball.Ball{X: t.values[j][i]}
			r.src[j*n+i] = t.register(o.At, l)
		}
		result := row[min(l, len(row)-1)]
		derivatives(b, by, at, result.X)
		got := exact.Number(m, b.Dst[0].Slot, typ, l)
		r.actual[i] = sane(got - b.Formula(on).X)
		r.bound[i] = result.E
		for j := range args {
			by[j] = sane(by[j])
			r.bound[i] -= math.Abs(by[j]) * t.errors[j][i]
			r.by[j*n+i] = by[j]
		}
		r.bound[i] = math.Max(0, sane(r.bound[i]))
		switch {
		case b.Anchors: // rounded in the definition too: what is left is that it may round elsewhere
			r.actual[i], r.bound[i] = sane(got-result.X), sane(result.E)
		case b.Rounds != nil && t.errors[0][i] == 0:
			r.bound[i] = math.Abs(r.actual[i])
		case b.Rounds != nil:
			r.bound[i] = b.Rounds.Rounding(got)
		case b.Reads:
			r.bound[i] = 0 // counted where it was rounded
		}
		if cancels && result.X != 0 {
			largest, off := 0.0, 0.0
			for j := range args {
				term := math.Abs(at[j].X)
				if b.In.Op == ir.FMA && j < 2 {
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
	t.add(b.In, r)
}

// sane is a figure that can be added up: 0 where it is none.
func sane(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}

// reduction records the sum, product or extreme of a group's active lanes, or of those before one.
func (t *trace) reduction(m *machine.Machine, b *exact.BallInstr) {
	name, width := machine.SimdName(b.In.Fn)
	row, typ := exact.ReadRow(m, b.Dst[0].Slot), b.C.Typ(b.In.Dst[0])
	for first := 0; first < len(t.lanes); {
		last := first
		for last < len(t.lanes) && t.lanes[last]/width == t.lanes[first]/width {
			last++
		}
		if !b.Prefix {
			t.folded(m, b, name, row, typ, first, last, t.lanes[first:last])
		}
		for i := first; b.Prefix && i < last; i++ {
			end := i + 1
			if b.Exclusive {
				end = i
			}
			t.folded(m, b, name, row, typ, first, end, t.lanes[i:i+1])
		}
		first = last
	}
}

// folded records that lanes to have what the lanes numbered first to last make.
func (t *trace) folded(m *machine.Machine, b *exact.BallInstr, name string, row []ball.Ball, typ ir.Type,
	first, last int, to []int) {
	r := operation{sum: true, actual: make([]float64, 1), bound: make([]float64, 1)}
	for _, l := range to {
		r.dst = append(r.dst, t.register(b.Dst[0].Slot, l))
	}
	result, got := row[min(to[0], len(row)-1)], exact.Number(m, b.Dst[0].Slot, typ, to[0])
	exact, taken := 0.0, -1
	if b.Multiplies {
		exact = 1
	}
	r.bound[0] = result.E
	for i := first; i < last; i++ {
		by, v := 1.0, t.values[0][i]
		switch {
		case b.Multiplies:
			by = sane(result.X / t.exacts[0][i])
			exact *= v
		case b.Selects:
			by = 0
			if v == got && taken < 0 {
				by, taken, exact = 1, i, v
			}
		default:
			exact += v
		}
		r.src, r.by = append(r.src, t.register(b.Args[0].At, t.lanes[i])), append(r.by, by)
		r.bound[0] -= math.Abs(by) * t.errors[0][i]
	}
	r.bound[0] = math.Max(0, sane(r.bound[0]))
	if b.Selects {
		r.bound[0] = 0
	}
	if taken >= 0 || !b.Selects {
		r.actual[0] = sane(got - exact)
	}
	t.add(b.In, r)
}

// permutation records which lane each has read from.
func (t *trace) permutation(m *machine.Machine, b *exact.BallInstr) {
	n := len(t.lanes)
	r := operation{args: 1, dst: make([]int32, n), src: make([]int32, n), by: make([]float64, n)}
	for i, l := range t.lanes {
		r.dst[i], r.src[i], r.by[i] = t.register(b.Dst[0].Slot, l), t.sources[l], 1
		if t.sources[l] < 0 { // of no active lane
			r.src[i], r.by[i] = r.dst[i], 0
		}
	}
	t.add(b.In, r)
}

// Moved notes which operand and lane a lane of a permutation reads; of nil, none that is known.
func (t *trace) Moved(m *machine.Machine, l int, of *exact.BallOperand, from int) {
	if len(t.sources) < m.N {
		t.sources = make([]int32, m.N)
	}
	t.sources[l] = -1
	if of != nil {
		t.sources[l] = t.register(of.At, from)
	}
}

// Load records that registers get what memory has at places, by lane; uniform registers once.
func (t *trace) Load(m *machine.Machine, in *ir.Instr, d machine.Slot, places []int32, crosses bool) {
	r := operation{args: 1}
	for l, on := range m.Mask {
		if on == 0 || d.Varying && !crosses && !t.wants[l] {
			continue
		}
		r.dst, r.src, r.by = append(r.dst, t.register(d, l)), append(r.src, places[l]), append(r.by, 1)
		if !d.Varying {
			break
		}
	}
	t.add(in, r)
}

// Places are those of an access, by lane.
func (t *trace) Places(m *machine.Machine, a *exact.BallAccess, extra int64, into []int32) []int32 {
	if len(into) < m.N {
		into = make([]int32, m.N)
	}
	a.Where(m, extra, false, func(l int, mem *machine.Memory, off int64) {
		into[l] = t.memory(m, mem, off, l)
		if t.finding && mem != nil && int(into[l]) < t.narrow && t.adjoint[into[l]] != 0 {
			t.stored(number(m.Group, m.Launch.Groups), l)
		}
	})
	return into
}

// number is that of a threadgroup in the grid.
func number(group, of machine.Size) int { return (group[2]*of[1]+group[1])*of[0] + group[0] }

// Store records that memory gets what a register has, nothing if that has no ball; added to what is
// there, or instead of it.
func (t *trace) Store(m *machine.Machine, in *ir.Instr, arg *exact.BallOperand, places []int32, adds float64) {
	if !t.Event() {
		return
	}
	crosses := exact.ExactOf(m.P).CrossLaneReads.Reaches(in)
	for l, on := range m.Mask {
		if on == 0 || !crosses && !t.wants[l] {
			continue
		}
		r := operation{dst: places[l : l+1 : l+1], keeps: adds != 0}
		r.dst = append([]int32(nil), r.dst...)
		if arg.Has {
			by := 1.0
			if adds != 0 {
				by = adds
			}
			r.args, r.src, r.by = 1, []int32{t.register(arg.At, l)}, []float64{by}
		}
		t.add(in, r)
	}
}
