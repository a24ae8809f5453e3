package shrink

import (
	"fmt"
	"maps"
	"math"
	"metalconform/suite"
	"slices"
	"strings"
	"time"

	"metalconform/metalrun"
)

// Shrunk is the smallest case found that fails as a case did: the same check of the same output, or
// at the same line.
type Shrunk struct {
	Starlark bool // the specification is written in it
	Case     suite.Case
	Failure  suite.Failure // of the small case
	Tries    int           // cases judged on the way
	Inputs   []ShrunkInput
	Outputs  []ShrunkOutput // that the failure is about
}

// ShrunkInput is a buffer as the launch starts.
type ShrunkInput struct {
	Arg     string
	Extents []int
	Values  []float64
}

// ShrunkOutput is an output of the small case.
type ShrunkOutput struct {
	Arg     string
	Extents []int
	Got     []float64
	Want    []float64 // nil: there is no answer
}

// Shrink makes a case that fails small and its inputs round, while the same check fails at the same place:
// by delta debugging (Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28,
//  2002. over axes, then elements, which become 0 or 1, then the bits of those that are left. It judges at most so many
//     cases.
func Shrink(runner metalrun.Runner, opts suite.Options, c suite.Case, tries int) (Shrunk, error) {
	switch {
	case c.Pipeline != nil:
		return Shrunk{}, fmt.Errorf("%s is a pipeline: name a case of one of its kernels", c.Name)
	case c.Refused():
		return Shrunk{}, fmt.Errorf("%s is a shape that a host has to refuse: nothing is launched", c.Name)
	}
	if c.Recorded() {
		return Shrunk{},
			fmt.Errorf("%s has recorded results, which hold for its inputs alone: name a case of the sweep", c.Name)
	}
	s := &shrinker{runner: runner, opts: opts, left: tries}
	s.opts.Adversaries, s.opts.Plain, s.opts.Today = nil, nil, time.Time{}
	if err := s.find(opts, c); err != nil {
		return Shrunk{}, err
	}
	if !c.AtEnd() {
		s.axes()
	}
	s.elements()
	return s.result(tries)
}

// shrinker holds the smallest case so far.
type shrinker struct {
	runner metalrun.Runner
	opts   suite.Options
	of     signature
	best   suite.Case
	left   int
}

// signature is what has to stay of a failure.
type signature struct {
	check suite.Check
	arg   string
	at    string // file and line
}

func signatureOf(f suite.Failure) signature {
	s := signature{check: f.Check, arg: f.Arg}
	// bounds as well: rounder inputs may have one of 0
	if f.Check == suite.CheckExact || f.Check == suite.CheckStatistical {
		s.check = suite.CheckBound
	}
	if f.At != nil && f.At.File != "" {
		s.at = fmt.Sprintf("%s:%d", f.At.File, f.At.Line)
	}
	return s
}

// find settles what fails, and on which device.
func (s *shrinker) find(opts suite.Options, c suite.Case) error {
	r := s.verdict(c)
	for i := 0; len(r.Failures) == 0 && r.Status == suite.Pass && i < len(opts.Adversaries); i++ {
		s.runner = opts.Adversaries[i].Runner
		r = s.verdict(c)
	}
	if err := r.Crashed(); err != nil {
		return err
	}
	if len(r.Failures) == 0 {
		return fmt.Errorf("%s does not fail: %s", c.Name, strings.TrimSpace(string(r.Status)+" "+r.Reason))
	}
	s.of, s.best = signatureOf(r.Failures[0]), c
	return nil
}

func (s *shrinker) verdict(c suite.Case) suite.Result {
	return suite.Verdict(s.opts, c, func(r *suite.Result) { suite.Judge(s.runner, s.opts, c, r) })
}

// try makes a case the best one if it fails as it should.
func (s *shrinker) try(c suite.Case) bool {
	if s.left <= 0 || c.Admit() != nil {
		return false
	}
	s.left--
	for _, f := range s.verdict(c).Failures {
		if signatureOf(f) == s.of {
			s.best = c
			return true
		}
	}
	return false
}

