package trend

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
)

// measured is a night on its way.
type measured struct {
	Night
	Results []Case
}

// nights are as many runs of one kernel with two cases; edit changes each.
func nights(n int, edit func(i int, n *measured)) []Night {
	var list []Night
	for i := range n {
		night := measured{Night: Night{
			ID: fmt.Sprint(i), Gated: true, Seed: 1, Key: Key{
				Commit: fmt.Sprintf("c%02d", i), Device: "metal: M9", Shaders: fmt.Sprint(i),
				Started: time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC),
			},
		}}
		for c := range 2 {
			noise := 1 + 0.001*math.Sin(float64(5*i+c))
			night.Results = append(night.Results, Case{
				Name: fmt.Sprintf("norm/n=%d/x", c), Kernel: "norm", Status: suite.Pass, NS: int64(1e6 * noise),
				Seconds: 1e-3 * noise, Samples: 5,
				Errors: &metrics.Errors{Elements: 100, Squares: 0.01 * noise},
			})
		}
		edit(i, &night)
		night.Kernels = Kernels(night.Results)
		list = append(list, night.Night)
	}
	return list
}

// sentences are what all trends say of their steps.
func sentences(list []Night) []string {
	var all []string
	for _, t := range Find(list, reports.DefaultPolicy()) {
		for _, s := range t.Steps {
			text, _, _ := strings.Cut(t.Sentence(s), " (p ")
			if s.Undone {
				text += ", undone"
			}
			all = append(all, text)
		}
	}
	return all
}

func TestFind(t *testing.T) {
	status := func(s suite.Status) func(n *measured) { return func(n *measured) { n.Results[1].Status = s } }
	larger := func(n *measured) {
		for c := range n.Results {
			n.Results[c].Errors.Squares *= 2
		}
	}
	slower := func(n *measured) {
		for c := range n.Results {
			n.Results[c].Seconds *= 1.5
		}
	}
	for _, test := range []struct {
		name string
		n    int
		edit func(i int, n *measured)
		want []string
	}{
		{"nothing", 20, func(int, *measured) {}, nil},
		{"a failure", 20, func(i int, n *measured) {
			if i >= 15 {
				status(suite.Fail)(n)
			}
		}, []string{"norm began to fail: norm/n=1/x; after commit c14 up to c15 of 2026-01-16"}},
		{"a failure on the last night", 20, func(i int, n *measured) {
			if i == 19 {
				status(suite.Error)(n)
			}
		}, []string{"norm began to fail: norm/n=1/x; after commit c18 up to c19 of 2026-01-20"}},
		{"a kernel that is not there any more", 20, func(i int, n *measured) {
			if i >= 15 {
				status(suite.Skip)(n)
			}
		}, []string{"norm began to fail: norm/n=1/x; after commit c14 up to c15 of 2026-01-16"}},
		{"a failure of one night", 20, func(i int, n *measured) {
			if i == 7 || i == 9 {
				status(suite.Error)(n)
			}
		}, nil},
		{"a failure that was mended", 20, func(i int, n *measured) {
			if 8 <= i && i < 12 {
				status(suite.Fail)(n)
			}
		}, []string{"norm no longer fails: norm/n=1/x; after commit c11 up to c12 of 2026-01-13",
			"norm began to fail: norm/n=1/x; after commit c07 up to c08 of 2026-01-09; undone since, undone"}},
		{"larger errors", 20, func(i int, n *measured) {
			if i >= 10 {
				larger(n)
			}
		}, []string{"norm larger errors: × 1.41, typically from 0.0100 to 0.0141 of bound; after commit c09 up to " +
			"c10 of 2026-01-11"}},
		{"the same, of a simulator and one seed, on the last night", 5, func(i int, n *measured) {
			n.Exact = true
			if i == 4 {
				larger(n)
			}
		}, []string{"norm larger errors: × 1.41, typically from 0.0100 to 0.0141 of bound; after commit c03 up to " +
			"c04 of 2026-01-05"}},
		{"the same, with other seeds: too early to tell", 5, func(i int, n *measured) {
			n.Exact, n.Seed = true, uint64(i)
			if i == 4 {
				larger(n)
			}
		}, nil},
		{"larger errors, and the device was away for two nights before", 20, func(i int, n *measured) {
			if i == 4 || i == 5 {
				status(suite.Error)(n)
				n.Results[0].Status = suite.Error
			}
			if i >= 10 {
				larger(n)
			}
		}, []string{
			"norm larger errors: × 1.41, typically from 0.0100 to 0.0141 of bound; after commit c09 up to c10 of " +
				"2026-01-11",
			"norm no longer fails: norm/n=0/x, norm/n=1/x; after commit c05 up to c06 of 2026-01-07",
			"norm began to fail: norm/n=0/x, norm/n=1/x; after commit c03 up to c04 of 2026-01-05; undone " +
				"since, undone",
		}},
		{"larger errors of a case that is new", 20, func(i int, n *measured) {
			if i < 4 {
				n.Results = nil
			}
			if i >= 10 {
				larger(n)
			}
		}, []string{"norm larger errors: × 1.41, typically from 0.0100 to 0.0141 of bound; after commit c09 up to " +
			"c10 of 2026-01-11"}},
		{"larger errors, and one case fails from the next night on", 20, func(i int, n *measured) {
			if i >= 11 {
				status(suite.Fail)(n)
			}
			if i >= 10 {
				larger(n)
			}
		}, []string{
			"norm began to fail: norm/n=1/x; after commit c10 up to c11 of 2026-01-12",
			"norm larger errors: × 1.41, typically from 0.0100 to 0.0141 of bound; after commit c09 up to c10 of " +
				"2026-01-11",
		}},
		{"slower on another device", 20, func(i int, n *measured) {
			if i >= 10 {
				slower(n)
				n.Key.Device = "metal: M8"
			}
		}, nil},
		{"slower with other settings", 20, func(i int, n *measured) {
			if i >= 10 {
				slower(n)
				n.Bench = "cold"
			}
		}, nil},
		{"slower, and nothing committed", 20, func(i int, n *measured) {
			n.Key.Commit, n.Key.Shaders = "same", "same"
			if i >= 10 {
				slower(n)
			}
		}, []string{
			"norm/n=0/x slower: × 1.50, from 1.00 ms to 1.50 ms; at commit same, with nothing committed, by 2026-01-11",
			"norm/n=1/x slower: × 1.50, from 1.00 ms to 1.50 ms; at commit same, with nothing committed, by 2026-01-11",
		}},
	} {
		if diff := cmp.Diff(test.want, sentences(nights(test.n, test.edit))); diff != "" {
			t.Errorf("%s: steps (-want +got):\n%s", test.name, diff)
		}
	}
}

