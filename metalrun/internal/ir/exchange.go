package ir

import "slices"

// exchanged is k with floats where loops compare and exchange the bits of floats. Of a sum,
//
//	do { sum = as_type<float>(was) + x; } while (!compare_exchange(at, &was, as_type<uint>(sum)));
//
// what is added in the end is x, once for every thread, in some order, as an atomic sum does. Any other loop exchanges
// floats in the end.
func exchanged(k *Kernel) *Kernel {
	if !Contains(k.Body, func(n Node) bool { in, ok := n.(*Instr); return ok && second(in) != None }) {
		return k
	}
	return floated(summed(k))
}

// summed is k with sums of floats.
func summed(k *Kernel) *Kernel {
	f := newFlow(k)
	sums, dead := map[Reg]exchange{}, map[Reg]bool{}
	for in := range Instrs(k.Body...) {
		if e, own, ok := f.sum(in); ok {
			sums[in.Dst[1]] = e
			for _, r := range own {
				dead[r] = true
			}
		}
	}
	if len(sums) == 0 {
		return k
	}
	return Rewrite(k, func(out *Kernel, before []Node, in *Instr) []Node {
		switch e, sum := sums[second(in)]; {
		case sum:
			old, yes := Reg(len(out.Regs)), Reg(len(out.Regs)+1)
			out.Regs = append(out.Regs, RegInfo{Kind: Temp, Type: F32}, RegInfo{Kind: Literal, Type: Bool, Bits: 1})
			add := &Instr{Op: Atomic, Pos: in.Pos, Fn: e.fn, From: R32, Mem: in.Mem, Dst: []Reg{old},
				Args: []Reg{e.term}}
			*in = Instr{Op: Copy, Pos: in.Pos, From: B8, To: B8, Dst: in.Dst[:1], Args: []Reg{yes}}
			return append(before, add)
		case len(in.Dst) == 1 && dead[in.Dst[0]]:
			*in = Instr{Op: Nop}
		}
		return before
	})
}

// floated is k with floats where a loop exchanges their bits, and nothing else accesses the same memory.
func floated(k *Kernel) *Kernel {
	f := newFlow(k)
	stored, floats, dead := f.floats()
	if len(stored) == 0 {
		return k
	}
	return Rewrite(k, func(out *Kernel, before []Node, in *Instr) []Node {
		switch to, exchange := stored[second(in)]; {
		case exchange:
			in.From, in.Args[1] = R32, to
		case in.Op == Bitcast && floats[in.Args[0]]:
			in.Op, in.From, in.To = Copy, B8, B8
		case len(in.Dst) == 1 && dead[in.Dst[0]]:
			*in = Instr{Op: Nop}
		case len(in.Dst) == 1 && floats[in.Dst[0]] && in.Mem != nil:
			in.From = R32
		}
		for _, r := range in.Dst {
			if floats[r] {
				out.Regs[r].Type = F32
			}
		}
		return before
	})
}

// floats are, by the register that an exchange finds bits in, the floats that it stores; the registers that hold floats
// then; and those that nothing needs any more.
func (f *flow) floats() (stored map[Reg]Reg, floats, dead map[Reg]bool) {
	stored, floats, dead = map[Reg]Reg{}, map[Reg]bool{}, map[Reg]bool{}
	for in := range f.loop {
		made, way := f.made(in.Args[1])
		was, found := in.Args[0], in.Dst[1]
		if in.From != U32 || !f.retried(in) || made == nil || made.Op != Bitcast || made.From != R32 ||
			!f.kept(in, nil, was, found) || !f.alone(in, was) {
			continue
		}
		stored[found], floats[was], floats[found] = made.Args[0], true, true
		for _, r := range way {
			dead[r] = true
		}
	}
	return stored, floats, dead
}

// alone reports whether the memory of an exchange is accessed by exchange and by loads of what it expects only.
func (f *flow) alone(exchange *Instr, was Reg) bool {
	for in := range Instrs(f.k.Body...) {
		if in.Mem != nil && in.Mem.Base == exchange.Mem.Base && in != exchange && !slices.Contains(in.Dst, was) {
			return false
		}
	}
	return true
}

// second is the register that holds what an exchange found, None for any other instruction.
func second(in *Instr) Reg {
	if in.Op != Atomic || in.Fn != "compare_exchange" {
		return None
	}
	return in.Dst[1]
}

