package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir"
)

// TestUniformity names each rule that makes a value vary, and a similar value that does not vary.
func TestUniformity(t *testing.T) {
	var regs map[string]ir.Reg
	k := assemble(func(a *assembler) {
		id, group := a.input(ir.ThreadIndexInThreadgroup), a.input(ir.ThreadgroupPositionInGridX)
		one := a.literal(1)
		regs = map[string]ir.Reg{"thread index": id, "group position": group}
		regs["sum with thread index"] = a.op(ir.Add, ir.I32, id, one)
		regs["sum of uniform values"] = a.op(ir.Add, ir.I32, group, one)

		divergent, uniform := a.op(ir.ULt, ir.Bool, id, one), a.op(ir.ULt, ir.Bool, group, one)
		setInDivergent, setInUniform := a.variable(ir.I32), a.variable(ir.I32)
		local := a.variable(ir.I32)
		a.set(ir.Copy, setInDivergent, one)
		a.set(ir.Copy, setInUniform, one)
		branch := &ir.If{Cond: divergent}
		a.within(&branch.Then, func() {
			a.set(ir.Copy, setInDivergent, group)
			a.set(ir.Copy, local, group)
			regs["variable that lives in the branch"] = local
			regs["temporary in a branch"] = a.op(ir.Add, ir.I32, local, one)
		})
		a.put(branch)
		other := &ir.If{Cond: uniform}
		a.within(&other.Then, func() { a.set(ir.Copy, setInUniform, group) })
		a.put(other)
		regs["variable set in a divergent branch"] = setInDivergent
		regs["variable set in a uniform branch"] = setInUniform

		// divergent loops; the last part of build is their body
		loop := func(build func(counter ir.Reg, body *[]ir.Node, l *ir.Loop)) (counter ir.Reg) {
			counter = a.variable(ir.I32)
			a.set(ir.Copy, counter, one)
			l := &ir.Loop{}
			a.within(&l.Head, func() { l.Cond = a.op(ir.ULt, ir.Bool, counter, id) })
			a.within(&l.Post, func() { a.set(ir.Add, counter, counter, one) })
			build(counter, &l.Body, l)
			a.put(l)
			return counter
		}
		regs["counter of a divergent loop"] = loop(func(ir.Reg, *[]ir.Node, *ir.Loop) {})
		after := loop(func(ir.Reg, *[]ir.Node, *ir.Loop) {})
		regs["counter read after its divergent loop"] = after
		a.op(ir.Add, ir.I32, after, one)

		var turn, skipped ir.Reg
		loop(func(counter ir.Reg, body *[]ir.Node, l *ir.Loop) {
			a.within(body, func() { turn = a.op(ir.Add, ir.I32, counter, one) })
		})
		regs["value of an iteration, read after a divergent loop"] = turn
		a.op(ir.Add, ir.I32, turn, one)

		skipped = a.variable(ir.I32)
		a.set(ir.Copy, skipped, one)
		loop(func(counter ir.Reg, body *[]ir.Node, l *ir.Loop) {
			a.within(body, func() {
				skip := &ir.If{Cond: divergent, Then: []ir.Node{&ir.Exit{Kind: ir.Continue, Loop: l}}}
				a.put(skip)
				a.set(ir.Add, skipped, skipped, one)
			})
		})
		regs["variable set after a divergent continue"] = skipped

		kept := a.variable(ir.I32)
		a.set(ir.Copy, kept, one)
		rounds := &ir.Loop{Cond: uniform}
		a.within(&rounds.Body, func() {
			loop(func(counter ir.Reg, body *[]ir.Node, l *ir.Loop) {
				a.within(body, func() { a.set(ir.Add, kept, kept, one) })
			})
		})
		a.put(rounds)
		regs["counter kept from one divergent loop to the next"] = kept
	})
	got := map[string]bool{}
	varying := InThreadgroup(k).VaryingRegisters()
	for name, r := range regs {
		got[name] = varying[r]
	}
	want := map[string]bool{
		"thread index": true, "group position": false,
		"sum with thread index": true, "sum of uniform values": false,
		"variable that lives in the branch": false, "temporary in a branch": false,
		"variable set in a divergent branch": true, "variable set in a uniform branch": false,
		"value of an iteration, read after a divergent loop": true,
		"counter of a divergent loop":                        false, "counter read after its divergent loop": true,
		"variable set after a divergent continue": true, "counter kept from one divergent loop to the next": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("varying (-want +got):\n%s", diff)
	}
}
