package machine

// TightLoop is a loop that all threads leave together, only by its test, and whose iterations have no control flow.
type TightLoop struct {
	loop       *Loop
	head, rest *Superinstructions // rest is body and post; nil: empty
}

// tight gives a TightLoop in place of a compiled loop, if the loop has this form.
func (n *Loop) tight(p *Program) Node {
	if !p.Does(PassTightLoop) || !n.HasCond || n.Diverges || n.Varying || n.Doubts != nil || len(n.Counters.Post) > 0 {
		return n
	}
	head, ok := List{}.append(n.Head...).single()
	rest, also := List{}.append(n.Body...).append(n.Post...).single()
	if !ok || !also {
		return n
	}
	return &TightLoop{n, head, rest}
}

// single is the only run of a list; nil if the list is empty. ok is false if the list has other nodes.
func (l List) single() (n *Superinstructions, ok bool) {
	if len(l) == 0 {
		return nil, true
	}
	n, ok = l[0].(*Superinstructions)
	return n, ok && len(l) == 1
}

// Run executes the loop.
func (n *TightLoop) Run(m *Machine) bool {
	l := n.loop
	m.loopBegins(l.Pos)
	for {
		m.Take(l.Counters.Head, 1)
		if n.head != nil {
			n.head.Run(m)
		}
		if m.Uni32[l.Cond] == 0 {
			break
		}
		m.Take(l.Counters.Body, 1)
		if n.rest != nil {
			n.rest.Run(m)
		}
		m.iterates()
		m.spend(l.Pos, l.Cost)
	}
	m.loopEnds()
	return true
}
