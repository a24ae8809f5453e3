package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Version 1 of results.jsonl held sentences where version 2 has facts, and called
// some things by other names. What a sentence can give back is taken from it; where
// it cannot, the sentence itself stays, or the fact is absent: the terms of a bound,
// the bits of a value, types and extents.

// familyV1 is the family of a kernel: that of the pipelines was called chains.
func familyV1(name string) string {
	if name == "chains" {
		return "pipelines"
	}
	return name
}

// headerV1 is a header of version 1: processors were one string, the last of the
// flags was the number of launches, and kernels had a chain where they have a
// pipeline.
type headerV1 struct {
	Header
	Host struct {
		Host
		CPU string `json:"cpu"`
	} `json:"host"`
	Kernels []struct {
		Kernel
		Chain []string `json:"chain"`
	} `json:"kernels"`
}

// decodeHeaderV1 reads a header of version 1.
func decodeHeaderV1(text []byte) (Header, error) {
	var old headerV1
	if err := json.Unmarshal(text, &old); err != nil {
		return Header{}, err
	}
	h := old.Header
	h.Version, h.Host = Version, old.Host.Host
	if old.Host.CPU != "" {
		h.Host.CPUs = strings.Split(old.Host.CPU, " and ")
	}
	others, repeat, _ := strings.Cut(h.Options.Flags, "-repeat ")
	if n, err := strconv.Atoi(repeat); err == nil {
		h.Options.Flags, h.Options.Repeat = strings.TrimSpace(others), n
	}
	for _, o := range old.Kernels {
		k := o.Kernel
		k.Family = familyV1(k.Family)
		if len(o.Chain) > 0 {
			k.Pipeline = o.Chain
		}
		h.Kernels = append(h.Kernels, k)
	}
	return h, nil
}

// resultV1 is a case of version 1: what it has beside [suite.Result], or under other
// names.
type resultV1 struct {
	suite.Result
	Place        *int        `json:"place"`
	ErrorRatio   float64     `json:"over"`
	UlpSecondary float64     `json:"ulp_beside"`
	Worst        string      `json:"worst"`
	Relies       string      `json:"relies"`
	Contracts    []string    `json:"contracts"`
	Message      string      `json:"message"`
	Failures     []failureV1 `json:"failures"`
	Outputs      []outputV1  `json:"outputs"`
}

// failureV1 is a failure of version 1.
type failureV1 struct {
	suite.Failure
	Got        string  `json:"got"`
	Want       string  `json:"want"`
	ErrorRatio float64 `json:"over"`
	Bound      float64 `json:"bound"`
	Message    string  `json:"message"`
}

// outputV1 is an output of version 1, whose metrics stood beside its other members,
// some of them in groups.
type outputV1 struct {
	metrics.Output
}

// membersV1 are the members of an output of version 1 that hold metrics, where that is
// not the metric's key: of a group behind a point.
var membersV1 = map[string]string{
	"error_ratio": "over", "vs_plain": "to_plain",
	"ulp": "ulp.max", "ulp_p999": "ulp.p999", "ulp_p99": "ulp.p99", "ulp_mean": "ulp.mean", "ulp_bias": "ulp.bias",
	"ulp_outward": "ulp.outward",
	"nan":         "nonfinite.nan", "inf": "nonfinite.inf", "nan_made": "nonfinite.nan_made",
	"nan_lost": "nonfinite.nan_lost",
	"overflow": "nonfinite.overflow", "inf_lost": "nonfinite.inf_lost", "inf_sign": "nonfinite.inf_sign",
}

// UnmarshalJSON reads an output of version 1.
func (o *outputV1) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &o.Output); err != nil {
		return err
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil {
		return err
	}
	o.Metrics = nil
	for _, m := range metrics.All() {
		group, name, grouped := strings.Cut(cmp.Or(membersV1[m.Key], m.Key), ".")
		value := top[group]
		if grouped {
			var members map[string]json.RawMessage
			_ = json.Unmarshal(value, &members) // there may be no such group
			value = members[name]
		}
		if value == nil {
			continue
		}
		var one metrics.Values
		if err := json.Unmarshal(fmt.Appendf(nil, `{%q: %s}`, m.Key, value), &one); err != nil {
			return err
		}
		o.Metrics = append(o.Metrics, one...)
	}
	return nil
}

