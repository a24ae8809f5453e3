package suite

import (
	"metalconform/metalrun"
	"metalconform/metalrun/forecast"
)

// Forecasting is how the times of a GPU that is not here are forecast.
type Forecasting struct {
	Runner metalrun.Runner // that profiles
	Model  *forecast.Model
	Cases  map[string]bool // whose times are wanted, by name
	// Unjudged launches cases for their times alone: nobody says what their kernels compute.
	Unjudged bool
	// Keep, if not nil, gets what a forecast is made of.
	Keep func(c Case, launches []forecast.Launch)
}

// NewForecasting forecasts the times of those of cases whose times would be taken on a
// GPU: the one of each kernel that moves the most bytes.
func NewForecasting(runner metalrun.Runner, model *forecast.Model, cases []Case) *Forecasting {
	f := &Forecasting{Runner: runner, Model: model, Cases: map[string]bool{}}
	for _, c := range Largest(Measurable(cases)) {
		f.Cases[c.Name] = true
	}
	return f
}

// forecasts reports whether the time of the case is to be forecast.
func (t *CaseRun) forecasts() bool { return t.forecasting != nil && t.forecasting.Cases[t.Name] }

// forecastTime launches a case that has run once more, from the same inputs. Why there is no forecast is a note.
func (t *CaseRun) forecastTime(before Contents, r *Result) {
	after := t.Contents()
	t.Restore(before)
	defer t.Restore(after)
	own := Result{Case: r.Case}
	if t.forecast(&own); own.Forecast == nil {
		r.note("no forecast: " + own.Text())
	}
	r.Forecast = own.Forecast
}

// forecast launches the case on the device that profiles. What goes wrong ends the case.
func (t *CaseRun) forecast(r *Result) {
	profiled := t.under(func(o *caseOptions) { o.runner = t.forecasting.Runner })
	var err error
	if profiled.kernel, err = t.compiled(t.shaders, t.file, t.forecasting.Runner); err != nil {
		r.cannot(err)
		return
	}
	if _, ok := profiled.Run(r); !ok {
		return
	}
	var launches []forecast.Launch
	for _, p := range profiled.profiles {
		launches = append(launches, forecast.NewLaunch(p, 1))
	}
	if t.forecasting.Keep != nil {
		t.forecasting.Keep(t.Case, launches)
	}
	f := t.forecasting.Model.Busy(launches)
	r.Forecast = &f
}
