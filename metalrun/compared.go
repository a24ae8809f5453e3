package metalrun

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"metalconform/internal/crash"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// ComparedConstants lists the floating-point constants that an entry point compares with values that it computes: in
// comparisons, minima, maxima and clamps. A constant counts wherever it flows to such an operation through variables,
// selections, memory of a thread or threadgroup and tables of constants, as the start of a running maximum does. Where
// a computed operand is the result of arithmetic with another constant, the number that brings the operand to the
// constant is listed as well. Each number is listed once, in the order of the program.
func (p *Program) ComparedConstants(name string) (list []float64, err error) {
	defer crash.Catch(&err)
	k, err := p.Lowered(name)
	if err != nil {
		return nil, err
	}
	f := newConstantFlow(k)
	for f.spread() {
	}
	for in := range ir.Instrs(k.Body...) {
		for i, a := range f.compared(in) {
			for _, c := range f.registers[a] {
				for _, x := range f.solved(in, i, c) {
					if !slices.Contains(list, x) && !math.IsNaN(x) && !math.IsInf(x, 0) {
						list = append(list, x)
					}
				}
			}
		}
	}
	return list, nil
}

const (
	mostFlowing = 64 // constants of a register, and words of a table
	mostInverse = 4  // operations before a comparison that are inverted
)

// constantFlow says which constants registers and objects may hold, whatever path a thread takes.
type constantFlow struct {
	k         *ir.Kernel
	made      map[ir.Reg]*ir.Instr // by what they set: the last one of a variable
	objects   map[ir.Reg]int       // that pointers lead to: an object, or -1 and less for threadgroup arguments
	registers map[ir.Reg][]float64
	memory    map[int][]float64
	grown     bool
}

