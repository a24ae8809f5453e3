package ir

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// unpacked is k with stores of floats where it packs their bits into words, or takes them apart into bytes, and stores
// those: the same bits reach the same places.
func unpacked(k *Kernel) *Kernel {
	f := newFlow(k)
	stored, dead := map[storeKey][]*Instr{}, map[Reg]bool{} // each store, and what takes its place
	for in := range Instrs(k.Body...) {
		if in.Op != Store || in.Mem.Volatile {
			continue
		}
		p := &packing{flow: f, store: in}
		if p.words() || p.parts() {
			at := storeKeyOf(in)
			stored[at] = append(stored[at], in, &Instr{Op: Store, From: p.of, Args: p.floats})
			for _, r := range p.own {
				dead[r] = true
			}
		}
	}
	if len(stored) == 0 {
		return k
	}
	instead := func(in *Instr) *Instr {
		list := stored[storeKeyOf(in)]
		for i := 0; i < len(list); i += 2 {
			if slices.Equal(list[i].Args, in.Args) {
				return list[i+1]
			}
		}
		return nil
	}
	return Rewrite(k, func(_ *Kernel, before []Node, in *Instr) []Node {
		switch {
		case in.Op == Store:
			if now := instead(in); now != nil {
				in.From, in.Args = now.From, now.Args
			}
		case len(in.Dst) == 1 && dead[in.Dst[0]]:
			*in = Instr{Op: Nop}
		}
		return before
	})
}

// storeKey identifies most stores. A rewritten kernel has copies of them.
type storeKey struct {
	pos syntax.Pos
	arg Reg
}

func storeKeyOf(store *Instr) storeKey { return storeKey{store.Pos, store.Args[0]} }

// packing is what a store of words or bytes has of floats.
type packing struct {
	*flow
	store  *Instr
	of     Scalar // their type
	floats []Reg
	own    []Reg // what only the packing needs
}

// takes reports whether an instruction makes bits of a float of some bytes, and takes it for one that is stored.
func (p *packing) takes(in *Instr, size int) bool {
	if in == nil || in.Op != Bitcast || !in.From.float() || in.From.Size() != size ||
		len(p.floats) > 0 && in.From != p.of {
		return false
	}
	p.of, p.floats = in.From, append(p.floats, in.Args[0])
	return true
}

// literal is the value of a literal.
func (p *packing) literal(r Reg) (uint64, bool) {
	info := p.k.Regs[r]
	return info.Bits, info.Kind == Literal
}

// words reports whether every word that is stored is two floats of 16 bits, the first in the lower bits.
func (p *packing) words() bool {
	if p.store.From != U32 || p.store.Mem.Align < 4 {
		return false
	}
	for _, word := range p.store.Args {
		or, way := p.made(word)
		if or == nil || or.Op != Or {
			return false
		}
		p.own = append(p.own, way...)
		low, high := or.Args[0], or.Args[1]
		if in, _ := p.made(low); in != nil && in.Op == Shl {
			low, high = high, low
		}
		first, lower := p.made(low)
		shift, upper := p.made(high)
		if shift == nil || shift.Op != Shl {
			return false
		}
		if by, ok := p.literal(shift.Args[1]); !ok || by != 16 {
			return false
		}
		second, top := p.made(shift.Args[0])
		if !p.takes(first, 2) || !p.takes(second, 2) {
			return false
		}
		p.own = slices.Concat(p.own, lower, upper, top)
	}
	return true
}

// parts reports whether what is stored is the bytes, or the halves, of floats, each from its lowest part on.
func (p *packing) parts() bool {
	part, args := p.store.From.Size(), p.store.Args
	if p.store.From != U8 && p.store.From != S8 && p.store.From != U16 && p.store.From != S16 {
		return false
	}
	for len(args) > 0 {
		whole := p.whole(args[0])
		if whole == None || len(p.sets[whole]) != 1 {
			return false
		}
		bits := p.sets[whole][0]
		n := 4 / part
		if bits.Op == Bitcast {
			n = bits.From.Size() / part
		}
		if n < 2 || len(args) < n || len(p.uses[whole]) != n || len(p.decides[whole]) > 0 ||
			p.store.Mem.Align < n*part || !p.takes(bits, n*part) {
			return false
		}
		for i, r := range args[:n] {
			if !p.part(r, whole, 8*part*i, part) {
				return false
			}
		}
		p.own, args = append(p.own, whole), args[n:]
	}
	return true
}

// whole is the register that the lowest part of a float is taken of.
func (p *packing) whole(r Reg) Reg {
	if in, _ := p.made(r); in != nil && in.Op == And {
		return in.Args[0]
	}
	return None
}

// part reports whether a register is the bits of another from one on, so many bytes.
func (p *packing) part(r, whole Reg, first, bytes int) bool {
	mask, way := p.made(r)
	if mask == nil {
		return false
	}
	p.own = append(p.own, way...)
	from := mask
	if mask.Op == And {
		if bits, ok := p.literal(mask.Args[1]); !ok || bits != 1<<(8*bytes)-1 {
			return false
		}
		if mask.Args[0] == whole {
			return first == 0
		}
		if from, way = p.made(mask.Args[0]); from == nil {
			return false
		}
		p.own = append(p.own, way...)
	}
	by, ok := p.literal(from.Args[len(from.Args)-1])
	return from.Op == LShr && ok && by == uint64(first) && from.Args[0] == whole
}
