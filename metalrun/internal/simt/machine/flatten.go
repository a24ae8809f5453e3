package machine

import "slices"

// Once a machine has come by everything that a launch settles, most branches on arguments have one arm, functions are
// left where they end, and what is between is one run of instructions. The machine goes on with such a body.

// firstLook is after how many instructions a machine first looks at what is settled; each further look is after eight
// times as many. Launches that are shorter do without another body.
const FirstLook = 1 << 10

// lighten makes the body of the threadgroups to come, if more is settled than when it was last made.
func (m *Machine) lighten() {
	if m.settled == nil || !m.P.Does(passSpecialise) || m.looked < m.nextLook {
		return
	}
	m.nextLook = 8 * m.looked
	known := 0
	for _, is := range m.settled {
		if is {
			known++
		}
	}
	if known > m.known {
		m.known, m.Body = known, m.flatten(m.P.Body)
	}
}

// flatten is a list without what the launch has settled. Nodes that it changes are copies.
func (m *Machine) flatten(l List) List {
	var out List
	for _, n := range l {
		switch n := n.(type) {
		case Straight:
			if m.P.Does(passSuperinstructions) {
				out = out.append(densely(n, int64(len(n)), m.P.Options.Without))
			} else {
				out = append(out, n)
			}
		case *Dense:
			out = out.append(n)
		case Alone:
			if n.Branch || out.finishes() { // otherwise all threads live
				out = append(out, n)
			}
		case *Partly:
			if m.settled[n.number] {
				out = out.append(n.rest)
			} else {
				out = append(out, n)
			}
		case *UniformIf:
			out = out.append(m.flattenIf(n)...)
		case *Block:
			out = out.append(m.flattenBlock(n)...)
		case *Branch:
			x := *n
			x.Then, x.Alse = m.flatten(n.Then), m.flatten(n.Alse)
			out = append(out, &x)
		case *Loop:
			x := *n
			x.Head, x.Body, x.Post = m.flatten(n.Head), m.flatten(n.Body), m.flatten(n.Post)
			out = append(out, x.tight(m.P))
		case *Counted:
			x := *n
			x.Body = m.flatten(n.Body)
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

func (m *Machine) flattenIf(n *UniformIf) List {
	switch {
	case !n.Settled || !m.settled[n.number] || m.sees(Branches):
		x := *n
		x.Then, x.Alse = m.flatten(n.Then), m.flatten(n.Alse)
		return List{&x}
	case m.Uni32[n.Cond] != 0:
		return m.flatten(n.Then)
	}
	return m.flatten(n.Alse)
}

// flattenBlock is what a function consists of, if threads leave it at its end alone: so they may where the arms are not
// reached in which some leave early.
func (m *Machine) flattenBlock(n *Block) List {
	x := *n
	x.Body = m.flatten(n.Body)
	body := x.Body
	if last := len(body) - 1; last >= 0 && body[last] == (Jump{n.Id}) {
		body = body[:last]
	}
	if body.leads(n.Id) {
		return List{&x}
	}
	return body
}

// append adds nodes, and runs of instructions to one that they follow.
func (l List) append(nodes ...Node) List {
	for _, n := range nodes {
		more, isDense := n.(*Dense)
		if isDense && more.executed == 0 {
			continue
		}
		if last := len(l) - 1; isDense && last >= 0 {
			if before, ok := l[last].(*Dense); ok {
				l[last] = densely(slices.Concat(before.Code, more.Code), before.executed+more.executed, before.without)
				continue
			}
		}
		l = append(l, n)
	}
	return l
}

// ends reports whether nothing is executed behind the list.
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

// leads reports whether threads may go from within the list to a construct's end.
func (l List) leads(to int) bool {
	return slices.ContainsFunc(l, func(n Node) bool {
		switch n := n.(type) {
		case Straight, *Dense, *Partly, Alone, Finish, *RowLoop, *RunLoop, *GatheredLoop, *DotLoop, *AddLoop,
			*WeightLoop, *WideLoop, *TightLoop:
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
