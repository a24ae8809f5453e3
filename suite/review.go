package suite

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metalconform/oracles"
)

// Reviewed is something that a specification leaves untested, or does wrong, at a place that its author
// should look at.
type Reviewed struct {
	Kernel string `json:"kernel"`
	What   string `json:"what"`
}

// Review asks the definition of a kernel at the points of its sweep, without launching anything, and
// says what the sweep cannot tell: inputs and scalars that no result depends on, axes and scalars
// that never vary, outputs of which nothing is said, or which are the same whatever the inputs are. A
// point that the definition cannot take is one such line.
func Review(k *Kernel, seed uint64) []Reviewed {
	v := &review{kernel: k, seed: seed, matters: map[string]bool{}, axes: map[string]map[float64]bool{},
		scalars: map[string]map[float64]bool{}, open: map[string]bool{}}
	for _, c := range Cases([]Family{{Kernels: []Kernel{*k}}}, Full) {
		if c.Input.Name == refused {
			continue
		}
		v.note(c)
		if c.Set != Quick || c.end != nil || c.Combined && k.Check == nil {
			continue
		}
		if len(v.found) < 5 && !v.exceeded {
			v.look(c)
		}
	}
	v.conclude()
	return v.found
}

// review is what is known of a kernel's definition so far.
type review struct {
	kernel  *Kernel
	seed    uint64
	found   []Reviewed
	matters map[string]bool             // inputs and scalars that a result depends on
	axes    map[string]map[float64]bool // their values
	scalars map[string]map[float64]bool
	open    map[string]bool // outputs of which something is said
	probed  int

	exceeded bool // a limit, as elsewhere: it would take as long each time
}

func (v *review) say(format string, args ...any) {
	r := Reviewed{v.kernel.Name, fmt.Sprintf(format, args...)}
	if !slices.Contains(v.found, r) {
		v.found = append(v.found, r)
	}
}

// look asks the definition at one case.
func (v *review) look(c Case) {
	defer func() {
		if p := recover(); p != nil {
			_, v.exceeded = p.(Excess)
			v.say("%s: %v", c.Name, p)
		}
	}()
	if k := v.kernel; k.Check != nil {
		if err := k.Check(c.Shape); err != nil {
			v.say("%s: a point of the sweep that check refuses: %v", c.Name, err)
			return
		}
	}
	t := newCaseRun(c, caseOptions{seed: v.seed})
	t.tables = map[string][]float64{}
	for _, table := range c.Tables() {
		t.tables[table.Name] = table.Values
	}
	if err := t.FillBuffers(); err != nil {
		v.say("%s: %v", c.Name, err)
		return
	}
	want := v.kernel.Oracle(t.problem())
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		answer, err := want.of(b)
		if err != nil {
			v.say("%s: %v", c.Name, err)
			return
		}
		for i := range answer.Want {
			if !answer.Free(i) && !b.leaves(i) {
				v.open[b.arg.Name] = true
				break
			}
		}
	}
	// Two families of two shapes tell what matters: others would say it again, unless a draw seldom does.
	if (v.probed < 4 || v.probed < 16 && v.doubts()) && (c.Input.Name == v.kernel.Sweep.first() || c.Input.Random) {
		v.probed++
		v.vary(t, want)
	}
}

// redraws are how many other contents an input is given at a point: one that decides, such as a random number that a
// probability is compared with, may leave the decision as it was.
const redraws = 4

// doubts reports whether nothing has been seen to depend on some input yet.
func (v *review) doubts() bool {
	return slices.ContainsFunc(v.kernel.Args,
		func(a Arg) bool { return a.Buffer() && a.Role != RoleOut && !v.matters[a.Name] })
}

// note keeps the values that axes and scalars have, at every point of the full sweep: where one has been looked at that
// varies nothing, another may. A point at which the specification makes no sense has none.
func (v *review) note(c Case) {
	defer func() { _ = recover() }() // look says it
	keep := func(in map[string]map[float64]bool, name string, x float64) {
		if in[name] == nil {
			in[name] = map[float64]bool{}
		}
		in[name][x] = true
	}
	for _, a := range v.kernel.Axes {
		keep(v.axes, string(a), float64(a.Size(c.Shape)))
	}
	for _, values := range c.Scalars() {
		for name, x := range values {
			keep(v.scalars, name, x)
		}
	}
}

