package config

import (
	"path/filepath"

	"metalconform/internal/checkout"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/metalrun"
	"metalconform/metalrun/intrinsics"
	"metalconform/oracles"
	"metalconform/suite"
)

// AccuraciesExtension is that of the files of accuracies beside declarations.
const AccuraciesExtension = ".jsonl"

// Accuracies is a flag that names a file in which conform device intrinsics has left how
// accurate the functions of a device are.
type Accuracies struct {
	File     string
	Checkout *checkout.Checkout // that has the file
	Table    intrinsics.Table
	declared *oracles.Measured // of the GPU that runs, if no file is given
}

func (a *Accuracies) String() string { return a.File }
func (a *Accuracies) Type() string   { return "file" }
func (a *Accuracies) Set(name string) error {
	real, err := a.Checkout.Path(name)
	if err != nil {
		return err
	}
	file, err := regular.Open(real, regular.Results)
	if err != nil {
		return err
	}
	defer file.Close()
	a.File = name
	a.Table, err = intrinsics.ReadTable(file)
	return err
}

// Measured is the table for oracles, nil if there is none.
func (a Accuracies) Measured() *oracles.Measured {
	if a.File == "" {
		return a.declared
	}
	m := &oracles.Measured{Device: a.Table.Device}
	for _, f := range a.Table.Accuracies {
		class := oracles.Precise
		if f.Fast {
			class = oracles.Fast
		}
		m.Set(f.Function, class, f.Ulps, f.Holds)
	}
	return m
}

// Device is what they were measured on, "" if there are none.
func (a Accuracies) Device() string {
	if m := a.Measured(); m != nil {
		return m.Device
	}
	return ""
}

// Adopt takes what is declared of the GPU that runs, unless a file is given.
func (a *Accuracies) Adopt(declared *suite.Declarations, d metalrun.Device) {
	if a.File == "" && d.Clock == metalrun.GPUClock {
		a.declared = declared.Measured(d.Name)
	}
}

// Fits refuses a table that was measured on another GPU than the one that is judged.
func (a Accuracies) Fits(d metalrun.Device) error {
	if a.File != "" && d.Clock == metalrun.GPUClock && d.Name != a.Table.Device {
		return exit.Usagef(
			"-accuracies %s: measured on %s, and these kernels run on %s (conform device intrinsics -exhaustive -json "+
				"measures it)", a.File, a.Table.Device, d.Name)
	}
	return nil
}

// AccuraciesOf are the files of accuracies that declarations name, with the directory before them.
func AccuraciesOf(name string, text []byte) (files []string, err error) {
	if name == "" {
		return nil, nil
	}
	c, err := decode(name, text)
	for _, e := range c.Accuracies {
		files = append(files, filepath.Join(filepath.Dir(name), filepath.FromSlash(e.File)))
	}
	return files, err
}
