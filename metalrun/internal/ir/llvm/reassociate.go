package llvm

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// reassociate orders sums and products by the rank of their operands, the lowest innermost,
// after literals are folded, equal terms counted and common factors taken out.
func (f *function) reassociate() {
	f.rankAll()
	f.countPairs()
	f.redo = nil
	for _, block := range f.straight() {
		for _, in := range block {
			f.visit(in)
		}
		for _, in := range slices.Backward(slices.Clone(f.redo)) {
			if _, there := f.in[in]; there && f.dead(in) {
				f.erase(in)
			}
		}
		for len(f.redo) > 0 {
			in := f.redo[0]
			f.redo = f.redo[1:]
			f.visit(in)
		}
	}
	f.sweep()
	f.floor = nil
}

// straight are the instructions block by block, as ranks tell blocks apart.
func (f *function) straight() [][]*ir.Instr {
	var blocks [][]*ir.Instr
	last := -1
	for _, in := range f.order() {
		if floor := f.floor[in]; floor != last || blocks == nil {
			blocks, last = append(blocks, nil), floor
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], in)
	}
	return blocks
}

func (f *function) again(in *ir.Instr) {
	if in != nil && !slices.Contains(f.redo, in) {
		f.redo = append(f.redo, in)
	}
}

// discard takes an operation out that nobody reads, and looks again at the expressions whose parts it
// has read.
func (f *function) discard(in *ir.Instr) {
	f.unlink(in)
	for _, r := range reads(in) {
		d := f.def[*r]
		if d == nil {
			continue
		}
		for user := f.user(d.Dst[0]); user != nil && user.Op == d.Op && len(user.Dst) == 1; user = f.user(d.Dst[0]) {
			d = user
		}
		if _, ranked := f.ranks[d]; ranked {
			f.again(d)
		}
	}
}

func isArithmetic(op ir.Op) bool {
	return op == ir.Add || op == ir.Sub || op == ir.Mul || op == ir.Neg
}

func (f *function) visit(in *ir.Instr) {
	if _, there := f.in[in]; !there {
		return
	}
	if f.dead(in) {
		f.discard(in)
		return
	}
	if !isArithmetic(in.Op) || !f.typ(in.Dst[0]).IsFloat() || f.k.Regs[in.Dst[0]].Kind != ir.Temp {
		return
	}
	if in.Op == ir.Add || in.Op == ir.Mul {
		f.canonical(in)
	}
	if !allows(in, anyOrder) {
		return
	}
	switch {
	case in.Op == ir.Sub && f.breaksUp(in):
		f.become(in, ir.Add, in.Args[0], f.negated(in.Args[1], in))
	case in.Op == ir.Neg && f.inner(in.Args[0], ir.Mul) != nil && !f.readBy(in, ir.Mul):
		f.timesMinusOne(in)
	}
	if in.Op != ir.Add && in.Op != ir.Mul {
		return
	}
	user := f.user(in.Dst[0])
	if user != nil && user.Op == in.Op {
		if f.in[user].block == f.in[in].block {
			f.again(user)
		}
		return
	}
	if in.Op == ir.Add && user != nil && user.Op == ir.Sub {
		return
	}
	f.tree(in)
}

// canonical puts the operand of the lower rank first, and a literal second.
func (f *function) canonical(in *ir.Instr) {
	a, b := in.Args[0], in.Args[1]
	if a == b || f.isLiteral(b) {
		return
	}
	if f.isLiteral(a) || f.rank(b) < f.rank(a) {
		in.Args[0], in.Args[1] = b, a
	}
}

// breaksUp reports whether a difference is part of a larger sum.
func (f *function) breaksUp(in *ir.Instr) bool {
	return f.inner(in.Args[0], ir.Add, ir.Sub) != nil || f.inner(in.Args[1], ir.Add, ir.Sub) != nil ||
		f.readBy(in, ir.Add, ir.Sub)
}

// readBy reports whether the single reader of in is a operation with fast-math flags of these kinds
// that has a single reader itself.
func (f *function) readBy(in *ir.Instr, ops ...ir.Op) bool {
	user := f.user(in.Dst[0])
	return user != nil && len(user.Dst) == 1 && f.inner(user.Dst[0], ops...) == user
}

// negated is −r before in. A sum is negated term by term.
func (f *function) negated(r ir.Reg, in *ir.Instr) ir.Reg {
	if x, ok := f.value(r); ok {
		return f.literal(f.typ(r), -x)
	}
	if sum := f.inner(r, ir.Add); sum != nil {
		f.set(sum, 0, f.negated(sum.Args[0], in))
		f.set(sum, 1, f.negated(sum.Args[1], in))
		f.move(sum, in)
		f.again(sum)
		return r
	}
	for _, u := range f.users[r] {
		if u != nil && u.Op == ir.Neg {
			f.again(u)
			f.early(u, r)
			return u.Dst[0]
		}
	}
	minus := f.emit(in, ir.Neg, r)
	f.again(f.def[minus])
	return minus
}

