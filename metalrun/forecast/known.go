package forecast

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"metalconform/metalrun"
)

// Known is a number of a device that a microkernel has shown there.
type Known struct {
	Name      string  `json:"name"`
	Published float64 `json:"published"` // what others have measured, or what was believed
	Measured  float64 `json:"measured"`
}

// Turn is the time of one iteration of the loop of a microkernel on a GPU, and its costs.
type Turn struct {
	Name         string // of the microkernel
	Threadgroups int
	Seconds      float64          // of all threadgroups together
	Profile      metalrun.Profile // what the launch of a single threadgroup asks
	Costs        metalrun.Costs   // what an iteration adds to it
}

// launch is one of so many turns.
func (t Turn) launch(turns int) Launch {
	p := t.Profile
	p.Threadgroups, p.Read, p.Written = t.Threadgroups, 0, 0
	var c metalrun.Costs
	c.AddTimes(t.Costs, float64(turns*t.Threadgroups))
	p.Lines = []metalrun.ProfileLine{{Costs: c}}
	return NewLaunch(&p, 1)
}

// turn is the seconds of a turn, of which resources that work side by side take as many as turns.
func (m *Model) turn(t Turn) float64 {
	two, _ := m.clocks([]Launch{t.launch(2)}, nil)
	one, _ := m.clocks([]Launch{t.launch(1)}, nil)
	return two - one
}

// number is a number of a model that a microkernel shows.
type number struct {
	turn      string // of the microkernel; "" if no turn shows it
	name      string
	in        func(m *Model) *float64
	parameter parameter // that it is; parameters if it belongs to the device
}

func rateOf(turn string, class metalrun.Class) number {
	return number{turn, turn + ", cycles", func(m *Model) *float64 { return m.rate(class) }, parameters}
}

func parameterOf(turn string, p parameter) number {
	return number{turn, prior[p].name, func(m *Model) *float64 { return &m.Parameters[p] }, p}
}

// numbers are all that are shown, each by what is known before it: multiply-adds, of which a scheduler begins one a
// cycle, show the clock, and classes come before what mixes them.
var numbers = []number{
	{"", prior[issueScale].name, func(m *Model) *float64 { return &m.Parameters[issueScale] }, issueScale},
	parameterOf("", bandwidthScale),
	{"multiply-adds", "clock, Hz", func(m *Model) *float64 { return &m.Clock }, parameters},
	rateOf("sums", metalrun.FloatAdd), rateOf("products", metalrun.FloatMultiply),
	rateOf("minima and maxima", metalrun.FloatOther),
	rateOf("sums of half", metalrun.Half), rateOf("integers", metalrun.Integer),
	rateOf("conversions", metalrun.Conversion),
	rateOf("products of integers", metalrun.IntegerMultiply), rateOf("integers of 64 bits", metalrun.Integer64),
	rateOf("quotients of integers", metalrun.IntegerDivision), rateOf("quotients", metalrun.Division),
	rateOf("roots", metalrun.Root),
	rateOf("exponentials", metalrun.Exponential), rateOf("cosines", metalrun.Circular),
	rateOf("arctangents", metalrun.Function),
	rateOf("shuffles", metalrun.Shuffle), rateOf("permutations", metalrun.Permutation),
	rateOf("reductions", metalrun.Reduction), rateOf("products of matrices", metalrun.Matrix),
	parameterOf("atomics at one place", placeCycles), parameterOf("atomics of threadgroup memory", atomicCycles),
	parameterOf("multiply-adds that wait", arithmeticLatency),
	parameterOf("loads that wait", deviceLatency), parameterOf("loads that miss and wait", missLatency),
	parameterOf("threadgroup memory that waits", sharedLatency), parameterOf("barriers", barrierCycles),
}

// rate is the number that bounds instructions of a class, in cycles.
func (d *Device) rate(class metalrun.Class) *float64 {
	if r := &d.Rates[class]; r.pipe != plain {
		return &r.cycles
	}
	return &d.Rates[class].slots
}

// believable is how far from what was believed a measured number may lie, as a factor. Beyond it the kernel shows
// something else: a compiler that has seen through it, for one.
const believable = 16

// Measured is the device as microkernels show it, with the bytes a second that a copy between buffers moves that no
// cache holds.
func (d Device) Measured(turns []Turn, copied float64) Device {
	m := &Model{Device: d}
	m.Parameters = fromPrior(prior, make([]float64, parameters))
	m.Known = nil
	m.know(prior[issueScale].name, m.Parameters[issueScale], 1) // what is measured needs no scale
	if scale := copied / d.Bandwidth; scale > 1./believable && scale < believable {
		m.know(prior[bandwidthScale].name, m.Parameters[bandwidthScale], scale)
	}
	const rounds = 3 // a turn has a few instructions of other classes, which are better known in the next one
	for range rounds {
		for _, n := range numbers {
			for _, t := range turns {
				if t.Name != n.turn {
					continue
				}
				if v, ok := m.solve(n, t); ok {
					m.know(n.name, *n.in(m), v)
				}
			}
		}
	}
	return m.Device
}

// know takes in what was measured, where the model has had another number.
func (m *Model) know(name string, had, measured float64) {
	i := slices.IndexFunc(m.Known, func(k Known) bool { return k.Name == name })
	if i < 0 {
		i, m.Known = len(m.Known), append(m.Known, Known{Name: name, Published: rounded(had)})
	}
	m.Known[i].Measured = rounded(measured)
	_ = m.adopt() // numbers have these names, and what solves or divides is positive
}

// adopt sets the numbers that are known.
func (m *Model) adopt() error {
	for _, k := range m.Known {
		i := slices.IndexFunc(numbers, func(n number) bool { return n.name == k.Name })
		if i < 0 || k.Measured <= 0 {
			return fmt.Errorf("a fit knows %q as %v, which this model has not: fit again", k.Name, k.Measured)
		}
		*numbers[i].in(m) = k.Measured
	}
	return nil
}

// solve finds the number with which a turn takes the seconds that it took: between a sixteenth and sixteen times
// of what is believed, halving what is left on a scale of logarithms.
func (m *Model) solve(n number, t Turn) (v float64, ok bool) {
	try := *m
	at := n.in(&try)
	off := func(factor float64) int {
		*at = *n.in(m) * factor
		return cmp.Compare(try.turn(t), t.Seconds)
	}
	low, high := 1./believable, float64(believable)
	begin, end := off(low), off(high)
	if begin*end >= 0 {
		return 0, false
	}
	for range 60 {
		if middle := math.Sqrt(low * high); off(middle) == begin {
			low = middle
		} else {
			high = middle
		}
	}
	return *n.in(m) * math.Sqrt(low*high), true
}

// knownSigma is the logarithm of the factor that a standard deviation of a measured parameter is: kernels that do other
// things next to it do not meet it as the microkernel has.
const knownSigma = .1

// prior is what is believed before any time of a kernel is known, with what microkernels have shown.
func (d *Device) prior() priors {
	p := prior
	for _, k := range d.Known {
		for _, n := range numbers {
			if n.name == k.Name && n.parameter != parameters {
				p[n.parameter].median, p[n.parameter].sigma = k.Measured, knownSigma
			}
		}
	}
	return p
}
