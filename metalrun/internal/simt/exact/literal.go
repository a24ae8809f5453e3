package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// A literal such as 0.999f has two exact values: the number that its text says, and that of its format. Which one the
// definition has is not known, but it has one of them everywhere. Options.Literals says which one a launch takes: 0 is
// the format's, and ByText the text's. A constant such as 1/0.3f has a third: what exact arithmetic makes of the
// numbers that its literals have in their formats, which ByFolding takes. Who writes 1.44269504f means log2 e, a
// number within half a unit of the last digit. ByFolding + k is ByText, with literal number k of such many digits,
// from 1, half a unit further. What that changes tells how results depend on the literal.

// ByText takes the texts of literals for their exact values, and ByFolding the numbers of their formats, of which
// constants are computed exactly. MostLiterals literals have a number to be moved.
const (
	ByText       = 1
	ByFolding    = 2
	MostLiterals = 8
)

// LiteralPatterns is the number of values of Options.Literals other than 0.
const LiteralPatterns = ByFolding + MostLiterals

// literals gives the literals of a kernel their balls.
func (b *balls) literals(p *machine.Program) {
	many := 0
	for r, info := range p.Kernel.Regs {
		at := p.Slots[r]
		if info.Kind != ir.Literal || !info.Type.IsFloat() || at.Varying || at.Index < 0 {
			continue
		}
		held, says := float64(machine.F32frombits(machine.Literal32(info))), info.Decimal
		b.uni32[at.Index] = ball.Of(held)
		if !says.Known() {
			continue
		}
		b.notes[Note{Kind: Decimal}] = 1
		if says.Half > 0 && many < MostLiterals {
			many++
			b.notes[Note{Kind: Digits, Pos: syntax.Pos{Line: int32(many)}}] = 1
			if p.Options.Literals == ByFolding+many {
				says.Value += says.Half
			}
		}
		if says.Format != 0 {
			b.notes[Note{Kind: Folded}] = 1
		}
		x := says.Value
		switch p.Options.Literals {
		case 0:
			continue
		case ByFolding:
			x = says.In(held).Format
		}
		b.uni32[at.Index] = ball.Ball{X: x, E: math.Abs(x - held)}
	}
}
