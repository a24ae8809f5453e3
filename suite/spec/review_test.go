package spec

import (
	"strings"
	"testing"

	"metalconform/suite"
)

// TestReview has what a review remarks on: each in one change of a specification of which it has nothing
// to say.
func TestReview(t *testing.T) {
	const text = `kernel(name = "k", args = [input("x", f32, "n"), input("w", f32, "n"), output("y", f32, "n"), scalar("n", u32, "n"), scalar("factor", f32, "by")],
    threads = "n", threads_per_threadgroup = 32, base = {"n": 4, "by": 2}, vary = {"n": [1, 9], "by": [3]}, oracle = lambda x, w, factor: x * w * factor)
`
	change := func(old, new string) string { return strings.Replace(text, old, new, 1) }
	for _, test := range []struct{ text, want string }{
		{text, ""},
		{change("x * w", "x + zeros([3])"), "+: (4) and (3) do not broadcast to one shape"},
		{change("x * w", "x"), "the oracle ignores the input w"},
		{change(`"n": [1, 9], `, ""), "the axis n never varies: it is always 4"},
		{change(`"by")]`, "2)]"), "the scalar factor is always 2: a kernel that has that number"},
		{strings.Replace(change("w * factor", "w"), `"by")]`, "2)]", 1),
			"the scalar factor is always 2, and the oracle does not use it"},
		{change("x * w * factor", "full(x.shape, anything)"), "nothing is said of the output y"},
		{change("vary", `check = lambda n: "no" if n == 77 else None, shapes = [{"n": 77}], vary`),
			"a point of the sweep that check refuses: no"},
	} {
		family, err := read(test.text)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, r := range suite.Review(&family.Kernels[0], 1) {
			found = append(found, r.What)
		}
		if got := strings.Join(found, "\n"); !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s\n%s\nwant %s", test.text, got, test.want)
		}
	}
}

// TestReviewKnowsWhatVaries: whichever way a specification has for other values of an axis or a scalar, none is said to
// be always the same.
func TestReviewKnowsWhatVaries(t *testing.T) {
	const text = `kernel(name = "k", args = [input("x", f32, "n"), output("y", f32, "n"), scalar("n", u32, "n"), scalar("eps", f32, EPS)],
    threads = "n", threads_per_threadgroup = 32, base = {"n": 4, "by": 1}, SWEEP, oracle = lambda x, n, eps, by: x * eps * by + n)
`
	const both = `vary = {"n": [9], "by": [2]}`
	for name, of := range map[string]struct{ eps, sweep string }{
		"vary":                    {`"by"`, both},
		"cross":                   {`"by"`, `cross = {"n": [4, 9], "by": [1, 2]}`},
		"shapes":                  {`"by"`, `shapes = [{"n": 9, "by": 2}]`},
		"a comprehension":         {`"by"`, `shapes = [{"n": n, "by": n // 4} for n in [4, 9]]`},
		"the full sweep":          {`"by"`, `full = {"n": [9], "by": [2]}`},
		"settings":                {"1e-6", both + `, settings = {"eps": [1e-5]}`},
		"a function of the shape": {"lambda n: 1.0 / n", both},
		"after many remarks": {`"by"`, `shapes = [{"n": n} for n in range(70, 80)] + [{"n": 9, "by": 2}], ` +
			`check = lambda n: "no" if n > 69 else None`},
	} {
		family, err := read(strings.NewReplacer("EPS", of.eps, "SWEEP", of.sweep).Replace(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, r := range suite.Review(&family.Kernels[0], 1) {
			if strings.Contains(r.What, "always") {
				t.Errorf("%s: %s", name, r.What)
			}
		}
	}
}
