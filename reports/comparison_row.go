package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/reports/statistics"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// ComparedRow is the verdict on one aspect of one kernel, or on the times of one case.
type ComparedRow struct {
	Aspect   Aspect             `json:"aspect"`
	Name     string             `json:"name"` // of the kernel or pipeline; of times, the case
	Family   string             `json:"family"`
	Verdict  statistics.Verdict `json:"verdict"`
	Samples  [2]int             `json:"samples"`  // cases compared in base and head; of times, samples
	Measures []Measure          `json:"measures"` // what was compared, in the order of their names in this package
	More     int                `json:"more,omitempty"`
	// of a time: what the base differs from itself by at most, as a fraction, with 95 % confidence
	Noise suite.Value `json:"noise,omitempty"`
	Why   string      `json:"why,omitempty"` // the verdict, where no test led to it
}

// Measure is a quantity in two runs.
type Measure struct {
	Of      string             `json:"of"` // error, bias, inward, headroom or time; of work, what was counted
	Base    float64            `json:"base"`
	Head    float64            `json:"head"`
	Change  suite.Value        `json:"change"` // of an error, a time or work, the factor; of the others, the difference
	Low     suite.Value        `json:"low"`    // of the interval that holds the change with 95 % confidence
	High    suite.Value        `json:"high"`
	P       float64            `json:"p"` // chance of such a change by accident, adjusted for all tests
	Verdict statistics.Verdict `json:"verdict"`

	tested bool
	effect statistics.Effect // more is worse
	least  float64           // that counts
	noise  float64           // that something differs from itself by
}

// judge is the verdict on a measure that was tested, and how many samples more would decide.
// What is not beyond the noise is no change, nor is it none.
func (m Measure) judge(p Policy, tests int) (v statistics.Verdict, more int) {
	v = m.effect.Judge(m.P, p.Alpha, m.least)
	size := math.Abs(m.effect.Size)
	switch {
	case v == statistics.Inconclusive:
		return v, m.effect.More(p.Alpha, m.least, tests)
	case v != statistics.Unchanged && size < m.noise: // which shrinks with the root of the number
		return statistics.Inconclusive,
			int(math.Ceil(float64(m.effect.N) * (float64(m.noise/size)*float64(m.noise/size) - 1)))
	}
	return v, 0
}

// confidence is that of all intervals.
const confidence = 0.95

// negligible is an error that counts as none, as a fraction of the bound.
const negligible = metrics.ErrorUnit

// pair is a case in both runs.
type pair struct{ base, head suite.Result }

// accuracy compares the errors of a kernel in the cases that it passed in both runs.
//
// A case is a sample: its elements share inputs and sums, so they are none by themselves.
// Each case is compared with itself, by the root mean square of its errors as fractions of
// their bounds, and by how much of that is systematic.
func accuracy(name string, pairs []pair, sameInputs bool, p Policy) ComparedRow {
	row := ComparedRow{Aspect: Accuracy, Name: name, Samples: [2]int{len(pairs), len(pairs)}}
	if len(pairs) == 0 {
		row.Verdict, row.Why = statistics.Inconclusive, "no case passed in both"
		return row
	}
	row.Family = pairs[0].head.Family
	if !slices.ContainsFunc(pairs, func(x pair) bool {
		return x.base.Digest != x.head.Digest || x.base.Digest == "" && x.base.ErrorRatio != x.head.ErrorRatio
	}) {
		row.Verdict, row.Why = statistics.Unchanged, "the same bits"
		return row
	}
	var level, bias, inward, errs, biases, inwards sides
	worst := [2]float64{}
	for _, x := range pairs {
		base, known := ErrorsOf(x.base)
		head, too := ErrorsOf(x.head)
		if !known || !too {
			row.Verdict = statistics.Inconclusive
			row.Why = map[bool]string{true: "head", false: "base"}[known] +
				" does not record how errors are distributed: run it again"
			return row
		}
		worst[0], worst[1] = max(worst[0], finite(x.base.ErrorRatio)), max(worst[1], finite(x.head.ErrorRatio))
		errs.add(base.RMS(), head.RMS())
		level.add(math.Log(base.RMS()+negligible), math.Log(head.RMS()+negligible))
		bias.add(math.Abs(base.Bias()), math.Abs(head.Bias()))
		inward.add(math.Abs(base.Inward()), math.Abs(head.Inward()))
		biases.add(base.Bias(), head.Bias())
		inwards.add(base.Inward(), head.Inward())
	}
	row.Measures = []Measure{
		errs.measure("error", statistics.Paired(level.differences(), confidence), math.Log1p(p.Error)),
		biases.measure("bias", statistics.Paired(bias.differences(), confidence), p.Bias),
		inwards.measure("inward", statistics.Paired(inward.differences(), confidence), p.Bias),
		headroom(worst, sameInputs, p),
	}
	return row
}