// exchange is what a compared exchange adds.
type exchange struct {
	fn   string // add or sub
	term Reg
}

// flow is who sets and who reads registers.
type flow struct {
	k          *Kernel
	sets, uses map[Reg][]*Instr
	decides    map[Reg][]decision
	loop       map[*Instr]*Loop // the innermost around a compared exchange
}

// decision is a branch or a loop that hangs on a register.
type decision struct {
	branch *If
	loop   *Loop
	fresh  *Instr // the instruction just before it that sets the register; nil: there is none
}

func newFlow(k *Kernel) *flow {
	f := &flow{k, map[Reg][]*Instr{}, map[Reg][]*Instr{}, map[Reg][]decision{}, map[*Instr]*Loop{}}
	f.visit(k.Body, nil)
	return f
}

func (f *flow) visit(nodes []Node, around *Loop) {
	for i, n := range nodes {
		inside := around
		switch n := n.(type) {
		case *If:
			d := decision{branch: n}
			if i > 0 {
				if before, ok := nodes[i-1].(*Instr); ok && slices.Contains(before.Dst, n.Cond) {
					d.fresh = before
				}
			}
			f.decides[n.Cond] = append(f.decides[n.Cond], d)
		case *Loop:
			f.decides[n.Cond] = append(f.decides[n.Cond], decision{loop: n})
			inside = n
		case *Instr:
			for _, r := range n.Dst {
				f.sets[r] = append(f.sets[r], n)
			}
			EachRead(n, func(r Reg) { f.uses[r] = append(f.uses[r], n) })
			if second(n) != None {
				f.loop[n] = around
			}
		}
		for _, part := range Parts(n) {
			f.visit(*part, inside)
		}
	}
}

// retried reports whether an exchange that fails is tried again, and nothing else comes of it: its loop goes on until
// it succeeds.
func (f *flow) retried(in *Instr) bool {
	loop, success := f.loop[in], in.Dst[0]
	until := false
	var follow func(r Reg, by *Instr, holds bool) bool
	follow = func(r Reg, by *Instr, holds bool) bool {
		for _, d := range f.decides[r] {
			switch {
			case d.fresh != nil && d.fresh != by: // hangs on something else
				continue
			case d.loop == loop && !holds: // goes on where it does not
			case d.branch != nil && breaks(d.branch, loop, holds):
			default:
				return false
			}
			until = true
		}
		for _, u := range f.uses[r] {
			if u.Op != Not || !follow(u.Dst[0], u, !holds) {
				return false
			}
		}
		return true
	}
	starts := func(s *Instr) bool {
		return s == in || s.Op == Poison ||
			s.Op == Copy && f.k.Regs[s.Args[0]].Kind == Literal && f.k.Regs[s.Args[0]].Bits == 0
	}
	return loop != nil && !slices.ContainsFunc(f.sets[success], func(s *Instr) bool { return !starts(s) }) &&
		follow(success, in, true) && until
}

// breaks reports whether all that a branch does is to leave a loop where its condition holds, or where it does not.
func breaks(n *If, loop *Loop, holds bool) bool {
	taken, other := n.Then, n.Else
	if !holds {
		taken, other = other, taken
	}
	if len(other) > 0 || len(taken) != 1 {
		return false
	}
	e, ok := taken[0].(*Exit)
	return ok && e.Loop == loop && e.Kind == Break
}

// only is the one instruction that sets a register, which one alone reads; nil if there are others.
func (f *flow) only(r Reg) *Instr {
	sets := slices.DeleteFunc(slices.Clone(f.sets[r]), func(s *Instr) bool { return s.Op == Poison })
	if len(sets) != 1 || len(f.uses[r]) != 1 || len(f.decides[r]) > 0 {
		return nil
	}
	return sets[0]
}

// made is the instruction that makes what a register holds, after copies that nothing else reads, with the registers
// on the way.
func (f *flow) made(r Reg) (in *Instr, way []Reg) {
	for in = f.only(r); in != nil && in.Op == Copy; in = f.only(r) {
		way = append(way, r)
		r = in.Args[0]
	}
	if in == nil {
		return nil, nil
	}
	return in, append(way, r)
}

