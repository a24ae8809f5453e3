package simt

import "slices"

// Once a machine has come by everything that a launch settles, most branches on arguments have one arm, functions are
// left where they end, and what is between is one run of instructions. The machine goes on with such a body.

// firstLook is after how many instructions a machine first looks at what is settled; each further look is after eight
// times as many. Launches that are shorter do without another body.
const firstLook = 1 << 10

// lighten makes the body of the threadgroups to come, if more is settled than when it was last made.
func (m *machine) lighten() {
	if m.settled == nil || !m.p.does(passSpecialise) || m.looked < m.nextLook {
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
		m.known, m.body = known, m.flatten(m.p.body)
	}
}

// flatten is a list without what the launch has settled. Nodes that it changes are copies.
func (m *machine) flatten(l list) list {
	var out list
	for _, n := range l {
		switch n := n.(type) {
		case straight:
			if m.p.does(passSuperinstructions) {
				out = out.append(densely(n, int64(len(n)), m.p.options.Without))
			} else {
				out = append(out, n)
			}
		case *dense:
			out = out.append(n)
		case alone:
			if n.branch || out.finishes() { // otherwise all threads live
				out = append(out, n)
			}
		case *partly:
			if m.settled[n.number] {
				out = out.append(n.rest)
			} else {
				out = append(out, n)
			}
		case *uniformIf:
			out = out.append(m.flattenIf(n)...)
		case *block:
			out = out.append(m.flattenBlock(n)...)
		case *branch:
			x := *n
			x.then, x.alse = m.flatten(n.then), m.flatten(n.alse)
			out = append(out, &x)
		case *loop:
			x := *n
			x.head, x.body, x.post = m.flatten(n.head), m.flatten(n.body), m.flatten(n.post)
			out = append(out, x.tight(m.p))
		case *counted:
			x := *n
			x.body = m.flatten(n.body)
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

func (m *machine) flattenIf(n *uniformIf) list {
	switch {
	case !n.settled || !m.settled[n.number] || m.outcomes != nil:
		x := *n
		x.then, x.alse = m.flatten(n.then), m.flatten(n.alse)
		return list{&x}
	case m.uni32[n.cond] != 0:
		return m.flatten(n.then)
	}
	return m.flatten(n.alse)
}

// flattenBlock is what a function consists of, if threads leave it at its end alone: so they may where the arms are not
// reached in which some leave early.
func (m *machine) flattenBlock(n *block) list {
	x := *n
	x.body = m.flatten(n.body)
	body := x.body
	if last := len(body) - 1; last >= 0 && body[last] == (jump{n.id}) {
		body = body[:last]
	}
	if body.leads(n.id) {
		return list{&x}
	}
	return body
}

// append adds nodes, and runs of instructions to one that they follow.
func (l list) append(nodes ...node) list {
	for _, n := range nodes {
		more, isDense := n.(*dense)
		if isDense && more.executed == 0 {
			continue
		}
		if last := len(l) - 1; isDense && last >= 0 {
			if before, ok := l[last].(*dense); ok {
				l[last] = densely(slices.Concat(before.code, more.code), before.executed+more.executed, before.without)
				continue
			}
		}
		l = append(l, n)
	}
	return l
}

// ends reports whether nothing is executed behind the list.
func (l list) ends() bool {
	if len(l) == 0 {
		return false
	}
	_, ok := l[len(l)-1].(jump)
	return ok
}

// finishes reports whether threads may end in the list.
func (l list) finishes() bool {
	return slices.ContainsFunc(l, func(n node) bool {
		if _, ok := n.(finish); ok {
			return true
		}
		return slices.ContainsFunc(parts(n), list.finishes)
	})
}

// parts are the lists that a node consists of.
func parts(n node) []list {
	switch n := n.(type) {
	case *uniformIf:
		return []list{n.then, n.alse}
	case *branch:
		return []list{n.then, n.alse}
	case *block:
		return []list{n.body}
	case *counted:
		return []list{n.body}
	case *loop:
		return []list{n.head, n.body, n.post}
	}
	return nil
}

// leads reports whether threads may go from within the list to a construct's end.
func (l list) leads(to int) bool {
	return slices.ContainsFunc(l, func(n node) bool {
		switch n := n.(type) {
		case straight, *dense, *partly, alone, finish, *rowLoop, *runLoop, *gatheredLoop, *dotLoop, *addLoop, *weightLoop, *wideLoop, *tightLoop:
			return false
		case jump:
			return n.target == to
		case exit:
			return n.target == to
		case *uniformIf:
			return n.then.leads(to) || n.alse.leads(to)
		case *branch:
			return n.then.leads(to) || n.alse.leads(to)
		case *block:
			return n.body.leads(to)
		case *counted:
			return n.body.leads(to)
		case *loop:
			return n.head.leads(to) || n.body.leads(to) || n.post.leads(to)
		}
		return true
	})
}
