package suite

import (
	"cmp"
	"fmt"
	"slices"

	"metalconform/internal/crash"
	"metalconform/metalrun"
)

// Observe launches a case with its inputs and returns what a checking runner saw
// of it, with nothing judged. The kernel is one whose argument table
// [Kernel.Takes]. An error is that of the launch; what was found before it stands
// beside it.
func Observe(kernel metalrun.Kernel, c Case, seed uint64) (found []metalrun.Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			if mistake, known := mistaken(p); known {
				err = fmt.Errorf("%s: %v", c.Name, mistake)
				return
			}
			err = fmt.Errorf("%s: %w", c.Name, crash.New(p))
		}
	}()
	t := newCaseRun(c, caseOptions{seed: seed})
	t.kernel = kernel
	if err := t.FillBuffers(); err != nil {
		return nil, err
	}
	_, err = t.runLaunches()
	return t.findings, err
}

// Few are at most n cases of a kernel with its first family of inputs: the
// smallest, and others evenly spread up to the middle of its cases by size.
func Few(cases []Case, kernel string, n int) []Case {
	var of []Case
	for _, c := range cases {
		if c.Pipeline == nil && c.Kernel.Name == kernel && c.Input.Name == c.Kernel.Sweep.first() {
			of = append(of, c)
		}
	}
	slices.SortStableFunc(of, func(a, b Case) int { return cmp.Compare(a.Bytes(), b.Bytes()) })
	var few []Case
	for i := range min(n, len(of)) {
		few = append(few, of[i*((len(of)+1)/2)/n])
	}
	return slices.CompactFunc(few, func(a, b Case) bool { return a.Name == b.Name })
}
