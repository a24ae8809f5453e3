package explore

import (
	"errors"
	"fmt"
	"slices"

	"metalconform/internal/printable"
	"metalconform/metalrun"
)

// UsualBudget is the work that the launches of a file may take together if nothing else is said, with kernelWork for
// each of its kernels then: the 2,496 kernels of MLX's copy.metal take half of that.
const (
	UsualBudget = 1 << 32
	kernelWork  = 1 << 20
)

// launchWork is the work of a launch that does nothing, and byteWork that of preparing and watching a byte of
// its buffers, where the instruction of a thread is one.
const (
	launchWork  = 1 << 17
	byteWork    = 4
	runawayWork = UsualBudget / 32 // of a launch that used up its time: nothing else says how much that was
	hungFactor  = 24               // of the work of a launch of which a threadgroup used up its steps: others will, too
	fewTries    = 16               // launches that lengthen a guessed buffer, of which kernels have a few
	triesFactor = 6                // of the work of others: they fill all buffers again, and show little
)

// trialsPart is the part of the work of a file that trials of unspecified values may take in the launches of a kernel,
// if there are very many: 2^27 steps, about a second, if nothing else is said.
const trialsPart = 1 << 10

// exhausted reports whether they have: what a launch does not show then is not known.
func (q *exploration) exhausted() bool { return q.trials <= 0 }

// metered is a kernel that counts the work of its launches, and keeps the first of them that ran out of steps.
type metered struct {
	metalrun.Kernel
	work *int64
	hung *int64 // what launches that do not end count more, for the file
	late **metalrun.Fault
}

func (k metered) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	*k.work += launchWork
	for _, b := range d.Bindings {
		*k.work += byteWork * int64(b.Length)
	}
	outcome, err := k.Kernel.Run(d)
	took := outcome.Executed * int64(d.ThreadsPerThreadgroup.Count())
	var fault *metalrun.Fault
	if errors.As(err, &fault) && fault.ByClock() {
		*k.work += runawayWork
		if *k.late == nil {
			*k.late = fault
		}
	} else if fault != nil && fault.Hangs() {
		*k.hung += (hungFactor - 1) * took
	}
	*k.work += took
	return outcome, err
}

// unknown says that a launch ran out of steps that was to show more about what is reported, or about what is not. It
// is said whatever came of it.
func (q *exploration) unknown(info metalrun.KernelInfo) {
	reported := func(x report) bool {
		return slices.ContainsFunc(x.list, func(o Finding) bool { return o.fault != nil && o.fault.ByClock() })
	}
	if q.late == nil || slices.ContainsFunc(q.reported, reported) {
		return
	}
	at := declared(info)
	at.Position = q.late.Position
	note := metalrun.Finding{Check: "launch", Kernel: info.Name, Party: at, Grade: metalrun.GradeNote,
		Message: fmt.Sprintf(
			"another launch of %s ran out of time, and what it would have shown is not known: %s", info.Name,
			q.late.Message)}
	q.tell([]Finding{{Source: q.file, Finding: note}})
}

// errSpent ends the launches of a kernel that took what those of the whole file may.
var errSpent = errors.New("the launches of a kernel took the work of a file")

// spent says that the launches of a kernel did.
func (q *exploration) spent(info metalrun.KernelInfo) Finding {
	return Finding{Source: q.file, Finding: metalrun.Finding{Check: "launch", Kernel: info.Name, Party: declared(info),
		Message: fmt.Sprintf("the launches of %s have taken the %d steps that those of this file may, which %s can "+
			"raise: what others would show is not known", info.Name, q.budget, q.raise)}}
}

// unaffordable says that the work of the file's launches was used up before a kernel, the first of some that
// are left.
func (t *fileRun) unaffordable(info metalrun.KernelInfo, left int) metalrun.Finding {
	return metalrun.Finding{Check: "launch", Kernel: info.Name, Party: declared(info),
		Message: fmt.Sprintf(
			"the launches of this file have taken the %d steps that they may, which %s can raise: not launched from "+
				"here on: %s", t.budget, t.raise, printable.Count(left, "kernel"))}
}
