package ir

// shortArms are the instructions of a condition up to which threads go through both of its arms,
// masked, instead of jumping.
const shortArms = 16

// Straight reports whether threads go through nodes without a jump: instructions, short
// conditions, and functions that return at their end.
func Straight(nodes []Node) bool {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
		case *If:
			if !n.Short() {
				return false
			}
		case *Block:
			if body, ok := n.Whole(); !ok || !Straight(body) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Short reports whether threads go through both arms, masked, instead of jumping.
func (n *If) Short() bool {
	size := 0
	for _, arm := range [][]Node{n.Then, n.Else} {
		for range Instrs(arm...) {
			if size++; size > shortArms {
				return false
			}
		}
	}
	return Straight(n.Then) && Straight(n.Else) && !barred(n.Then) && !barred(n.Else)
}

// Whole is the body of a function that returns at its end alone.
func (b *Block) Whole() (body []Node, ok bool) {
	body = b.Body
	if len(body) > 0 {
		if e, last := body[len(body)-1].(*Exit); last && e.Block == b {
			body = body[:len(body)-1]
		}
	}
	return body, !Contains(body, func(n Node) bool { _, exit := n.(*Exit); return exit })
}

func barred(nodes []Node) bool {
	return Contains(nodes, func(n Node) bool {
		in, ok := n.(*Instr)
		return ok && in.Op == Barrier
	})
}
