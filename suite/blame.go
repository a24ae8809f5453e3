package suite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// Blame says where the error of one element comes from. Figures that no float64 has are written as the
// largest.
type Blame struct {
	Case   string `json:"case"`
	Stage  string `json:"stage,omitempty"` // of a pipeline, whose result the element is
	Kernel string `json:"kernel"`
	Output string `json:"output"`
	Type   string `json:"type"`
	Index  []int  `json:"index"`

	Want  Value `json:"want"`  // of the definition
	Exact Value `json:"exact"` // of the same instructions in exact arithmetic, in a pipeline on what the stage got
	Got   Value `json:"got"`   // on the reference device
	Error Value `json:"error"` // that any device may have

	// First is what the operations add up to, to first order: got − exact, but for what is of second
	// order, and in a pipeline with what the stages before have lost. Bound is the same of what they may do on any device; unlike Error it knows that the
	// errors of one rounding go several ways and may cancel.
	First Value `json:"first"`
	Bound Value `json:"bound"`

	Lines  []BlamedLine  `json:"lines"` // by their bounds, the largest first
	Inputs []BlamedInput `json:"inputs,omitempty"`
	Runs   int           `json:"runs"` // of threadgroups, each recorded in part
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

// BlamedInput is the part of one buffer, as it is before the first launch.
type BlamedInput struct {
	Arg       string  `json:"arg"`
	Condition float64 `json:"condition"` // Σ|∂y/∂x·x|/|y| over its elements: a relative error of all of them, each for the worse, arrives multiplied by it
}

// FindBlame runs a case with exact execution and finds where the error of one element comes from: the
// one that at names, or the worst of the output that it names, or of all. Records take about so many
// bytes at most.
func FindBlame(opts Options, c Case, at Selector, memory int) (Blame, error) {
	if c.Pipeline != nil {
		return blamePipeline(opts, c, at, memory)
	}
	at, err := at.Resolve(c)
	if err != nil {
		return Blame{}, err
	}
	t := newCaseRun(c, opts.judging(opts.Exact.Anchored))
	r := Verdict(opts, c, func(r *Result) {
		if t.BindKernel(opts.Shaders, r) && t.bindBuffers(r) {
			t.Conduct(r)
		}
	})
	if err := r.Crashed(); err != nil {
		return Blame{}, err
	}
	if t.answers == nil || len(r.Outputs) == 0 {
		return Blame{}, fmt.Errorf("nothing to blame: %s", cmp.Or(r.Text(), string(r.Status)))
	}
	return t.blameElement(at, r, memory)
}

// blamedMemory is what the records of a case take that is blamed beside others.
const blamedMemory = 64 << 20

// firstBlamed are the cases, with the first of each kernel and pipeline to be blamed.
func firstBlamed(cases []Case) []Case {
	cases, seen := slices.Clone(cases), map[string]bool{}
	for i := range cases {
		if c := &cases[i]; c.Input.Name != refused && !seen[c.Kernel.Name] {
			c.blamed, seen[c.Kernel.Name] = true, true
		}
	}
	return cases
}

// blameElement is about an element of a case that has been judged with the result r.
func (t *CaseRun) blameElement(at Selector, r Result, memory int) (Blame, error) {
	c := t.Case
	account, err := t.Account(at.Locate(c, r))
	if err != nil {
		return Blame{}, err
	}
	if t.exacts == nil || t.exacts.device == nil {
		return Blame{}, errors.New("exact execution knows nothing of the case")
	}
	trail := &trail{memory: memory, sensitive: map[string]map[int]float64{account.Output: {account.Number: 1}}}
	if err := trail.through(t.beforeLaunches); err != nil {
		return Blame{}, fmt.Errorf("%s: %w", Element{Arg: account.Output, Index: account.Index}, err)
	}
	u, err := t.beforeLaunches()
	if err != nil {
		return Blame{}, err
	}
	return trail.blame(t, account, trail.conditions(u.buffers)), nil
}

// beforeLaunches is the run before its first launch, on the device that knows most of it.
func (t *CaseRun) beforeLaunches() (u *CaseRun, err error) {
	u = newCaseRun(t.Case, caseOptions{seed: t.seed, declared: t.declared})
	u.tables, u.constants = t.tables, t.constants
	if err := u.FillBuffers(); err != nil {
		return nil, err
	}
	return u, u.exactlyOn(t)
}

// exactlyOn readies a run for launches on the device that knows most of t.
func (u *CaseRun) exactlyOn(t *CaseRun) (err error) {
	if u.kernel, err = u.compiled(t.shaders, t.file, t.exacts.device); err != nil {
		return err
	}
	u.reset()
	for _, b := range u.buffers {
		if b != nil && b.arg.Writable() {
			b.exact = &metalrun.Exact{}
		}
	}
	return nil
}

// codeAt is one of some lines, without the space around it.
func codeAt(lines []string, line int) string {
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}
