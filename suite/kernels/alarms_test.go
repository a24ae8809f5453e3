package kernels

import (
	"testing"

	"metalconform/oracles"
	"metalconform/suite"
)

// TestNightlyElements holds the elements that a night's full sweep compares with a
// statistical bound, on the reference device and two adversarial ones, to the number that
// the bound's level of false alarms is derived for.
func TestNightlyElements(t *testing.T) {
	const devices = 3
	var elements int
	for _, c := range suite.Cases(All(), suite.Full) {
		if !c.Input.Random || c.Pipeline != nil {
			continue
		}
		for _, a := range c.Kernel.Args {
			if a.Buffer() && a.Writable() {
				elements += devices * a.Count(c.Shape)
			}
		}
	}
	if elements > oracles.NightlyElements || elements < oracles.NightlyElements/10 {
		t.Errorf("a night compares %d elements, and the level is that of %d", elements, oracles.NightlyElements)
	}
}
