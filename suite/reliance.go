package suite

import (
	"fmt"

	"metalconform/metalrun"
)

// Reliance is a choice of the device without which a case conforms.
type Reliance struct {
	metalrun.Position
	Kind string `json:"kind"` // such as "accuracy of exp"
}

func (r Reliance) String() string { return fmt.Sprintf("%s: %s", r.Position, r.Kind) }

// findReliance finds out why a case fails on the adversary: it runs the case again on
// devices that take fewer of the kernel's choices against it. A case that passes when
// none is taken relies on unspecified behaviour: on the first choice that makes it
// fail.
func (t *caseRun) findReliance(opts Options, r *Result) {
	chooser, ok := t.kernel.(metalrun.Chooser)
	if !ok {
		return
	}
	choices := chooser.Choices()
	fails := func(taken int) bool {
		again := Result{Case: r.Case, Kernel: r.Kernel}
		u := &caseRun{Case: t.Case, runner: opts.Adversary(taken), seed: t.seed, declared: t.declared}
		if u.find(opts.Shaders, &again) {
			u.judge(&again)
		}
		return again.Status == Fail
	}
	first, ok := firstFailing(len(choices), fails)
	if !ok {
		return
	}
	r.Relies = &Reliance{choices[first].Position, choices[first].Subject}
}

// firstFailing is the smallest i such that fails(i+1) although not fails(i), for
// fails that is false of 0 and true of n. ok is false if it is not so.
func firstFailing(n int, fails func(int) bool) (i int, ok bool) {
	if n == 0 || fails(0) || !fails(n) {
		return 0, false
	}
	low, high := 0, n
	for high-low > 1 {
		if mid := (low + high) / 2; fails(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return low, true
}
