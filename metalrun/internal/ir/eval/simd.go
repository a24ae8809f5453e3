package eval

import (
	"fmt"
	"strings"

	"metalconform/metalrun/internal/ir"
)

// exchange performs a simdgroup's instruction: lanes holds the active threads,
// nil for the others.
func exchange(in *ir.Instr, lanes []*thread, k *ir.Kernel) error {
	switch in.Op {
	case ir.Barrier:
		return nil
	case ir.MatMul:
		return matMul(in, lanes, k)
	}
	width, fn := 32, strings.TrimPrefix(in.Fn, "simd_")
	if q, ok := strings.CutPrefix(in.Fn, "quad_"); ok {
		width, fn = 4, q
	}
	for first := 0; first < 32; first += width {
		part := lanes[first : first+width]
		for i, t := range part {
			if t == nil {
				continue
			}
			v, err := lane(in, fn, part, i)
			if err != nil {
				return err
			}
			t.results = []uint64{v}
		}
	}
	return nil
}

// lane is the result of lane i among those of its simdgroup or quad.
func lane(in *ir.Instr, fn string, part []*thread, i int) (uint64, error) {
	self := part[i]
	if op, ok := reductions[strings.TrimPrefix(strings.TrimPrefix(fn, "prefix_inclusive_"), "prefix_exclusive_")]; ok {
		from := part
		switch {
		case strings.HasPrefix(fn, "prefix_inclusive_"):
			from = part[:i+1]
		case strings.HasPrefix(fn, "prefix_exclusive_"):
			from = part[:i]
		}
		return reduce(in.From, op, from), nil
	}
	n := len(part)
	source, outside := i, false
	switch fn {
	case "ballot", "all", "any", "active_threads_mask", "is_first":
		return vote(fn, part, i), nil
	case "broadcast", "shuffle":
		source = int(self.args[1])
	case "shuffle_xor":
		source = i ^ int(self.args[1])
	case "broadcast_first":
		for source = 0; part[source] == nil; source++ {
		}
	case "shuffle_up":
		if source = i - int(self.args[1]); source < 0 {
			source = i
		}
	case "shuffle_down":
		if source = i + int(self.args[1]); source >= n {
			source = i
		}
	case "shuffle_rotate_up":
		source = ((i-int(self.args[1]))%n + n) % n
	case "shuffle_rotate_down":
		source = (i + int(self.args[1])) % n
	case "shuffle_and_fill_up", "shuffle_and_fill_down":
		delta, modulo := int(self.args[2]), int(self.args[3])
		if fn == "shuffle_and_fill_up" {
			delta = -delta
		}
		first := i / modulo * modulo
		at := i - first + delta
		outside = at < 0 || at >= modulo
		source = first + (at%modulo+modulo)%modulo
	default:
		return 0, fmt.Errorf("no function %s", in.Fn)
	}
	if source >= n || part[source] == nil {
		return 0, fmt.Errorf("%s reads inactive lane %d", in.Fn, source)
	}
	if outside {
		return part[source].args[1], nil
	}
	return part[source].args[0], nil
}

func vote(fn string, part []*thread, i int) uint64 {
	var ballot, active uint64
	first := -1
	for j, t := range part {
		if t == nil {
			continue
		}
		if first < 0 {
			first = j
		}
		active |= 1 << j
		if len(t.args) > 0 && t.args[0] != 0 {
			ballot |= 1 << j
		}
	}
	switch fn {
	case "ballot":
		return ballot
	case "all":
		return truth(ballot == active)
	case "any":
		return truth(ballot != 0)
	case "active_threads_mask":
		return active
	}
	return truth(i == first)
}

// reduction combines lanes from the lowest.
type reduction struct {
	op       ir.Op
	math     string // a function instead
	identity float64
}

var reductions = map[string]reduction{
	"sum": {op: ir.Add}, "product": {op: ir.Mul, identity: 1}, "and": {op: ir.And}, "or": {op: ir.Or},
	"xor": {op: ir.Xor},
	"min": {math: "min"}, "max": {math: "max"},
}

func reduce(s ir.Scalar, r reduction, part []*thread) uint64 {
	t := s.Type()
	empty := true
	var v uint64
	if t.IsFloat() {
		v = round(t, r.identity)
	} else {
		v = uint64(r.identity)
	}
	for _, p := range part {
		switch {
		case p == nil:
		case empty:
			v, empty = p.args[0], false
		case r.math == "":
			if v = binary(r.op, t, v, p.args[0]); !t.IsFloat() {
				v = narrow(s, v)
			}
		case t.IsFloat():
			v = round(t, realFunction(r.math, float(t, v), float(t, p.args[0])))
		default:
			v = narrow(s, integerFunction(r.math, s, []uint64{v, p.args[0]}))
		}
	}
	return v
}

// matMul is d = a·b + c, each element a sum over k ascending. Half and bfloat
// accumulate in f32.
func matMul(in *ir.Instr, lanes []*thread, k *ir.Kernel) error {
	td, ta := k.Regs[in.Dst[0]].Type, k.Regs[in.Args[0]].Type
	var a, b, c [8][8]float64
	for l, t := range lanes {
		if t == nil {
			return fmt.Errorf("matrix product without lane %d", l)
		}
		row, col := element(l)
		for j := range 2 {
			a[row][col+j] = float(ta, t.args[j])
			b[row][col+j] = float(ta, t.args[2+j])
			c[row][col+j] = float(td, t.args[4+j])
		}
	}
	for i := range 8 {
		for j := range 8 {
			sum := c[i][j]
			for n := range 8 {
				product := float(ir.F32, round(ir.F32, a[i][n]*b[n][j]))
				sum = float(ir.F32, round(ir.F32, product+sum))
			}
			c[i][j] = sum
		}
	}
	for l, t := range lanes {
		row, col := element(l)
		t.results = []uint64{round(td, c[row][col]), round(td, c[row][col+1])}
	}
	return nil
}

// element is the index of a lane's first element in an 8×8 matrix.
func element(lane int) (row, col int) {
	q := lane / 4
	return q&4 + lane/2%4, q&2*2 + lane%2*2
}
