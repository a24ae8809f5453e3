package suite

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A kernel that takes several elements at a time has code for what is left at the end of an axis, or should have it.
// Sizes that are all multiples of the number of elements never run that code. The number stands in the source, as the
// width of a vector or as the step of a loop, in the line that compares with the size of the axis.

// longestStep is the largest number of elements that counts: the threads of a simdgroup.
const longestStep = 32

// step is a number of elements that a line of a kernel takes at a time.
type step struct {
	of   int
	line int
}

var (
	lineComment = regexp.MustCompile(`//[^\n]*`)
	longComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	namedNumber = regexp.MustCompile(`(?m)(?:#define\s+(\w+)\s+|\bconst(?:expr|ant)?\b[^;={}]*?\b(\w+)\s*=\s*)(\d+)[uU]?\b`)
	vectorType  = regexp.MustCompile(`\b(?:float|half|bfloat|u?int|u?short|u?char)([234])\b`)
	advanceBy   = regexp.MustCompile(`\+=\s*(\d+)`)
	factorOf    = regexp.MustCompile(`[*/%]\s*(\d+)\b|\b(\d+)[uU]?\s*\*`)
	shiftBy     = regexp.MustCompile(`(?:<<|>>)\s*(\d+)\b`)
	lastOf      = regexp.MustCompile(`\+\s*(\d+)[uU]?\s*<[^<=]`) // i + 3 < n
	endOf       = regexp.MustCompile(`\+\s*(\d+)[uU]?\s*<=`)     // i + 4 <= n
)

// withoutComments is a text with spaces in place of its comments.
func withoutComments(text string) string {
	blank := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, s)
	}
	return lineComment.ReplaceAllStringFunc(longComment.ReplaceAllStringFunc(text, blank), blank)
}

// narrowType is a type of 16 bits, or a vector or matrix of it.
var narrowType = regexp.MustCompile(`\b(?:simdgroup_)?(?:half|bfloat)(?:\d\w*)?\b`)

// namesNarrow reports whether the kernel's source names a type that values could be rounded to on the way: without one
// no declaration of such roundings is what is meant.
func (t *CaseRun) namesNarrow() bool {
	return slices.ContainsFunc(t.shaders.Reads(t.Kernel.Name), func(file string) bool {
		return narrowType.MatchString(withoutComments(t.shaders.files[file]))
	})
}

// body are the lines of the function that begins at a line of a text, and the number of the first.
func body(text string, line int) []string {
	lines := strings.Split(text, "\n")
	depth, begun := 0, false
	for i := line - 1; i >= 0 && i < len(lines); i++ {
		depth += strings.Count(lines[i], "{") - strings.Count(lines[i], "}")
		begun = begun || strings.Contains(lines[i], "{")
		if begun && depth <= 0 {
			return lines[line-1 : i+1]
		}
	}
	return nil
}

// stepsOf are the numbers of elements that the lines take which name an integer.
func stepsOf(lines []string, first int, name string, numbers map[string]string) (list []step) {
	named := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	for i, text := range lines {
		if !named.MatchString(text) {
			continue
		}
		for other, number := range numbers {
			if strings.Contains(text, other) {
				text = regexp.MustCompile(`\b`+regexp.QuoteMeta(other)+`\b`).ReplaceAllLiteralString(text, number)
			}
		}
		for _, of := range stepsIn(text) {
			if 2 <= of && of <= longestStep {
				list = append(list, step{of, first + i})
			}
		}
	}
	return list
}

// stepsIn are the numbers of elements that a line takes.
func stepsIn(text string) (list []int) {
	for _, x := range []struct {
		pattern *regexp.Regexp
		of      func(n int) int
	}{
		{vectorType, func(n int) int { return n }},
		{advanceBy, func(n int) int { return n }},
		{factorOf, func(n int) int { return other(n, 2) }}, // a half is taken in every reduction
		{shiftBy, func(n int) int { return other(1<<min(n, longestStep), 2) }},
		{lastOf, func(n int) int { return n + 1 }},
		{endOf, func(n int) int { return n }},
	} {
		for _, m := range x.pattern.FindAllStringSubmatch(text, -1) {
			if n, err := strconv.Atoi(strings.Join(m[1:], "")); err == nil {
				list = append(list, x.of(n))
			}
		}
	}
	return list
}

// other is a number, or 0 in place of one that does not count.
func other(n, than int) int {
	if n == than {
		return 0
	}
	return n
}

// Untried are remarks on the axes of a specification whose sizes are all multiples of what a line of the kernel takes
// at a time, although a host may launch others.
func (s *Shaders) Untried(k *Kernel) []Reviewed {
	file, info, err := s.Find(k.Name)
	if err != nil || k.MostElements == 0 || len(k.Sweep.Probes) == 0 {
		return nil // of the catalogue each axis has been looked at
	}
	text := withoutComments(s.files[file])
	lines := body(text, info.Declared.Line)
	numbers := map[string]string{}
	for _, m := range namedNumber.FindAllStringSubmatch(text, -1) {
		numbers[m[1]+m[2]] = m[3]
	}
	var list []Reviewed
	for _, a := range k.Axes {
		var sizes []int
		for _, p := range slices.Concat(k.Sweep.Probes, k.Sweep.Shapes) {
			sizes = with(sizes, p[a])
		}
		var largest step
		for _, name := range k.carrying(a) {
			for _, own := range stepsOf(lines, info.Declared.Line, name, numbers) {
				tried := func(n int) bool { return n%own.of != 0 }
				if own.of > largest.of && !slices.ContainsFunc(sizes, tried) && k.mayBeOther(a, own.of) {
					largest = own
				}
			}
		}
		if largest.of > 0 {
			slices.Sort(sizes)
			list = append(list, Reviewed{k.Name, fmt.Sprintf("the axis %s is always a multiple of %d, which %s:%d goes "+
				"by: a remainder is never tried; add a size such as %d to vary, or let check refuse it if no host "+
				"launches one", a, largest.of, file, largest.line, sizes[0]+largest.of/2)})
		}
	}
	return list
}

// carrying are the names that a kernel may know an axis by: its own, and those of scalars that have its size.
func (k *Kernel) carrying(a Axis) []string {
	names := []string{string(a)}
	base := k.Sweep.Probes[0]
	for _, arg := range k.Args {
		for _, f := range arg.Scalars() {
			if f.Value != nil && f.Value.Value(base) == float64(base[a]) &&
				f.Value.Value(base.With(Shape{a: base[a] + 1})) == float64(base[a]+1) {
				names = with(names, f.Name)
			}
		}
	}
	return names
}

// mayBeOther reports whether a specification lets an axis be no multiple of a number: no extent leaves the remainder
// out, and no precondition refuses it.
func (k *Kernel) mayBeOther(a Axis, of int) (may bool) {
	defer func() {
		if recover() != nil {
			may = false // the specification makes no sense there
		}
	}()
	base := k.Sweep.Probes[0]
	more := base.With(Shape{a: base[a] + 1})
	extents := slices.Concat(k.Grid.Threadgroups, k.Grid.Threads)
	for _, arg := range k.Args {
		extents = append(extents, arg.Extents...)
	}
	if slices.ContainsFunc(extents, func(e Extent) bool {
		far := base.With(Shape{a: 2*base[a] + of})
		return e.Size(far) != e.Size(base) && e.Size(more) == e.Size(base)
	}) {
		return false
	}
	for d := 1; d < of; d++ {
		if k.Check == nil || k.Check(base.With(Shape{a: base[a] + d})) == nil {
			return true
		}
	}
	return false
}
