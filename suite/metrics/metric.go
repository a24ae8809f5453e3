package metrics

import "slices"

// Metric is a way to say how far an output is off. One of Extreme, Whole, Sums
// and Against computes it.
type Metric struct {
	Key   string // in JSON, CSV and the addresses of pages
	Name  string // head of a column, and in front of a value
	Means string // a sentence for somebody who meets it the first time
	Unit  string // empty for a plain number
	Line  string // in text, metrics with the same stand in one line; those without one beside the output's name

	Worst  Worst
	Ideal  float64 // value of an output without an error
	Limit  float64 // a case with more fails; 0: the metric gates nothing
	Format Format
	Shown  Shown
	Floats bool // only outputs of floating-point numbers have it
	Sliced bool // parts of an output have it too, where Sums computes it
	Rare   bool // left out where it is 0
	Exact  bool // only runs with exact execution have it

	Extreme func(*Meter) Extreme            // of one element, which is told
	Whole   func(*Meter) float64            // of all elements
	Sums    func(Sums) float64              // of sums over elements
	Against func(own, plain Output) float64 // of the output and of a plain evaluation's
}

// Worst says which of several values stands for all: of the outputs of a case, of
// the cases of a kernel.
type Worst int

// Ways to take the worst.
const (
	Largest  Worst = iota
	Smallest       // the larger the better
	Farthest       // from 0, on either side
	Total          // a count: the sum of all
)

// worse reports whether x is worse than y.
func (w Worst) worse(x, y float64) bool {
	switch w {
	case Smallest:
		return x < y
	case Farthest:
		return max(x, -x) > max(y, -y)
	}
	return x > y
}

// of is what stands for two values.
func (w Worst) of(x, y float64) float64 {
	switch {
	case w == Total:
		return x + y
	case w.worse(y, x):
		return y
	}
	return x
}

// Format says how a value is written.
type Format int

// Formats.
const (
	Digits  Format = iota // three significant digits
	NearOne               // nine decimals, cut: what is less than one does not read as one
	Count                 // a whole number
)

// Shown says where readers meet a metric without asking for it.
type Shown int

// Places, each with those before it.
const (
	InTables  Shown = iota // of kernels and of cases, wherever there are any
	InMatrix               // in the table of kernels on pages, which is wide
	InDetails              // with an output: conform run -v, the page of a case
	InFiles                // results.jsonl and CSV alone
)

// Table is a list of metrics, no two of one key.
type Table []Metric

// Find is the metric with a key.
func (t Table) Find(key string) (Metric, bool) {
	i := slices.IndexFunc(t, func(m Metric) bool { return m.Key == key })
	if i < 0 {
		return Metric{}, false
	}
	return t[i], true
}

// Shown are the metrics that readers meet in a place.
func (t Table) Shown(in Shown) Table {
	return slices.DeleteFunc(slices.Clone(t), func(m Metric) bool { return m.Shown > in })
}

// Or is the table, or if it is nil all metrics.
func (t Table) Or() Table {
	if t == nil {
		return All()
	}
	return t
}

// Of is the worst value of several outputs, and false if none of them has one.
func (m Metric) Of(outputs []Output) (worst float64, ok bool) {
	for i := range outputs {
		v, there := outputs[i].Metrics.Find(m.Key)
		switch {
		case there && ok:
			worst = m.Worst.of(worst, v.Value)
		case there:
			worst, ok = v.Value, true
		}
	}
	return worst, ok
}

// Join enters the worst values of more outputs in those of others: a value for
// each metric that any of them has, without its element.
func (t Table) Join(worst Values, outputs []Output) Values {
	for _, m := range t {
		x, ok := m.Of(outputs)
		if !ok {
			continue
		}
		i := slices.IndexFunc(worst, func(v Value) bool { return v.Key == m.Key })
		if i < 0 {
			worst = append(worst, Value{Key: m.Key, Value: x})
			continue
		}
		worst[i].Value = m.Worst.of(worst[i].Value, x)
	}
	return worst
}

// Deficit is how far a value is from the ideal on its worse side, for a scale that
// begins at 0: of a metric that is 1 at best what is missing to 1, where the
// rounding of its own sums counts as nothing.
func (m Metric) Deficit(x float64) float64 {
	const noise = 1e-12
	if !m.nearOne() {
		return x
	}
	if d := m.Ideal - x; !(d <= noise) {
		return d
	}
	return 0
}

// DeficitName is what the deficit is called.
func (m Metric) DeficitName() string {
	if m.nearOne() {
		return "1 − " + m.Name
	}
	return m.Name
}

func (m Metric) nearOne() bool { return m.Format == NearOne }

// Relate enters in an output the metrics that compare it with the same output of
// a plain evaluation.
func (t Table) Relate(own *Output, plain Output) {
	for _, m := range t {
		if m.Against != nil {
			own.Metrics = append(own.Metrics, Value{Key: m.Key, Value: m.Against(*own, plain)})
		}
	}
}
