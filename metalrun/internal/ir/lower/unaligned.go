package lower

import (
	"metalconform/metalrun/internal/ir"
)

// Members of packed structs need not lie at multiples of their alignment. The compiler knows,
// and reads and writes them in pieces that are aligned.

// capped are the runs of a struct whose alignment is less than that of its members.
func capped(runs []run, align int) []run {
	for i := range runs {
		runs[i].align = min(runs[i].align, align)
	}
	return runs
}

// aligned is r as it lies at a.
func (r run) aligned(a address) run {
	if a.most > 0 {
		r.align = min(r.align, a.most)
	}
	return r
}

// inPieces reports whether the scalars of a run have to be put together.
func (r run) inPieces() bool { return r.align < r.scalar.Size() && r.scalar != ir.P64 }

// piece is the unsigned integer of a run's alignment.
func (r run) piece() run {
	s := map[int]ir.Scalar{1: ir.U8, 2: ir.U16, 4: ir.U32}[r.align]
	return run{scalar: s, n: 1, align: r.align}
}

// whole is the unsigned integer that is as large as the scalars of a run.
func (r run) whole() ir.Scalar {
	return map[int]ir.Scalar{2: ir.U16, 4: ir.U32, 8: ir.U64}[r.scalar.Size()]
}

// loadPieces reads a run.
func (l *lowerer) loadPieces(a address, r run) []ir.Reg {
	piece, whole := r.piece(), r.whole()
	var regs []ir.Reg
	for i := range r.n {
		all := l.literal(whole.Type(), 0)
		for at := 0; at < r.scalar.Size(); at += r.align {
			b := l.widened(l.load(a.plus(i*r.scalar.Size()+at), piece)[0], whole)
			all = l.op(ir.Or, whole.Type(), all, l.op(ir.Shl, whole.Type(), b, l.literal(whole.Type(), uint64(8*at))))
		}
		regs = append(regs, l.reinterpreted(whole, r.scalar, all))
	}
	return regs
}

// storePieces writes a run.
func (l *lowerer) storePieces(a address, r run, regs []ir.Reg) {
	piece, whole := r.piece(), r.whole()
	for i, reg := range regs {
		all := l.reinterpreted(r.scalar, whole, reg)
		for at := 0; at < r.scalar.Size(); at += r.align {
			part := l.op(ir.LShr, whole.Type(), all, l.literal(whole.Type(), uint64(8*at)))
			if whole == ir.U64 {
				part = l.convert(ir.U64, ir.U32, part)
			}
			if piece.scalar != ir.U32 {
				part = l.truncated(part, piece.scalar, 8*r.align)
			}
			l.store(a.plus(i*r.scalar.Size()+at), piece, []ir.Reg{part})
		}
	}
}

// reinterpreted is x, a from, with the bits of a to. Integers of one size share their registers
// but for the bits above narrow ones.
func (l *lowerer) reinterpreted(from, to ir.Scalar, x ir.Reg) ir.Reg {
	if from.Type() != to.Type() {
		return l.bitcast(from, to, x)
	}
	if from != to && to.Size() < 4 {
		return l.truncated(x, to, 8*to.Size())
	}
	return x
}
