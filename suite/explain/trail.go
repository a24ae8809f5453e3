package explain

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"metalconform/suite"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// trail goes back from one element, launch by launch, and knows how sensitive it is to the elements
// of buffers there: by argument and number of the element.
type trail struct {
	memory    int // for records, in bytes
	sensitive map[string]map[int]float64
	found     metalrun.Blame // with the lines of all launches
	begun     bool           // some launch has stored the element
}

// through goes back over the launches of a run, which open gives as it is before them.
func (r *trail) through(open func() (*suite.CaseRun, error)) error {
	for last := -1; last != 0; {
		u, err := open()
		if err != nil {
			return err
		}
		launches := u.LaunchSequence()
		if last < 0 {
			last = len(launches)
		}
		last--
		for _, l := range launches[:last] {
			d, err := u.Dispatch(l)
			if err != nil {
				return err
			}
			if _, err := u.Entry().Run(d); err != nil {
				return err
			}
		}
		if err := r.launch(u, launches[last]); err != nil {
			return err
		}
	}
	if !r.begun {
		return errors.New("no launch stores it")
	}
	return nil
}

// launch goes back over one launch, the next of u.
func (r *trail) launch(u *suite.CaseRun, l suite.Launch) error {
	kernel, ok := u.Entry().(metalrun.Blamer)
	if !ok {
		return errors.New("the device cannot say")
	}
	d, err := u.Dispatch(l)
	if err != nil {
		return err
	}
	held := map[int]suite.Arg{} // by indices of bindings
	var of []metalrun.Sensitivity
	for _, b := range d.Bindings {
		if b.Inline {
			continue
		}
		own, _ := u.Kernel.Args.At(b.Index)
		if held[b.Index], err = u.BoundArg(own.Name, l); err != nil {
			return err
		}
		if own.Writable() {
			of = append(of, r.take(held[b.Index], b)...)
		}
	}
	if len(of) == 0 {
		return nil
	}
	found, err := kernel.Blame(d, of, r.memory)
	switch {
	case errors.Is(err, metalrun.ErrNotStored):
		found = metalrun.Blame{Before: of}
	case err != nil:
		return err
	case !r.begun:
		r.found.Got, r.found.Exact, r.found.Error, r.begun = found.Got, found.Exact, found.Error, true
	}
	r.found.Lines, r.found.Runs = append(r.found.Lines, found.Lines...), r.found.Runs+found.Runs
	for _, s := range found.Before {
		a, known := held[s.Index]
		if !known {
			continue // a scalar
		}
		i := slices.IndexFunc(d.Bindings, func(b metalrun.Binding) bool { return b.Index == s.Index })
		r.add(a.Name, (d.Bindings[i].Offset+s.Offset-suite.Guard)/a.Type.Bytes(), s.By)
	}
	return nil
}

// take takes what is known of the part of a buffer that is bound.
func (r *trail) take(held suite.Arg, b metalrun.Binding) (of []metalrun.Sensitivity) {
	numbers := r.sensitive[held.Name]
	for _, n := range slices.Sorted(maps.Keys(numbers)) {
		if off := suite.Guard + n*held.Type.Bytes() - b.Offset; off >= 0 && off < b.Length {
			of = append(of, metalrun.Sensitivity{Index: b.Index, Offset: off, By: numbers[n]})
			delete(numbers, n)
		}
	}
	return of
}

// add adds a sensitivity.
func (r *trail) add(arg string, number int, by float64) {
	if r.sensitive[arg] == nil {
		r.sensitive[arg] = map[int]float64{}
	}
	r.sensitive[arg][number] += by
}

// conditions are those of the buffers as they are before the first launch.
func (r *trail) conditions(buffers []input) (list []suite.BlamedInput) {
	for _, b := range buffers {
		numbers, condition := r.sensitive[b.arg], 0.0
		for _, n := range slices.Sorted(maps.Keys(numbers)) {
			if x := math.Abs(numbers[n] * b.values[n]); finite(x) {
				condition += x
			}
		}
		if condition /= math.Abs(r.found.Exact); condition > 0 && finite(condition) {
			list = append(list, suite.BlamedInput{Arg: b.arg, Condition: condition})
		}
	}
	return list
}

// blame gathers what has been found, of an element of a run, by lines.
func (r *trail) blame(t *suite.CaseRun, a suite.Account, inputs []suite.BlamedInput) suite.Blame {
	b := suite.Blame{
		Case: t.Name, Kernel: t.Kernel.Name, Output: a.Output, Type: a.Type, Index: a.Index, Inputs: inputs,
		Want: a.Want, Exact: suite.Value(r.found.Exact), Got: suite.Value(r.found.Got),
		Error: suite.Value(r.found.Error), Runs: r.found.Runs,
	}
	output, _ := t.Kernel.Args.Find(a.Output)
	if format, _ := output.Type.Format(); format != oracles.F32 { // rounded once more
		b.Error += suite.Value(math.Max(format.UnitRoundoff()*(math.Abs(r.found.Exact)+r.found.Error),
			format.SmallestSubnormal()/2))
	}
	lines := map[string]*suite.BlamedLine{}
	texts := map[string][]string{} // by line
	for file, text := range t.Shaders().Texts() {
		texts[file] = strings.Split(text, "\n")
	}
	for _, l := range r.found.Lines {
		key := fmt.Sprint(l.File, l.Line)
		if lines[key] == nil {
			lines[key] = &suite.BlamedLine{File: l.File, Line: l.Line, Code: codeAt(texts[l.File], l.Line)}
		}
		x := lines[key]
		x.Actual, x.Bound, x.Lost, x.Times = x.Actual+suite.Value(l.Actual), x.Bound+suite.Value(l.Bound),
			max(x.Lost, suite.Figure(l.Lost)), x.Times+l.Times
		b.First, b.Bound = b.First+suite.Value(l.Actual), b.Bound+suite.Value(l.Bound)
	}
	for _, l := range lines {
		switch {
		case math.IsInf(float64(l.Bound), 1): // whatever the others have
			l.Share = 1
		case b.Bound > 0:
			l.Share = float64(l.Bound / b.Bound)
		}
		if l.Bound != 0 || l.Actual != 0 || l.Lost > 0 {
			b.Lines = append(b.Lines, *l)
		}
	}
	slices.SortFunc(b.Lines, func(x, y suite.BlamedLine) int {
		return cmp.Or(cmp.Compare(y.Bound, x.Bound), cmp.Compare(math.Abs(float64(y.Actual)),
			math.Abs(float64(x.Actual))), cmp.Compare(x.File, y.File), x.Line-y.Line)
	})
	return b
}

// finite reports whether x is neither NaN nor infinite: Inf − Inf is NaN.
func finite(x float64) bool { return x-x == 0 }
