package suite

import (
	"slices"
	"testing"

	"metalconform/metalrun"
)

// A finding that no trial has shown to matter warns, and fails a strict run, whether that
// is known before the run or only to who reads its results.
func TestFindingsAreWeighed(t *testing.T) {
	undefined, wrong := Failure{Check: CheckRace, Text: "a", Grade: metalrun.GradeUndefined},
		Failure{Check: CheckRace, Text: "b"}
	for _, test := range []struct {
		strict   bool
		findings []Failure
		status   Status
		failures []string
		warnings []string
	}{
		{false, []Failure{undefined}, Pass, nil, []string{"other", "a"}},
		{true, []Failure{undefined}, Fail, []string{"a"}, []string{"other"}},
		{false, []Failure{undefined, wrong}, Fail, []string{"b"}, []string{"other", "a"}},
		{true, []Failure{undefined, wrong}, Fail, []string{"a", "b"}, []string{"other"}},
	} {
		r := Result{Status: Pass, Warnings: []string{"other"}}
		r.weigh(test.strict, test.findings)
		if got := texts(r.Failures); r.Status != test.status || !slices.Equal(got, test.failures) ||
			!slices.Equal(r.Warnings, test.warnings) {
			t.Errorf("strict %v: %s by %q with the warnings %q, want %s by %q with %q", test.strict, r.Status, got,
				r.Warnings, test.status, test.failures, test.warnings)
		}
		s := r.Strictly()
		if got := texts(s.Failures); s.Status != Fail || len(got) != len(test.findings) ||
			!slices.Equal(s.Warnings, []string{"other"}) || s.Findings != nil {
			t.Errorf("read strictly: %s by %q with the warnings %q", s.Status, got, s.Warnings)
		}
	}
	if r := (Result{Status: Pass}).Strictly(); r.Status != Pass {
		t.Errorf("without findings: %s", r.Status)
	}
}

func texts(list []Failure) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Text)
	}
	return out
}
