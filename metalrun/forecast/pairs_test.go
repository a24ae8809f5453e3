package forecast_test

import (
	_ "embed"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/forecast"
	"metalconform/metalrun/sim"
)

// pairs are kernels of testdata/pairs.metal, the slower one first, with bounds of how many times as long it takes at
// the full clock.
var pairs = []struct {
	slow, fast  string
	groups      int // threadgroups; 0: 256
	least, most float64
}{
	{"hist_device", "hist_shared", 0, 1.3, 10},
	{"count_each", "count_simd", 1024, 3, 32}, {"count_simd", "count_group", 1024, 1.2, 8},
	{"compact_each", "compact_scan", 0, 2, 32},
	{"scatter_int", "scatter_store", 1024, 1.1, 3}, {"scatter_float", "scatter_int", 1024, 1.2, 4},
	{"sum_int", "own_place", 1024, 4, 32}, {"sum_float", "sum_int", 0, 10, 1000},
	{"shared_one", "shared_spread", 0, 4, 32},
	{"triangle", "square", 16, 1.5, 2}, {"triangle", "square", 64, 1.1, 2}, {"one_works", "each_works", 0, 10, 256},
	{"arms_lanes", "arms_groups", 0, 1.6, 2.1}, {"turns_lanes", "turns_groups", 0, 1.4, 2.2},
	{"int_mulhi", "int_mul", 0, 1.5, 2.2}, {"int_rotate", "int_shift_by", 0, 1.4, 2.2},
	{"int_div", "int_div_const", 0, 3, 8},
	{"long_mul", "int_mul", 0, 2.5, 4.5}, {"philox", "lcg", 0, 8, 50}, {"f_sin", "f_sincos", 0, 1.1, 1.6},
	{"m_float", "m_half", 1024, 1.5, 2.2},
	{"lat_aos", "lat_soa", 1024, 1.2, 6}, {"row_thread", "row_neighbours", 0, 3, 32},
	{"nbr_far", "nbr_near", 1024, 2, 16}, {"nbr_far_apart", "nbr_far", 1024, 1.8, 3.2},
	{"spin_mod", "spin_word", 1024, 1.5, 8},
	{"sort_shared", "sort_simd", 0, 1.2, 4}, {"sort_rank", "sort_simd", 0, 2, 10},
	{"mor_loop", "mor_masks", 1024, 2, 8},
	{"red_tree", "red_simd", 0, 1.3, 5}, {"red_one", "red_tree", 0, 2, 16},
	{"ld_transposed", "ld_tiled", 1024, 1.5, 8},
}

//go:embed testdata/pairs.metal
var pairsSource string

func TestPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("launches take seconds")
	}
	m, err := forecast.Find("m1pro")
	if err != nil {
		t.Fatal(err)
	}
	runner := sim.New(sim.Semantics{Profile: true})
	defer runner.Close()
	program, err := metalrun.Analyse(metalrun.SourceText("pairs.metal", pairsSource),
		metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true})
	if err != nil {
		t.Fatal(err)
	}
	library, err := runner.Compile(program)
	if err != nil {
		t.Fatal(err)
	}
	defer library.Release()
	seconds := func(name string, groups int) float64 {
		k, err := library.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		return m.Busy([]forecast.Launch{forecast.NewLaunch(launchPair(t, k, groups), 1)}).Seconds
	}
	for _, p := range pairs {
		if p.groups == 0 {
			p.groups = 256
		}
		slow, fast := seconds(p.slow, p.groups), seconds(p.fast, p.groups)
		if r := slow / fast; r < p.least || r > p.most {
			t.Errorf("%s takes %.2f times as long as %s, want %v to %v times", p.slow, r, p.fast, p.least, p.most)
		}
	}
}

// words is how many each buffer of a pair has.
const words = 1 << 20

// randomWords are what pairs read.
var randomWords = sync.OnceValue(func() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	in := make([]byte, 0, 4*words)
	for range words {
		in = binary.LittleEndian.AppendUint32(in, random.Uint32())
	}
	return in
})

// launchPair is what a kernel asks in so many threadgroups of 256 threads, with a million random words.
func launchPair(t *testing.T, k metalrun.Kernel, groups int) *metalrun.Profile {
	t.Helper()
	in, number := randomWords(), uint32(words)
	bindings := []metalrun.Binding{{Index: 0, Data: in, Length: len(in)},
		{Index: 3, Data: binary.LittleEndian.AppendUint32(nil, number), Length: 4, Inline: true}}
	for index := 1; index <= 2; index++ {
		bindings = append(bindings, metalrun.Binding{Index: index, Data: make([]byte, 4*words), Length: 4 * words})
	}
	ran, err := k.Run(metalrun.Dispatch{Threadgroups: metalrun.Size{X: groups, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 256, Y: 1, Z: 1}, Bindings: bindings})
	if err != nil {
		t.Fatal(err)
	}
	return ran.Profile
}
