package forecast

import (
	"math"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"
)

// Observation is a command buffer whose time was measured.
type Observation struct {
	Task, Name, Size string
	Launches         []Launch
	Seconds          float64
}

// Fit finds the parameters of a model by which observations are most likely.
func Fit(d Device, list []Observation) (Parameters, error) {
	weight := map[string]float64{}
	for _, o := range list {
		weight[o.Task+o.Size]++
	}
	objective := func(x []float64) float64 {
		m := Model{Device: d, Parameters: fromLogs(x)}
		loss := 0.0
		for _, o := range list {
			r := math.Log(m.seconds(o.Launches) / o.Seconds)
			loss += robust(r) / weight[o.Task+o.Size]
		}
		loss *= 10
		for _, v := range x {
			loss += v * v / 2
		}
		return loss
	}
	problem := optimize.Problem{Func: objective, Grad: func(grad, x []float64) {
		fd.Gradient(grad, objective, x, &fd.Settings{Formula: fd.Central, Step: 1e-4})
	}}
	best, err := optimize.Minimize(problem, make([]float64, parameters), &optimize.Settings{MajorIterations: 150, GradientThreshold: 1e-3}, &optimize.BFGS{})
	if best == nil {
		return Parameters{}, err
	}
	return fromLogs(best.X), nil
}

// robust grows with the square of small residuals and with larger ones themselves.
func robust(r float64) float64 {
	const knee = .4
	return knee * knee * (math.Sqrt(1+(r/knee)*(r/knee)) - 1) * 4
}

// fromLogs takes standard deviations from the prior to parameters.
func fromLogs(x []float64) (p Parameters) {
	for i := range p {
		p[i] = prior[i].median * math.Exp(x[i]*prior[i].sigma)
	}
	return p
}

// Seconds is the time that the model expects.
func (m *Model) Seconds(l []Launch) float64                { return m.seconds(l) }
func (m *Model) TermsOf(l Launch, launches []Launch) Terms { return m.terms(l, resident(launches)) }
