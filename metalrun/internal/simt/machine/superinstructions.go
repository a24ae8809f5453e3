package machine

// Superinstructions is a straight run in its final form: functions that know where their operands are, and bytecode.
type Superinstructions struct {
	Code     Straight // what it was made from
	ops      []Op
	executed int64 // the number of instructions that it counts as
	without  Passes
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *Superinstructions) Run(m *Machine) bool {
	m.Executed += n.executed
	for _, do := range n.ops {
		do(m)
	}
	return true
}

// newSuperinstructions makes the final form of a run, which counts as executed instructions.
func newSuperinstructions(code Straight, executed int64, without Passes) *Superinstructions {
	n := &Superinstructions{Code: code, executed: executed, without: without}
	for i := 0; i < len(code); i++ {
		if code[i].Uniform.Code == NoUniformOp || without.Has(passBytecode) {
			n.ops = append(n.ops, code[i].Direct())
			continue
		}
		var row Bytecode
		for ; i < len(code) && code[i].Uniform.Code != NoUniformOp; i++ {
			row = append(row, code[i].Uniform)
		}
		n.ops = append(n.ops, row.Run)
		i--
	}
	return n
}

// Direct is the instruction as a function.
func (in *Instr) Direct() Op {
	if in.Do != nil {
		return in.Do
	}
	f := in.onSlots()
	switch {
	case f == nil:
		return in.Run
	case !in.Partial:
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

// onSlots is the loop of an instruction whose operands are all slots. It is nil for shapes that are not common.
func (in *Instr) onSlots() Op {
	slots := func(all ...Operand) bool {
		for _, o := range all {
			if o.Kind != InSlot {
				return false
			}
		}
		return true
	}
	d, a, b, e := in.D.At, in.A.At, in.B.At, in.E.At
	switch {
	case in.Shape == ScalarFill && slots(in.D):
		fill := in.Fill
		return func(m *Machine) { fill(m.slots[d], m.Uni32[a]) }
	case in.Shape == vector && slots(in.D, in.A):
		loop := in.unary
		return func(m *Machine) { loop(m.slots[d], m.slots[a]) }
	case in.Shape == VectorVector && slots(in.D, in.A, in.B):
		loop := in.Binary.VV
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.slots[b]) }
	case in.Shape == VectorScalar && slots(in.D, in.A):
		loop := in.Binary.VS
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.Uni32[b]) }
	case in.Shape == ScalarVector && slots(in.D, in.B):
		loop := in.Binary.SV
		return func(m *Machine) { loop(m.slots[d], m.Uni32[a], m.slots[b]) }
	case in.Shape == VectorScalarScalar && slots(in.D, in.A):
		loop := in.Field
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.Uni32[b], m.Uni32[e]) }
	case in.Shape == VectorVectorVector && slots(in.D, in.A, in.B, in.E):
		loop := in.Triple.VVV
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.slots[b], m.slots[e]) }
	case in.Shape == VectorScalarVector && slots(in.D, in.A, in.E):
		loop := in.Triple.VSV
		return func(m *Machine) { loop(m.slots[d], m.slots[a], m.Uni32[b], m.slots[e]) }
	}
	return nil
}
