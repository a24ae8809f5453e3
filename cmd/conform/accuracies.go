package main

import (
	"slices"

	"metalconform/internal/regular"
	"metalconform/metalrun"
	"metalconform/metalrun/intrinsics"
	"metalconform/oracles"
	"metalconform/suite"
)

// accuraciesEnding is that of the files of accuracies beside declarations.
const accuraciesEnding = ".jsonl"

// accuracies is a flag that names a file in which conform intrinsics has left how
// accurate the functions of a device are.
type accuracies struct {
	file     string
	table    intrinsics.Table
	declared *oracles.Measured // of the GPU that runs, if no file is given
}

func (a *accuracies) String() string { return a.file }
func (a *accuracies) Type() string   { return "file" }
func (a *accuracies) Set(name string) error {
	file, err := regular.Open(name, regular.Results)
	if err != nil {
		return err
	}
	defer file.Close()
	a.file = name
	a.table, err = intrinsics.ReadTable(file)
	return err
}

// measured is the table for oracles, nil if there is none.
func (a accuracies) measured() *oracles.Measured {
	if a.file == "" {
		return a.declared
	}
	m := &oracles.Measured{Device: a.table.Device}
	for _, f := range a.table.Accuracies {
		class := oracles.Precise
		if f.Fast {
			class = oracles.Fast
		}
		m.Set(f.Function, class, f.Ulps, f.Holds)
	}
	return m
}

// device is what they were measured on, "" if there are none.
func (a accuracies) device() string {
	if m := a.measured(); m != nil {
		return m.Device
	}
	return ""
}

// adopt takes what is declared of the GPU that runs, unless a file is given.
func (a *accuracies) adopt(declared *suite.Declarations, d metalrun.Device) {
	if a.file == "" && d.Clock == metalrun.GPUClock {
		a.declared = declared.Measured(d.Name)
	}
}

// fits refuses a table that was measured on another GPU than the one that is judged.
func (a accuracies) fits(d metalrun.Device) error {
	if a.file != "" && d.Clock == metalrun.GPUClock && d.Name != a.table.Device {
		return usageError("-accuracies %s: measured on %s, and these kernels run on %s (conform intrinsics -exhaustive -json measures it)", a.file, a.table.Device, d.Name)
	}
	return nil
}

// families are the catalogue's with what is declared of their contracts, and with what
// is measured of functions.
func (s selection) families(declared *suite.Declarations) []suite.Family {
	all := declared.Families(s.spec.catalogue())
	m := s.accuracies.measured()
	if m == nil {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].Kernels = slices.Clone(all[i].Kernels)
		for j := range all[i].Kernels {
			all[i].Kernels[j].Contract.Measured = m
		}
	}
	return all
}
