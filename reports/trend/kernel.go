package trend

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/reports/statistics"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Case is what a run measured of a case.
type Case struct {
	Name, Kernel, Family string
	Status               suite.Status
	Errors               *metrics.Errors // bins are not read; nil if the run did not record errors
	NS                   int64           // time of the launches; 0 if unknown
	Seconds              float64         // median of the samples of conform bench; 0 if there are none
	Samples              int
}

// passes reports whether a case of this status was judged and does not fail a run.
func passes(s suite.Status) bool { return s != suite.Fail && s != suite.Error && s != suite.Skip }

// Sweep lists the cases of a kernel. Cases are numbered shape by shape.
type Sweep struct {
	Kernel, Family string
	Shapes         []Shape
}

// Shape is the part of a sweep with the same name up to the last slash.
type Shape struct {
	Prefix string   // of the names of its cases, with the slash
	Inputs []string // the rest of these names
	First  int      // number of the first case
}

// Cases is the number of cases.
func (s *Sweep) Cases() int {
	if len(s.Shapes) == 0 {
		return 0
	}
	last := s.Shapes[len(s.Shapes)-1]
	return last.First + len(last.Inputs)
}

// Name is the name of a case.
func (s *Sweep) Name(number int) string {
	shape := s.Shapes[s.shape(number)]
	return shape.Prefix + shape.Inputs[number-shape.First]
}

// shape is the number of the shape that a case belongs to.
func (s *Sweep) shape(number int) int {
	i, found := slices.BinarySearchFunc(s.Shapes, number, func(x Shape, n int) int { return cmp.Compare(x.First, n) })
	if !found {
		return i - 1
	}
	for i+1 < len(s.Shapes) && s.Shapes[i+1].First == number { // shapes before it have no cases
		i++
	}
	return i
}

// Kernel is what a night keeps of a kernel: the verdict of each case, and errors and times by shape.
//
// The slices of numbers have one number for each shape of the sweep, over the cases that pass, or none at all. 0 in
// Error or Time says that it is unknown, because no case passed or one that did has no such number.
type Kernel struct {
	*Sweep
	NotPassed []Verdict // in order of the cases
	Error     []float32 // geometric mean of root mean square errors plus [metrics.ErrorUnit], as fractions of bounds
	Bias      []float32 // mean of the absolute values of [metrics.Errors.Bias]
	Inward    []float32 // mean of the absolute values of [metrics.Errors.Inward]
	Time      []float32 // geometric mean of the times of a case's launches, in ns
	Timed     []Timed   // in order of the cases

	TypicalError float32 // median of the root mean square errors of the cases that pass
	TypicalNS    int64   // median of the times of these cases
}

// Verdict is that of a case that does not pass.
type Verdict struct {
	Case   int
	Status suite.Status
}

// Timed is what conform bench measured of a case.
type Timed struct {
	Case    int
	Seconds float64
	Samples int
}

// passing is the number of cases of each shape that pass.
func (k *Kernel) passing() []int {
	list := make([]int, len(k.Shapes))
	for i, s := range k.Shapes {
		list[i] = len(s.Inputs)
	}
	for _, v := range k.NotPassed {
		list[k.shape(v.Case)]--
	}
	return list
}

// Kernels summarises the cases of a run. The order of the cases does not matter; kernels come in order of their names.
func Kernels(cases []Case) []Kernel {
	cases = slices.Clone(cases)
	slices.SortStableFunc(cases, func(a, b Case) int {
		return cmp.Or(strings.Compare(a.Kernel, b.Kernel), strings.Compare(prefix(a.Name), prefix(b.Name)),
			strings.Compare(a.Name, b.Name))
	})
	var list []Kernel
	for len(cases) > 0 {
		n := 1
		for n < len(cases) && cases[n].Kernel == cases[0].Kernel {
			n++
		}
		list = append(list, newKernel(cases[:n]))
		cases = cases[n:]
	}
	return list
}

// prefix is a name up to its last slash.
func prefix(name string) string { return name[:strings.LastIndexByte(name, '/')+1] }

// newKernel summarises the cases of a kernel, which are in order.
func newKernel(cases []Case) Kernel {
	k := Kernel{Sweep: &Sweep{Kernel: cases[0].Kernel, Family: cases[0].Family}}
	var errors, times []float64
	for i, c := range cases {
		switch {
		case !passes(c.Status):
			k.NotPassed = append(k.NotPassed, Verdict{i, c.Status})
		case c.Errors != nil:
			errors, times = append(errors, c.Errors.RMS()), append(times, float64(c.NS))
		}
		if c.Seconds > 0 {
			k.Timed = append(k.Timed, Timed{i, c.Seconds, c.Samples})
		}
	}
	if len(errors) > 0 {
		k.TypicalError, k.TypicalNS = round(statistics.Median(errors)), int64(statistics.Median(times))
	}
	for first := 0; first < len(cases); {
		s := Shape{Prefix: prefix(cases[first].Name), First: first}
		for _, c := range cases[first:] {
			if prefix(c.Name) != s.Prefix {
				break
			}
			s.Inputs = append(s.Inputs, c.Name[len(s.Prefix):])
		}
		first += len(s.Inputs)
		k.Shapes = append(k.Shapes, s)
		k.addErrors(cases[s.First:first])
		k.addTime(cases[s.First:first])
	}
	return k
}

// addErrors appends the errors of a shape.
func (k *Kernel) addErrors(cases []Case) {
	var n int
	var size, bias, inward float64
	for _, c := range cases {
		switch {
		case !passes(c.Status):
		case c.Errors == nil:
			k.Error, k.Bias, k.Inward = append(k.Error, 0), append(k.Bias, 0), append(k.Inward, 0)
			return
		default:
			n++
			size += math.Log(c.Errors.RMS() + metrics.ErrorUnit)
			bias += math.Abs(c.Errors.Bias())
			inward += math.Abs(c.Errors.Inward())
		}
	}
	if n == 0 {
		k.Error, k.Bias, k.Inward = append(k.Error, 0), append(k.Bias, 0), append(k.Inward, 0)
		return
	}
	k.Error = append(k.Error, round(math.Exp(size/float64(n))))
	k.Bias = append(k.Bias, part(bias/float64(n)))
	k.Inward = append(k.Inward, part(inward/float64(n)))
}

// addTime appends the time of a shape.
func (k *Kernel) addTime(cases []Case) {
	var n int
	var sum float64
	for _, c := range cases {
		switch {
		case !passes(c.Status):
		case c.NS <= 0:
			k.Time = append(k.Time, 0)
			return
		default:
			n++
			sum += math.Log(float64(c.NS))
		}
	}
	if n == 0 {
		k.Time = append(k.Time, 0)
		return
	}
	k.Time = append(k.Time, round(math.Exp(sum/float64(n))))
}

// round keeps five significant digits: reports show three, and the default policy asks for changes of 5 %.
func round(x float64) float32 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 4, 64), 32)
	if err != nil { // too large for any error or time
		return math.MaxFloat32
	}
	return float32(y)
}

// part keeps four decimals of a number between 0 and 1.
func part(x float64) float32 { return float32(math.Round(1e4*x) / 1e4) }
