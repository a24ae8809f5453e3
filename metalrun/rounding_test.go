package metalrun_test

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestRounding finds that a device rounds to nearest, which every bound relies on.
func TestRounding(t *testing.T) {
	onEachRunner(t, func(t *testing.T, r metalrun.Runner) {
		if err := metalrun.CheckRounding(r); err != nil {
			t.Error(err)
		}
	})
	for seed := range uint64(8) {
		if err := metalrun.CheckRounding(
			sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Choices: -1}}),
		); err != nil {
			t.Errorf("adversarial device %d: %v", seed, err)
		}
	}
	if err := metalrun.CheckRounding(sim.New(sim.Apple())); err != nil {
		t.Error(err)
	}
}

// TestBfloatAlone: a device that rounds bfloat alone otherwise is told apart, and its other kernels run.
func TestBfloatAlone(t *testing.T) {
	device := bfloatDevice{sim.New(sim.Semantics{})}
	err := metalrun.CheckRounding(device)
	if !errors.Is(err, metalrun.ErrBfloat) || !strings.Contains(err.Error(), "bfloat a + b") {
		t.Fatalf("%v", err)
	}
	r := metalrun.Without(device, metalrun.Bfloat, err)
	if err := metalrun.CheckRounding(r); err != nil {
		t.Errorf("without bfloat: %v", err)
	}
	for _, f := range metalrun.Features() {
		if err := f.Try(r); errors.Is(err, metalrun.ErrUnsupported) != (f == metalrun.Bfloat) {
			t.Errorf("%s: %v", f, err)
		}
	}
	if _, err := r.(metalrun.Monitor).Condition(); err == nil {
		t.Error("a simulator tells its condition")
	}
}

// bfloatDevice spoils what kernels of bfloat write.
type bfloatDevice struct{ metalrun.Runner }

func (r bfloatDevice) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := r.Runner.Compile(p)
	return bfloatLibrary{l}, err
}

type bfloatLibrary struct{ metalrun.Library }

func (l bfloatLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	if err != nil || name != "rounding_bfloat" {
		return k, err
	}
	return bfloatKernel{k}, nil
}

type bfloatKernel struct{ metalrun.Kernel }

func (k bfloatKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	o, err := k.Kernel.Run(d)
	d.Bindings[1].Data[2]++ // the last bit of a bfloat
	return o, err
}

// TestRoundingCatches has devices that round one result otherwise, or all of them.
func TestRoundingCatches(t *testing.T) {
	for _, test := range []struct {
		name string
		last func(op, i int, sum float64, got float32) float32
		want string
	}{
		{"toward zero", func(op, _ int, sum float64, got float32) float32 {
			if op == 0 && float64(got) > sum {
				return math.Nextafter32(got, 0)
			}
			return got
		}, "the device rounds toward zero, which bounds do not allow for: float a + b"},
		{"upwards", func(op, _ int, sum float64, got float32) float32 {
			if op == 0 && float64(got) < sum {
				return math.Nextafter32(got, 4)
			}
			return got
		}, "the device does not round to nearest, ties to even: float a + b"},
		{"one half", func(op, i int, _ float64, got float32) float32 {
			if op == 5 && i == 31 {
				return got + 0x1p-10
			}
			return got
		}, "the device does not round to nearest, ties to even: half a * b"},
	} {
		err := metalrun.CheckRounding(roundingDevice{sim.New(sim.Semantics{}), test.last})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// roundingDevice changes the results of a device, given the exact sum of the operands.
type roundingDevice struct {
	metalrun.Runner
	last func(op, i int, sum float64, got float32) float32
}

func (d roundingDevice) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := d.Runner.Compile(p)
	return roundingLibrary{l, d}, err
}

type roundingLibrary struct {
	metalrun.Library
	device roundingDevice
}

func (l roundingLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	return roundingKernel{k, l.device}, err
}

type roundingKernel struct {
	metalrun.Kernel
	device roundingDevice
}

func (k roundingKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	outcome, err := k.Kernel.Run(d)
	in, out := d.Bindings[0].Data, d.Bindings[1].Data
	at := func(b []byte, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
	before := 0
	if len(out)/4 == 4*32 { // those of bfloat, after nine others
		before = 9
	}
	for i := range len(out) / 4 {
		pair := i % 32
		sum := float64(at(in, 2*pair)) + float64(at(in, 2*pair+1))
		binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(k.device.last(before+i/32, pair, sum, at(out, i))))
	}
	return outcome, err
}
