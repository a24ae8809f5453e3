package forecast

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"metalconform/metalrun"
)

// Known is a number of a device that a microkernel has measured there.
type Known struct {
	Name      string  `json:"name"`
	Published float64 `json:"published"` // what others have measured, or what was believed
	Measured  float64 `json:"measured"`
}

// Iteration is one iteration of the loop of a microkernel on a GPU: its time and its costs.
type Iteration struct {
	Name         string // of the microkernel
	Threadgroups int
	Seconds      float64          // of all threadgroups together
	Profile      metalrun.Profile // what the launch of a single threadgroup asks
	Costs        metalrun.Costs   // what an iteration adds to it
}

// launch is a launch of so many iterations.
func (t Iteration) launch(iterations int) Launch {
	p := t.Profile
	p.Threadgroups, p.Read, p.Written = t.Threadgroups, 0, 0
	var c metalrun.Costs
	c.AddTimes(t.Costs, float64(iterations*t.Threadgroups))
	p.Lines = []metalrun.ProfileLine{{Costs: c}}
	return NewLaunch(&p, 1)
}

// iteration is the time of an iteration, in seconds: the difference between two iterations and one, because resources
// that work at the same time take as long in each.
func (m *Model) iteration(t Iteration) float64 {
	two, _ := m.clocks([]Launch{t.launch(2)}, nil)
	one, _ := m.clocks([]Launch{t.launch(1)}, nil)
	return two - one
}

// number is a number of a model that a microkernel measures.
type number struct {
	microkernel string // "" if none shows it
	name        string
	in          func(m *Model) *float64
	parameter   parameter // that it is; parameters if it belongs to the device
}

func rateOf(microkernel string, class metalrun.Class) number {
	return number{microkernel, microkernel + ", cycles", func(m *Model) *float64 { return m.rate(class) }, parameters}
}

func parameterOf(microkernel string, p parameter) number {
	return number{microkernel, prior[p].name, func(m *Model) *float64 { return &m.Parameters[p] }, p}
}

// numbers are all that are measured, each with the help of those before it. Multiply-adds give the clock, because a
// scheduler begins one a cycle. Classes of instructions come before mixtures of them.
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

// believable is the largest factor between a measured number and the published one. A larger one means that the
// microkernel measured something else, for example because the compiler removed its loop.
const believable = 16

// Measured is the device with the numbers that microkernels measured. copied is the rate of a copy between buffers that
// no cache holds, in bytes a second.
func (d Device) Measured(iterations []Iteration, copied float64) Device {
	m := &Model{Device: d}
	m.Parameters = fromPrior(prior, make([]float64, parameters))
	m.Known = nil
	m.know(prior[issueScale].name, m.Parameters[issueScale], 1) // what is measured needs no scale
	if scale := copied / d.Bandwidth; scale > 1./believable && scale < believable {
		m.know(prior[bandwidthScale].name, m.Parameters[bandwidthScale], scale)
	}
	const rounds = 3 // an iteration has a few instructions of other classes, which are better known in the next round
	for range rounds {
		for _, n := range numbers {
			for _, t := range iterations {
				if t.Name != n.microkernel {
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

// know replaces a number of the model, which was had, by the measured one.
func (m *Model) know(name string, had, measured float64) {
	i := slices.IndexFunc(m.Known, func(k Known) bool { return k.Name == name })
	if i < 0 {
		i, m.Known = len(m.Known), append(m.Known, Known{Name: name, Published: rounded(had)})
	}
	m.Known[i].Measured = rounded(measured)
	_ = m.adopt() // numbers have these names, and what solves or divides is positive
}

// adopt sets the numbers of the model that were measured.
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

// solve finds the number with which an iteration takes the seconds that it took. It looks between a sixteenth and
// sixteen times the published number, by bisection of the logarithm.
func (m *Model) solve(n number, t Iteration) (v float64, ok bool) {
	try := *m
	at := n.in(&try)
	off := func(factor float64) int {
		*at = *n.in(m) * factor
		return cmp.Compare(try.iteration(t), t.Seconds)
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

// knownSigma is the standard deviation of the logarithm of a measured parameter. It is not 0 because a kernel that does
// other work at the same time may see another value than the microkernel.
const knownSigma = .1

// prior is the distribution of the parameters before any time of a kernel is known: that of every device, with the
// parameters that microkernels measured.
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
