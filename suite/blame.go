package suite

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// Blame says where the error of one element comes from. Figures that no float64 has are written as the
// largest.
type Blame struct {
	Case   string `json:"case"`
	Kernel string `json:"kernel"`
	Output string `json:"output"`
	Type   string `json:"type"`
	Index  []int  `json:"index"`

	Want  Value `json:"want"`  // of the definition
	Exact Value `json:"exact"` // of the same instructions in exact arithmetic
	Got   Value `json:"got"`   // on the reference device
	Error Value `json:"error"` // that any device may have

	// First is what the operations add up to, to first order: got − exact, but for what is of second
	// order. Bound is the same of what they may do on any device; unlike Error it knows that the
	// errors of one rounding go several ways and may cancel.
	First Value `json:"first"`
	Bound Value `json:"bound"`

	Lines  []BlamedLine  `json:"lines"` // by their bounds, the largest first
	Inputs []BlamedInput `json:"inputs,omitempty"`
	Runs   int           `json:"runs"` // of the threadgroup, each recorded in part
}

// BlamedLine is the part of one line of the source.
type BlamedLine struct {
	File   string  `json:"file"`
	Line   int     `json:"line"`
	Code   string  `json:"code"`
	Actual Value   `json:"actual"`         // what its roundings have changed in the element
	Bound  Value   `json:"bound"`          // and what they may change on any device
	Share  float64 `json:"share"`          // of all bounds
	Lost   float64 `json:"lost,omitempty"` // the most bits that a cancellation of inexact values costs there
	Times  int     `json:"times"`          // operations that the element depends on
}

// BlamedInput is the part of one buffer.
type BlamedInput struct {
	Arg       string  `json:"arg"`
	Condition float64 `json:"condition"` // of the element, by relative errors of all elements of the buffer
	Actual    Value   `json:"actual,omitempty"`
	Bound     Value   `json:"bound,omitempty"` // of the errors that launches before have left there
}

// FindBlame runs a case with exact execution and finds where the error of one element comes from: the
// one that at names, or the worst of the output that it names, or of all. Records take about so many
// bytes at most.
func FindBlame(opts Options, c Case, at Selector, memory int) (Blame, error) {
	if c.Pipeline != nil {
		return Blame{}, fmt.Errorf("%s is a pipeline: name a case of one of its kernels", c.Name)
	}
	at, err := at.of(c)
	if err != nil {
		return Blame{}, err
	}
	t := &caseRun{Case: c, runner: opts.Exact.Anchored, seed: opts.Seed, declared: opts.Declared, exact: opts.Exact}
	r := verdict(opts, c, func(r *Result) {
		if t.find(opts.Shaders, r) {
			t.judge(r)
		}
	})
	if t.answers == nil || len(r.Outputs) == 0 {
		return Blame{}, fmt.Errorf("nothing to blame: %s", cmp.Or(r.Text(), string(r.Status)))
	}
	return t.blameElement(at, r, memory)
}

// blamedMemory is what the records of a case take that is blamed beside others.
const blamedMemory = 64 << 20

// firstBlamed are the cases, with the first of each kernel to be blamed.
func firstBlamed(cases []Case) []Case {
	cases, seen := slices.Clone(cases), map[string]bool{}
	for i := range cases {
		if c := &cases[i]; c.Pipeline == nil && c.Input.Name != refused && !seen[c.Kernel.Name] {
			c.blamed, seen[c.Kernel.Name] = true, true
		}
	}
	return cases
}

// blameElement is about an element of a case that has been judged with the result r.
func (t *caseRun) blameElement(at Selector, r Result, memory int) (Blame, error) {
	c := t.Case
	account, err := t.account(at.in(c, r))
	if err != nil {
		return Blame{}, err
	}
	if t.exacts == nil || t.exacts.device == nil {
		return Blame{}, errors.New("exact execution knows nothing of the case")
	}
	found, err := t.blame(account, memory)
	if err != nil {
		return Blame{}, fmt.Errorf("%s: %w", Element{Arg: account.Output, Index: account.Index}, err)
	}
	b := Blame{
		Case: c.Name, Kernel: c.Kernel.Name, Output: account.Output, Type: account.Type, Index: account.Index,
		Want: account.Want, Exact: Value(found.Exact), Got: Value(found.Got), Error: Value(found.Error), Runs: found.Runs,
	}
	output, _ := c.Kernel.Args.Find(account.Output)
	if format, _ := output.Type.Format(); format != oracles.F32 { // rounded once more
		b.Error += Value(math.Max(format.UnitRoundoff()*(math.Abs(found.Exact)+found.Error), format.SmallestSubnormal()/2))
	}
	b.take(t, found)
	return b, nil
}

