package analysis

import "metalconform/metalrun/internal/ir"

// shortArms is the number of instructions of a condition up to which threads execute both of its arms, masked, instead
// of jumping.
const shortArms = 16

// Straight reports whether threads execute nodes without a jump: instructions, short conditions, and functions that
// return at their end.
func Straight(nodes []ir.Node) bool {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
		case *ir.If:
			if !Short(n) {
				return false
			}
		case *ir.Block:
			if body, ok := WithoutReturn(n); !ok || !Straight(body) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Short reports whether threads execute both arms of a condition, masked, instead of jumping.
func Short(n *ir.If) bool {
	size := 0
	for _, arm := range [][]ir.Node{n.Then, n.Else} {
		for range ir.Instrs(arm...) {
			if size++; size > shortArms {
				return false
			}
		}
	}
	return Straight(n.Then) && Straight(n.Else) && !barred(n.Then) && !barred(n.Else)
}

// WithoutReturn is the body of a function without the return at its end. ok is false if it returns elsewhere.
func WithoutReturn(b *ir.Block) (body []ir.Node, ok bool) {
	body = b.Body
	if len(body) > 0 {
		if e, last := body[len(body)-1].(*ir.Exit); last && e.Block == b {
			body = body[:len(body)-1]
		}
	}
	return body, !HasExit(body)
}

func barred(nodes []ir.Node) bool {
	return ir.Contains(nodes, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && in.Op == ir.Barrier
	})
}
