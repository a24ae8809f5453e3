package simt

// tightLoop is a loop that all threads leave together, by its test alone, and whose turns are instructions
// without control flow between them.
type tightLoop struct {
	loop       *loop
	head, rest *dense // rest is body and post; nil: empty
}

// tight gives such a loop in place of one whose parts are compiled, if it is one.
func (n *loop) tight(p *Program) node {
	if !p.does(passTightLoop) || !n.hasCond || n.diverges || n.varying || n.doubts != nil || len(n.turns.post) > 0 {
		return n
	}
	head, ok := list{}.append(n.head...).single()
	rest, also := list{}.append(n.body...).append(n.post...).single()
	if !ok || !also {
		return n
	}
	return &tightLoop{n, head, rest}
}

// single is the straight run that a list is, if it is one, or nil if it is empty.
func (l list) single() (n *dense, ok bool) {
	if len(l) == 0 {
		return nil, true
	}
	n, ok = l[0].(*dense)
	return n, ok && len(l) == 1
}

func (n *tightLoop) run(m *machine) bool {
	l := n.loop
	m.sanitizer.enter(l.pos)
	for {
		m.take(l.turns.head, 1)
		if n.head != nil {
			n.head.run(m)
		}
		if m.uni32[l.cond] == 0 {
			break
		}
		m.take(l.turns.body, 1)
		if n.rest != nil {
			n.rest.run(m)
		}
		m.sanitizer.turn()
		m.spend(l.pos, l.cost)
	}
	m.sanitizer.leave()
	return true
}
