package intrinsics_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/intrinsics"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

var options = intrinsics.Options{Samples: 3, Seed: 1}

// worst is the largest error in ulp, and the largest share of a limit.
func worst(r intrinsics.Result) (ulps, ratio float64) {
	for _, d := range r.Domains {
		if d.Worst != nil {
			ulps = max(ulps, d.Worst.Ulps)
		}
		if d.Closest != nil {
			ratio = max(ratio, d.Closest.Ratio())
		}
	}
	return ulps, ratio
}

// TestReference has the reference semantics, which round every function correctly.
func TestReference(t *testing.T) {
	for _, f := range intrinsics.Functions() {
		r, err := intrinsics.Measure(sim.New(sim.Semantics{}), f, options)
		if err != nil {
			t.Fatal(err)
		}
		if ulps, _ := worst(r); !r.Holds || ulps < 0.25 || ulps > 0.5+0x1p-16 {
			t.Errorf("%s::%s is off by %v ulp, holds %v", r.Class, r.Function, ulps, r.Holds)
		}
		if !r.Sampled || r.Arguments != 9+510*3 {
			t.Errorf("%s::%s of %d arguments", r.Class, r.Function, r.Arguments)
		}
	}
}

// TestAdversaries has devices that go to the ends of what the specification allows, and no
// further.
func TestAdversaries(t *testing.T) {
	for i, f := range intrinsics.Functions() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		var ulps, ratio float64
		for number := range 2 {
			r, err := intrinsics.Measure(sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: number + 1,
				Choices: -1}}), f, options)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Holds {
				for _, d := range r.Domains {
					if d.Closest != nil && d.Closest.Ratio() > 1 {
						t.Errorf("device %d breaks the limit of %s::%s at %s: %g ulp of %g", number+1, r.Class,
							r.Function, d.Closest.Arguments(), d.Closest.Ulps, d.Closest.Limit)
					}
				}
			}
			u, part := worst(r)
			ulps, ratio = max(ulps, u), max(ratio, part)
		}
		if ratio > 0 && ratio < 0.7 {
			t.Errorf("%s::%s: the devices come to %.2g of the limit, %.2g ulp", f.Class(), f.Name, ratio, ulps)
		}
	}
}

// refusing is a device whose compiler fails.
type refusing struct {
	metalrun.Runner
	err error
}

func (r refusing) Compile(*metalrun.Program) (metalrun.Library, error) { return nil, r.err }

// TestFailing: a function that is refused has a result that says so, which no bound follows from; a device that is
// unusable ends all.
func TestFailing(t *testing.T) {
	f := intrinsics.Functions()[0]
	r, err := intrinsics.Measure(refusing{sim.New(sim.Semantics{}), errors.New("no")}, f, options)
	if err != nil || r.Failed != "no" || r.Holds || r.Domains != nil {
		t.Errorf("%+v, %v", r, err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := intrinsics.ReadTable(bytes.NewReader(text)); err == nil || !strings.Contains(err.Error(),
		"was not measured: no") {
		t.Errorf("a table of it: %v", err)
	}
	if _, err := intrinsics.Measure(refusing{sim.New(sim.Semantics{}), metalrun.ErrUnusable}, f,
		options); !errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("an unusable device: %v", err)
	}
}

// wrong is a device that spoils the result of one argument.
type wrong struct {
	metalrun.Runner
	spoil func(x, got float32) float32
}

func (r wrong) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := r.Runner.Compile(p)
	return wrongLibrary{l, r}, err
}

type wrongLibrary struct {
	metalrun.Library
	device wrong
}

func (l wrongLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	return wrongKernel{k, l.device}, err
}

type wrongKernel struct {
	metalrun.Kernel
	device wrong
}