// vary asks again with other contents of one input, or another value of one scalar.
func (v *review) vary(t *CaseRun, want Answers) {
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut || v.matters[b.arg.Name] || b.count() == 0 {
			continue
		}
		before := slices.Clone(b.data)
		for n := range redraws {
			other := t.Case
			other.Name += fmt.Sprintf("/other%d", n)
			b.fill(other, b.count(), v.seed)
			if bytes.Equal(b.data, before) || !t.same(want) { // what always holds the same is the host's choice
				v.matters[b.arg.Name] = true
				break
			}
		}
		copy(b.data, before)
	}
	for _, a := range v.kernel.Args {
		for _, f := range a.Scalars() {
			if v.matters[f.Name] || f.Value == nil {
				continue
			}
			if t.asks(f, want) {
				v.matters[f.Name] = true
			}
		}
	}
}

// same reports whether the definition gives the same for what buffers and scalars hold now. One that
// cannot take them depends on them.
func (t *CaseRun) same(want Answers) (same bool) {
	defer func() {
		if recover() != nil {
			same = false
		}
	}()
	got := t.Kernel.Oracle(t.problem())
	return maps.EqualFunc(want, got, func(a, b oracles.Answer) bool {
		return slices.EqualFunc(a.Want, b.Want, func(x, y float64) bool { return x == y || x != x && y != y }) ||
			a.Exact
	})
}

// conclude says what nothing has shown.
func (v *review) conclude() {
	k := v.kernel
	if v.probed == 0 {
		return // what went wrong has been said
	}
	for _, a := range k.Args {
		if a.Buffer() && a.Role != RoleOut && !v.matters[a.Name] {
			v.say("the oracle ignores the input %s: no result changes with it", a.Name)
		}
		if a.Writable() && !v.open[a.Name] {
			v.say("nothing is said of the output %s at any point", a.Name)
		}
		for _, f := range a.Scalars() {
			if len(v.scalars[f.Name]) == 1 && !v.matters[f.Name] {
				v.say("the scalar %s is always %v, and the oracle does not use it: a kernel that ignores it passes",
					f.Name, first(v.scalars[f.Name]))
			} else if len(v.scalars[f.Name]) == 1 {
				v.say("the scalar %s is always %v: a kernel that has that number in its source passes; settings = "+
					"{%q: […]} gives it others", f.Name, first(v.scalars[f.Name]), f.Name)
			}
		}
	}
	for _, a := range k.Axes {
		if len(v.axes[string(a)]) == 1 {
			v.say("the axis %s never varies: it is always %v", a, first(v.axes[string(a)]))
		}
	}
}

func first(set map[float64]bool) float64 {
	for x := range set {
		return x
	}
	return 0
}

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
	namedNumber = regexp.MustCompile(
		`(?m)(?:#define\s+(\w+)\s+|\bconst(?:expr|ant)?\b[^;={}]*?\b(\w+)\s*=\s*)(\d+)[uU]?\b`)
	vectorType = regexp.MustCompile(`\b(?:float|half|bfloat|u?int|u?short|u?char)([234])\b`)
	advanceBy  = regexp.MustCompile(`\+=\s*(\d+)`)
	factorOf   = regexp.MustCompile(`[*/%]\s*(\d+)\b|\b(\d+)[uU]?\s*\*`)
	shiftBy    = regexp.MustCompile(`(?:<<|>>)\s*(\d+)\b`)
	lastOf     = regexp.MustCompile(`\+\s*(\d+)[uU]?\s*<[^<=]`) // i + 3 < n
	endOf      = regexp.MustCompile(`\+\s*(\d+)[uU]?\s*<=`)     // i + 4 <= n
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
			list = append(list, Reviewed{k.Name, fmt.Sprintf("the axis %s is always a multiple of %d, which %s:%d "+
				"goes by: a remainder is never tried; add a size such as %d to vary, or let check refuse it if no "+
				"host launches one", a, largest.of, file, largest.line, sizes[0]+largest.of/2)})
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
