package machine

// dense is a straight run once nothing is recognised in it any more: functions that know where their operands are, and
// bytecode.
type Dense struct {
	Code     Straight // that it was made from
	ops      []Op
	executed int64 // instructions that it counts as
	without  Passes
}

func (n *Dense) Run(m *Machine) bool {
	m.Executed += n.executed
	for _, do := range n.ops {
		do(m)
	}
	return true
}

// densely makes such a run that counts as so many instructions.
func densely(code Straight, executed int64, without Passes) *Dense {
	n := &Dense{Code: code, executed: executed, without: without}
	for i := 0; i < len(code); i++ {
		if code[i].uniform.code == noUniformOp || without.has(passBytecode) {
			n.ops = append(n.ops, code[i].direct())
			continue
		}
		var row bytecode
		for ; i < len(code) && code[i].uniform.code != noUniformOp; i++ {
			row = append(row, code[i].uniform)
		}
		n.ops = append(n.ops, row.Run)
		i--
	}
	return n
}

// direct is the instruction as a function.
func (in *Instr) direct() Op {
	if in.do != nil {
		return in.do
	}
	f := in.onSlots()
	switch {
	case f == nil:
		return in.Run
	case !in.partial:
		return f
	}
	return func(m *Machine) {
		if m.Full {
			f(m)
		} else {
			in.Run(m)
		}
	}
}

// onSlots is the loop of an instruction whose lanes are all in slots, for common shapes; nil for others.
func (in *Instr) onSlots() Op {
	slots := func(all ...Operand) bool {
		for _, o := range all {
			if o.kind != inSlot {
				return false
			}
		}
		return true
	}
	d, a, b, e := in.d.At, in.a.At, in.b.At, in.e.At
	switch {
	case in.Shape == scalarFill && slots(in.d):
		fill := in.fill
		return func(m *Machine) { fill(m.slots[d], m.Uni32[a]) }
	case in.Shape == vector && slots(in.d, in.a):
		loop := in.unary
		return func(m *Machine) { loop(m.slots[d], m.slots[a]) }
	case in.Shape == vectorVector && slots(in.d, in.a, in.b):
		loop := in.Binary.VV
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.slots[b]) }
	case in.Shape == vectorScalar && slots(in.d, in.a):
		loop := in.Binary.VS
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.Uni32[b]) }
	case in.Shape == scalarVector && slots(in.d, in.b):
		loop := in.Binary.SV
		return func(m *Machine) { loop(m.slots[d], m.Uni32[a], m.slots[b]) }
	case in.Shape == vectorScalarScalar && slots(in.d, in.a):
		loop := in.Field
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.Uni32[b], m.Uni32[e]) }
	case in.Shape == vectorVectorVector && slots(in.d, in.a, in.b, in.e):
		loop := in.triple.VVV
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.slots[b], m.slots[e]) }
	case in.Shape == vectorScalarVector && slots(in.d, in.a, in.e):
		loop := in.triple.VSV
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.Uni32[b], m.slots[e]) }
	}
	return nil
}
