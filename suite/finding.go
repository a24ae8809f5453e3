package suite

import (
	"fmt"

	"metalconform/metalrun"
)

// checkFailures turns what a checking runner found in the launches of a case into
// failures, one for each position in the program. What no trial has shown to change a
// result goes into the findings, to be weighed, and what is only worth knowing into the
// notes.
func (t *CaseRun) checkFailures(r *Result) []Failure {
	var out []Failure
	seen := map[string]bool{}
	for _, f := range t.findings {
		key := fmt.Sprint(f.Check, f.Position, f.Other)
		if f.Grade == metalrun.GradeNote {
			key = fmt.Sprint(f.Check, f.Position)
		}
		switch {
		case seen[key]:
		case f.Grade == metalrun.GradeNote:
			r.note(fmt.Sprintf("%s: %s", f.Position, f.Message))
		case f.Grade == metalrun.GradeUndefined:
			r.Findings = append(r.Findings, failureOf(f))
		default:
			out = append(out, failureOf(f))
		}
		seen[key] = true
	}
	return out
}

func failureOf(f metalrun.Finding) Failure {
	return Failure{Check: Check(f.Check), Kernel: f.Kernel, Text: f.Message, At: new(f.Party), Other: f.Other,
		Grade: f.Grade, Trials: f.Trials}
}

// unspecified reports whether a buffer's contents mean nothing: an output that no
// launch has been given yet.
func (t *CaseRun) unspecified(b *buffer) bool { return b.arg.Role == RoleOut && !t.launched[b] }

// markLaunched records the buffers that a launch was given.
func (t *CaseRun) markLaunched(l Launch) {
	for _, a := range t.Kernel.Args {
		if b, err := t.bound(a.Name, l); err == nil {
			t.launched[b] = true
		}
	}
}

// reset begins the launches of a case anew.
func (t *CaseRun) reset() {
	t.findings, t.work, t.profiles, t.launched = nil, nil, nil, map[*buffer]bool{}
}

// faultFailure is a launch that ended in a fault.
func faultFailure(fault *metalrun.Fault) Failure {
	f := Failure{Check: CheckFault, Kernel: fault.Kernel, Text: fault.Message}
	if fault.File != "" {
		f.At = &metalrun.Party{Position: fault.Position, Does: "stopped", Thread: fault.Thread,
			Threadgroup: fault.Threadgroup}
	}
	return f
}

// declarationFailure is what is wrong with how an entry point is declared.
func declarationFailure(check Check, info metalrun.KernelInfo, text string) Failure {
	return Failure{Check: check, Kernel: info.Name, Text: text,
		At: &metalrun.Party{Position: info.Position, Does: "declaration"}}
}