// timesMinusOne makes a negation a product, to be part of a larger one.
func (f *function) timesMinusOne(in *ir.Instr) {
	f.become(in, ir.Mul, in.Args[0], f.literal(f.typ(in.Dst[0]), -1))
	delete(f.ranks, in)
	for _, u := range f.users[in.Dst[0]] {
		if u != nil && (u.Op == ir.Add || u.Op == ir.Sub || u.Op == ir.Mul || u.Op == ir.Div) {
			f.again(u)
		}
	}
}

// operand is a term or a factor.
type operand struct {
	reg  ir.Reg
	rank int
}

// leaves are the operands of a tree of one operation, as often as they occur, in the order in
// which LLVM comes across them.
func (f *function) leaves(root *ir.Instr) []operand {
	type weighted struct {
		in     *ir.Instr
		weight int
	}
	work := []weighted{{root, 1}}
	weight := map[ir.Reg]int{}
	var order []ir.Reg
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for _, r := range w.in.Args {
			if in := f.inner(r, root.Op); in != nil {
				work = append(work, weighted{in, w.weight})
				continue
			}
			if minus := f.def[r]; root.Op == ir.Mul && minus != nil && minus.Op == ir.Neg && f.once(r) {
				f.timesMinusOne(minus)
				work = append(work, weighted{minus, w.weight})
				continue
			}
			if _, met := weight[r]; !met {
				order = append(order, r)
			}
			weight[r] += w.weight
		}
	}
	var list []operand
	for _, r := range order {
		for range weight[r] {
			list = append(list, operand{r, f.rank(r)})
		}
	}
	return list
}

// tree reassociates the tree whose root is in.
func (f *function) tree(in *ir.Instr) {
	ops := f.leaves(in)
	slices.SortStableFunc(ops, func(a, b operand) int { return b.rank - a.rank })
	if in.Op == ir.Add && len(ops) > 2 {
		f.crossing(in, ops)
	}
	ops, whole, done := f.optimise(in, ops)
	if done {
		f.replace(in.Dst[0], whole)
		f.again(in)
		return
	}
	if user := f.user(in.Dst[0]); user != nil && in.Op == ir.Mul && user.Op == ir.Add && f.is(ops[len(ops)-1].reg, -1) {
		ops = append([]operand{ops[len(ops)-1]}, ops[:len(ops)-1]...)
	}
	if len(ops) == 1 {
		f.replace(in.Dst[0], ops[0].reg)
		f.again(in)
		return
	}
	f.rewrite(in, f.popular(in.Op, ops))
}

// crossing turns around the order of those products in a sum whose factors come from earlier blocks: the one
// that could be computed last is innermost. LLVM does not do so. The GPU was seen to, where neighbours are
// loaded before a condition, and weighted and added up after it; why is not known.
func (f *function) crossing(in *ir.Instr, ops []operand) {
	var at []int
	for i, o := range ops {
		if p, _ := f.product(o.reg); p != nil && o.rank >= f.entry && o.rank < f.floor[in] {
			at = append(at, i)
		}
	}
	for i, j := 0, len(at)-1; i < j; i, j = i+1, j-1 {
		ops[at[i]], ops[at[j]] = ops[at[j]], ops[at[i]]
	}
}

// optimise folds literals and finds what terms or factors have in common. If that is all, it
// gives the whole.
func (f *function) optimise(in *ir.Instr, ops []operand) (left []operand, whole ir.Reg, done bool) {
	t := f.typ(in.Dst[0])
	format := t.Format()
	constant, found := 0.0, false
	for len(ops) > 0 {
		x, ok := f.value(ops[len(ops)-1].reg)
		if !ok {
			break
		}
		switch {
		case !found:
			constant = x
		case in.Op == ir.Add:
			constant = float64(format.Round(x + constant))
		default:
			constant = float64(format.Round(float64(x * constant)))
		}
		found = true
		ops = ops[:len(ops)-1]
	}
	if len(ops) == 0 {
		return nil, f.literal(t, constant), true
	}
	neutral := 0.0
	if in.Op == ir.Mul {
		neutral = 1
	}
	if found && constant != neutral {
		if in.Op == ir.Mul && constant == 0 {
			return nil, f.literal(t, 0), true
		}
		ops = append(ops, operand{f.literal(t, constant), 0})
	}
	if len(ops) == 1 {
		return ops, ops[0].reg, true
	}
	n := len(ops)
	if in.Op == ir.Add {
		ops, whole, done = f.terms(in, ops)
	} else {
		ops, whole, done = f.factors(in, ops)
	}
	if done {
		return nil, whole, true
	}
	if len(ops) != n {
		return f.optimise(in, ops)
	}
	return ops, 0, false
}