// axes makes the shape small, an axis at a time, until none can be smaller. No axis becomes smaller than it is anywhere
// in the sweep: nobody says that a host launches the kernel there.
func (s *shrinker) axes() {
	for again := true; again; {
		again = false
		for _, a := range s.best.Kernel.Axes {
			least := least(s.best, a)
			for n := range smaller(least, s.best.Shape[a]) {
				c := s.best
				c.Shape = c.Shape.With(suite.Shape{a: n})
				if s.try(c) {
					again = true
					break
				}
			}
		}
	}
}

// least is the smallest size of an axis in the sweep of a case, and in the case.
func least(c suite.Case, a suite.Axis) int {
	sweep, n := c.Kernel.Sweep, c.Shape[a]
	for _, p := range slices.Concat(sweep.Probes, sweep.Shapes, sweep.Full) {
		n = min(n, p[a])
	}
	for _, setting := range sweep.Settings {
		n = min(n, setting.Shape[a])
	}
	return n
}

// smaller are numbers from the least to n: the small ones, and then what bisection towards n gives.
func smaller(least, n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		last := least - 1
		for _, x := range []int{least, 1, 2, 3, 4, 8, 16, 32, 33, 64, n / 4, n / 2, n * 3 / 4, n - 1} {
			if x > last && x < n {
				if last = x; !yield(x) {
					return
				}
			}
		}
	}
}

// elements makes the elements of the inputs round, buffer by buffer.
func (s *shrinker) elements() {
	for _, a := range s.best.Kernel.Args {
		if !a.Buffer() || a.Role == suite.RoleOut {
			continue
		}
		x, err := s.best.InputValues(a, s.opts.Seed)
		if err != nil {
			continue
		}
		if !s.tryValues(a, x) {
			continue // the fill writes what no number says
		}
		for _, simple := range []float64{0, 1} {
			x = s.simplify(a, x, simple)
		}
		for i := range x {
			x = s.round(a, x, i)
		}
	}
}

// tryValues tries given elements of a buffer.
func (s *shrinker) tryValues(a suite.Arg, x []float64) bool {
	c := s.best
	fills := maps.Clone(c.Input.Fills)
	if fills == nil {
		fills = suite.Fills{}
	}
	fills[a.Name] = suite.Values(slices.Clone(x)...)
	c.Input = c.Input.Filled(fills)
	return s.try(c)
}

// simplify sets as many elements as it can to a simple number, by chunks of ever fewer.
func (s *shrinker) simplify(a suite.Arg, x []float64, to float64) []float64 {
	for size := len(x); size >= 1; size /= 2 {
		for first := 0; first < len(x); first += size {
			chunk := x[first:min(first+size, len(x))]
			if !slices.ContainsFunc(chunk, func(v float64) bool { return v != to && (to == 0 || v != 0) }) {
				continue
			}
			y := slices.Clone(x)
			for i := first; i < min(first+size, len(x)); i++ {
				if to == 0 || y[i] != 0 {
					y[i] = to
				}
			}
			if s.tryValues(a, y) {
				x = y
			}
		}
		if s.left <= 0 {
			break
		}
	}
	return x
}

// round gives an element as few significant bits as it can have.
func (s *shrinker) round(a suite.Arg, x []float64, i int) []float64 {
	if x[i] == 0 || math.Abs(x[i]) == 1 || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
		return x
	}
	fraction, exponent := math.Frexp(x[i])
	for _, bits := range []int{1, 2, 3, 4, 6, 8, 12, 16, 20} {
		rounded := math.Ldexp(math.RoundToEven(math.Ldexp(fraction, bits)), exponent-bits)
		if rounded == x[i] {
			return x
		}
		y := slices.Clone(x)
		if y[i] = rounded; s.tryValues(a, y) {
			return y
		}
	}
	return x
}

