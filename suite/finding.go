package suite

import (
	"fmt"
	"slices"
)

// observed turns what a checking runner found in the launches of a case into
// failures, each place of the program once; what is only worth knowing goes into the
// notes.
func (t *caseRun) checkFailures(r *Result) []Failure {
	var out []Failure
	seen := map[string]bool{}
	for _, f := range t.findings {
		key := fmt.Sprint(f.Check, f.Position, f.Other)
		if f.Note {
			key = fmt.Sprint(f.Check, f.Position)
		}
		switch {
		case seen[key]:
		case f.Note:
			if note := fmt.Sprintf("%s: %s", f.Position, f.Message); !slices.Contains(r.Notes, note) {
				r.Notes = append(r.Notes, note)
			}
		default:
			at := f.Party
			out = append(out, Failure{Check: Check(f.Check), Message: f.String(), At: &at, Other: f.Other})
		}
		seen[key] = true
	}
	return out
}

// undefined reports whether a buffer's contents mean nothing: an output that no
// launch has had yet.
func (t *caseRun) unspecified(b *buffer) bool { return b.arg.Role == RoleOut && !t.launched[b] }

// launchedAll takes note that a launch had the buffers of a dispatch.
func (t *caseRun) markLaunched(l Launch) {
	for _, a := range t.Kernel.Args {
		if b, err := t.bound(a.Name, l); err == nil {
			t.launched[b] = true
		}
	}
}

// forget begins the launches of a case anew.
func (t *caseRun) reset() { t.findings, t.launched = nil, map[*buffer]bool{} }
