package explore

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

// shownAt is an Finding of a kernel at a line, whose other party is at another one, or nowhere.
func shownAt(kernel, check string, line, other int, grade metalrun.Grade) Finding {
	o := Finding{Finding: metalrun.Finding{Kernel: kernel, Check: check, Grade: grade, Message: "m"}}
	o.Position = metalrun.Position{File: "a.metal", Line: line, Col: 1}
	if other > 0 {
		o.Other = &metalrun.Party{Position: metalrun.Position{File: "a.metal", Line: other, Col: 1}}
	}
	return o
}

// What launches of a kernel show at a place is told once, as what weighs most.
func TestGravestOfAPlace(t *testing.T) {
	const none, note, undefined, wrong = metalrun.Grade(""), metalrun.GradeNote, metalrun.GradeUndefined,
		metalrun.GradeWrong
	type row struct {
		check       string
		line, other int
		grade       metalrun.Grade
		kept        bool
	}
	for name, rows := range map[string][]row{
		"undefined, then wrong":          {{"race", 3, 4, undefined, false}, {"race", 3, 4, wrong, true}},
		"wrong, then undefined":          {{"race", 3, 4, wrong, true}, {"race", 4, 3, undefined, false}},
		"another pair":                   {{"race", 3, 4, undefined, true}, {"race", 3, 5, wrong, true}},
		"another check":                  {{"race", 3, 0, undefined, true}, {"undefined", 3, 0, wrong, true}},
		"a note, then an error":          {{"race", 3, 4, note, false}, {"race", 3, 5, undefined, true}},
		"a note where another party is":  {{"race", 4, 3, note, true}, {"race", 3, 4, undefined, true}},
		"a fault that a guess explains":  {{"fault", 3, 0, note, false}, {"fault", 3, 0, none, true}},
		"notes alone":                    {{"race", 3, 4, note, true}, {"race", 3, 5, note, true}},
		"a fault and what it has hidden": {{"fault", 3, 0, none, true}, {"race", 3, 4, wrong, true}},
	} {
		q, want := exploration{}, []Finding{}
		for _, r := range rows {
			o := shownAt("k", r.check, r.line, r.other, r.grade)
			q.tell([]Finding{o})
			if r.kept {
				want = append(want, o)
			}
		}
		q.keepMostSevere()
		var got []Finding
		for _, x := range q.reported {
			got = append(got, x.list...)
		}
		if diff := cmp.Diff(want, got,
			cmp.Comparer(func(a, b Finding) bool { return a.between() == b.between() && a.Grade == b.Grade })); diff !=
			"" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A place that several kernels share is told once, of the one that shows what weighs most.
func TestGravestOfKernels(t *testing.T) {
	var all Report
	for _, o := range []Finding{
		shownAt("a", "race", 3, 4, metalrun.GradeUndefined), shownAt("b", "race", 3, 4, metalrun.GradeWrong),
		shownAt("c", "race", 3, 4, metalrun.GradeUndefined), shownAt("d", "race", 3, 4, metalrun.GradeNote),
		shownAt("d", "undefined", 9, 0, metalrun.GradeNote),
	} {
		if !all.Add(o) {
			t.Errorf("%v has been seen before", o)
		}
		all.Gather(o)
	}
	var got []string
	for _, g := range all.Groups() {
		got = append(got, fmt.Sprintf("%s, of %s and %v", g.between(), g.Kernel, g.Kernels))
	}
	want := []string{"race[a.metal:3:1 a.metal:4:1], of b and [a c]", "undefined a.metal:9:1 note, of d and []"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if counted := fmt.Sprint(all.Errors, all.Warnings); counted != "1 2" {
		t.Errorf("errors and warnings: %s, want 1 2", counted)
	}
	if all.Add(shownAt("a", "race", 4, 3, metalrun.GradeUndefined)) {
		t.Error("what a kernel has shown between two places is new there, the other way round")
	}
}

// faulting is a kernel whose launches end with a fault of a kind.
type faulting struct {
	metalrun.Kernel
	kind metalrun.FaultKind
}

func (k faulting) Run(metalrun.Dispatch) (metalrun.Outcome, error) {
	return metalrun.Outcome{}, &metalrun.Fault{Kind: k.kind, Message: "m, which -timeout can raise"}
}

// What a launch would have shown that ran out of time is not known, and that is told whatever the launch was for: a
// busy machine may be the reason.
func TestLaunchesOutOfTime(t *testing.T) {
	for kind, want := range map[metalrun.FaultKind]int{metalrun.OutOfTime: 1, metalrun.Unfinished: 1,
		metalrun.OutOfSteps: 0, metalrun.OutOfRange: 0} {
		for _, reported := range []bool{false, true} {
			q := exploration{Explorer: &Explorer{}}
			_, err := metered{faulting{kind: kind}, &q.work, &q.hung, &q.late}.Run(metalrun.Dispatch{})
			if reported {
				q.tell([]Finding{q.failed(metalrun.KernelInfo{Name: "k"}, err)})
				want = 1
			}
			q.unknown(metalrun.KernelInfo{Name: "k"})
			if len(q.reported) != want {
				t.Errorf("%s, reported already: %v: %v, want %d", kind, reported, q.reported, want)
			}
		}
	}
}
