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
	if err := rounds(c.Kernel, at.Output); at.Output != "" && err != nil {
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
	if err := rounds(c.Kernel, account.Output); err != nil {
		return suite.Blame{}, err
	}
	if !t.KnownExactly() {
		return suite.Blame{}, errors.New("exact execution knows nothing of the case")
	}
	trail, err := trailOf(t, account, memory)
	if err != nil {
		return suite.Blame{}, err
	}
	u, err := beforeLaunches(t)
	if err != nil {
		return suite.Blame{}, err
	}
	b := trail.blame(t, account, trail.conditions(inputsOf(u)))
	if b.Formula = otherFormula(t, account); b.Formula != nil {
		b.Formula.Reads = u.Reads(account.Output, account.Index)
		narrow(b.Formula, t, account, b.Lines, memory)
	}
	return b, nil
}

// rounds refuses outputs that have no roundings to blame.
func rounds(k *suite.Kernel, output string) error {
	a, _ := k.Args.Find(output)
	if _, float := a.Type.Format(); float {
		return nil
	}
	return fmt.Errorf("%s is %s, and integers have no rounding that could be blamed: conform explain shows how an "+
		"element came to its verdict", output, a.Type)
}

// trailOf goes back from an element to the inputs.
func trailOf(t *suite.CaseRun, a suite.Account, memory int) (*trail, error) {
	trail := &trail{memory: memory, sensitive: map[string]map[int]float64{a.Output: {a.Number: 1}}}
	if err := trail.through(func() (*suite.CaseRun, error) { return beforeLaunches(t) }); err != nil {
		return nil, fmt.Errorf("%s: %w", suite.Element{Arg: a.Output, Index: a.Index}, err)
	}
	return trail, nil
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

// BlameCase is [suite.Blamer.BlameCase]. Nothing is to blame where no rounding is.
func (Errors) BlameCase(t *suite.CaseRun, r suite.Result) *suite.Blame {
	b, err := blameElement(t, suite.Selector{}, r, blamedMemory)
	if err != nil || b.Formula != nil {
		return nil
	}
	return &b
}

// BlamePipeline is [suite.Blamer.BlamePipeline].
func (Errors) BlamePipeline(opts suite.Options, c suite.Case) *suite.Blame {
	b, err := blamePipeline(opts, c, suite.Selector{}, blamedMemory)
	if err != nil || b.Formula != nil {
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
