package gate

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/coverage"
)

// literals are the numbers that the change brings, by the kernels: each is tried as a size. They are those at which new
// comparisons turn, and if these are not too many those that are written on the lines.
func (g *Gate) literals() map[string][]int64 {
	sizes := map[string][]int64{}
	found := map[string][]int64{}
	for file, lines := range changedLines(g.hunks) {
		found[file] = suite.Literals(g.scope.is[file], lines)
	}
	for kernel := range g.scope.kernels {
		for file := range contents(g.is.Source, kernel) {
			sizes[kernel] = append(sizes[kernel], found[file]...)
		}
		turns := newNumbers(g.was.Source, g.is.Source, kernel)
		if len(turns)+len(sizes[kernel]) > suite.MostSizes {
			sizes[kernel] = nil
		}
		sizes[kernel] = append(sizes[kernel], turns...)
		slices.Sort(sizes[kernel])
		sizes[kernel] = slices.Compact(sizes[kernel])
	}
	return sizes
}

// newNumbers are those at which comparisons of a kernel turn, and did not turn before.
func newNumbers(was, is *suite.Shaders, kernel string) []int64 {
	var before []int64
	if was != nil {
		before = was.Numbers(kernel)
	}
	return slices.DeleteFunc(is.Numbers(kernel), func(n int64) bool { return n < 2 || slices.Contains(before, n) })
}

// changedLines are the numbers of the lines that are new, by file.
func changedLines(hunks []Hunk) map[string][]int {
	lines := map[string][]int{}
	for _, h := range hunks {
		for i := range h.is {
			lines[h.file] = append(lines[h.file], h.line+i)
		}
	}
	return lines
}

// unexecuted are the changed lines that no launch of the head executes. Of a selection of cases nothing is asked, and
// what does not compile is told by itself.
func (g *Gate) unexecuted() (list []coverage.Line) {
	if g.coverage == nil || g.Run.Regexp != nil {
		return nil
	}
	lines := changedLines(g.hunks)
	for _, file := range slices.Sorted(maps.Keys(lines)) {
		for _, l := range g.coverage.Changed(file, lines[file]) {
			if l.Why != coverage.File {
				list = append(list, l)
			}
		}
	}
	return list
}

// unexecuted adds the changed lines that nothing executes to the problems, unless the policy names their files.
func (v *Verdict) unexecuted(list []coverage.Line, allowed []string, root string) {
	for _, l := range list {
		where := fmt.Sprintf("%s:%d", l.File, l.Line)
		if l.Last > l.Line {
			where = fmt.Sprintf("%s:%d to %d", l.File, l.Line, l.Last)
		}
		if slices.Contains(allowed, "all") || slices.Contains(allowed, l.File) {
			v.loosened = append(v.loosened, fmt.Sprintf("%s: not executed, as the policy allows: %s", where, l.Why))
			continue
		}
		at := l.Position
		at.File = path.Join(root, at.File)
		v.More = append(v.More, reports.Problem{Kind: reports.ProblemUnexecuted, Name: where,
			Text: fmt.Sprintf("the change is not executed: %s", l.Why), At: at,
			Cure: fmt.Sprintf("add a case that executes the line, or allow it at the base:\n[policy] "+
				"unexecuted = [%q] in conform.toml", l.File)})
	}
}