// ErrorsOf are the errors of all outputs of a case, and false if it has errors and does
// not record how they are distributed.
func ErrorsOf(r suite.Result) (all metrics.Errors, known bool) {
	for _, o := range r.Outputs {
		switch ratio, _ := o.Metrics.Find(metrics.ErrorRatio); {
		case o.Errors != nil:
			all.Add(*o.Errors)
		case ratio.Value != 0:
			return all, false
		default:
			all.Elements += o.Elements
		}
	}
	return all, true
}

// sides are a quantity of each case, in both runs.
type sides struct{ base, head []float64 }

func (s *sides) add(base, head float64) {
	s.base, s.head = append(s.base, base), append(s.head, head)
}

func (s *sides) differences() []float64 {
	list := make([]float64, len(s.base))
	for i := range list {
		list[i] = s.head[i] - s.base[i]
	}
	return list
}

// measure is the quantity, typical of its cases, with the effect seen of it.
func (s *sides) measure(of string, e statistics.Effect, least float64) Measure {
	m := Measure{Of: of, Base: statistics.Median(s.base), Head: statistics.Median(s.head), tested: true, effect: e,
		least: least}
	m.Change, m.Low, m.High = suite.Value(e.Size), suite.Value(e.Low), suite.Value(e.High)
	if m.Factor() {
		m.Change, m.Low, m.High = suite.Value(math.Exp(e.Size)), suite.Value(math.Exp(e.Low)),
			suite.Value(math.Exp(e.High))
	}
	return m
}

// Factor reports whether changes of the measure are factors.
func (m Measure) Factor() bool {
	return m.Of == "error" || m.Of == "time" || m.Of == "forecast" || m.counts()
}

// headroom is what the worst errors leave of their bound. The same inputs have the same
// errors, so nothing of its change is an accident; with others it is no evidence.
func headroom(worst [2]float64, sameInputs bool, p Policy) Measure {
	m := Measure{Of: "headroom", Base: 1 - worst[0], Head: 1 - worst[1], P: 1, Verdict: statistics.Unchanged}
	m.Change = suite.Value(m.Head - m.Base)
	m.Low, m.High = m.Change, m.Change
	switch lost := m.Base - m.Head; {
	case !sameInputs:
	case lost > p.Headroom*m.Base && lost > p.Error:
		m.P, m.Verdict = 0, statistics.Regressed
	case -lost > p.Headroom*m.Head && -lost > p.Error:
		m.P, m.Verdict = 0, statistics.Improved
	}
	return m
}

// shortest is a time that none is below, in seconds. A sample is a difference of two times,
// and noise may make that negative: such a one counts as the least of all.
const shortest = 1e-12

// speed compares the times of a case. What the base differs from itself by, if that is
// known, is no change.
func speed(name, family string, base, head []float64, self [2][]float64, p Policy) ComparedRow {
	row := ComparedRow{Aspect: Speed, Name: name, Family: family, Samples: [2]int{len(base), len(head)}}
	for _, list := range [][]float64{base, head, self[0], self[1]} {
		if len(list) > 0 && !(statistics.Median(list) > shortest) {
			row.Verdict, row.Why = statistics.Inconclusive,
				"too short for the clock of the device: half of the samples are not above 0"
			return row
		}
	}
	noise := 0.0
	logs := func(x []float64) []float64 {
		list := make([]float64, len(x))
		for i, s := range x {
			list[i] = math.Log(max(s, shortest))
		}
		return list
	}
	times, effect := sides{base, head}, statistics.Shift(logs(base), logs(head), confidence)
	if len(self[0]) > 0 && len(self[1]) > 0 {
		e := statistics.Shift(logs(self[0]), logs(self[1]), confidence)
		if noise = max(e.High, -e.Low); math.IsInf(noise, 0) {
			effect.Low, effect.High, effect.P = e.Low, e.High, 1 // too few to tell what is noise
		} else {
			row.Noise = suite.Value(math.Expm1(noise))
		}
	}
	row.Measures = []Measure{times.measure("time", effect, p.time(family))}
	row.Measures[0].noise = noise
	return row
}

// judge gives all rows their verdicts, by tests that are adjusted for each other.
func judge(rows []ComparedRow, p Policy) (tests int) {
	var chances []float64
	for _, r := range rows {
		for _, m := range r.Measures {
			if m.tested {
				chances = append(chances, m.effect.P)
			}
		}
	}
	adjusted := statistics.Holm(chances)
	tests = len(chances)
	for i := range rows {
		r := &rows[i]
		for j := range r.Measures {
			m := &r.Measures[j]
			if m.tested {
				m.P, adjusted = adjusted[0], adjusted[1:]
				var more int
				m.Verdict, more = m.judge(p, tests)
				r.More = max(r.More, more)
			}
			if rank(m.Verdict) > rank(r.Verdict) {
				r.Verdict = m.Verdict
			}
		}
		if r.Verdict != statistics.Inconclusive {
			r.More = 0
		}
	}
	return tests
}

