package forecast

import (
	"fmt"
	"math"
)

// Observation is a sequence of launches whose time was measured. Observations of the same task and size differ only by
// the kernel.
type Observation struct {
	Task, Size, Kernel string
	Launches           []Launch
	Seconds            float64
	// the time is what the launches add to a GPU at its full clock, not that from an idle one
	Busy      bool
	Simulated float64 // that the simulator took
}

// group is the key of observations that are compared with each other.
type group struct{ task, size string }

func (o Observation) group() group { return group{o.Task, o.Size} }

// Fitted are parameters that were fitted to times.
type Fitted struct {
	Parameters Parameters
	Factors    Parameters // by which each is uncertain: a standard deviation of its logarithm, as a factor
	Spread     Spread
}

// groups are the members of each task at each size, in the order in which they come.
func groups[E interface{ group() group }](list []E) [][]E {
	at := map[group]int{}
	var out [][]E
	for _, e := range list {
		i, ok := at[e.group()]
		if !ok {
			i = len(out)
			at[e.group()] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// groupWeight is the weight of a task at one size, in observations. It does not grow with the number of kernels,
// because the model makes the same mistakes about all of them.
const groupWeight = 10

// deviations are standard deviations of logarithms: of the error that all kernels of a task at one size share, and of
// the error of each kernel.
type deviations struct{ group, each float64 }

// believed are the deviations before any time is known.
var believed = deviations{.3, .5}

// fit finds the most likely parameters, given the prior and the times. The loss of a residual is robust, because the
// clock of a GPU changes. The deviations of the residuals are estimated by the same iteration: each fit gives those of
// the next one.
func fit(d Device, list []Observation) (x []float64, objective func(x []float64) float64, err error) {
	members, prior := groups(list), d.prior()
	x = make([]float64, parameters)
	apart := believed
	const rounds = 2
	for round := range rounds {
		if round > 0 {
			apart = seen(residuals(d, prior, members, x))
		}
		objective = func(x []float64) float64 {
			loss := 0.0
			for _, off := range residuals(d, prior, members, x) {
				loss += apart.loss(off)
			}
			for _, v := range x {
				loss += float64(v * v / 2)
			}
			return loss
		}
		best, ok := minimise(objective, x)
		if !ok {
			return nil, nil, fmt.Errorf("fitting %d times: the loss is no number", len(list))
		}
		x = best
	}
	return x, objective, nil
}

// residuals are the logarithms of the quotients of forecast and measured times, by group.
func residuals(d Device, prior priors, members [][]Observation, x []float64) [][]float64 {
	m := Model{Device: d, Fitted: Fitted{Parameters: fromPrior(prior, x)}}
	out := make([][]float64, len(members))
	for g, list := range members {
		for _, o := range list {
			out[g] = append(out[g], math.Log(m.timed(o)(o.Launches, nil)/o.Seconds))
		}
	}
	return out
}

// seen are the deviations of residuals. The deviations before any time was known count as one more group.
func seen(groups [][]float64) deviations {
	group, each := believed.group*believed.group, believed.each*believed.each
	for _, off := range groups {
		mean, square := mean(off), 0.0
		for _, r := range off {
			square += float64((r - mean) * (r - mean) / float64(len(off)))
		}
		group, each = group+float64(mean*mean), each+square
	}
	n := float64(len(groups) + 1)
	return deviations{math.Sqrt(group / n), math.Sqrt(each / n)}
}

// loss is the loss of a group with these residuals: that of their mean, and that of the difference of each from it. The
// two have deviations of their own.
func (d deviations) loss(off []float64) float64 {
	common := 0.0
	for _, r := range off {
		common += r / float64(len(off))
	}
	common = float64(common * (groupWeight / (groupWeight + float64(d.each*d.each/d.group/d.group))))
	loss := float64(common * common / 2 / d.group / d.group)
	for _, r := range off {
		loss += float64(groupWeight * robust((r-common)/d.each) / float64(len(off)))
	}
	return loss
}

// robust is the loss of a residual, in deviations: half its square up to the knee, and linear beyond it (Huber).
func robust(r float64) float64 {
	const knee = .8
	return knee * knee * (math.Sqrt(1+float64(r*r/knee/knee)) - 1)
}

// Fit fits a model of a device to times. It leaves out one task at a time to find how far forecasts are off.
func Fit(d Device, list []Observation) (*Model, error) {
	x, objective, err := fit(d, list)
	if err != nil {
		return nil, err
	}
	left, err := LeaveOut(d, list)
	if err != nil {
		return nil, err
	}
	prior := d.prior()
	f := Fitted{Parameters: fromPrior(prior, x), Factors: uncertainty(prior, objective, x), Spread: spread(left)}
	return &Model{d, f}, nil
}

// uncertainty is the uncertainty of the parameters, from the curvature of the loss.
func uncertainty(prior priors, objective func([]float64) float64, x []float64) (factors Parameters) {
	inverse, ok := inverseDiagonal(curvature(objective, x))
	for i := range x {
		if !ok {
			factors[i] = math.Exp(prior[i].sigma) // no more than the prior
			continue
		}
		factors[i] = math.Exp(prior[i].sigma * math.Sqrt(inverse[i]))
	}
	return factors
}

// Expected is an observation, and the forecast of a model that had not seen its task.
type Expected struct {
	Observation
	Forecast Forecast
}

// Expect forecasts an observation.
func (m *Model) Expect(o Observation) Expected {
	return Expected{o, m.forecast(o.Launches, m.timed(o))}
}

// timed are seconds such as those of an observation.
func (m *Model) timed(o Observation) func([]Launch, *Terms) float64 {
	if o.Busy {
		return m.busy
	}
	return m.seconds
}

// LeaveOut forecasts the observations of each task by a fit to those of the other tasks. The intervals come from the
// other tasks, too.
func LeaveOut(d Device, list []Observation) ([]Expected, error) {
	tasks := map[string]bool{}
	var order []string
	for _, o := range list {
		if !tasks[o.Task] {
			tasks[o.Task] = true
			order = append(order, o.Task)
		}
	}
	if len(order) < 2 {
		return nil, fmt.Errorf("times of one task say nothing about others: measure at least two")
	}
	var out []Expected
	at := map[string][2]int{}
	for _, task := range order {
		var rest []Observation
		for _, o := range list {
			if o.Task != task {
				rest = append(rest, o)
			}
		}
		x, _, err := fit(d, rest)
		if err != nil {
			return nil, err
		}
		m := Model{Device: d, Fitted: Fitted{Parameters: fromPrior(d.prior(), x)}}
		first := len(out)
		for _, o := range list {
			if o.Task == task {
				out = append(out, m.Expect(o))
			}
		}
		at[task] = [2]int{first, len(out)}
	}
	for _, task := range order {
		var others []Expected
		first, end := at[task][0], at[task][1]
		others = append(append(others, out[:first]...), out[end:]...)
		s := spread(others)
		for i := first; i < end; i++ {
			out[i].Forecast.widen(s)
		}
	}
	return out, nil
}
