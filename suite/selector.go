package suite

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metalconform/suite/metrics"
)

// Selector says which element of an output is meant, as a reader writes it.
// Without indices it is the worst of the output, without an output's name that
// of the only one, or the worst of all. In a pipeline it is an element of a stage or
// of an invariant.
type Selector struct {
	Stage  string // as failures name it; "" for a kernel
	Output string
	Index  []int // over the output's extents, or a single number that counts all elements
}

// ParseSelector reads out[3, 17], 3,17, 17, or out, each behind a stage and a
// colon if it is an element of a pipeline: "stage 2, rms_norm_qk: x[0, 5]".
func ParseSelector(text string) (Selector, error) {
	stage := ""
	if i := strings.LastIndex(text, ":"); i >= 0 {
		stage, text = strings.TrimSpace(text[:i]), text[i+1:]
	}
	m := regexp.MustCompile(`^([A-Za-z_]\w*)?\s*(\[)?([\d,\s]*)(\])?$`).FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || (m[2] == "") != (m[4] == "") || m[1] != "" && m[2] == "" && m[3] != "" {
		return Selector{},
			fmt.Errorf("%q is no element: want out[3, 17], 3,17, the number of an element, or the name of an output; "+
				"in a pipeline behind the stage or invariant and a colon", strings.TrimSpace(text))
	}
	s := Selector{Stage: stage, Output: m[1]}
	if m[3] == "" && m[2] == "" {
		return s, nil
	}
	for word := range strings.SplitSeq(m[3], ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return s, fmt.Errorf("%q is no element: %q is no index", text, strings.TrimSpace(word))
		}
		s.Index = append(s.Index, n)
	}
	return s, nil
}

// Resolve is the selector with the name of its output, where there is but one or it is
// given; its error says what is wrong with it in a case.
func (s Selector) Resolve(c Case) (Selector, error) {
	var outputs []string
	for _, a := range c.Kernel.Args {
		if a.Writable() {
			outputs = append(outputs, a.Name)
		}
	}
	switch {
	case s.Output != "" && !slices.Contains(outputs, s.Output):
		return s, fmt.Errorf("%s has no output %q: it has %s", c.Kernel.Name, s.Output, strings.Join(outputs, ", "))
	case s.Output == "" && len(outputs) == 1:
		s.Output = outputs[0]
	case s.Output == "" && s.Index != nil:
		return s, fmt.Errorf("an element of which output: %s?", strings.Join(outputs, ", "))
	}
	if s.Index == nil {
		return s, nil
	}
	a, _ := c.Kernel.Args.Find(s.Output)
	return s, s.within(a, c.Shape)
}

// within says what is wrong with the indices in an output.
func (s Selector) within(a Arg, shape Shape) error {
	extents := sizes(a, shape)
	if len(s.Index) == 1 {
		extents = []int{a.Count(shape)}
	}
	if len(s.Index) != len(extents) {
		return fmt.Errorf("%s has %d indices, its extents are %s; or give the number of an element", a.Name,
			len(extents), tuple(extents))
	}
	for i, n := range s.Index {
		if n >= extents[i] {
			return fmt.Errorf("%s is outside: the extents of %s are %s, indices count from 0",
				Element{Arg: a.Name, Index: s.Index}, a.Name, tuple(sizes(a, shape)))
		}
	}
	if a.Untouched == nil {
		return nil
	}
	flat := a.flat(shape, s.Index)
	for _, r := range a.Untouched(shape) {
		if r.First <= flat && flat < r.End {
			return fmt.Errorf("%s is left as it was: there is nothing to explain", Element{Arg: a.Name, Index: s.Index})
		}
	}
	return nil
}

// flat is the number of an element: the inverse of Arg.index, of a single number
// itself.
func (a Arg) flat(s Shape, index []int) int {
	if len(index) == 1 {
		return index[0]
	}
	n := 0
	for i, e := range a.Extents {
		n = n*e.Size(s) + index[i]
	}
	return n
}

// Locate is the output and the element of it that the selector means in a case with
// this verdict.
func (s Selector) Locate(c Case, r Result) (output string, index []int) {
	if s.Index != nil {
		return s.Output, s.Index
	}
	for _, f := range r.Failures {
		if slices.Contains([]Check{CheckBound, CheckStatistical, CheckExact, CheckNonFinite, CheckUnwritten,
			CheckFormula, CheckRounding}, f.Check) && (s.Output == "" || s.Output == f.Arg) {
			return f.Arg, f.Index
		}
	}
	var largest float64
	for _, m := range r.Outputs {
		if s.Output != "" && s.Output != m.Output {
			continue
		}
		if worst, _ := m.Metrics.Find(metrics.ErrorRatio); output == "" || worst.Value > largest {
			output, index, largest = m.Output, worst.At, worst.Value
		}
	}
	if index == nil {
		a, _ := c.Kernel.Args.Find(output)
		index = []int{a.judged(c.Shape)}
	}
	return output, index
}

// judged is the first element of an output that is not left untouched.
func (a Arg) judged(s Shape) int {
	first := 0
	if a.Untouched != nil {
		for _, r := range ordered(a.Untouched(s)) {
			if r.First <= first {
				first = max(first, r.End)
			}
		}
	}
	return first
}
