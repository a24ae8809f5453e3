package trend

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"metalconform/reports/statistics"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Night is one run with what it measured.
type Night struct {
	ID      int64     `json:"id"`
	Key     Key       `json:"key"`
	Seed    uint64    `json:"seed"`
	Exact   bool      `json:"exact"`   // the same inputs give the same bits
	Gated   bool      `json:"gated"`   // its times are those of a GPU
	Bench   string    `json:"bench"`   // settings of the times
	Machine string    `json:"machine"` // what launches ran on, where they are timed by a clock on the wall
	Cases   int       `json:"cases"`
	Failing int       `json:"failing"`
	Added   time.Time `json:"added"`

	Results []Case `json:"-"`
}

// Key is what a run is known by.
type Key struct {
	Commit  string    `json:"commit"`
	Device  string    `json:"device"`
	OS      string    `json:"os"`
	Options string    `json:"options"`
	Shaders string    `json:"shaders"` // hash of all files
	Started time.Time `json:"started"`
}

// Series is the part of a key that runs have to share to be compared.
type Series struct{ Device, OS, Options string }

func (k Key) series() Series { return Series{k.Device, k.OS, k.Options} }

func (s Series) String() string { return strings.Join([]string{s.Device, s.OS, s.Options}, "; ") }

// Case is what a night measured of a case.
type Case struct {
	Name, Kernel, Family string
	Status               suite.Status
	Errors               *metrics.Errors // without bins; nil if they are not recorded
	NS                   int64           // of its launches in the run
	Seconds              float64         // median of the samples of conform bench; 0 if there are none
	Samples              int
}

// passes reports whether the case was judged and does not fail a run.
func (c Case) passes() bool {
	return c.Status != suite.Fail && c.Status != suite.Error && c.Status != suite.Skip
}

// split are the nights of each series, each in the order in which they started, the
// series with the newest night first.
func split(nights []Night) [][]Night {
	nights = slices.Clone(nights)
	slices.SortStableFunc(nights, func(a, b Night) int {
		return cmp.Or(a.Key.Started.Compare(b.Key.Started), cmp.Compare(a.ID, b.ID))
	})
	index := map[Series]int{}
	var list [][]Night
	for _, n := range slices.Backward(nights) {
		i, ok := index[n.Key.series()]
		if !ok {
			i = len(list)
			index[n.Key.series()] = i
			list = append(list, nil)
		}
		list[i] = append(list[i], n)
	}
	for _, l := range list {
		slices.Reverse(l)
	}
	return list
}

// curve is a quantity over nights, of which more is worse.
type curve struct {
	aspect  aspect
	name    string // of a kernel; of times that were taken case by case, the case
	measure string // error, bias, inward or time
	nights  []int  // that have it, in order
	values  []float64
	least   float64 // change that counts
	exact   bool    // nothing of it is an accident
}

// steps are those of a curve, by the numbers of nights: of each step the last before it
// and the first after.
func (c curve) steps(alpha float64) []statistics.Step {
	if !c.exact {
		return statistics.Steps(c.values, alpha, c.least)
	}
	var list []statistics.Step
	for i := 1; i < len(c.values); i++ {
		if d := c.values[i] - c.values[i-1]; d >= c.least || -d >= c.least {
			list = append(list, statistics.Step{At: i, Before: c.values[i-1], After: c.values[i]})
		}
	}
	return list
}

// Row sums up what a night measured of a kernel.
type Row struct {
	Kernel         string
	Cases, Failing int
	RMS            float64 // of errors as fractions of bounds, typical of a case
	NS             int64   // of the launches of a case, typically
}

// Summary has a row for each kernel.
func Summary(n Night) []Row {
	var list []Row
	errors, times := map[string][]float64{}, map[string][]float64{}
	for _, c := range n.Results {
		i := slices.IndexFunc(list, func(r Row) bool { return r.Kernel == c.Kernel })
		if i < 0 {
			i = len(list)
			list = append(list, Row{Kernel: c.Kernel})
		}
		list[i].Cases++
		if !c.passes() {
			list[i].Failing++
		} else if c.Errors != nil {
			errors[c.Kernel] = append(errors[c.Kernel], c.Errors.RMS())
			times[c.Kernel] = append(times[c.Kernel], float64(c.NS))
		}
	}
	for i := range list {
		if e := errors[list[i].Kernel]; len(e) > 0 {
			list[i].RMS, list[i].NS = statistics.Median(e), int64(statistics.Median(times[list[i].Kernel]))
		}
	}
	return list
}
