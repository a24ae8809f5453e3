package plot

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Data are what figures are made of.
type Data struct {
	Run      reports.Run
	Baseline *reports.Run // to compare the run with; nil for none
	// Bench are times that stand in place of those of the run, if there are any.
	Bench Bench
	// Cost is what a case needs at least, if that is declared; nil if it is not
	// known of any.
	Cost     func(name string) (suite.Cost, bool)
	Roof     Roof // in place of that of Bench, if it is known
	Scalings []Scaling
	// Processors are the times of a simulator with several numbers of threads, which rise.
	Processors []Processors
	Most       int // kernels that have figures of their own, those that fail first; 0 means [MostKernels]
}

// MostKernels is how many kernels a report shows one by one if nothing else is said. Their figures and pages take some
// milliseconds each, and so do those of a run that a stranger made up.
const MostKernels = 300

// Roof is what a device can do at most: 0 is unknown.
type Roof struct {
	Bandwidth  float64 // bytes per second
	Arithmetic float64 // operations per second
	Measured   bool    // by kernels of ours; otherwise somebody states it
}

// roof is what is known of it.
func (d Data) roof() Roof {
	if d.Roof == (Roof{}) {
		return d.Bench.Roof
	}
	return d.Roof
}

// All are the figures of a run, and of what it changes against a baseline if that
// is not nil: first those of the whole run, then those of each kernel in the order
// of the catalogue.
func All(run reports.Run, baseline *reports.Run) []Figure {
	return Data{Run: run, Baseline: baseline}.Figures()
}

// Figures are all that there are data for.
func (d Data) Figures() []Figure {
	list := slices.Concat(d.accuracy("", d.results()), d.profile(), d.devices(), d.modes(), d.rates(), d.scalings(),
		d.alternatives(), d.comparison())
	for _, results := range d.shown() {
		name := results[0].Kernel
		list = append(list,
			slices.Concat(d.accuracy(name, results), d.histogram(name, results), d.latency(name, results))...)
	}
	return list
}

// TimeFigures are those of times: what is compared is so along one axis that was varied for
// it, or else along the axis that most cases share.
func (d Data) TimeFigures() []Figure {
	compared := d.scalings()
	if len(compared) == 0 {
		compared = d.alternatives()
	}
	list := slices.Concat(d.rates(), compared, d.processors())
	for _, results := range d.shown() {
		list = append(list, d.latency(results[0].Kernel, results)...)
	}
	return list
}

// results are those of the run, which are grouped in many ways and copied in none.
func (d Data) results() []*suite.Result {
	list := make([]*suite.Result, len(d.Run.Results))
	for i := range list {
		list[i] = &d.Run.Results[i]
	}
	return list
}

// kernels are the results of each kernel: first those of the header, then others
// as they appear.
func (d Data) kernels() [][]*suite.Result {
	index := map[string]int{}
	for i, k := range d.Run.Kernels {
		index[k.Name] = i
	}
	results := map[string][]*suite.Result{}
	var names []string
	for _, r := range d.results() {
		if results[r.Kernel] == nil {
			names = append(names, r.Kernel)
			if _, known := index[r.Kernel]; !known {
				index[r.Kernel] = len(index)
			}
		}
		results[r.Kernel] = append(results[r.Kernel], r)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(index[a], index[b]) })
	var lists [][]*suite.Result
	for _, name := range names {
		lists = append(lists, results[name])
	}
	return lists
}

// shown are those of the kernels that have figures of their own.
func (d Data) shown() [][]*suite.Result {
	return Shown(d.kernels(), d.Most, func(results []*suite.Result) bool {
		return slices.ContainsFunc(results,
			func(r *suite.Result) bool { return r.Status == suite.Fail || r.Status == suite.Error })
	})
}

// Shown are those of a list that are shown one by one, in its order: most of them, or [MostKernels] for 0, those that
// fail before others.
func Shown[T any](list []T, most int, fails func(T) bool) []T {
	if most = cmp.Or(most, MostKernels); len(list) <= most {
		return list
	}
	var kept []T
	failing := 0
	for _, x := range list {
		if fails(x) {
			failing++
		}
	}
	failing = min(failing, most)
	others := most - failing
	for _, x := range list {
		switch f := fails(x); {
		case f && failing > 0:
			failing--
		case !f && others > 0:
			others--
		default:
			continue
		}
		kept = append(kept, x)
	}
	return kept
}

// times are the samples of a case, in seconds.
func (d Data) times(r *suite.Result) []float64 {
	switch {
	case len(d.Bench.Times) > 0:
		return d.Bench.Times[r.Case]
	case r.NS > 0 && r.Clock == "": // those of another clock are not of one kind with the others
		return []float64{float64(r.NS) / 1e9}
	}
	return nil
}

// backend says whose times they are, for the label of an axis.
func (d Data) backend() string {
	if len(d.Bench.Times) > 0 {
		return d.Bench.Backend
	}
	return reports.Timed(d.Run.Device.Backend, d.Run.Device.Clock)
}

// whatTimes says in a sentence what the times are.
func (d Data) whatTimes() string {
	return whatTimes(d.backend(), d.Run.Device.Observes && len(d.Bench.Times) == 0) + d.Bench.clock()
}

func whatTimes(backend string, observed bool) string {
	switch {
	case backend == "":
		return "Nothing says by what clock the times are."
	case strings.HasPrefix(backend, forecastBackend):
		return "Times are a " + backend + ", from what the simulator counts: nothing was measured."
	case strings.HasSuffix(backend, "(GPU time)"):
		return "Times are those of the GPU's clock."
	case backend == "metal (wall time on CPU)":
		return "Times are those that the host waited for Metal, whose clock said nothing."
	case observed:
		return "Times are those of the simulator on the wall, watching for races and the like: they say nothing " +
			"of a GPU."
	}
	return "Times are those of the simulator on the wall: they say nothing of a GPU."
}

// value is one axis of a case.
type value struct {
	axis string
	n    int
}

// shape is the point of the sweep that the name of a case spells, in the order of
// the kernel's axes, and the family of its inputs.
func shape(name string) (values []value, input string) {
	for _, a := range suite.NameAxes(name) {
		n, err := strconv.Atoi(a.Value)
		switch {
		case a.Axis == "input":
			input = a.Value
		case err == nil:
			values = append(values, value{a.Axis, n})
		}
	}
	return values, input
}

// extents are the axes that buffers of a kernel extend over, or all that it has if
// none is known to be one.
func (d Data) extents(kernel string) []string {
	k := d.Run.Kernel(kernel)
	var list []string
	for _, axis := range k.Axes {
		for _, b := range k.Bindings {
			if slices.Contains(b.Extents, axis) {
				list = append(list, axis)
				break
			}
		}
	}
	if len(list) == 0 {
		return k.Axes
	}
	return list
}

// size is the product of those axes of a case that count.
func size(name string, axes []string) float64 {
	product := 1.0
	values, _ := shape(name)
	for _, v := range values {
		if slices.Contains(axes, v.axis) && v.n > 0 {
			product *= float64(v.n)
		}
	}
	return product
}

// judged reports whether a result has metrics, all of them numbers.
func judged(r *suite.Result) bool {
	isNaN := func(v metrics.Value) bool { return math.IsNaN(v.Value) }
	return r.Elements > 0 && !slices.ContainsFunc(r.Outputs,
		func(o metrics.Output) bool { return slices.ContainsFunc(o.Metrics, isNaN) })
}
