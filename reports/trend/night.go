package trend

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"metalconform/reports/statistics"
)

// Night is one run and what it measured.
type Night struct {
	ID      string `json:"id"` // short, and different for different keys
	Key     Key    `json:"key"`
	Seed    uint64 `json:"seed"`
	Exact   bool   `json:"exact"`   // the same inputs give the same bits
	Gated   bool   `json:"gated"`   // its times are those of a GPU
	Bench   string `json:"bench"`   // settings of the times
	Machine string `json:"machine"` // processors, where a wall clock timed the launches
	Cases   int    `json:"cases"`
	Failing int    `json:"failing"`

	Kernels []Kernel `json:"-"` // in order of their names
}

// Key identifies a run.
type Key struct {
	Commit  string    `json:"commit"`
	Device  string    `json:"device"`
	OS      string    `json:"os"`
	Options string    `json:"options"`
	Shaders string    `json:"shaders"` // hash of all files
	Started time.Time `json:"started"`
}

// Series is the part of a key that two runs must share to be compared.
type Series struct{ Device, OS, Options string }

func (k Key) series() Series { return Series{k.Device, k.OS, k.Options} }

func (s Series) String() string { return strings.Join([]string{s.Device, s.OS, s.Options}, "; ") }

// split returns the nights of each series, ordered by their start. The series with the newest night comes first.
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

// curve is a quantity over nights. Larger values are worse.
type curve struct {
	aspect  aspect
	name    string // of a kernel; of a case where conform bench timed each case
	measure string // error, bias, inward or time
	nights  []int  // numbers of the nights that have a value, in order
	values  []float64
	least   float64 // smallest change that counts
	exact   bool    // the values have no noise
}

// steps finds the steps of a curve.
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