// sum is what a compared exchange adds, with the registers that nothing else needs.
func (f *flow) sum(in *Instr) (e exchange, own []Reg, ok bool) {
	if second(in) == None || in.From != U32 || !f.retried(in) {
		return e, nil, false
	}
	was, found := in.Args[0], in.Dst[1]
	stored, way := f.made(in.Args[1])
	if stored == nil || stored.Op != Bitcast || stored.From != R32 {
		return e, nil, false
	}
	own = append(own, way...)
	sum, way := f.made(stored.Args[0])
	if sum == nil || sum.Op != Add && sum.Op != Sub || f.k.Regs[sum.Dst[0]].Type != F32 {
		return e, nil, false
	}
	own = append(own, way...)
	e.fn = "add"
	if sum.Op == Sub {
		e.fn = "sub"
	}
	for i, r := range sum.Args {
		before, way := f.made(r)
		if before == nil || before.Op != Bitcast || before.Args[0] != was || e.fn == "sub" && i == 1 {
			continue
		}
		if e.term = sum.Args[1-i]; f.kept(in, before, was, found) {
			return e, append(append(own, way...), was, found), true
		}
	}
	return e, nil, false
}

// kept reports whether what an exchange expects and finds is read only for the next iteration, by one instruction, or
// as a float if that is nil.
func (f *flow) kept(in, before *Instr, was, found Reg) bool {
	copied := func(u *Instr) bool { return u.Op == Copy && u.Dst[0] == was }
	return len(f.decides[was]) == 0 && len(f.decides[found]) == 0 && len(f.sets[found]) == 1 &&
		!slices.ContainsFunc(f.uses[found], func(u *Instr) bool { return !copied(u) }) &&
		!slices.ContainsFunc(f.uses[was], func(u *Instr) bool {
			return u != in && u != before && (before != nil || u.Op != Bitcast || u.To != R32)
		}) &&
		!slices.ContainsFunc(f.sets[was], func(s *Instr) bool {
			return len(s.Dst) != 1 || !copied(s) && s.Op != Load && s.Op != Poison && (s.Op != Atomic || s.Fn != "load")
		})
}

// Retry is what a kernel does with a compared exchange that it tries again until it succeeds.
type Retry struct {
	Picks  bool // what it stores is what it found, or something else, without an operation that rounds on the way
	Floats bool // what it stores are the bits of a float
}

// Retries are the compared exchanges of a kernel that are tried again until they succeed, and whose loop alone reads
// what they find. Each is one update of its element for each thread, in some order.
func Retries(k *Kernel) map[*Instr]Retry {
	list := map[*Instr]Retry{}
	f := newFlow(k)
	for in, loop := range f.loop {
		if loop == nil || !f.retried(in) || !f.readWithin(loop, in.Args[0]) || !f.readWithin(loop, in.Dst[1]) {
			continue
		}
		stored, _ := f.made(in.Args[1])
		list[in] = Retry{Picks: f.picks(in.Args[1], in.Args[0], map[Reg]bool{}),
			Floats: in.From == R32 || stored != nil && stored.Op == Bitcast && stored.From == R32}
	}
	return list
}

// readWithin reports whether nothing but a loop reads a register.
func (f *flow) readWithin(loop *Loop, r Reg) bool {
	inside := map[*Instr]bool{}
	for in := range Instrs(loop) {
		inside[in] = true
	}
	return !slices.ContainsFunc(f.uses[r], func(u *Instr) bool { return !inside[u] })
}

// picks reports whether no operation that rounds is on any way from one register to another.
func (f *flow) picks(to, from Reg, seen map[Reg]bool) bool {
	if to == from || seen[to] {
		return true
	}
	seen[to] = true
	for _, in := range f.sets[to] {
		for _, a := range in.Args {
			if f.leads(from, a, map[Reg]bool{}) && (!in.moves() && !in.picks() || !f.picks(a, from, seen)) {
				return false
			}
		}
	}
	return true
}

// picks reports whether an instruction gives one of its operands.
func (in *Instr) picks() bool {
	switch in.Op {
	case Copy, Select, Bitcast, Not, And, Or, Eq, Ne, FLt, FLe, SLt, SLe, ULt, ULe:
		return true
	case Math:
		return in.Fn == "max" || in.Fn == "min"
	}
	return false
}

// leads reports whether what one register holds may reach another.
func (f *flow) leads(from, to Reg, seen map[Reg]bool) bool {
	if from == to {
		return true
	}
	if seen[to] {
		return false
	}
	seen[to] = true
	return slices.ContainsFunc(f.sets[to], func(in *Instr) bool {
		return slices.ContainsFunc(in.Args, func(a Reg) bool { return f.leads(from, a, seen) })
	})
}
