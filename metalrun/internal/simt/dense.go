package simt

// dense is a straight run once nothing is recognised in it any more: functions that know where their operands are, and
// bytecode.
type dense struct {
	code     straight // that it was made from
	ops      []op
	executed int64 // instructions that it counts as
	without  Passes
}

func (n *dense) run(m *machine) bool {
	m.executed += n.executed
	for _, do := range n.ops {
		do(m)
	}
	return true
}

// densely makes such a run that counts as so many instructions.
func densely(code straight, executed int64, without Passes) *dense {
	n := &dense{code: code, executed: executed, without: without}
	for i := 0; i < len(code); i++ {
		if code[i].uniform.code == noUniformOp || without.has(passBytecode) {
			n.ops = append(n.ops, code[i].direct())
			continue
		}
		var row bytecode
		for ; i < len(code) && code[i].uniform.code != noUniformOp; i++ {
			row = append(row, code[i].uniform)
		}
		n.ops = append(n.ops, row.run)
		i--
	}
	return n
}

// direct is the instruction as a function.
func (in *instr) direct() op {
	if in.do != nil {
		return in.do
	}
	f := in.onSlots()
	switch {
	case f == nil:
		return in.run
	case !in.partial:
		return f
	}
	return func(m *machine) {
		if m.full {
			f(m)
		} else {
			in.run(m)
		}
	}
}

// onSlots is the loop of an instruction whose lanes are all in slots, for common shapes; nil for others.
func (in *instr) onSlots() op {
	slots := func(all ...operand) bool {
		for _, o := range all {
			if o.kind != inSlot {
				return false
			}
		}
		return true
	}
	d, a, b, e := in.d.at, in.a.at, in.b.at, in.e.at
	switch {
	case in.shape == scalarFill && slots(in.d):
		fill := in.fill
		return func(m *machine) { fill(m.slots[d], m.uni32[a]) }
	case in.shape == vector && slots(in.d, in.a):
		loop := in.unary
		return func(m *machine) { loop(m.slots[d], m.slots[a]) }
	case in.shape == vectorVector && slots(in.d, in.a, in.b):
		loop := in.binary.VV
		return func(m *machine) { loop(m.slots[d], m.slots[a], m.slots[b]) }
	case in.shape == vectorScalar && slots(in.d, in.a):
		loop := in.binary.VS
		return func(m *machine) { loop(m.slots[d], m.slots[a], m.uni32[b]) }
	case in.shape == scalarVector && slots(in.d, in.b):
		loop := in.binary.SV
		return func(m *machine) { loop(m.slots[d], m.uni32[a], m.slots[b]) }
	case in.shape == vectorScalarScalar && slots(in.d, in.a):
		loop := in.field
		return func(m *machine) { loop(m.slots[d], m.slots[a], m.uni32[b], m.uni32[e]) }
	case in.shape == vectorVectorVector && slots(in.d, in.a, in.b, in.e):
		loop := in.triple.VVV
		return func(m *machine) { loop(m.slots[d], m.slots[a], m.slots[b], m.slots[e]) }
	case in.shape == vectorScalarVector && slots(in.d, in.a, in.e):
		loop := in.triple.VSV
		return func(m *machine) { loop(m.slots[d], m.slots[a], m.uni32[b], m.slots[e]) }
	}
	return nil
}
