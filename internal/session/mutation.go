package session

import (
	"fmt"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite/mutate"
)

// MutationDevices judge mutants one after the other: the one that the flags name, the same with
// checks, and adversaries. A plain cosine knows the first alone.
func (s Selection) MutationDevices(rule mutate.Rule) []mutate.Device {
	device := func(name string, m sim.Semantics) mutate.Device {
		return mutate.Device{Name: name, Shapes: m.Check, Open: func(steps int64) metalrun.Runner {
			m := m
			m.Steps = steps
			return sim.New(m)
		}}
	}
	plain := s.SimSemantics()
	checking := plain
	plain.Check = false
	list := []mutate.Device{device(s.Semantics.String(), plain)}
	if rule != mutate.ByVerdict {
		return list
	}
	if checking.Check {
		list = append(list, device("checking", checking))
	}
	for i := range s.Adversaries.N {
		hostile := plain
		hostile.Adversary = &sim.Adversary{Seed: uint64(s.Seed), Number: i + 1, Choices: -1}
		d := device(fmt.Sprintf("adversarial %d", i+1), hostile)
		d.Adverse = true
		list = append(list, d)
	}
	return list
}
