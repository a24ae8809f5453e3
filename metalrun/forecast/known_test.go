package forecast

import (
	"math"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"

	"github.com/google/go-cmp/cmp"
)

// turns are those of microkernels on a GPU, of which each asks for something of its own.
func iterations(t *testing.T, m *Model) []Iteration {
	t.Helper()
	classes := map[string]metalrun.Class{
		"multiply-adds": metalrun.FloatFused, "sums": metalrun.FloatAdd, "products": metalrun.FloatMultiply,
		"minima and maxima": metalrun.FloatOther,
		"sums of half":      metalrun.Half, "integers": metalrun.Integer, "conversions": metalrun.Conversion,
		"products of integers": metalrun.IntegerMultiply,
		"integers of 64 bits":  metalrun.Integer64, "quotients of integers": metalrun.IntegerDivision,
		"quotients": metalrun.Division, "roots": metalrun.Root,
		"exponentials": metalrun.Exponential, "cosines": metalrun.Circular, "arctangents": metalrun.Function,
		"shuffles": metalrun.Shuffle, "permutations": metalrun.Permutation,
		"reductions": metalrun.Reduction, "products of matrices": metalrun.Matrix,
	}
	waits := map[string]func(c *metalrun.Costs){
		"atomics at one place": func(c *metalrun.Costs) { c.Atomics.Transactions, c.Hottest = 1024, 1024 },
		"atomics of threadgroup memory": func(c *metalrun.Costs) {
			c.Atomics.Transactions, c.Local.Transactions = 1024, 1024
		},
		"multiply-adds that wait": func(c *metalrun.Costs) { c.Chain[metalrun.ArithmeticLink] = 16 },
		"loads that wait": func(c *metalrun.Costs) {
			c.Chain[metalrun.DeviceLink], c.Device.Requests, c.Device.Lines = 16, 16, 16
		},
		"loads that miss and wait": func(c *metalrun.Costs) {
			c.Chain[metalrun.DeviceLink], c.Device = 16,
				metalrun.Accesses{Requests: 16, Lines: 16, Missed: metalrun.Misses{16, 16, 16, 16, 16}}
		},
		"threadgroup memory that waits": func(c *metalrun.Costs) {
			c.Chain[metalrun.SharedLink], c.Shared.Transactions = 16, 16
		},
		"barriers": func(c *metalrun.Costs) { c.Barrier, c.Chain[metalrun.SharedLink] = 64, 64 },
	}
	var list []Iteration
	for _, n := range numbers {
		u := Iteration{
			Name: n.microkernel, Threadgroups: 256,
			Profile: metalrun.Profile{Threads: 256, Registers: 20, Waiting: 1},
		}
		class, rate := classes[n.microkernel]
		wait, waiting := waits[n.microkernel]
		switch {
		case rate:
			u.Costs.Issued[class] = 512
			u.Costs.Issued[metalrun.Integer] += 16
			u.Costs.Jumps = 8
		case waiting:
			u.Threadgroups = 1
			wait(&u.Costs)
		case n.microkernel != "":
			t.Errorf("no turn of %s", n.microkernel)
		default:
			continue
		}
		u.Seconds = m.iteration(u)
		list = append(list, u)
	}
	return list
}

// strange is a GPU whose every number is another than what is believed of m2, but for instructions of which a scheduler
// begins one a cycle: more of them nothing can.
func strange(t *testing.T) (d Device, m *Model) {
	t.Helper()
	d, err := Row("m2")
	if err != nil {
		t.Fatal(err)
	}
	m = &Model{Device: d, Fitted: Fitted{Parameters: fromPrior(prior, make([]float64, parameters))}}
	for i, n := range numbers {
		if at := n.in(m); *at != 1 {
			*at *= math.Pow(1.25, float64(i%7-3))
		} else {
			*at = 1 + float64(1+i%3)/4
		}
	}
	m.Parameters[issueScale] = 1
	return d, m
}

// What a GPU's microkernels take shows its numbers.
func TestMeasured(t *testing.T) {
	d, truth := strange(t)
	got := d.Measured(iterations(t, truth), d.Bandwidth*truth.Parameters[bandwidthScale])
	for _, n := range numbers {
		i := slices.IndexFunc(got.Known, func(k Known) bool { return k.Name == n.name })
		if i < 0 {
			t.Errorf("%s is not known", n.name)
			continue
		}
		if want := *n.in(truth); math.Abs(got.Known[i].Measured-want) > .003*want {
			t.Errorf("%s: %v, want %v", n.name, got.Known[i].Measured, want)
		}
	}
	if math.Abs(got.Clock-truth.Clock) > .003*truth.Clock || got.Bandwidth != d.Bandwidth {
		t.Errorf("a clock of %v, want %v", got.Clock, truth.Clock)
	}
	p := got.prior()
	if at := p[barrierCycles]; math.Abs(at.median-truth.Parameters[barrierCycles]) > .003*at.median ||
		at.sigma != knownSigma {
		t.Errorf("barriers are believed to take %v", at)
	}
	if at := p[launchSeconds]; at != prior[launchSeconds] {
		t.Errorf("launches are believed to take %v", at)
	}
}

// A turn that takes no time, or very much, shows nothing.
func TestUnbelievable(t *testing.T) {
	d, truth := strange(t)
	list := iterations(t, truth)
	list[1].Seconds, list[2].Seconds, list[3].Seconds = 0, -1, list[3].Seconds*1e3
	got := d.Measured(list, d.Bandwidth*100)
	for _, name := range []string{list[1].Name + ", cycles", list[2].Name + ", cycles", list[3].Name + ", cycles",
		prior[bandwidthScale].name} {
		if slices.ContainsFunc(got.Known, func(k Known) bool { return k.Name == name }) {
			t.Errorf("%s is known", name)
		}
	}
}

// A file keeps what is known, and names of other models are refused.
func TestKnownInFiles(t *testing.T) {
	d, truth := strange(t)
	m := &Model{Device: d.Measured(iterations(t, truth), d.Bandwidth), Fitted: truth.Fitted}
	m.Spread = Spread{Times: Deviation{Least: .1}, Ratios: Deviation{Least: .1}}
	data, err := m.Encode("test", 1)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Device, back.Device, cmp.AllowUnexported(rate{})); diff != "" {
		t.Error(diff)
	}
	for is, other := range map[string]string{`"clock, Hz"`: `"clock, MHz"`, `"measured": `: `"measured": -`,
		`"least": 0.1`: `"less": 0.1`} {
		if _, err := Read([]byte(strings.Replace(string(data), is, other, 1))); err == nil {
			t.Errorf("%s is read", other)
		}
	}
}
