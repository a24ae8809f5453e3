package machine

import "slices"

// Once a machine has computed all launch-invariant values, most branches on arguments have one arm, functions are left
// only at their end, and what lies between is one run of instructions. The machine goes on with such a body.

// FirstSpecialisation is the number of instructions after which a machine first specialises its body; it tries again
// each time after eight times as many. A shorter launch does not repay the cost of another body: to specialise after
// the first instruction costs a judged sample of the quick sweep 4 % (BenchmarkAblation). 128 and 8,192 instructions,
// and factors from 2 to 1,000, change no launch at a shape of a real model by 3 %.
const FirstSpecialisation = 1 << 10

// specialise makes the body of the next threadgroups, if more values are computed than when it was last made.
func (m *Machine) specialise() {
	if m.computed == nil || !m.P.Does(passSpecialise) || m.taken < m.nextAt {
		return
	}
	m.nextAt = 8 * m.taken
	known := 0
	for _, is := range m.computed {
		if is {
			known++
		}
	}
	if known > m.known {
		m.known, m.Body = known, m.specialiseList(m.P.Body)
	}
}

// specialiseList is a list without what the machine has computed for the launch. Nodes that it changes are copies.
func (m *Machine) specialiseList(l List) List {
	var out List
	for _, n := range l {
		switch n := n.(type) {
		case Straight:
			if m.P.Does(passSuperinstructions) {
				out = out.append(newSuperinstructions(n, int64(len(n)), m.P.Options.Without))
			} else {
				out = append(out, n)
			}
		case *Superinstructions:
			out = out.append(n)
		case ToSingleLane:
			if n.Branch || out.finishes() { // otherwise all threads are live here
				out = append(out, n)
			}
		case *PartlyInvariant:
			if m.computed[n.number] {
				out = out.append(n.rest)
			} else {
				out = append(out, n)
			}
		case *UniformIf:
			out = out.append(m.specialiseIf(n)...)
		case *Block:
			out = out.append(m.specialiseBlock(n)...)
		case *Branch:
			x := *n
			x.Then, x.Alse = m.specialiseList(n.Then), m.specialiseList(n.Alse)
			out = append(out, &x)
		case *Loop:
			x := *n
			x.Head, x.Body, x.Post = m.specialiseList(n.Head), m.specialiseList(n.Body), m.specialiseList(n.Post)
			out = append(out, x.tight(m.P))
		case *Counted:
			x := *n
			x.Body = m.specialiseList(n.Body)
			out = append(out, &x)
		default:
			out = append(out, n)
		}
		if out.ends() {
			break
		}
	}
	return out
}

func (m *Machine) specialiseIf(n *UniformIf) List {
	switch {
	case !n.LaunchInvariant || !m.computed[n.number] || m.sees(Branches):
		x := *n
		x.Then, x.Alse = m.specialiseList(n.Then), m.specialiseList(n.Alse)
		return List{&x}
	case m.Uni32[n.Cond] != 0:
		return m.specialiseList(n.Then)
	}
	return m.specialiseList(n.Alse)
}

// specialiseBlock gives the body of a function in place of the function, if threads leave it only at its end. This is
// so if no thread reaches the arms that leave early.
func (m *Machine) specialiseBlock(n *Block) List {
	x := *n
	x.Body = m.specialiseList(n.Body)
	body := x.Body
	if last := len(body) - 1; last >= 0 && body[last] == (Jump{n.Id}) {
		body = body[:last]
	}
	if body.leads(n.Id) {
		return List{&x}
	}
	return body
}

// append adds nodes, and joins adjacent runs of instructions.
func (l List) append(nodes ...Node) List {
	for _, n := range nodes {
		more, isSuper := n.(*Superinstructions)
		if isSuper && more.executed == 0 {
			continue
		}
		if last := len(l) - 1; isSuper && last >= 0 {
			if before, ok := l[last].(*Superinstructions); ok {
				l[last] = newSuperinstructions(slices.Concat(before.Code, more.Code), before.executed+more.executed,
					before.without)
				continue
			}
		}
		l = append(l, n)
	}
	return l
}

// ends reports whether nothing is executed after the list.
func (l List) ends() bool {
	if len(l) == 0 {
		return false
	}
	_, ok := l[len(l)-1].(Jump)
	return ok
}

// finishes reports whether threads may end in the list.
func (l List) finishes() bool {
	return slices.ContainsFunc(l, func(n Node) bool {
		if _, ok := n.(Finish); ok {
			return true
		}
		return slices.ContainsFunc(parts(n), List.finishes)
	})
}

// parts are the lists that a node consists of.
func parts(n Node) []List {
	switch n := n.(type) {
	case *UniformIf:
		return []List{n.Then, n.Alse}
	case *Branch:
		return []List{n.Then, n.Alse}
	case *Block:
		return []List{n.Body}
	case *Counted:
		return []List{n.Body}
	case *Loop:
		return []List{n.Head, n.Body, n.Post}
	}
	return nil
}

// leads reports whether threads may go from within the list to the end of a construct.
func (l List) leads(to int) bool {
	return slices.ContainsFunc(l, func(n Node) bool {
		switch n := n.(type) {
		case Straight, *Superinstructions, *PartlyInvariant, ToSingleLane, Finish, *RowLoop, *RunLoop, *GatheredLoop,
			*DotLoop, *AddLoop, *WeightLoop, *WideLoop, *TightLoop:
			return false
		case Jump:
			return n.Target == to
		case Exit:
			return n.Target == to
		case *UniformIf:
			return n.Then.leads(to) || n.Alse.leads(to)
		case *Branch:
			return n.Then.leads(to) || n.Alse.leads(to)
		case *Block:
			return n.Body.leads(to)
		case *Counted:
			return n.Body.leads(to)
		case *Loop:
			return n.Head.leads(to) || n.Body.leads(to) || n.Post.leads(to)
		}
		return true
	})
}