// decodeLineV1 reads a case of version 1. One without an index has -1.
func decodeLineV1(text []byte) (line, error) {
	var old resultV1
	if err := json.Unmarshal(text, &old); err != nil {
		return line{}, err
	}
	l := line{old.result(), -1}
	if old.Place != nil {
		l.Index = *old.Place
	}
	return l, nil
}

// result is the case in the terms of this version.
func (old resultV1) result() suite.Result {
	r := old.Result
	r.Family = familyV1(r.Family)
	r.Pipeline = r.Family == "pipelines"
	r.ErrorRatio, r.UlpSecondary = old.ErrorRatio, old.UlpSecondary
	if at, err := suite.ParseSelector(old.Worst); err == nil && old.Worst != "" {
		r.Worst = &suite.Element{Stage: at.Stage, Arg: at.Output, Index: at.Index}
	}
	r.Relies = relianceV1(old.Relies)
	for _, text := range old.Contracts {
		if words := strings.SplitN(text, ": ", 3); len(words) == 3 {
			r.Contracts = append(r.Contracts,
				suite.JudgedContract{Position: positionV1(words[0]), Kernel: words[1], Contract: words[2]})
		}
	}
	for _, f := range old.Failures {
		r.Failures = append(r.Failures, f.failure())
	}
	if len(r.Failures) == 0 {
		r.Reason = strings.TrimPrefix(old.Message, r.Case+": ")
	}
	for _, o := range old.Outputs {
		r.Outputs = append(r.Outputs, o.Output)
	}
	return r
}

// relianceV1 reads "k.metal:6:36: accuracy of exp".
func relianceV1(text string) *suite.Reliance {
	words := strings.SplitN(text, ":", 4)
	if len(words) != 4 {
		return nil
	}
	line, err := strconv.Atoi(words[1])
	if err != nil {
		return nil
	}
	col, err := strconv.Atoi(words[2])
	if err != nil {
		return nil
	}
	return &suite.Reliance{Position: metalrun.Position{File: words[0], Line: line, Col: col},
		Kind: strings.TrimSpace(words[3])}
}

// failure is the failure in the terms of this version. The sentence of a check of
// elements follows from what there is beside it, and any other is kept.
func (old failureV1) failure() suite.Failure {
	f := old.Failure
	f.ErrorRatio = old.ErrorRatio
	f.Got, f.GotBits = valueV1(old.Got)
	f.Want, f.WantBits = valueV1(old.Want)
	f.Quiet = old.Want == "qNaN"
	switch f.Check {
	case suite.CheckBound:
		f.Bound = &suite.Bound{Value: old.Bound}
	case suite.CheckStatistical:
		f.Statistical = &suite.Bound{Value: old.Bound}
	case suite.CheckExact, suite.CheckNonFinite, suite.CheckUnwritten, suite.CheckReadOnly, suite.CheckUntouched:
	default:
		f.Text = old.Message
		if f.Stage != "" {
			f.Text = strings.TrimPrefix(f.Text, f.Stage+": ")
		}
	}
	return f
}

// valueV1 reads "1.5" or "NaN (bits 0x7f81)"; nil if it is neither.
func valueV1(text string) (*suite.Value, string) {
	var bits string
	if number, rest, ok := strings.Cut(text, " (bits "); ok {
		text, bits = number, strings.TrimSuffix(rest, ")")
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, ""
	}
	return new(suite.Value(x)), bits
}

// positionV1 reads file:line.
func positionV1(text string) (p suite.Position) {
	_ = p.UnmarshalText([]byte(text)) // takes any text
	return p
}

// decodeEnding reads a last line. In version 1, and in the first files of version 2, what is wrong with declarations
// was sentences behind their positions.
func decodeEnding(text []byte) (e Ending, err error) {
	if err = json.Unmarshal(text, &e); err == nil {
		return e, nil
	}
	var old struct {
		Ending
		Stale []string `json:"stale"`
	}
	if json.Unmarshal(text, &old) != nil {
		return Ending{}, err
	}
	e = old.Ending
	for _, sentence := range old.Stale {
		o := suite.Outdated{Text: sentence}
		if position, rest, ok := strings.Cut(sentence, ": "); ok {
			if at := positionV1(position); at.Line > 0 {
				o = suite.Outdated{Position: at, Text: rest}
			}
		}
		e.Stale = append(e.Stale, o)
	}
	return e, nil
}