// rewrite makes the tree with the root in of operands, the last two innermost, out of the
// operations that it consists of.
func (f *function) rewrite(in *ir.Instr, ops []operand) {
	leaf := map[ir.Reg]bool{}
	for _, o := range ops {
		leaf[o.reg] = true
	}
	var spare []*ir.Instr
	var chain []*ir.Instr
	put := func(op *ir.Instr, i int, r ir.Reg) {
		if op.Args[i] == r {
			return
		}
		if old := f.inner(op.Args[i], in.Op); old != nil && !leaf[op.Args[i]] {
			spare = append(spare, old)
		}
		f.set(op, i, r)
	}
	op := in
	for i := 0; ; i++ {
		chain = append(chain, op)
		if i+2 == len(ops) {
			if op.Args[0] == ops[i+1].reg && op.Args[1] == ops[i].reg {
				op.Args[0], op.Args[1] = op.Args[1], op.Args[0]
				break
			}
			put(op, 0, ops[i].reg)
			put(op, 1, ops[i+1].reg)
			break
		}
		if r := ops[i].reg; r != op.Args[1] {
			if r == op.Args[0] {
				op.Args[0], op.Args[1] = op.Args[1], op.Args[0]
			} else {
				put(op, 1, r)
			}
		}
		if next := f.inner(op.Args[0], in.Op); next != nil && !leaf[op.Args[0]] {
			op = next
			continue
		}
		var next *ir.Instr
		if len(spare) > 0 {
			next = spare[len(spare)-1]
			spare = spare[:len(spare)-1]
		} else {
			next = f.def[f.emit(in, in.Op, ops[i+1].reg, ops[i+1].reg)]
		}
		f.set(op, 0, next.Dst[0])
		op = next
	}
	for _, part := range slices.Backward(chain[1:]) {
		f.move(part, in)
	}
	for _, s := range spare {
		f.again(s)
	}
}

// mostOperands bounds the trees whose pairs are counted.
const mostOperands = 10

// countPairs counts in how many trees two operands occur together.
func (f *function) countPairs() {
	f.pairs = [2]map[[2]ir.Reg]int{{}, {}}
	for _, in := range f.order() {
		if in.Op != ir.Add && in.Op != ir.Mul || !allows(in, anyOrder) || !f.typ(in.Dst[0]).IsFloat() {
			continue
		}
		if user := f.user(in.Dst[0]); user != nil && user.Op == in.Op {
			continue
		}
		var ops []ir.Reg
		work := []ir.Reg{in.Args[0], in.Args[1]}
		for len(work) > 0 && len(ops) <= mostOperands {
			r := work[len(work)-1]
			work = work[:len(work)-1]
			if d := f.def[r]; d != nil && d.Op == in.Op && f.once(r) {
				work = append(work, d.Args[0], d.Args[1])
				continue
			}
			ops = append(ops, r)
		}
		if len(ops) > mostOperands {
			continue
		}
		seen := map[[2]ir.Reg]bool{}
		for i, a := range ops {
			for _, b := range ops[i+1:] {
				if key := pair(a, b); !seen[key] {
					seen[key] = true
					f.pairs[kind(in.Op)][key]++
				}
			}
		}
	}
}

func kind(op ir.Op) int {
	if op == ir.Mul {
		return 1
	}
	return 0
}

func pair(a, b ir.Reg) [2]ir.Reg { return [2]ir.Reg{min(a, b), max(a, b)} }

// popular puts the two operands last that occur together in most trees, so that they are
// joined first and computed once.
func (f *function) popular(op ir.Op, ops []operand) []operand {
	if len(ops) <= 2 || len(ops) > mostOperands {
		return ops
	}
	best, rank, at := 1, 0, [2]int{}
	for i := len(ops) - 1; i > 0; i-- {
		for j := i - 1; j >= 0; j-- {
			score := f.pairs[kind(op)][pair(ops[i].reg, ops[j].reg)]
			highest := max(ops[i].rank, ops[j].rank)
			if score > best || score == best && highest < rank {
				best, rank, at = score, highest, [2]int{j, i}
			}
		}
	}
	if best == 1 {
		return ops
	}
	a, b := ops[at[0]], ops[at[1]]
	ops = slices.Delete(ops, at[1], at[1]+1)
	ops = slices.Delete(ops, at[0], at[0]+1)
	return append(ops, a, b)
}