func (k wrongKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	outcome, err := k.Kernel.Run(d)
	in, out := d.Bindings[0].Data, d.Bindings[len(d.Bindings)-1].Data
	for i := 0; i < len(out); i += 4 {
		x := math.Float32frombits(binary.LittleEndian.Uint32(in[i:]))
		got := math.Float32frombits(binary.LittleEndian.Uint32(out[i:]))
		binary.LittleEndian.PutUint32(out[i:], math.Float32bits(k.device.spoil(x, got)))
	}
	return outcome, err
}

// TestWrong has devices whose results are wrong at one argument, or rightly other than
// usual.
func TestWrong(t *testing.T) {
	above := func(n int) func(x, got float32) float32 {
		return func(x, got float32) float32 {
			for range n {
				if x == 1 {
					got = math.Nextafter32(got, 100)
				}
			}
			return got
		}
	}
	at := func(where, value float32) func(x, got float32) float32 {
		return func(x, got float32) float32 {
			if x == where || x != x && where != where {
				return value
			}
			return got
		}
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		name, function string
		fast           bool
		spoil          func(x, got float32) float32
		holds          bool
	}{
		{"3 ulp of exp", "exp", false, above(3), true},
		{"5 ulp of exp", "exp", false, above(5), false},
		{"5 ulp of fast exp", "exp", true, above(5), true}, // 3 + ⌊2·1⌋
		{"6 ulp of fast exp", "exp", true, above(6), false},
		{"1 ulp of sqrt", "sqrt", false, above(1), false},
		{"5 ulp of fast sqrt, which is made of others", "sqrt", true, above(5), true},
		{"exp(-Inf)", "exp", false, at(-inf, 1), false},
		{"exp(Inf) = NaN", "exp", false, at(inf, nan), false},
		{"fast exp(Inf) = NaN", "exp", true, at(inf, nan), true},
		{"log(NaN)", "log", false, at(nan, 0), false},
		{"log(-1)", "log", false, at(-1, 0), false},
		{"fast log(-1)", "log", true, at(-1, 0), true},
		{"fast log(1), within 2^-21", "log", true, at(1, 0x1p-22), true},
		{"fast log(1), beyond 2^-21", "log", true, at(1, 0x1p-20), false},
		{"exp(0) = 0", "exp", false, at(0, 0), false},
		{"subnormal arguments as zero", "sin", false, func(x, got float32) float32 {
			if math.Abs(float64(x)) < 0x1p-126 {
				return 0
			}
			return got
		}, true},
		{"normal arguments as zero", "sin", false, func(x, got float32) float32 {
			if math.Abs(float64(x)) < 0x1p-100 {
				return 0
			}
			return got
		}, false},
	} {
		for _, f := range intrinsics.Functions() {
			if f.Name != test.function || f.Fast != test.fast {
				continue
			}
			r, err := intrinsics.Measure(wrong{sim.New(sim.Semantics{}), test.spoil}, f, options)
			if err != nil {
				t.Fatal(err)
			}
			if r.Holds != test.holds {
				t.Errorf("%s: holds %v", test.name, r.Holds)
			}
		}
	}
}

// TestMeasured has devices that keep to what was measured of them too, and go to its ends.
func TestMeasured(t *testing.T) {
	known := func(name string, fast bool) (float64, bool) { return 1.25, name != "exp" || fast }
	for _, f := range intrinsics.Functions() {
		if f.Name == "divide" {
			continue // pairs are too many to be tried
		}
		r, err := intrinsics.Measure(sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: 1, Choices: -1,
			Measured: known}}), f, options)
		if err != nil {
			t.Fatal(err)
		}
		ulps := 0.0
		for _, d := range r.Domains {
			if d.Worst != nil && d.Worst.Limit > 0 { // what is undefined stays so
				ulps = max(ulps, d.Worst.Ulps)
			}
		}
		switch _, measured := known(f.Name, f.Fast); {
		case !r.Holds:
			t.Errorf("%s::%s breaks its limit", r.Class, r.Function)
		case measured && ulps > 1.25+0x1p-16:
			t.Errorf("%s::%s is off by %g ulp, measured were 1.25", r.Class, r.Function, ulps)
		case !measured && ulps < 2:
			t.Errorf("%s::%s is off by %g ulp, of which nothing was measured", r.Class, r.Function, ulps)
		}
	}
}

