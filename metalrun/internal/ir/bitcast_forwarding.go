package ir

import (
	"slices"

	"metalconform/metalrun/internal/ir/fixpoint"
)

// ForwardBitcasts is k with floats where it moves floats in the guise of integers: as_type makes bits of one, a shuffle
// or a store takes them elsewhere, and as_type makes a float of them again. What a float is known to be then goes with
// it. The same bits reach the same places.
func ForwardBitcasts(k *Kernel) *Kernel {
	k = unpacked(exchanged(k))
	d := disguises(k)
	if !slices.ContainsFunc(d.of, func(s Scalar) bool { return s.float() }) {
		return k
	}
	return Rewrite(k, func(out *Kernel, before []Node, in *Instr) []Node {
		switch in.Op {
		case Bitcast:
			switch {
			case d.float(in.Dst[0]):
				out.Regs[in.Dst[0]].Type = d.of[in.Dst[0]].Type()
				in.Op, in.From, in.To = Copy, B8, B8
			case d.float(in.Args[0]):
				in.Op, in.From, in.To = Copy, B8, B8
			}
		case Simd:
			if d.float(in.Dst[0]) {
				in.From = d.of[in.Dst[0]]
				out.Regs[in.Dst[0]].Type = in.From.Type()
			}
		case Store:
			if d.float(in.Args[0]) {
				in.From = d.of[in.Args[0]]
			}
		}
		return before
	})
}

// float reports whether s is a type of floats.
func (s Scalar) float() bool { return s == H16 || s == T16 || s == R32 }

// disguised are registers of integers that hold the bits of floats, and nothing but moves them.
type disguised struct {
	k  *Kernel
	of []Scalar // the type of the floats; no type of floats for any other register
}

func (d *disguised) float(r Reg) bool { return d.of[r].float() }

// disguises finds them: it takes every temporary for one that may hold bits of a float, until no use speaks against it.
func disguises(k *Kernel) *disguised {
	d := &disguised{k, make([]Scalar, len(k.Regs))}
	for in := range Instrs(k.Body...) {
		switch {
		case len(in.Dst) != 1 || k.Regs[in.Dst[0]].Kind != Temp || k.Regs[in.Dst[0]].Type.IsFloat():
		case in.Op == Bitcast && in.From.float():
			d.of[in.Dst[0]] = in.From
		case in.moves() && d.float(in.Args[0]):
			d.of[in.Dst[0]] = d.of[in.Args[0]]
		}
	}
	fixpoint.Iterate(d.refute)
	return d
}

// refute is one pass that drops registers that are used otherwise.
func (d *disguised) refute(p *fixpoint.Pass) {
	drop := func(r Reg) {
		if r != None && d.float(r) {
			fixpoint.Move(p, &d.of[r], B8)
		}
	}
	Walk(d.k.Body, func(n Node) bool {
		switch n := n.(type) {
		case *If:
			drop(n.Cond)
		case *Loop:
			drop(n.Cond)
		case *Instr:
			d.hold(n, drop)
		}
		return true
	})
}

// hold drops registers of an instruction that does more than move them.
func (d *disguised) hold(in *Instr, drop func(Reg)) {
	if in.Mem != nil {
		drop(in.Mem.Base)
		drop(in.Mem.Index)
	}
	switch {
	case in.Op == Bitcast && len(in.Args) == 1 && d.of[in.Args[0]] == in.To:
	case in.moves():
		if !d.float(in.Dst[0]) || d.of[in.Dst[0]] != d.of[in.Args[0]] {
			drop(in.Args[0])
			drop(in.Dst[0])
		}
		for _, r := range in.Args[1:] {
			drop(r)
		}
	case in.Op == Store && !slices.ContainsFunc(in.Args, func(r Reg) bool { return d.of[r] != d.of[in.Args[0]] }) &&
		d.of[in.Args[0]].Size() == in.From.Size():
	default:
		for _, r := range in.Args {
			drop(r)
		}
	}
}

// moves reports whether an instruction gives each lane its first argument in another.
func (in *Instr) moves() bool {
	return in.Op == Simd && slices.Contains(lanesMoved, in.Fn)
}

// lanesMoved are the functions that do.
var lanesMoved = []string{
	"simd_shuffle", "simd_shuffle_xor", "simd_shuffle_up", "simd_shuffle_down", "simd_shuffle_rotate_up",
	"simd_shuffle_rotate_down", "simd_broadcast", "simd_broadcast_first",
	"quad_shuffle", "quad_shuffle_xor", "quad_shuffle_up", "quad_shuffle_down", "quad_shuffle_rotate_up",
	"quad_shuffle_rotate_down", "quad_broadcast", "quad_broadcast_first",
}
