package ir

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// Verify checks that k is well formed: its structure, the type of every
// register that an instruction touches, that a temporary is set once and
// before all its uses on every path, and that exits leave constructs that
// enclose them. The error names the first violation; it is a fault of the
// compiler, never of the program.
func Verify(k *Kernel) (err error) {
	v := &verifier{k: k, state: make([]tempState, len(k.Regs))}
	defer func() {
		if r := recover(); r != nil {
			violation, ok := r.(violation)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s: ir of kernel %s: %s", violation.pos, k.Name, violation.msg)
		}
	}()
	v.objects()
	v.registers()
	v.args()
	if len(k.Body) != 1 {
		v.fail(k.Pos, "the body has %d nodes, want one block", len(k.Body))
	}
	if _, ok := k.Body[0].(*Block); !ok {
		v.fail(k.Pos, "the body is a %T, want a block", k.Body[0])
	}
	v.list(k.Body)
	return nil
}

type violation struct {
	pos syntax.Pos
	msg string
}

// tempState says where a temporary stands in its life.
type tempState uint8

const (
	undefined tempState = iota
	live
	outOfScope // set, but not on every path to here
)

type verifier struct {
	k      *Kernel
	state  []tempState
	scope  []Reg // temporaries set so far in the scopes that are open
	loops  []*Loop
	blocks []*Block
	seen   map[Node]bool
}

func (v *verifier) fail(pos syntax.Pos, format string, args ...any) {
	panic(violation{pos, fmt.Sprintf(format, args...)})
}

func (v *verifier) objects() {
	for i, o := range v.k.Objects {
		switch {
		case o.Space != syntax.Thread && o.Space != syntax.Threadgroup && o.Space != syntax.Constant:
			v.fail(o.Pos, "object %d %s is in space %q", i, o.Name, o.Space)
		case o.Size < 0 || !powerOfTwo(o.Align):
			v.fail(o.Pos, "object %d %s has size %d and alignment %d", i, o.Name, o.Size, o.Align)
		case o.Space == syntax.Constant && len(o.Data) != o.Size:
			v.fail(o.Pos, "constant object %d %s of %d bytes has %d bytes of data", i, o.Name, o.Size, len(o.Data))
		case o.Space != syntax.Constant && o.Data != nil:
			v.fail(o.Pos, "object %d %s in space %s has data", i, o.Name, o.Space)
		}
	}
}

func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }

func (v *verifier) registers() {
	for i, info := range v.k.Regs {
		if info.Type > Ptr {
			v.fail(v.k.Pos, "register %%%d has no type", i)
		}
		switch info.Kind {
		case Temp, Variable:
		case Literal:
			if !literalFits(info.Type, info.Bits) {
				v.fail(v.k.Pos, "literal %%%d has bits %#x, which are no %s", i, info.Bits, info.Type)
			}
		case Input:
			v.inputRegister(i, info)
		case Address:
			if info.Type != Ptr || info.Index < 0 || info.Index >= len(v.k.Objects) {
				v.fail(v.k.Pos, "address %%%d of type %s names object %d of %d", i, info.Type, info.Index,
					len(v.k.Objects))
			}
		default:
			v.fail(v.k.Pos, "register %%%d has no kind", i)
		}
	}
}

func (v *verifier) inputRegister(i int, info RegInfo) {
	pointer := info.Input == BufferPointer || info.Input == ThreadgroupPointer
	switch {
	case info.Input > DispatchQuadgroupsPerThreadgroup:
		v.fail(v.k.Pos, "input %%%d has no source", i)
	case pointer != (info.Type == Ptr) || !pointer && info.Type != I32:
		v.fail(v.k.Pos, "input %%%d has type %s", i, info.Type)
	case pointer && !slices.ContainsFunc(v.k.Args, func(a Arg) bool {
		return a.Index == info.Index && a.Threadgroup == (info.Input == ThreadgroupPointer)
	}):
		v.fail(v.k.Pos, "input %%%d is entry %d of a table, which no argument declares", i, info.Index)
	}
}

func literalFits(t Type, bits uint64) bool {
	switch t {
	case Bool:
		return bits <= 1
	case I32:
		return bits == Canonical(I32, bits)
	case F32:
		return bits>>32 == 0
	case F16, BF16:
		return bits>>16 == 0
	}
	return true
}

