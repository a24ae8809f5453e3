package explain

import (
	"cmp"
	"errors"
	"fmt"
	"metalconform/suite"
	"strings"
	"time"
)

// FindBlame runs a case with exact execution and finds where the error of one element comes from: the
// one that at names, or the worst of the output that it names, or of all. Records take about so many
// bytes at most.
func FindBlame(opts suite.Options, c suite.Case, at suite.Selector, memory int) (suite.Blame, error) {
	if c.Pipeline != nil {
		return blamePipeline(opts, c, at, memory)
	}
	at, err := at.Resolve(c)
	if err != nil {
		return suite.Blame{}, err
	}
	once := opts
	once.Today, once.Repeat = time.Time{}, 0
	t := suite.NewCaseRun(opts.Exact.Anchored, once, c)
	r := suite.Verdict(opts, c, func(r *suite.Result) {
		if t.BindKernel(opts.Shaders, r) && t.BindBuffers(r) {
			t.Conduct(r)
		}
	})
	if err := r.Crashed(); err != nil {
		return suite.Blame{}, err
	}
	if t.Answers() == nil || len(r.Outputs) == 0 {
		return suite.Blame{}, fmt.Errorf("nothing to blame: %s", cmp.Or(r.Text(), string(r.Status)))
	}
	return blameElement(t, at, r, memory)
}

// blameElement is about an element of a case that has been judged with the result r.
func blameElement(t *suite.CaseRun, at suite.Selector, r suite.Result, memory int) (suite.Blame, error) {
	c := t.Case
	account, err := t.Account(at.Locate(c, r))
	if err != nil {
		return suite.Blame{}, err
	}
	if !t.KnownExactly() {
		return suite.Blame{}, errors.New("exact execution knows nothing of the case")
	}
	trail := &trail{memory: memory, sensitive: map[string]map[int]float64{account.Output: {account.Number: 1}}}
	if err := trail.through(func() (*suite.CaseRun, error) { return beforeLaunches(t) }); err != nil {
		return suite.Blame{}, fmt.Errorf("%s: %w", suite.Element{Arg: account.Output, Index: account.Index}, err)
	}
	u, err := beforeLaunches(t)
	if err != nil {
		return suite.Blame{}, err
	}
	return trail.blame(t, account, trail.conditions(inputsOf(u))), nil
}

// beforeLaunches is the case before its first launch, on the device that knows most of it.
func beforeLaunches(t *suite.CaseRun) (*suite.CaseRun, error) {
	u, err := t.AtStart(t.Case)
	if err != nil {
		return nil, err
	}
	return u, u.ReadyExactly(t)
}

// input is a buffer with its elements.
type input struct {
	arg    string
	values []float64
}

// inputsOf are the buffers of a case as they are.
func inputsOf(t *suite.CaseRun) (list []input) {
	for _, a := range t.Kernel.Args {
		if x := t.Values(a.Name); x != nil {
			list = append(list, input{a.Name, x})
		}
	}
	return list
}

// Errors blames the worst elements of the cases of a run.
type Errors struct{}

// blamedMemory is what the records of a case take that is blamed besides others.
const blamedMemory = 64 << 20

// BlameCase is [suite.Blamer.BlameCase].
func (Errors) BlameCase(t *suite.CaseRun, r suite.Result) *suite.Blame {
	b, err := blameElement(t, suite.Selector{}, r, blamedMemory)
	if err != nil {
		return nil
	}
	return &b
}

// BlamePipeline is [suite.Blamer.BlamePipeline].
func (Errors) BlamePipeline(opts suite.Options, c suite.Case) *suite.Blame {
	b, err := blamePipeline(opts, c, suite.Selector{}, blamedMemory)
	if err != nil {
		return nil
	}
	return &b
}

// codeAt is one of some lines, without the space around it.
func codeAt(lines []string, line int) string {
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}
