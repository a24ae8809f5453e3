package forecast

import (
	"math"
	"testing"

	"metalconform/metalrun"
)

// Residuals of a hundred groups, each with one mistake in common and one of every kernel, show how large both are;
// those of none show what was believed.
func TestSeen(t *testing.T) {
	var groups [][]float64
	for i := range 100 {
		common, each := .1*float64(1-i%2*2), .2
		groups = append(groups, []float64{common - each, common + each})
	}
	got := seen(groups)
	if math.Abs(got.group-.1) > .01 || math.Abs(got.each-.2) > .01 {
		t.Errorf("%+v", got)
	}
	if got := seen(nil); got != believed {
		t.Errorf("%+v", got)
	}
}

// What all kernels of a group have in common is one mistake: as many kernels again do not make it larger.
func TestLoss(t *testing.T) {
	few, many := make([]float64, 5), make([]float64, 50)
	for i := range many {
		many[i] = .3
	}
	copy(few, many)
	if a, b := believed.loss(few), believed.loss(many); math.Abs(a-b) > 1e-9 || a <= 0 {
		t.Errorf("%v for few, %v for many", a, b)
	}
	if a, b := believed.loss([]float64{-.3, .3}), (deviations{.3, .25}).loss([]float64{-.3, .3}); b < 2*a {
		t.Errorf("%v where kernels differ much, %v where they do not", a, b)
	}
}

// Times of a busy GPU are held against what launches add to its work, and those of an idle one against a command
// buffer of their own.
func TestTimed(t *testing.T) {
	d, err := Row("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, parameters)
	m := Model{Device: d, Fitted: Fitted{Parameters: fromPrior(d.prior(), x)}}
	launches := []Launch{
		NewLaunch(&metalrun.Profile{Threadgroups: 16, Threads: 256, Registers: 8, Waiting: 1, Uneven: 1}, 1),
	}
	busy := Observation{Launches: launches, Seconds: m.Busy(launches).Seconds, Busy: true}
	idle := Observation{Launches: launches, Seconds: m.Forecast(launches).Seconds}
	if busy.Seconds >= idle.Seconds/2 {
		t.Fatalf("%v busy, %v idle", busy.Seconds, idle.Seconds)
	}
	for _, off := range residuals(d, d.prior(), [][]Observation{{busy, idle}}, x)[0] {
		if math.Abs(off) > 1e-9 {
			t.Errorf("a time that is as expected is off by %v", off)
		}
	}
	for _, o := range []Observation{busy, idle} {
		if got := m.Expect(o).Forecast.Seconds; got != o.Seconds {
			t.Errorf("expected %v, want %v", got, o.Seconds)
		}
	}
}

// GPUs are found by what they call themselves, new ones by the nearest, and others by nothing like it.
func TestRowOf(t *testing.T) {
	for gpu, want := range map[string]string{"Apple M1 Pro": "m1pro", "Apple M1": "m1", "Apple M4 Max": "m4max",
		"Apple M9": "m4 nearest", "Apple M5 Max": "m4max nearest", "Apple M3 Ultra": "m1ultra nearest",
		"Apple M2 Ultra": "m1ultra nearest", "Apple M0 Pro": "m1pro nearest", "Apple M1 Mega": "",
		"Apple Paravirtual device": "", "": ""} {
		got, same := RowOf(gpu)
		if got != "" && !same {
			got += " nearest"
		}
		if got != want {
			t.Errorf("%s is %q, want %q", gpu, got, want)
		}
	}
}