func (v *verifier) args() {
	// Arguments may share an index: function constants that have no value
	// exclude none of them.
	for _, a := range v.k.Args {
		switch {
		case a.Index < 0 || a.Size < 0 || !powerOfTwo(a.Align):
			v.fail(a.Pos, "argument %s has index %d, size %d and alignment %d", a.Name, a.Index, a.Size, a.Align)
		case a.Threadgroup != (a.Space == syntax.Threadgroup):
			v.fail(a.Pos, "argument %s in space %s is in the wrong table", a.Name, a.Space)
		}
	}
}

// list checks nodes in sequence and puts what they set out of scope at the end.
func (v *verifier) list(nodes []Node) { v.scoped(func() { v.open(nodes) }) }

func (v *verifier) scoped(f func()) {
	mark := len(v.scope)
	f()
	for _, r := range v.scope[mark:] {
		v.state[r] = outOfScope
	}
	v.scope = v.scope[:mark]
}

// open is list without the end of the scope.
func (v *verifier) open(nodes []Node) {
	for i, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			v.instr(n)
		case *If:
			v.cond(n.Pos, n.Cond)
			v.list(n.Then)
			v.list(n.Else)
		case *Loop:
			v.loop(n)
		case *Block:
			v.once(n, n.Pos)
			v.blocks = append(v.blocks, n)
			v.list(n.Body)
			v.blocks = v.blocks[:len(v.blocks)-1]
		case *Exit:
			v.exit(n)
			if i != len(nodes)-1 {
				v.fail(n.Pos, "an exit is followed by %d nodes that are never reached", len(nodes)-1-i)
			}
		default:
			v.fail(v.k.Pos, "node of type %T", n)
		}
	}
}

// loop checks a loop: the post is reached from anywhere in the body, so only
// what the head sets is in scope there.
func (v *verifier) loop(n *Loop) {
	v.once(n, n.Pos)
	v.loops = append(v.loops, n)
	v.scoped(func() {
		v.open(n.Head)
		if n.Cond != None {
			v.cond(n.Pos, n.Cond)
		}
		v.list(n.Body)
		v.list(n.Post)
	})
	v.loops = v.loops[:len(v.loops)-1]
}

// once checks that a construct that exits can name occurs once.
func (v *verifier) once(n Node, pos syntax.Pos) {
	if v.seen == nil {
		v.seen = map[Node]bool{}
	}
	if v.seen[n] {
		v.fail(pos, "a %T occurs twice", n)
	}
	v.seen[n] = true
}

func (v *verifier) cond(pos syntax.Pos, r Reg) {
	if t := v.use(pos, r); t != Bool {
		v.fail(pos, "the condition has type %s, want bool", t)
	}
}

func (v *verifier) exit(e *Exit) {
	switch {
	case e.Kind == Leave && e.Loop == nil:
		if !slices.Contains(v.blocks, e.Block) {
			v.fail(e.Pos, "leaves a block that does not enclose it")
		}
	case (e.Kind == Break || e.Kind == Continue) && e.Block == nil:
		if !slices.Contains(v.loops, e.Loop) {
			v.fail(e.Pos, "leaves a loop that does not enclose it")
		}
	default:
		v.fail(e.Pos, "exit of kind %d has a loop %t and a block %t", e.Kind, e.Loop != nil, e.Block != nil)
	}
}

// use is the type of a register that is read.
func (v *verifier) use(pos syntax.Pos, r Reg) Type {
	if r < 0 || int(r) >= len(v.k.Regs) {
		v.fail(pos, "reads register %%%d of %d", r, len(v.k.Regs))
	}
	if v.k.Regs[r].Kind == Temp {
		switch v.state[r] {
		case undefined:
			v.fail(pos, "reads temporary %%%d before it is set", r)
		case outOfScope:
			v.fail(pos, "reads temporary %%%d, which is not set on every path to here", r)
		}
	}
	return v.k.Regs[r].Type
}

// set is the type of a register that is written.
func (v *verifier) set(pos syntax.Pos, r Reg) Type {
	if r < 0 || int(r) >= len(v.k.Regs) {
		v.fail(pos, "sets register %%%d of %d", r, len(v.k.Regs))
	}
	switch v.k.Regs[r].Kind {
	case Temp:
		if v.state[r] != undefined {
			v.fail(pos, "sets temporary %%%d a second time", r)
		}
		v.state[r] = live
		v.scope = append(v.scope, r)
	case Variable:
	default:
		v.fail(pos, "sets register %%%d, which is neither a temporary nor a variable", r)
	}
	return v.k.Regs[r].Type
}