// rank orders verdicts: the greatest of several measures is that of their row.
func rank(v statistics.Verdict) int {
	return slices.Index([]statistics.Verdict{statistics.Unchanged, statistics.Inconclusive, statistics.Improved,
		statistics.Regressed}, v)
}

// Gated reports whether times on a device can fail anything: a simulator's are not those
// of a GPU, and neither are those of a virtual one.
func Gated(d Device) bool {
	return d.Clock == metalrun.GPUClock && !strings.Contains(d.Name, "Paravirtual")
}

// size is how much the measure of a row has changed that changed the most, in units of what
// counts.
func (r ComparedRow) size() float64 {
	most := 0.0
	for _, m := range r.Measures {
		if m.tested && m.Verdict == r.Verdict {
			most = max(most, math.Abs(m.effect.Size)/m.least)
		} else if m.counts() && m.Verdict == r.Verdict {
			most = max(most, math.Abs(math.Log(m.Head/m.Base))/m.least)
		} else if m.Of == "forecast" && m.Verdict == r.Verdict {
			most = max(most, math.Abs(math.Log(m.Head/m.Base))/m.least)
		} else if m.Of == "headroom" && m.Verdict == r.Verdict {
			most = max(most, 10*math.Abs(float64(m.Change)))
		}
	}
	return most
}

// sortRows puts what changed the most first, of each verdict.
func sortRows(rows []ComparedRow) {
	slices.SortStableFunc(rows, func(a, b ComparedRow) int {
		return cmp.Or(slices.Index(Aspects(), a.Aspect)-slices.Index(Aspects(), b.Aspect),
			rank(b.Verdict)-rank(a.Verdict), cmp.Compare(b.size(), a.size()))
	})
}

// tells reports whether the row has anything to say: of what no test could decide, a measure that has moved. A factor
// that is shown as 1 has not.
func (r ComparedRow) tells() bool {
	const part = 0.5 // of what counts
	return r.Verdict != statistics.Inconclusive || r.Why != "" ||
		slices.ContainsFunc(r.Measures, func(m Measure) bool {
			return m.Verdict == statistics.Inconclusive && math.Abs(m.effect.Size) >= part*m.least
		})
}

// String is the row in a line, without its verdict.
func (r ComparedRow) String() string { return r.Name + ": " + r.Changes() }

// Changes are what the row says of its subject.
func (r ComparedRow) Changes() string {
	unit := map[Aspect]string{Accuracy: "case", Speed: "sample", Verdicts: "case", Counted: "case"}[r.Aspect]
	var parts []string
	for _, m := range r.Measures {
		if r.Aspect == Expected {
			break // why says it, with the interval
		}
		if m.Of == "error" || m.Of == "time" || m.Verdict != statistics.Unchanged {
			parts = append(parts, m.String())
		}
	}
	if r.Why != "" {
		parts = append(parts, r.Why)
	}
	text := strings.Join(parts, "; ")
	if r.Noise > 0 {
		text += fmt.Sprintf("; from itself the base differs by %s %% at most", Figure(100*float64(r.Noise)))
	}
	if r.More > 0 {
		text += fmt.Sprintf("; %s more would decide", printable.Count(r.More, unit))
	}
	return text
}

// Tested reports whether a test told the measure from noise.
func (m Measure) Tested() bool { return m.tested }

// Name is what readers call the measure.
func (m Measure) Name() string {
	if name, ok := map[string]string{"bias": "systematic part", "inward": "part toward zero"}[m.Of]; ok {
		return name
	}
	return m.Of
}

// Text is a value of the measure.
func (m Measure) Text(x float64) string {
	switch {
	case m.Of == "time", m.Of == "forecast":
		return Duration(time.Duration(1e9 * x))
	case m.counts():
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return Figure(x)
}

// String is the measure in both runs.
func (m Measure) String() string {
	if !m.Factor() {
		return fmt.Sprintf("%s from %s to %s", m.Name(), m.Text(m.Base), m.Text(m.Head))
	}
	if m.counts() {
		return fmt.Sprintf("%s × %s, from %s to %s", m.Of, Figure(float64(m.Change)), m.Text(m.Base), m.Text(m.Head))
	}
	text := fmt.Sprintf("%s × %s, typically from %s to %s", m.Of, Figure(float64(m.Change)), m.Text(m.Base),
		m.Text(m.Head))
	if m.Of == "error" {
		text += " of bound"
	}
	if math.IsInf(float64(m.High), 1) {
		return text + fmt.Sprintf(" (p %s)", Figure(m.P))
	}
	return text + fmt.Sprintf(" (95 %%: × %s to %s; p %s)", Figure(float64(m.Low)), Figure(float64(m.High)),
		Figure(m.P))
}
