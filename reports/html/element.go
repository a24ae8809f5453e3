package html

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/oracles"
	"metalconform/reports"
	"metalconform/suite"
)

// element is an element of an output that fails a check, with what it should be.
type element struct {
	Name         string // out[3, 17]
	Got, Want    string
	Error        float64 // |got − want|; 0 if it is not a number
	Ulp          float64 // the error in units in the last place of want; 0 if unknown
	Limit        *limit  // that an error exceeds; nil if none does
	Exact        bool    // one value is right
	Count, Of    int     // elements that fail, of those judged
	First        string  // the first that fails
	Place        string  // where those that fail lie
	Explain      string  // command that gives its account anew
	ExplainFirst string  // the same of the first, if that is another
	Account      string  // its inputs, and how it came to its verdict; "" if the run did not keep them
}

// limit is what an error may be and exceeds.
type limit struct {
	Name    string // the bound
	Value   float64
	Error   float64 // that exceeds it, in absolute value
	Terms   []term  // of the limit
	Exactly string  // what the kernel computes in exact arithmetic, if the error is one from it or of it
	Off     string  // what the error is then
}

// Ratio is the error as a multiple of the limit.
func (l limit) Ratio() float64 { return l.Error / l.Value }

// term is a part of a bound.
type term struct {
	suite.Term
	Share int // per cent of the bound
}

// element is the element that a failure is about; nil if it is about none.
func (s *site) element(r suite.Result, f suite.Failure) *element {
	if f.Index == nil {
		return nil
	}
	e := &element{
		Name: suite.Element{Arg: f.Arg, Index: f.Index}.String(), Got: f.GotText(), Want: f.WantText(), Error: f.Error,
		Limit: newLimit(f), Exact: f.Check == suite.CheckExact, Count: f.Count, Of: f.Of, Place: f.Place,
	}
	if f.Check == suite.CheckUnwritten { // what it holds is the poison
		e.Got = "not written"
	}
	e.Ulp = inUlps(r, f)
	e.Explain = s.explain(r, f.Element().String())
	if f.First != nil {
		if e.First = (suite.Element{Arg: f.Arg, Index: f.First}).String(); e.First != e.Name {
			e.ExplainFirst = s.explain(r, f.FirstElement().String())
		}
	}
	if x := r.Explained; x != nil && x.Element.Output == f.Arg && slices.Equal(x.Element.Index, f.Index) &&
		(x.Stage == nil || x.Stage.Name == f.Stage) {
		e.Account = reports.Style{}.Background(*x)
	}
	return e
}

// newLimit is the limit that a failure exceeds, nil if there is none or the numbers are not finite. The limits of
// exact execution are not in results, but follow from the errors and by how much they exceed them.
func newLimit(f suite.Failure) *limit {
	var l limit
	switch b := f.Broken(); f.Check {
	case suite.CheckBound, suite.CheckStatistical:
		l = limit{Name: "the bound", Error: f.Error}
		if f.Check == suite.CheckStatistical {
			l.Name = "the statistical bound"
		}
		if b != nil {
			l.Value, l.Terms = b.Value, terms(*b)
		} else {
			l.Value = f.Error / f.ErrorRatio
		}
	case suite.CheckFormula:
		if f.Exact == nil || f.Want == nil {
			return nil
		}
		l = limit{Name: "what the rounding of float64 explains", Error: math.Abs(f.Exact.Value - float64(*f.Want)),
			Off: "from want"}
		l.Value = l.Error / f.ErrorRatio
	case suite.CheckRounding:
		if f.Exact == nil || f.Got == nil {
			return nil
		}
		l = limit{Name: "what the rounding of any device explains", Error: math.Abs(float64(*f.Got) - f.Exact.Value),
			Off: "from got"}
		l.Value = l.Error / f.ErrorRatio
	default:
		return nil
	}
	if f.Exact != nil && l.Off != "" {
		l.Exactly = strconv.FormatFloat(f.Exact.Value, 'g', 9, 64)
	}
	if ratio := l.Ratio(); f.ErrorRatio >= math.MaxFloat64 || l.Error == 0 || !(0 < ratio && ratio < math.MaxFloat64) {
		return nil
	}
	return &l
}

// terms are the parts of a bound with what they come to of it. Those that vanish
// are left out.
func terms(b suite.Bound) []term {
	var list []term
	for _, t := range b.Terms {
		if t.Value > 0 {
			list = append(list, term{t, int(math.Round(100 * t.Value / b.Value))})
		}
	}
	return list
}

// inUlps is the error of the element of a failure in units in the last place of
// what it should be. It is 0 if there are no such units.
func inUlps(r suite.Result, f suite.Failure) float64 {
	if f.Want == nil || f.Error == 0 || f.Error >= math.MaxFloat64 {
		return 0
	}
	want := float64(*f.Want)
	for _, format := range []oracles.Format{oracles.F32, oracles.BF16, oracles.F16} {
		if format.String() == outputType(r, f) && !math.IsInf(want, 0) && !math.IsNaN(want) {
			return f.Error / format.Ulp(want)
		}
	}
	return 0
}

// outputType is the type of the output that a failure is about. Results of version
// 1 have it in the output's figures alone.
func outputType(r suite.Result, f suite.Failure) string {
	if f.Type != "" {
		return f.Type
	}
	for _, m := range r.Outputs {
		if m.Output == f.Arg && m.Stage == f.Stage {
			return m.Type
		}
	}
	return ""
}

// explain is the command that gives the account of an element of a case, of the
// worst for none.
func (s *site) explain(r suite.Result, element ...string) string {
	words := []string{"conform explain -seed", strconv.FormatUint(r.Seed, 10)}
	if s.Options.Flags != "" {
		words = append(words, s.Options.Flags)
	}
	for _, w := range append([]string{r.Case}, element...) {
		words = append(words, quoted(w))
	}
	return strings.Join(words, " ")
}

// quoted is a word of a command for a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