// blame launches the case again, from the inputs, up to the launch that stores the element last.
func (t *caseRun) blame(a Account, memory int) (found metalrun.Blame, err error) {
	launches := t.launches()
	for last := len(launches) - 1; last >= 0; last-- {
		u := &caseRun{Case: t.Case, seed: t.seed, declared: t.declared, tables: t.tables, constants: t.constants}
		if u.kernel, err = u.compiled(t.shaders, t.file, t.exacts.device); err != nil {
			return found, err
		}
		if err := u.allocate(); err != nil {
			return found, err
		}
		u.reset()
		for _, b := range u.buffers {
			if b != nil && b.arg.Writable() {
				b.exact = &metalrun.Exact{}
			}
		}
		for _, l := range launches[:last] {
			d, err := u.dispatch(l)
			if err != nil {
				return found, err
			}
			if _, err := u.kernel.Run(d); err != nil {
				return found, err
			}
		}
		found, err = u.blameLaunch(launches[last], a, memory)
		if !errors.Is(err, errElsewhere) {
			return found, err
		}
	}
	return found, err
}

var errElsewhere = errors.New("no launch stores it")

// blameLaunch is about one launch.
func (t *caseRun) blameLaunch(l Launch, a Account, memory int) (metalrun.Blame, error) {
	kernel, ok := t.kernel.(metalrun.Blamer)
	if !ok {
		return metalrun.Blame{}, errors.New("the device cannot say")
	}
	d, err := t.dispatch(l)
	if err != nil {
		return metalrun.Blame{}, err
	}
	for _, b := range d.Bindings {
		if b.Inline {
			continue
		}
		arg, _ := t.Kernel.Args.at(b.Index)
		held, err := t.bound(arg.Name, l)
		if err != nil {
			return metalrun.Blame{}, err
		}
		off := guard + a.Number*held.arg.Type.Bytes() - b.Offset
		if held.arg.Name == a.Output && off >= 0 && off < b.Length {
			found, err := kernel.Blame(d, b.Index, off, memory)
			if errors.Is(err, metalrun.ErrNotStored) {
				err = errElsewhere
			}
			return found, err
		}
	}
	return metalrun.Blame{}, errElsewhere
}

// take gathers operations by lines.
func (b *Blame) take(t *caseRun, found metalrun.Blame) {
	lines := map[string]*BlamedLine{}
	texts := t.shaders.Texts()
	for _, l := range found.Lines {
		key := fmt.Sprint(l.File, l.Line)
		if lines[key] == nil {
			lines[key] = &BlamedLine{File: l.File, Line: l.Line, Code: codeAt(texts[l.File], l.Line)}
		}
		x := lines[key]
		x.Actual, x.Bound, x.Lost, x.Times = x.Actual+Value(l.Actual), x.Bound+Value(l.Bound), max(x.Lost, l.Lost), x.Times+l.Times
		b.First, b.Bound = b.First+Value(l.Actual), b.Bound+Value(l.Bound)
	}
	for _, in := range found.Inputs {
		b.First, b.Bound = b.First+Value(in.Actual), b.Bound+Value(in.Bound)
		arg, _ := t.Kernel.Args.at(in.Index)
		b.Inputs = append(b.Inputs, BlamedInput{arg.Name, in.Condition, Value(in.Actual), Value(in.Bound)})
	}
	for _, l := range lines {
		if b.Bound > 0 {
			l.Share = float64(l.Bound / b.Bound)
		}
		if l.Bound != 0 || l.Actual != 0 || l.Lost > 0 {
			b.Lines = append(b.Lines, *l)
		}
	}
	slices.SortFunc(b.Lines, func(x, y BlamedLine) int {
		return cmp.Or(cmp.Compare(y.Bound, x.Bound), cmp.Compare(math.Abs(float64(y.Actual)), math.Abs(float64(x.Actual))), cmp.Compare(x.File, y.File), x.Line-y.Line)
	})
}

// codeAt is a line of a text, without the space around it.
func codeAt(text string, line int) string {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}
