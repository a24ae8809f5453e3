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

func TestCodebookNote(t *testing.T) {
	best := fixtures.Codebook(4)
	moved := func(i int, x float64) []float64 {
		levels := append([]float64(nil), best...)
		levels[i] = x
		return levels
	}
	scaled := append([]float64(nil), best...)
	for i := range scaled {
		scaled[i] *= 1.1
	}
	for _, test := range []struct {
		levels []float64
		want   string
	}{
		{best, "16 levels, ascending, symmetric, mean squared error 9.501008e-03 for a normal variable, the least possible"},
		{scaled, "16 levels, ascending, symmetric, mean squared error 9.882032e-03 for a normal variable, 4.01 % above the least possible"},
		{moved(15, 3), "16 levels, ascending, not symmetric, mean squared error 9.751177e-03 for a normal variable, 2.63 % above the least possible"},
		{moved(0, 3), "16 levels, not ascending, not symmetric, mean squared error 1.277750e-02 for a normal variable, 34.5 % above the least possible"},
		{moved(3, math.NaN()), "16 levels, not all finite"},
		{moved(3, math.Inf(1)), "16 levels, not all finite"},
	} {
		if diff := cmp.Diff(test.want, codebookNote(test.levels)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestForeignCodebook puts tables of other numbers under test: they pass, with
// a note.
func TestForeignCodebook(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	t.Cleanup(func() { runner.Close() })
	f := fault{kernel: "tq_dequantize_kv", edits: []edit{
		{old: "0.128395036f, 0.388048291f", new: "0.12f, 0.4f"},
	}}
	file, cases := f.cases(t)
	for _, r := range verdicts(t, runner, suite.Options{Shaders: f.seed(t, file)}, cases...) {
		if r.Status != suite.Pass {
			t.Errorf("%s: %s", r.Status, r.Text())
		}
		if refused := strings.HasSuffix(r.Case, "input=refused"); !refused && (len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "CODEBOOK_4BIT: 16 levels, ascending, not symmetric")) {
			t.Errorf("%s has the notes %q", r.Case, r.Notes)
		}
	}
}

// TestNoCodebook takes a table away.
func TestNoCodebook(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	t.Cleanup(func() { runner.Close() })
	f := fault{kernel: "tq_dequantize_hb_kv", in: "codebook_bits=5/", edits: []edit{
		{old: "constant float CODEBOOK_5BIT", new: "constant float LEVELS_5BIT"},
		{old: "return CODEBOOK_5BIT", new: "return LEVELS_5BIT"},
	}}
	file, cases := f.cases(t)
	r, ok := firstFailure(t, runner, f.seed(t, file), cases)
	if want := "no constant CODEBOOK_5BIT at program scope, want float[32]"; !ok || r.Status != suite.Fail || !strings.Contains(r.Text(), want) {
		t.Errorf("got %s: %s, want a failure with %q", r.Status, r.Text(), want)
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
		numKVHeads: 2, perHead: 128, cacheCapacity: 5, startPos: 1, nTokens: 3, normsPerPos: 1, scaleD512: 1, codebookBits: 6,
	}}}
	runOne := suite.Cases([]suite.Family{{Name: "kv_quant", Kernels: kvQuant(), Pipelines: []suite.Pipeline{pair}}}, suite.Quick)
	r, ok := firstFailure(t, runner, seeded, runOne[len(runOne)-1:])
	if !ok || r.Status != suite.Fail || r.Failures[0].Check != suite.CheckEqual {
		t.Errorf("got %s: %s, want a failure of the check %q", r.Status, r.Text(), suite.CheckEqual)
	}
}