// result runs the small case once more for what a reader wants to see of it.
func (s *shrinker) result(tries int) (Shrunk, error) {
	c := s.best
	t := suite.NewCaseRun(s.runner, s.opts, c)
	out := Shrunk{Case: c, Tries: tries - s.left}
	r := suite.Verdict(s.opts, c, func(r *suite.Result) {
		if !t.BindKernel(s.opts.Shaders, r) || t.FillBuffers() != nil {
			return
		}
		for _, a := range c.Kernel.Args {
			if a.Buffer() && a.Role != suite.RoleOut {
				out.Inputs = append(out.Inputs, ShrunkInput{a.Name, a.Sizes(c.Shape), t.Values(a.Name)})
			}
		}
		t.Conduct(r)
	})
	for _, f := range r.Failures {
		if signatureOf(f) == s.of {
			out.Failure = f
			break
		}
	}
	for _, a := range c.Kernel.Args {
		if x := t.Values(a.Name); x != nil && a.Writable() && (s.of.arg == "" || a.Name == s.of.arg) {
			out.Outputs = append(out.Outputs, ShrunkOutput{a.Name, a.Sizes(c.Shape), x, t.Answer(a.Name).Want})
		}
	}
	if out.Failure.Check == "" {
		return out, fmt.Errorf("%s does not fail in the same way every time", c.Name)
	}
	return out, nil
}

// Literal is the case as Go or Starlark, for the sweep of a specification.
func (s Shrunk) Literal() string {
	if s.Starlark {
		return s.starlark()
	}
	var b strings.Builder
	var shape []string
	for _, a := range s.Case.Kernel.Axes {
		shape = append(shape, fmt.Sprintf("%q: %d", a, s.Case.Shape[a]))
	}
	fmt.Fprintf(&b, "suite.Sweep{\n\tProbes: []suite.Shape{{%s}},\n"+
		"\tInputs: []suite.Input{{Name: \"shrunk\", Fills: suite.Fills{\n", strings.Join(shape, ", "))
	for _, in := range s.Inputs {
		fmt.Fprintf(&b, "\t\t%q: suite.Values(%s),\n", in.Arg, goNumbers(in.Values))
	}
	b.WriteString("\t}}},\n}\n")
	return b.String()
}

// starlark is the case as arguments of kernel.
func (s Shrunk) starlark() string {
	var shape, fills []string
	for _, a := range s.Case.Kernel.Axes {
		shape = append(shape, fmt.Sprintf("%q: %d", a, s.Case.Shape[a]))
	}
	for _, in := range s.Inputs {
		fills = append(fills, fmt.Sprintf("%q: values(%s)", in.Arg, starlarkNumbers(in.Values)))
	}
	return fmt.Sprintf("base = {%s},\ninputs = [family(\"shrunk\", {%s})],\n", strings.Join(shape, ", "),
		strings.Join(fills, ", "))
}

// starlarkNumbers are numbers as Starlark, without the zeros at the end.
func starlarkNumbers(x []float64) string {
	words := strings.NewReplacer("math.NaN()", "nan", "math.Inf(1)", "inf", "math.Inf(-1)", "-inf",
		"math.Copysign(0, -1)", "-0.0")
	return words.Replace(goNumbers(x))
}

// goNumbers are numbers as Go, without the zeros at the end, which a fill adds.
func goNumbers(x []float64) string {
	for len(x) > 0 && math.Float64bits(x[len(x)-1]) == 0 {
		x = x[:len(x)-1]
	}
	var words []string
	for _, v := range x {
		switch {
		case math.IsNaN(v):
			words = append(words, "math.NaN()")
		case math.IsInf(v, 0):
			words = append(words, fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, v))))
		case v == 0 && math.Signbit(v):
			words = append(words, "math.Copysign(0, -1)")
		default:
			words = append(words, fmt.Sprint(v))
		}
	}
	return strings.Join(words, ", ")
}
