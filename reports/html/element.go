package html

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"metalconform/oracles"
	"metalconform/suite"
)

// element is an element of an output that fails a check, with what it should be.
type element struct {
	Name              string // out[3, 17]
	Got, Want         string
	Error             float64 // |got − want|; 0 if it is not a number
	Ulp               float64 // the error in units in the last place of want; 0 if unknown
	ErrorRatio, Bound float64
	Exact             bool // one value is right
	Derivation        string
	Terms             []term // of the bound, if they can be told apart
	Count, Of         int    // elements that fail, of those judged
	First             string // the first that fails
	Explain           string // command that gives its account
	ExplainFirst      string // the same of the first, if that is another
}

// term is a part of a bound.
type term struct {
	Value float64
	Label string
	Share int // per cent of the sum
}

// element is the element that a failure is about; nil if it is about none.
func (s *site) element(r suite.Result, f suite.Failure) *element {
	if f.Index == nil {
		return nil
	}
	e := &element{
		Name: f.Arg + position(f.Index), Got: f.Got, Want: f.Want, Error: f.Error, ErrorRatio: f.ErrorRatio, Bound: f.Bound,
		Exact: f.Check == suite.CheckExact, Derivation: f.Derivation, Terms: terms(f.Derivation), Count: f.Count, Of: f.Of,
	}
	e.Ulp = inUlps(r, f)
	e.Explain = s.explain(r, elementName(f, f.Index))
	if f.First != nil {
		if e.First = f.Arg + position(f.First); e.First != e.Name {
			e.ExplainFirst = s.explain(r, elementName(f, f.First))
		}
	}
	return e
}

// inUlps is the error of the element of a failure in units in the last place of
// what it should be. It is 0 if there are no such units.
func inUlps(r suite.Result, f suite.Failure) float64 {
	want, err := strconv.ParseFloat(f.Want, 64)
	if err != nil || math.IsInf(want, 0) || math.IsNaN(want) || f.Error == 0 || f.Error >= math.MaxFloat64 {
		return 0
	}
	for _, m := range r.Outputs {
		if m.Output == f.Arg && m.Stage == f.Stage {
			for _, format := range []oracles.Format{oracles.F32, oracles.BF16, oracles.F16} {
				if format.String() == m.Type {
					return f.Error / format.Ulp(want)
				}
			}
		}
	}
	return 0
}

// repeats is a flag of conform run that conform explain does not have.
var repeats = regexp.MustCompile(`(^| )-repeat \d+`)

// elementName names an element of an output as conform explain takes it.
func elementName(f suite.Failure, at []int) string {
	name := f.Arg + position(at)
	if f.Stage != "" {
		name = f.Stage + ": " + name
	}
	return name
}

// explain is the command that gives the account of an element of a case, of the
// worst for none.
func (s *site) explain(r suite.Result, element ...string) string {
	words := []string{"conform explain -seed", strconv.FormatUint(r.Seed, 10)}
	if flags := strings.TrimSpace(repeats.ReplaceAllString(s.Options.Flags, "")); flags != "" {
		words = append(words, flags)
	}
	for _, w := range append([]string{r.Case}, element...) {
		words = append(words, quoted(w))
	}
	return strings.Join(words, " ")
}

// quoted is a word of a command for a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// termForm is a part of a derivation: a figure, or so many times one, and what it
// is for.
var termForm = regexp.MustCompile(`^(?:(\d+)·)?(\d[\d.]*(?:e[-+]?\d+)?) (\S.*)$`)

// terms are the parts of a derivation such as "1e-09 inherited + 2e-10 rounding".
// There are none if it has another form or one part only.
func terms(derivation string) []term {
	var list []term
	total := 0.0
	for _, part := range strings.Split(derivation, " + ") {
		m := termForm.FindStringSubmatch(part)
		if m == nil {
			return nil
		}
		x, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil
		}
		label := m[3]
		if times, err := strconv.Atoi(m[1]); err == nil {
			x, label = x*float64(times), m[1]+" standard deviations "+m[3]
		}
		list = append(list, term{Value: x, Label: label})
		total += x
	}
	if len(list) < 2 || total == 0 {
		return nil
	}
	for i := range list {
		list[i].Share = int(math.Round(100 * list[i].Value / total))
	}
	return list
}
