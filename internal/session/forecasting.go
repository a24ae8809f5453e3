package session

import (
	"path/filepath"

	"metalconform/internal/checkout"
	"metalconform/internal/regular"
	"metalconform/metalrun/forecast"
	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/spf13/pflag"
)

// ForecastFlag is a flag that names a GPU whose times are forecast.
type ForecastFlag struct {
	Device   string             // as it was given
	Checkout *checkout.Checkout // that has the file
	Model    *forecast.Model
}

func (f *ForecastFlag) String() string { return f.Device }

func (f *ForecastFlag) Type() string { return "device" }

func (f *ForecastFlag) Set(name string) (err error) {
	f.Device = name
	if filepath.Ext(name) != ".json" {
		f.Model, err = forecast.Find(name)
		return err
	}
	real, err := f.Checkout.Path(name)
	if err != nil {
		return err
	}
	b, err := regular.Read(real, regular.Source)
	if err != nil {
		return err
	}
	if f.Model, err = forecast.Read(b); err == nil {
		f.Model.Name += " by " + filepath.Base(name) // no forecast of what is published is compared with it
	}
	return err
}

// Of is how times of cases are forecast; nil if none are wanted.
func (f ForecastFlag) Of(cases []suite.Case, portable bool) *suite.Forecasting {
	if f.Model == nil {
		return nil
	}
	return suite.NewForecasting(sim.New(sim.Semantics{Profile: true, Portable: portable}), f.Model, cases)
}

// AddForecast defines -forecast.
func (s *Selection) AddForecast(flags *pflag.FlagSet) {
	flags.Var(&s.Forecast, "forecast",
		"also forecast how long a GPU would take, of each kernel for the case that moves the most bytes: `DEVICE` is "+
			"one of "+forecast.Names()+", or a file of conform device calibrate")
}
