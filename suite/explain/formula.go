package explain

import (
	"cmp"
	"slices"

	"metalconform/suite"
)

// otherFormula is about an element whose exact value is not the definition's, nil of any other. No rounding made such a
// value: shares of roundings would name a line that has nothing to do with it.
func otherFormula(t *suite.CaseRun, a suite.Account) *suite.OtherFormula {
	if a.Exactly == nil || !(a.Exactly.Formula > 1) {
		return nil
	}
	return &suite.OtherFormula{Ratio: a.Exactly.Formula, Stored: t.StoredAt(a.Output)}
}

// narrow looks for intermediate values that the definition has: other outputs, whose extents are the outermost of the
// element's own. Where the exact value at the element's indices is the definition's, the values part later: in the
// lines that the element depends on and the intermediate value does not.
func narrow(f *suite.OtherFormula, t *suite.CaseRun, a suite.Account, lines []suite.BlamedLine, memory int) {
	output, _ := t.Kernel.Args.Find(a.Output)
	extents, left := output.Sizes(t.Shape), slices.Clone(lines)
	for _, arg := range t.Kernel.Args {
		if arg.Role != suite.RoleOut || arg.Name == a.Output || rounds(t.Kernel, arg.Name) != nil {
			continue
		}
		own := arg.Sizes(t.Shape)
		if len(own) > len(extents) || !slices.Equal(own, extents[:len(own)]) {
			continue
		}
		other, err := t.Account(arg.Name, a.Index[:len(own)])
		if err != nil || other.Exactly == nil || other.Exactly.Formula > 1 {
			continue
		}
		trail, err := trailOf(t, other, memory)
		if err != nil {
			continue
		}
		f.Agrees = append(f.Agrees, suite.Element{Arg: arg.Name, Index: a.Index[:len(own)]})
		for _, l := range trail.found.Lines {
			left = slices.DeleteFunc(left,
				func(x suite.BlamedLine) bool { return x.File == l.File && x.Line == l.Line })
		}
	}
	if f.Agrees == nil {
		return
	}
	slices.SortFunc(left, func(x, y suite.BlamedLine) int { return cmp.Or(cmp.Compare(x.File, y.File), x.Line-y.Line) })
	f.Lines = left
}