// TestTable reads what was measured: what holds at all arguments, and what does not hold.
func TestTable(t *testing.T) {
	row := func(function, class, device, rest string) string {
		return fmt.Sprintf(`{"function":%q,"class":%q,"device":%q,"arguments":9,%s}`, function, class, device, rest) +
			"\n"
	}
	holds := func(ulps float64) string {
		return fmt.Sprintf(
			`"sampled":false,"holds":true,"domains":[
				{"domain":"a","arguments":1,"worst":{"bits":[1],"got":0,"ulps":0.1}},
				{"domain":"b","arguments":1,"worst":{"bits":[1],"got":0,"ulps":%g}}]`, ulps,
		)
	}
	broken := func(ulps float64) string {
		return fmt.Sprintf(
			`"sampled":true,"holds":false,"domains":[
				{"domain":"a","arguments":1,"worst":{"bits":[1],"got":0,"ulps":%g},
				"closest":{"bits":[1],"got":0,"ulps":%[1]g,"limit":1}}]`, ulps,
		)
	}
	const sampled = `"sampled":true,"holds":true,"domains":[]`
	all := row("exp", "precise", "G", holds(1.5)) + row("exp", "fast", "G", sampled) +
		row("sin", "precise", "G", broken(7)) + row("rsqrt", "precise", "G", holds(0.25))
	table, err := intrinsics.ReadTable(strings.NewReader(all))
	want := intrinsics.Table{Device: "G", Accuracies: []intrinsics.Accuracy{
		{Function: "exp", Ulps: 1.5, Holds: true}, {Function: "sin", Ulps: 7},
		{Function: "rsqrt", Ulps: 0.25, Holds: true},
	}}
	if diff := cmp.Diff(want, table); err != nil || diff != "" {
		t.Errorf("%v, table (-want +got):\n%s", err, diff)
	}
	for _, test := range []struct {
		name string
		fast bool
		ulps float64
		ok   bool
	}{{"exp", false, 1.5, true}, {"exp", true, 0, false}, {"sin", false, 0, false}, {"rsqrt", false, 0.5, true}} {
		if ulps, ok := table.Of(test.name, test.fast); ulps != test.ulps || ok != test.ok {
			t.Errorf("%+v: %g, %v", test, ulps, ok)
		}
	}
	for _, test := range []struct{ text, err string }{
		{"", "says no more than the specification"},
		{row("exp", "precise", "G", sampled), "says no more than the specification"},
		{"nonsense", "object 1: "},
		{row("exq", "precise", "G", holds(1)), "object 1: there is no function precise::exq"},
		{row("exp", "precise", "", holds(1)), `object 1: precise::exp was measured on device ""`},
		{row("exp", "precise", "G", holds(1)) + row("log", "precise", "H", holds(1)),
			`object 2: precise::log was measured on device "H", what comes before it on "G"`},
		{row("exp", "precise", "G", holds(1)) + row("exp", "precise", "G", holds(1)),
			"object 2: precise::exp is there twice"},
		{row("exp", "precise", "G", holds(0)[:30]), "object 1: "},
		{row("exp", "precise", "G", `"sampled":false,"holds":true,"domains":[]`), "precise::exp has no error"},
		{row("log", "fast", "G", broken(9)), "fast::log breaks a limit that is no number of ulp"},
		{row("exp", "precise", "G", broken(math.MaxFloat64)),
			"precise::exp(0x1p-149) is not a number, or infinite, and should not be"},
	} {
		if _, err := intrinsics.ReadTable(strings.NewReader(test.text)); err == nil ||
			!strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v, want %s", test.text, err, test.err)
		}
	}
}
