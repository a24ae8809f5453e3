package suite

import (
	"fmt"
	"math"

	"metalconform/metalrun"
)

// ThreeWay is one element of an output as the oracle, the simulator and a device have it.
type ThreeWay struct {
	Case      string
	Output    string
	Index     []int
	Want      float64
	Bound     float64 // of a device's error
	Simulator float64
	Device    float64
	Differ    int // elements of the output that are not the same bits on both
	Of        int
}

// ThreeWays runs a case of a kernel on the simulator and on a device and has, of each
// output, the element at which the device uses most of its bound.
func ThreeWays(simulator, device metalrun.Runner, opts Options, c Case) ([]ThreeWay, error) {
	if c.Pipeline != nil {
		return nil, fmt.Errorf("%s is a pipeline: its stages have no case of their own", c.Name)
	}
	one, err := written(simulator, opts, c)
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	other, err := written(device, opts, c)
	if err != nil {
		return nil, err
	}
	var list []ThreeWay
	for i, b := range other.buffers {
		if b != nil && b.arg.Writable() && b.count() > 0 {
			list = append(list, other.worst(b, one.buffers[i]))
		}
	}
	return list, nil
}

// written is a case after its launches.
func written(runner metalrun.Runner, opts Options, c Case) (*caseRun, error) {
	t := &caseRun{Case: c, runner: runner, seed: opts.Seed, declared: opts.Declared}
	r := &Result{Status: Pass}
	if !t.find(opts.Shaders, r) {
		return nil, fmt.Errorf("%s", r.Reason)
	}
	if err := t.allocate(); err != nil {
		return nil, err
	}
	t.ask()
	_, err := t.launch()
	return t, err
}

// worst is the element of an output with the largest error over bound: the first of those
// that have none to be measured by, if there are any.
func (t *caseRun) worst(b, simulated *buffer) ThreeWay {
	a := t.answers[b.arg.Name]
	at, most := 0, math.Inf(-1)
	e := ThreeWay{Case: t.Name, Output: b.arg.Name, Of: b.count()}
	for i := range b.count() {
		if b.arg.Type.word(b.payload(), i) != b.arg.Type.word(simulated.payload(), i) {
			e.Differ++
		}
		if r := used(b.value(i), a.Want[i], a.Bound(i)); r > most {
			at, most = i, r
		}
	}
	e.Index, e.Want, e.Bound = b.arg.index(t.Shape, at), a.Want[at], a.Bound(at)
	e.Simulator, e.Device = simulated.value(at), b.value(at)
	return e
}

// used is the part of a bound that an error takes up: 0 if there is no error, and more than
// any other for one that is not a number.
func used(got, want, bound float64) float64 {
	switch e := math.Abs(got - want); {
	case got == want || math.IsNaN(got) && math.IsNaN(want):
		return 0
	case math.IsNaN(e):
		return math.Inf(1)
	case math.IsInf(bound, 1):
		return 0
	default:
		return e / bound
	}
}