func newConstantFlow(k *ir.Kernel) *constantFlow {
	f := &constantFlow{k: k, made: map[ir.Reg]*ir.Instr{}, objects: map[ir.Reg]int{},
		registers: map[ir.Reg][]float64{}, memory: map[int][]float64{}}
	for i, r := range k.Regs {
		switch {
		case r.Kind == ir.Literal && r.Type.IsFloat():
			f.registers[ir.Reg(i)] = []float64{literal(r)}
		case r.Kind == ir.Address:
			f.objects[ir.Reg(i)] = r.Index
		case r.Kind == ir.Input && r.Input == ir.ThreadgroupPointer:
			f.objects[ir.Reg(i)] = -1 - r.Index
		}
	}
	for i, o := range k.Objects {
		if o.Elem.Type() != ir.F32 || len(o.Data) > 4*mostFlowing {
			continue
		}
		for data := o.Data; len(data) >= 4; data = data[4:] {
			f.memory[i] = append(f.memory[i], float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
		}
	}
	for in := range ir.Instrs(k.Body...) {
		for _, d := range in.Dst {
			f.made[d] = in
		}
	}
	return f
}

// literal is the value of a literal of a floating-point type.
func literal(r ir.RegInfo) float64 {
	switch r.Type {
	case ir.F16:
		return float64(scalar.FromHalfBits(uint16(r.Bits)))
	case ir.BF16:
		return float64(scalar.FromBfloatBits(uint16(r.Bits)))
	}
	return float64(math.Float32frombits(uint32(r.Bits)))
}

// spread takes constants one instruction further. It reports false when there is nothing left to do.
func (f *constantFlow) spread() bool {
	f.grown = false
	for in := range ir.Instrs(f.k.Body...) {
		switch in.Op {
		case ir.Copy, ir.PtrAdd:
			f.flow(in.Dst[0], in.Args[0])
		case ir.Convert:
			if in.From.Type().IsFloat() && in.To.Type().IsFloat() {
				f.flow(in.Dst[0], in.Args[0])
			}
		case ir.Select:
			f.flow(in.Dst[0], in.Args[1])
			f.flow(in.Dst[0], in.Args[2])
		case ir.Math, ir.Simd:
			if f.extreme(in) {
				for _, a := range in.Args {
					f.flow(in.Dst[0], a)
				}
			}
		case ir.Load:
			if object, known := f.objects[in.Mem.Base]; known && in.From.Type().IsFloat() {
				for _, d := range in.Dst {
					f.registers[d] = f.joined(f.registers[d], f.memory[object])
				}
			}
		case ir.Store:
			if object, known := f.objects[in.Mem.Base]; known && in.From.Type().IsFloat() {
				for _, a := range in.Args {
					f.memory[object] = f.joined(f.memory[object], f.registers[a])
				}
			}
		}
	}
	return f.grown
}

// flow has a register hold what another holds.
func (f *constantFlow) flow(to, from ir.Reg) {
	f.registers[to] = f.joined(f.registers[to], f.registers[from])
	if object, known := f.objects[from]; known {
		if _, twice := f.objects[to]; !twice {
			f.objects[to], f.grown = object, true
		}
	}
}

// joined are the constants of both lists.
func (f *constantFlow) joined(all, more []float64) []float64 {
	for _, x := range more {
		if len(all) < mostFlowing && !slices.Contains(all, x) && !math.IsNaN(x) {
			all, f.grown = append(slices.Clip(all), x), true
		}
	}
	return all
}

// extreme reports whether an instruction is a minimum or maximum of floats.
func (f *constantFlow) extreme(in *ir.Instr) bool {
	name, _, _ := strings.Cut(in.Fn, "_")
	if in.Op == ir.Simd {
		name = in.Simd().Name
	}
	return (name == "min" || name == "max") && f.k.Regs[in.Dst[0]].Type.IsFloat()
}

// compared are the operands of an instruction that decides by the size of floats.
func (f *constantFlow) compared(in *ir.Instr) []ir.Reg {
	switch in.Op {
	case ir.FLt, ir.FLe, ir.Eq, ir.Ne:
		return in.Args
	case ir.Math, ir.Simd:
		if f.extreme(in) {
			return in.Args
		}
	}
	return nil
}

// solved are a constant that operand i of an instruction holds, and what brings the other operand to it.
func (f *constantFlow) solved(in *ir.Instr, i int, c float64) []float64 {
	list := []float64{c}
	for j, other := range in.Args {
		if j == i {
			continue
		}
		x, r := c, other
		for range mostInverse {
			from := f.made[r]
			if from == nil || f.k.Regs[r].Kind == ir.Variable {
				break
			}
			var ok bool
			if x, r, ok = f.inverse(from, x); !ok {
				break
			}
			list = append(list, x)
		}
	}
	return list
}

// inverse is the operand that is computed, and its value where the result of an instruction is x.
func (f *constantFlow) inverse(in *ir.Instr, x float64) (float64, ir.Reg, bool) {
	if len(in.Args) == 1 {
		switch {
		case in.Op == ir.Neg:
			return -x, in.Args[0], true
		case in.Op == ir.Math && in.Fn == "exp" && x > 0:
			return math.Log(x), in.Args[0], true
		}
		return 0, 0, false
	}
	if len(in.Args) != 2 {
		return 0, 0, false
	}
	computed, other := in.Args[0], f.k.Regs[in.Args[1]]
	first := f.k.Regs[computed].Kind == ir.Literal
	if first {
		computed, other = in.Args[1], f.k.Regs[computed]
	}
	if other.Kind != ir.Literal || !other.Type.IsFloat() {
		return 0, 0, false
	}
	y := literal(other)
	switch {
	case in.Op == ir.Add:
		return x - y, computed, true
	case in.Op == ir.Mul:
		return x / y, computed, true
	case in.Op == ir.Sub && first:
		return y - x, computed, true
	case in.Op == ir.Sub:
		return x + y, computed, true
	case in.Op == ir.Div && first:
		return y / x, computed, true
	case in.Op == ir.Div:
		return float64(x * y), computed, true
	}
	return 0, 0, false
}
