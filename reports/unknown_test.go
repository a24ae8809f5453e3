package reports

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/suite"
)

// TestUnknown: a kernel of which no element is judged in any case does not conform.
func TestUnknown(t *testing.T) {
	apart := &suite.Unjudged{Elements: 3, Reason: "rounding decides at k.metal:4"}
	result := func(kernel string, status suite.Status, elements, open int, unjudged *suite.Unjudged) suite.Result {
		return suite.Result{Kernel: kernel, Status: status, Elements: elements, Open: open, Unjudged: unjudged}
	}
	for _, test := range []struct {
		name    string
		results []suite.Result
		ended   bool
		want    []Problem
	}{
		{"all of it", []suite.Result{result("k", suite.Pass, 3, 3, apart), result("k", suite.Pass, 5, 5, apart)}, true,
			[]Problem{{Kind: ProblemNothing, Name: "k",
				Text: "none of its 8 elements was judged: rounding decides at k.metal:4"}}},
		{"beside a skipped case",
			[]suite.Result{result("k", suite.Pass, 1, 1, apart), result("k", suite.Skip, 0, 0, nil)}, true,
			[]Problem{{Kind: ProblemNothing, Name: "k",
				Text: "none of its 1 element was judged: rounding decides at k.metal:4"}}},
		{"all but one", []suite.Result{result("k", suite.Pass, 3, 3, apart), result("k", suite.Pass, 5, 4, apart)},
			true, nil},
		{"beside a failure", []suite.Result{result("k", suite.Pass, 3, 3, apart), result("k", suite.Fail, 5, 5, apart)},
			true, nil},
		{"as it is defined", []suite.Result{result("k", suite.Pass, 3, 3, nil)}, true, nil},
		{"so far", []suite.Result{result("k", suite.Pass, 3, 3, apart)}, false, nil},
	} {
		v := View{Run: Run{Results: test.results}}
		if test.ended {
			v.Ending = &Ending{}
		}
		if diff := cmp.Diff(test.want, v.unknown()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
