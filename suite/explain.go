package suite

import (
	"fmt"
	"math"

	"metalconform/metalrun"
)

// Explanation is one case as it went, with the account of one element of an
// output. Infinite figures are written as the largest float64.
type Explanation struct {
	Case     string `json:"case"`
	Kernel   string `json:"kernel"`
	Doc      string `json:"doc"`
	Contract string `json:"contract"` // in words
	Backend  string `json:"backend"`
	Seed     uint64 `json:"seed"`

	Stage *Stage `json:"stage,omitempty"` // of a pipeline: what the contract, the inputs and the element are of

	Scalars []NamedScalar `json:"scalars,omitempty"` // of the first launch
	Inputs  []Summary     `json:"inputs,omitempty"`  // before it

	Status  Status   `json:"status"`            // of the whole case
	Message string   `json:"message,omitempty"` // what is wrong with it
	Notes   []string `json:"notes,omitempty"`
	Element *Account `json:"element,omitempty"` // nil where nothing was judged
	Replay  string   `json:"replay"`
}

// NamedScalar is a scalar argument, or a field of a struct, as the kernel sees
// it.
type NamedScalar struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value"`
}

// Explain runs a case once and gives the account of an element: of
// the one that at says, or of the worst of the output that it says, or of all.
// The worst is the one with the largest error as a fraction of its bound; of a
// case that fails, the worst of the check that failed first.
func Explain(runner metalrun.Runner, opts Options, c Case, at Selector) (Explanation, error) {
	e := Explanation{Case: c.Name, Kernel: c.Kernel.Name, Doc: c.Kernel.Doc, Contract: c.Kernel.Contract.String(), Backend: runner.Device().Backend, Seed: opts.Seed}
	switch {
	case c.Input.Name == refused:
		return e, fmt.Errorf("%s is a shape that a host has to refuse: nothing is launched", c.Name)
	case c.Pipeline != nil:
		return explainPipeline(runner, opts, c, at)
	case at.Stage != "":
		return e, fmt.Errorf("%s is a kernel, and no pipeline that has a stage %q", c.Kernel.Name, at.Stage)
	}
	at, err := at.of(c)
	if err != nil {
		return e, err
	}
	t := &caseRun{Case: c, runner: runner, seed: opts.Seed}
	r := verdict(opts, c, func(r *Result) {
		if !t.find(opts.Shaders, r) {
			return
		}
		if err := t.allocate(); err != nil {
			r.because(Error, "%v", err)
			return
		}
		e.Scalars, e.Inputs = t.scalars(), t.summaries()
		t.conduct(r)
	})
	opts.Declared.apply(c, &r)
	e.Status, e.Message, e.Notes, e.Replay = r.Status, r.Message, r.Notes, r.Replay
	if t.answers != nil {
		e.Contract = t.contract.String()
	}
	if len(r.Outputs) == 0 {
		return e, nil
	}
	account, err := t.account(at.in(c, r))
	if err != nil {
		return e, err
	}
	// What an element was made from is not what an argument holds that the
	// kernel has written to: the inputs are drawn again.
	before := &caseRun{Case: c, seed: opts.Seed, tables: t.tables}
	if err := before.allocate(); err != nil {
		return e, err
	}
	account.Reads = before.reads(account.Output, account.Index)
	account.Sums = before.sums(account.Output, account.Number)
	e.Element = &account
	return e, nil
}

// scalars are what the first launch passes by setBytes.
func (t *caseRun) scalars() []NamedScalar {
	var list []NamedScalar
	for _, a := range t.Kernel.Args {
		for _, f := range a.scalars() {
			x := f.Type.round(f.in(t.Shape, t.launches()[0]))
			list = append(list, NamedScalar{f.Name, f.Type.String(), f.Type.number(x)})
		}
	}
	return list
}

// Summary tells what a buffer, or a part of it, holds.
type Summary struct {
	Arg     string   `json:"arg"`
	Type    string   `json:"type"`
	Part    string   `json:"part,omitempty"` // as indices, with : for all of an extent; "" for the whole
	Axes    []string `json:"axes,omitempty"` // extents by name, "" for one that is no axis of the case
	Extents []int    `json:"extents"`
	Fill    string   `json:"fill,omitempty"` // family of inputs that it is filled by; in a pipeline, which of its buffers it is and the stage that wrote it

	Elements  int     `json:"elements"`
	Min       float64 `json:"min"` // of what is finite; 0 where nothing is
	Max       float64 `json:"max"`
	Zeros     int     `json:"zeros,omitempty"`
	Subnormal int     `json:"subnormal,omitempty"`
	NonFinite int     `json:"nonfinite,omitempty"`

	First []string `json:"first,omitempty"` // of a part: its first elements
	Same  string   `json:"same,omitempty"`  // of a part: its element at the output's own indices
}

// summaries are those of all buffers that the kernel may read.
func (t *caseRun) summaries() []Summary {
	var list []Summary
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		s := b.summary(t.Shape, 0, b.count())
		s.Fill = t.Case.filledBy(b.arg)
		list = append(list, s)
	}
	return list
}

// filledBy is the family of inputs that the argument's fill comes from.
func (c Case) filledBy(a Arg) string {
	families := c.Kernel.Sweep.Inputs
	switch {
	case c.Input.Fills[a.Name] != nil:
		return c.Input.Name
	case len(families) > 0 && families[0].Fills[a.Name] != nil:
		return families[0].Name
	}
	if _, float := a.Type.Format(); float {
		return "normal"
	}
	return "any bits"
}

// summary sums up so many elements from first on.
func (b *buffer) summary(s Shape, first, count int) Summary {
	out := Summary{Arg: b.arg.Name, Type: b.arg.Type.String(), Extents: sizes(b.arg, s), Axes: b.arg.axes(), Elements: count}
	format, float := b.arg.Type.Format()
	low, high := math.Inf(1), math.Inf(-1)
	for i := range count {
		x := b.value(first + i)
		switch {
		case !isFinite(x):
			out.NonFinite++
			continue
		case x == 0:
			out.Zeros++
		case float && math.Abs(x) < format.SmallestNormal():
			out.Subnormal++
		}
		low, high = min(low, x), max(high, x)
	}
	if low <= high {
		out.Min, out.Max = low, high
	}
	return out
}

// axes are the names of an argument's extents.
func (a Arg) axes() []string {
	names := make([]string, len(a.Extents))
	for i, e := range a.Extents {
		if axis, ok := e.(Axis); ok {
			names[i] = string(axis)
		}
	}
	return names
}
