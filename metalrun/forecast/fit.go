package forecast

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Observation is a sequence of launches whose time was measured. Observations of the same
// task and size differ by the kernel alone.
type Observation struct {
	Task, Size, Kernel string
	Launches           []Launch
	Seconds            float64
	Simulated          float64 // that the simulator took
}

// group is what observations that are compared have in common.
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

// groupWeight is what a task at one size counts, in observations: however many kernels there
// are of one, they share the mistakes that the model makes about it.
const groupWeight = 10

// Standard deviations of logarithms: of the mistake that a model makes about all kernels of a task
// at one size, and of what it makes about each.
const groupDeviation, deviation = .3, .5

// fit finds the parameters under which the times are most likely: the prior's, and residuals
// of logarithms that are robust against the times of a GPU whose clock changes.
func fit(d Device, list []Observation) (x []float64, objective func(x []float64) float64, err error) {
	members, prior := groups(list), d.prior()
	objective = func(x []float64) float64 {
		m := Model{Device: d, Fitted: Fitted{Parameters: fromPrior(prior, x)}}
		loss := 0.0
		for _, list := range members {
			off := make([]float64, len(list))
			for i, o := range list {
				off[i] = math.Log(m.seconds(o.Launches, nil) / o.Seconds)
			}
			loss += groupLoss(off)
		}
		for _, v := range x {
			loss += float64(v * v / 2)
		}
		return loss
	}
	problem := optimize.Problem{Func: objective, Grad: func(grad, x []float64) {
		fd.Gradient(grad, objective, x, &fd.Settings{Formula: fd.Central, Step: 1e-4})
	}}
	best, err := optimize.Minimize(problem, make([]float64, parameters), &optimize.Settings{MajorIterations: 150, GradientThreshold: 1e-3}, &optimize.BFGS{})
	if best == nil {
		return nil, nil, fmt.Errorf("fitting %d times: %w", len(list), err)
	}
	return best.X, objective, nil
}

// groupLoss is the loss of a group whose residuals are these: what they have in common is one
// mistake, of a deviation of its own, and what is left of each is another.
func groupLoss(off []float64) float64 {
	common := 0.0
	for _, r := range off {
		common += r / float64(len(off))
	}
	common = float64(common * (groupWeight / (groupWeight + float64(deviation*deviation/groupDeviation/groupDeviation))))
	loss := float64(common * common / 2 / groupDeviation / groupDeviation)
	for _, r := range off {
		loss += float64(groupWeight * robust(r-common) / float64(len(off)))
	}
	return loss
}

// robust is the loss of a residual: half its square by the variance where it is small, and
// growing like the residual itself beyond the knee.
func robust(r float64) float64 {
	const knee = .4
	return float64(knee*knee/deviation/deviation) * (math.Sqrt(1+float64(r*r/knee/knee)) - 1)
}

// Fit fits a model of a device to times, and finds how far its forecasts are off by leaving
// out one task at a time.
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

// uncertainty is that of the parameters, by the curvature of the loss.
func uncertainty(prior priors, objective func([]float64) float64, x []float64) (factors Parameters) {
	h := mat.NewSymDense(len(x), nil)
	fd.Hessian(h, objective, x, &fd.Settings{Step: 1e-3})
	var c mat.Cholesky
	inverse := mat.NewSymDense(len(x), nil)
	if c.Factorize(h) {
		_ = c.InverseTo(inverse) // an ill-conditioned curvature still says which parameters are known
	} else {
		for i := range x {
			inverse.SetSym(i, i, 1) // no more than the prior
		}
	}
	for i := range x {
		factors[i] = math.Exp(prior[i].sigma * math.Sqrt(math.Max(0, inverse.At(i, i))))
	}
	return factors
}

// Expected is an observation with what a model expected that had not seen its task.
type Expected struct {
	Observation
	Forecast Forecast
}

// LeaveOut forecasts the observations of each task by a fit to the others. The intervals come
// from the others too.
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
				out = append(out, Expected{o, m.Forecast(o.Launches)})
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
