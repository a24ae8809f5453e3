package html

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"metalconform/suite"
	"metalconform/suite/metrics"
)

var (
	tags     = regexp.MustCompile(`<[^>]*>`)
	quotient = regexp.MustCompile(
		`(?s)(?:error|distance)([\d.e+-]+)(?: = [\d.e+-]+ ulp| from \w+)? = ([\d.e+-]+) × .*?(?:bound|limit)([\d.e+-]+)`)
)

// TestQuotient: on the card of an element error, limit and quotient are of the same numbers, as they are printed,
// whatever their magnitudes and whichever check the element fails.
func TestQuotient(t *testing.T) {
	draws, s := rand.New(rand.NewPCG(3, 4)), newSite(Site{})
	for range 3000 {
		limit, ratio := math.Pow(10, 24*draws.Float64()-14), 1+math.Pow(10, 16*draws.Float64()-4)
		want := math.Pow(10, 10*draws.Float64()-5)
		value := func(x float64) *suite.Value { return new(suite.Value(x)) }
		for _, f := range []suite.Failure{
			{Check: suite.CheckBound, Got: value(want + limit*ratio), Error: limit * ratio,
				Bound: &suite.Bound{Value: limit}},
			{Check: suite.CheckStatistical, Got: value(want + limit*ratio), Error: limit * ratio,
				Bound: &suite.Bound{Value: limit * ratio * 2}, Statistical: &suite.Bound{Value: limit}},
			{Check: suite.CheckFormula, Got: value(want), Error: limit / 3, Bound: &suite.Bound{Value: 1},
				Exact: &suite.ExactValue{Value: want + limit*ratio, Error: limit / 7}},
			{Check: suite.CheckRounding, Got: value(want), Error: limit / 3, Bound: &suite.Bound{Value: 1},
				Exact: &suite.ExactValue{Value: want - limit*ratio, Error: limit}},
		} {
			f.Arg, f.Index, f.Want, f.ErrorRatio = "out", []int{1}, value(want), ratio
			text := card(t, s, f)
			numbers := quotient.FindStringSubmatch(text)
			if numbers == nil {
				if f.Exact == nil || f.Exact.Value != want {
					t.Fatalf("%s at %g: no quotient in %q", f.Check, ratio, text)
				}
				continue // the error vanishes beside the value
			}
			off, times, most := printed(t, numbers[1]), printed(t, numbers[2]), printed(t, numbers[3])
			if q := times * most / off; !(math.Abs(q-1) < 0.017) {
				t.Fatalf("%s: %s is not %s × %s", f.Check, numbers[1], numbers[2], numbers[3])
			}
		}
	}
}

// TestNoQuotient: what is no fraction of a bound is not shown as one.
func TestNoQuotient(t *testing.T) {
	s := newSite(Site{})
	for _, f := range []suite.Failure{
		{Check: suite.CheckExact, Error: 3, ErrorRatio: math.MaxFloat64},
		{Check: suite.CheckNonFinite, ErrorRatio: math.MaxFloat64, Bound: &suite.Bound{Value: 1}},
		{Check: suite.CheckUnwritten, Error: 2, ErrorRatio: math.MaxFloat64, Bound: &suite.Bound{Value: 1}},
		{Check: suite.CheckBound, Error: 2, ErrorRatio: math.MaxFloat64},
	} {
		f.Arg, f.Index, f.Got, f.Want = "out", []int{1}, new(suite.Value(1)), new(suite.Value(2))
		if text := card(t, s, f); strings.Contains(text, "×") || strings.Contains(text, "∞") {
			t.Errorf("%s: %s", f.Check, text)
		}
	}
}

// card is the text of the card of a failure's element.
func card(t *testing.T, s *site, f suite.Failure) string {
	t.Helper()
	r := suite.Result{Case: "k/n=1/input=normal", Kernel: "k", Failures: []suite.Failure{f},
		Outputs: []metrics.Output{{Output: "out", Type: "f32"}}}
	var b strings.Builder
	if err := s.templates.ExecuteTemplate(&b, "element", s.element(r, f)); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(tags.ReplaceAllString(b.String(), ""), "&#43;", "+")
}

func printed(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestOneAccount: a page has the account of an element once, however many checks the element fails.
func TestOneAccount(t *testing.T) {
	site := handMade(t)
	r := &site.Results[3]
	again := r.Failures[0]
	again.Check = suite.CheckStatistical
	r.Failures = append(r.Failures, again)
	body := newSite(site).caseBody(3)
	accounts := 0
	for _, f := range body.Failures {
		if f.Element != nil && f.Element.Account != "" {
			accounts++
		}
	}
	if accounts != 1 || len(body.Failures) < 2 {
		t.Errorf("%d accounts of one element in %d failures", accounts, len(body.Failures))
	}
}

// TestPhoneRules: where there is no browser to measure them, the rules for narrow screens are there: commands take the
// whole width, and the rows of an element stand one below the other.
func TestPhoneRules(t *testing.T) {
	_, narrow, found := strings.Cut(asset("style.css"), "@media (max-width: 560px) {")
	narrow, _, ends := strings.Cut(narrow, "\n}")
	if !found || !ends {
		t.Fatal("no rules for narrow screens")
	}
	for _, rule := range []string{`\.replay \{[^}]*flex-wrap: wrap`, `\.replay code \{[^}]*flex: 1 0 100%`,
		`table\.element :is\(th, td\) \{[^}]*display: block`, `figure\.plot \{[^}]*overflow-x: auto`} {
		if !regexp.MustCompile(rule).MatchString(narrow) {
			t.Errorf("no rule %s", rule)
		}
	}
}
