package kernels

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/fixtures"
	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/shaders"
	"metalconform/suite"
)

func cacheSource(t *testing.T) metalrun.Source {
	t.Helper()
	text, err := fs.ReadFile(shaders.FS, "kv_quant.metal")
	if err != nil {
		t.Fatal(err)
	}
	return metalrun.SourceText("kv_quant.metal", string(text))
}

// TestCodebooks checks that our tables are the generator's, rounded to f32.
func TestCodebooks(t *testing.T) {
	p, err := metalrun.Analyse(cacheSource(t), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, c := range p.Constants() {
		found[c.Name] = c.Data
	}
	for _, bits := range []int{4, 5, 6, 8} {
		var want []byte
		for _, x := range fixtures.Codebook(bits) {
			want = binary.LittleEndian.AppendUint32(want, math.Float32bits(float32(x)))
		}
		if got := found[codebookName(bits)]; !bytes.Equal(got, want) {
			t.Errorf("%s is not the best codebook of %d bits", codebookName(bits), bits)
		}
	}
}

// TestCodebookAppraisal has codebooks with one thing wrong, each said where it is.
func TestCodebookAppraisal(t *testing.T) {
	best := codebook(4)
	moved := func(i int, x float64) []float64 {
		levels := append([]float64(nil), best...)
		levels[i] = x
		return levels
	}
	times := func(factor float64) []float64 {
		levels := append([]float64(nil), best...)
		for i := range levels {
			levels[i] *= factor
		}
		return levels
	}
	const (
		least  = "mean squared error 9.501008e-03 for a normal variable, the least possible"
		tenth  = "mean squared error 9.882032e-03 for a normal variable, 4.01 % above the least possible"
		little = "mean squared error 9.570761e-03 for a normal variable, 0.734 % above the least possible"
		flat   = "mean squared error 9.751177e-03 for a normal variable, 2.63 % above the least possible"
		lost   = "mean squared error 1.290462e-02 for a normal variable, 35.8 % above the least possible"
	)
	for _, test := range []struct {
		levels   []float64
		note     string
		warnings []string
	}{
		{best, "16 levels, ascending, symmetric, " + least, nil},
		{times(1.1), "16 levels, ascending, symmetric, " + tenth, []string{tenth}},
		{times(1.04), "16 levels, ascending, symmetric, " + little, nil},
		{moved(15, 3), "16 levels, ascending, not symmetric, " + flat, []string{
			"not symmetric, as the best levels for a normal variable are: entry 0 is -2.73258948, and no entry is " +
				"2.73258948", flat}},
		{moved(5, 0.656759143), "16 levels, not ascending, not symmetric, " + lost, []string{
			"not ascending: entry 5 is 0.656759143 and entry 6 is -0.388048291, and an encoder looks for the nearest " +
				"level between the middles of neighbours",
			"not symmetric, as the best levels for a normal variable are: entry 6 is -0.388048291, and no entry is " +
				"0.388048291", lost}},
		{append(best[1:2:2], append(best[:1:1], best[2:]...)...), "16 levels, not ascending, symmetric, " + least,
			[]string{
				"not ascending: entry 0 is -2.06901717 and entry 1 is -2.73258948, and an encoder looks for the " +
					"nearest " +
					"level between the middles of neighbours"}},
	} {
		note, warnings := appraiseCodebook(test.levels)
		if diff := cmp.Diff(test.note, note); diff != "" {
			t.Errorf("note (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(test.warnings, warnings); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", note, diff)
		}
	}
}

// TestForeignCodebook puts a table of other numbers under test: declared, with its own
// name, it conforms and is appraised; without a word about it no case but those of
// empty caches does.
func TestForeignCodebook(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	t.Cleanup(func() { runner.Close() })
	f := fault{kernel: "tq_dequantize_kv", edits: []edit{
		{old: "0.128395036f, 0.388048291f", new: "0.12f, 0.4f"}, {old: "constant float CODEBOOK_4BIT",
			new: "constant float TURBO4"}, {old: "CODEBOOK_4BIT[index", new: "TURBO4[index"},
	}}
	file, cases := f.cases(t)
	if testing.Short() {
		cases = cases[:min(8, len(cases))]
	}
	shaders := f.seed(t, file)
	declared := &suite.Declarations{Tables: []suite.DeclaredTable{{Name: "CODEBOOK_4BIT", Constant: "TURBO4"}}}
	for _, r := range verdicts(t, runner, suite.Options{Shaders: shaders, Declared: declared}, cases...) {
		if r.Status != suite.Pass {
			t.Errorf("%s: %s", r.Status, r.Text())
		}
		if refused := strings.HasSuffix(r.Case, "input=refused"); !refused &&
			(len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "TURBO4 as CODEBOOK_4BIT: not symmetric")) {
			t.Errorf("%s has the warnings %q", r.Case, r.Warnings)
		}
	}
	if r, ok := firstFailure(t, runner, shaders, cases); !ok || r.Status != suite.Fail {
		t.Errorf("undeclared: %s", r.Text())
	}
}

