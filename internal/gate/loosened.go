package gate

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/reports"
	"metalconform/suite"
)

// loosening is how a kernel is asked for less than at the base.
type loosening struct {
	kernel string
	why    []string // clauses
}

// String is a clause that follows the name of the kernel.
func (l loosening) String() string {
	return "it is asked for less than at the base: " + strings.Join(l.why, "; ")
}

// loosenings are the kernels that the change asks for less: cases that its rules have not, that they do not compare
// although the base's do, and cases of which they ask something else. What only asks for more is none.
func (g *Gate) loosenings(j judgements) (list []loosening) {
	if g.was.missing {
		return nil
	}
	compared := map[string]bool{}
	for _, r := range j.was.Results {
		compared[r.Case] = elements(r) > 0
	}
	now := map[string]suite.Case{}
	for _, c := range g.is.Cases {
		now[c.Name] = c
	}
	own := map[string]suite.Result{}
	for _, r := range j.own.Results {
		own[r.Case] = r
	}
	held := map[string]suite.Result{}
	for _, r := range j.held.Results {
		held[r.Case] = r
	}
	of := map[string]*tally{}
	var names []string
	for _, c := range g.held.Cases {
		if !g.scope.reruled(c) && now[c.Name].Kernel != nil {
			continue
		}
		name := c.Kernel.Name
		if of[name] == nil {
			of[name] = &tally{}
			names = append(names, name)
		}
		t := of[name]
		t.cases++
		is, there := now[c.Name]
		if !there && (c.InTurn && hasAnother(now, c) || c.Replaced(g.is.Cases)) {
			continue
		}
		after, judged := own[c.Name]
		switch {
		case !there:
			t.dropped = append(t.dropped, c.Name)
		case judged && compared[c.Name] && !failing(held[c.Name]) && elements(after) == 0 && !failing(after):
			t.hidden = append(t.hidden, c.Name)
		case g.scope.ruled[name]:
			t.rule(c, is, uint64(g.Seed))
		}
	}
	for _, name := range names {
		if why := of[name].clauses(); len(why) > 0 {
			list = append(list, loosening{name, why})
		}
	}
	return list
}

// elements is the number of elements of a case that were compared.
func elements(r suite.Result) int {
	n := r.Elements - r.Open
	if r.Unjudged != nil {
		n = min(n, r.Elements-r.Unjudged.Elements)
	}
	if r.Waiver != nil && r.Elements == 0 {
		return 0
	}
	return n
}

// tally is what the rules of a kernel ask for less.
type tally struct {
	cases           int
	dropped, hidden []string
	changes         []suite.RulingChange
}

// rule notes what a specification asks otherwise of a case.
func (t *tally) rule(was, is suite.Case, seed uint64) {
	if c := suite.RulingOn(is, seed).Since(suite.RulingOn(was, seed)); c.Loosens() {
		t.changes = append(t.changes, c)
	}
}

// clauses say what is asked for less.
func (t *tally) clauses() (list []string) {
	if n := len(t.dropped); n > 0 {
		list = append(list, fmt.Sprintf("%d of %s dropped, such as %s", n, printable.Count(t.cases, "case"),
			t.dropped[0]))
	}
	if n := len(t.hidden); n > 0 {
		list = append(list, fmt.Sprintf("%d of %s no longer compared, such as %s", n, printable.Count(t.cases, "case"),
			t.hidden[0]))
	}
	count := func(what string, has func(suite.RulingChange) bool) {
		n := 0
		for _, c := range t.changes {
			if has(c) {
				n++
			}
		}
		if n > 0 {
			list = append(list, fmt.Sprintf("%s in %d of %s", what, n, printable.Count(t.cases, "case")))
		}
	}
	var asked, freed, other, wider int
	for _, c := range t.changes {
		asked, freed, other = asked+c.Asked, freed+min(c.Freed, c.Asked), other+c.Other
		wider += c.Wider
	}
	if freed > 0 {
		list = append(list, fmt.Sprintf("any value is allowed in %s of elements", share(freed, asked)))
	}
	if other > 0 {
		list = append(list, fmt.Sprintf("the definition differs at %s of elements", share(other, asked)))
	}
	if wider > 0 {
		list = append(list, fmt.Sprintf("the bound is wider at %s of elements", share(wider, asked)))
	}
	for _, c := range t.changes {
		if c.Contract != [2]string{} {
			list = append(list, fmt.Sprintf("the contract was %q and is %q", c.Contract[0], c.Contract[1]))
			break
		}
	}
	count("the inputs differ", func(c suite.RulingChange) bool { return c.Inputs })
	if i := slices.IndexFunc(t.changes, func(c suite.RulingChange) bool { return c.Demand != "" }); i >= 0 {
		list = append(list, "no longer asked for: "+t.changes[i].Demand)
	}
	count("the grid, scalars, windows or build differ",
		func(c suite.RulingChange) bool { return c.Launches && !c.Inputs })
	if i := slices.IndexFunc(t.changes, func(c suite.RulingChange) bool { return c.Broken != "" }); i >= 0 {
		list = append(list, "the definition fails: "+t.changes[i].Broken)
	}
	return list
}

// share is a part of a whole in percent, never rounded to none or all.
func share(part, whole int) string {
	percent := 100 * float64(part) / float64(max(whole, 1))
	switch {
	case part == whole:
		return "100 %"
	case percent < 0.1:
		return "under 0.1 %"
	case percent > 99.9:
		return "99.9 %"
	}
	return fmt.Sprintf("%.3g %%", percent)
}

// tell adds what is loosened: to the problems, or as a line where it is allowed.
func (v *Verdict) tell(list []loosening, allowed func(kernel string) bool) {
	for _, l := range list {
		if allowed(l.kernel) {
			v.loosened = append(v.loosened, fmt.Sprintf("%s: %s, as is allowed", l.kernel, l))
			continue
		}
		v.More = append(v.More, reports.Problem{Kind: reports.ProblemLoosened, Name: l.kernel, Text: l.String(),
			Cure: fmt.Sprintf("if that is meant, a maintainer allows it by the label \"conform: loosened %s\", or the "+
				"base by\n[policy] loosened = [%q] in conform.toml", l.kernel, l.kernel)})
	}
}

// hasAnother reports whether a case has another in its place, which has another family at the same shape.
func hasAnother(now map[string]suite.Case, c suite.Case) bool {
	for _, other := range now {
		if other.InTurn && other.Variant == c.Variant && other.Math == c.Math &&
			other.Kernel.Point(other.Shape) == c.Kernel.Point(c.Shape) {
			return true
		}
	}
	return false
}