// Of fifty months of times that vary by a third, hardly one shows a step.
func TestFalseAlarms(t *testing.T) {
	draw := rand.New(rand.NewPCG(8, 9))
	months, wrong := 50, 0
	if testing.Short() {
		months = 20
	}
	for range months {
		list := nights(30, func(_ int, n *measured) {
			n.Results = nil
			for c := range 20 {
				n.Results = append(n.Results, Case{Name: fmt.Sprintf("norm/n=%d/x", c), Kernel: "norm",
					Status: suite.Pass, Seconds: math.Exp(0.3 * draw.NormFloat64())})
			}
		})
		if len(sentences(list)) > 0 {
			wrong++
		}
	}
	if wrong > 2 { // the chance is at most 1 % each, so that of three or more is 1.5 %
		t.Errorf("%d false alarms in %d months", wrong, months)
	}
}

// A step for the worse fails until it is undone, in what the policy names; times only of
// a GPU.
func TestFailing(t *testing.T) {
	slower := func(gated bool, until int) Trend {
		list := nights(24, func(i int, n *measured) {
			n.Gated = gated
			if 8 <= i && i < until {
				n.Results[0].Seconds *= 2
			}
		})
		return Find(list, reports.DefaultPolicy())[0]
	}
	for _, test := range []struct {
		name string
		t    Trend
		want int
	}{{"on a GPU", slower(true, 24), 1}, {"on a simulator", slower(false, 24), 0}, {"undone", slower(true, 16), 0}} {
		if got := len(test.t.Failing()); got != test.want {
			t.Errorf("%s: %d failing, want %d: %+v", test.name, got, test.want, test.t.Steps)
		}
	}
	only := slower(true, 24)
	only.Fail = []reports.Aspect{reports.Verdicts}
	if got := only.Failing(); len(got) != 0 {
		t.Errorf("only verdicts fail, and %+v does", got)
	}
}

// Last keeps the newest of each series.
func TestLast(t *testing.T) {
	list := nights(6, func(i int, n *measured) {
		if i%3 == 0 {
			n.Key.OS = "linux"
		}
	})
	var got []string
	for _, n := range Last(list, 2) {
		got = append(got, n.Key.Commit)
	}
	if diff := cmp.Diff([]string{"c04", "c05", "c00", "c03"}, got); diff != "" {
		t.Errorf("nights (-want +got):\n%s", diff)
	}
}

// Every format has the step and its commits.
func TestFormats(t *testing.T) {
	list := nights(20, func(i int, n *measured) {
		if i >= 15 {
			n.Results[1].Status = suite.Fail
		}
	})
	for _, f := range Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, Find(list, reports.DefaultPolicy())); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"norm/n=1/x", "c14", "c15"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", f.Name, want, b.String())
			}
		}
	}
}