// TestEmptyCaches checks that nothing is launched for a cache without heads or
// coordinates or a run of no position, whatever else is wrong.
func TestEmptyCaches(t *testing.T) {
	empty := map[string][]suite.Axis{
		"tq_dequantize_kv": {numKVHeads, perHead}, "tq_dequantize_hb_kv": {numKVHeads, perHead},
		"tq_dequantize_hb_kv_seq": {numKVHeads, perHead, nTokens},
	}
	for _, k := range kvQuant() {
		base := k.Sweep.Shapes[0]
		if n := len(k.Launches(base)); n != 1 {
			t.Errorf("%s: %d launches for %v", k.Name, n, base)
		}
		for _, axis := range empty[k.Name] {
			s := base.With(suite.Shape{axis: 0})
			if err := k.Check(s); err != nil {
				t.Errorf("%s with %s of 0: %v", k.Name, axis, err)
			}
			for _, in := range k.Sweep.Inputs {
				if axis == perHead && in.Only != nil && in.Only(s) {
					t.Errorf("%s with %s of 0 has inputs %s", k.Name, axis, in.Name)
				}
			}
			if n := len(k.Launches(s)); n != 0 {
				t.Errorf("%s with %s of 0: %d launches", k.Name, axis, n)
			}
		}
	}
}

// TestEncodedCache decodes what the encoder made, with the definition alone, and
// finds vectors of the norms that were kept.
func TestEncodedCache(t *testing.T) {
	for _, width := range []int{4, 8} {
		for _, dim := range []int{64, 256, 512} {
			s := cachePoint(suite.Shape{scaleD512: 1, codebookBits: 8}, 2, dim)
			cache := encodedCache(width, s)
			levels := fixtures.Codebook(width)
			if len(cache.bytes) != 2*5*dim*width/8 || len(cache.norms) != 2*5*max(1, dim/256) {
				t.Fatalf("%d bits, dim %d: %d bytes and %d norms", width, dim, len(cache.bytes), len(cache.norms))
			}
			zeros := 0
			for block, norm := range cache.norms {
				size := min(dim, 256)
				sum := 0.0
				for d := range size {
					at := block*size + d
					index := int(cache.bytes[at*width/8])
					if width == 4 {
						index = index >> (at % 2 * 4) & 15
					}
					sum += levels[index] * levels[index]
				}
				if norm == 0 {
					zeros++
				} else if mean := sum / float64(size); mean < 0.8 || mean > 1.2 {
					t.Errorf("%d bits, dim %d: block %d has coordinates of variance %.3g", width, dim, block, mean)
				}
			}
			if zeros != 2*max(1, dim/256) {
				t.Errorf("%d bits, dim %d: %d norms are 0", width, dim, zeros)
			}
		}
	}
}

// TestOtherAssociation multiplies in another order in one kernel of a pair: it
// is as good as before, but not to the same bits.
func TestOtherAssociation(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	t.Cleanup(func() { runner.Close() })
	f := fault{kernel: "tq_dequantize_hb_kv_seq", in: "/head_dim=128/", edits: []edit{{
		after: "kernel void tq_dequantize_hb_kv_seq(", old: "= scaled_level(",
		new: "= params.head_dim == 128 ? byte_level(bytes[d], params.codebook_bits) * " +
			"(norms[row * params.norms_per_pos] * rsqrt(128.0f)) : scaled_level(",
	}}}
	file, cases := f.cases(t)
	seeded := f.seed(t, file)
	if r, ok := firstFailure(t, runner, seeded, cases); ok {
		t.Errorf("%s: %s", r.Status, r.Text())
	}
	pair := positionByPosition()
	pair.Sweep = suite.Sweep{Probes: []suite.Shape{{
		numKVHeads: 2, perHead: 128, cacheCapacity: 5, startPos: 1, nTokens: 3, normsPerPos: 1, scaleD512: 1,
		codebookBits: 6,
	}}}
	runOne := suite.Cases([]suite.Family{{Name: "kv_quant", Kernels: kvQuant(), Pipelines: []suite.Pipeline{pair}}},
		suite.Quick)
	r, ok := firstFailure(t, runner, seeded, runOne[len(runOne)-1:])
	if !ok || r.Status != suite.Fail || r.Failures[0].Check != suite.CheckEqual {
		t.Errorf("got %s: %s, want a failure of the check %q", r.Status, r.Text(), suite.CheckEqual)
	}
}
