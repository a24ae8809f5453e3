package spec

import (
	bytesof "encoding/binary"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/tensorfile"
)

// singles is an array of f32.
func singles(shape []int, values ...float32) tensorfile.Array {
	a := tensorfile.Array{Type: tensorfile.F32, Shape: shape}
	for _, x := range values {
		a.Data = bytesof.LittleEndian.AppendUint32(a.Data, math.Float32bits(x))
	}
	return a
}

// files is a directory with a specification and arrays.
func files(text string, arrays map[string][]tensorfile.Named) fstest.MapFS {
	dir := fstest.MapFS{"f.star": {Data: []byte(text)}}
	for name, list := range arrays {
		dir[name] = &fstest.MapFile{
			Data: tensorfile.Safetensors(map[string]string{"case": "k/rows=2/n=3/heads=7/input=normal"}, list),
		}
	}
	return dir
}

const recorded = `kernel(name = "k", args = [input("x", f32, "rows", "n"), inout("s", bf16, "n"), output("y", f16, "rows"), scalar("eps", f32, 1), scalar("n", u32, "n")],
    threads = "n", threads_per_threadgroup = 32, base = {"rows": 1, "n": 1, "heads": 1}, recordings = ["decode.safetensors"])
`

func recordedArrays() []tensorfile.Named {
	return []tensorfile.Named{
		{Name: "x", Array: singles([]int{2, 3}, 1, 2, 3, 4, 5, 6)},
		{Name: "s", Array: tensorfile.Array{Type: tensorfile.Raw16, Shape: []int{3},
			Data: []byte{0x80, 0x3f, 0, 0x40, 0, 0}}},
		{Name: "s.want", Array: tensorfile.Array{Type: tensorfile.BF16, Shape: []int{3},
			Data: []byte{0, 0x40, 0, 0, 0x80, 0x3f}}},
		{Name: "y", Array: singles([]int{2}, 0.5, 0.25)},
		{Name: "eps", Array: singles(nil, 1e-3)},
		{Name: "more", Array: tensorfile.Array{Type: tensorfile.U8, Shape: []int{1}, Data: []byte{1}}},
	}
}

// A recording is a case: axes from shapes and from the file's own case, inputs and scalars from
// arrays, and results that say what they were stored in.
func TestRecording(t *testing.T) {
	all := files(recorded, map[string][]tensorfile.Named{"decode.safetensors": recordedArrays()})
	f, err := new(Limits).Read(all, "f.star")
	if err != nil {
		t.Fatal(err)
	}
	cases := suite.Cases([]suite.Family{f}, suite.Full)
	if len(cases) != 1 || cases[0].Name != "k/rows=2/n=3/heads=7/input=decode" {
		t.Fatalf("cases %v", cases)
	}
	c := cases[0]
	filled := map[string][]float64{}
	for name, n := range map[string]int{"x": 6, "s": 3} {
		filled[name] = make([]float64, n)
		c.Input.Fills[name](nil, c.Shape, filled[name])
	}
	f16, bf16 := oracles.F32, oracles.BF16
	got := []any{filled, c.Scalars()[0]["eps"], c.Kernel.Oracle(&suite.Problem{Shape: c.Shape, Input: "decode"})}
	want := []any{
		map[string][]float64{"x": {1, 2, 3, 4, 5, 6}, "s": {1, 2, 0}}, float64(float32(1e-3)),
		suite.Answers{"s": {Plain: true, Want: []float64{2, 0, 1}, Stored: &bf16},
			"y": {Plain: true, Want: []float64{0.5, 0.25}, Stored: &f16}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("case (-want +got):\n%s", diff)
	}
}

// Data are tensors, of a definition and of inputs.
func TestData(t *testing.T) {
	f, err := new(Limits).Read(files(`w = data("w.safetensors", "w")
bits = data("w.safetensors", "bits", type = bf16)
def add(x):
    return x + w + bits
kernel(name = "k", args = [input("x", f32, "n", fill = w), output("y", f32, "n")], threads = "n", threads_per_threadgroup = 32, base = {"n": 2},
    inputs = [family("own"), family("data", {"x": bits})], oracle = add)`,
		map[string][]tensorfile.Named{"w.safetensors": {{Name: "w", Array: singles([]int{2}, 3, 4)},
			{Name: "bits", Array: tensorfile.Array{Type: tensorfile.U16, Shape: []int{2},
				Data: []byte{0x80, 0x3f, 0, 0x40}}}}}), "f.star")
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float64
	for _, in := range f.Kernels[0].Sweep.Inputs {
		x := make([]float64, 2)
		in.Fills["x"](nil, nil, x)
		got = append(got, x)
	}
	if diff := cmp.Diff([][]float64{{3, 4}, {1, 2}}, got); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

// What does not fit together is refused with what is wrong.
func TestDataMistakes(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(recorded, old, new, 1) }
	without := func(name string, instead ...tensorfile.Named) []tensorfile.Named {
		var list []tensorfile.Named
		for _, a := range recordedArrays() {
			if a.Name != name {
				list = append(list, a)
			}
		}
		return append(list, instead...)
	}
	for _, test := range []struct {
		text   string
		arrays []tensorfile.Named
		want   string
	}{
		{recorded, without("x"),
			`f.star:1:7: kernel k: f.star:1:7: recording decode: it has no array "x": there are eps, more, s, ` +
				`s.want, y`},
		{recorded, without("y"), `nothing is expected of y: want an array "y.want", or an oracle`},
		{recorded, without("s.want"), `nothing is expected of s`},
		{recorded, without("x", tensorfile.Named{Name: "x", Array: singles([]int{3, 2}, 1, 2, 3, 4, 5, 6)}),
			`has shape [3], but axis n is 2 elsewhere`},
		{recorded, without("y", tensorfile.Named{Name: "y", Array: singles([]int{3}, 1, 2, 3)}),
			`y has shape [3], but axis rows is 2 elsewhere`},
		{recorded, without("y", tensorfile.Named{Name: "y", Array: singles([]int{1, 1, 2}, 1, 2)}),
			`y: shape [1 1 2], want [2] at rows=2/n=3/heads=7`},
		// one number
		{change(`f16, "rows"`, `f16, 1`), without("y", tensorfile.Named{Name: "y", Array: singles(nil, 0.5)}), ""},
		{recorded, without("eps", tensorfile.Named{Name: "eps", Array: singles([]int{2}, 1, 2)}),
			"eps: shape [2], want one number"},
		{recorded, without("s", tensorfile.Named{Name: "s", Array: singles([]int{3}, 1, 0.1, 2)}),
			"s: element 1 is 0.10000000149011612, which bf16 does not have: save what the kernel is given"},
		{recorded,
			without("y", tensorfile.Named{Name: "y", Array: tensorfile.Array{Type: tensorfile.E4M3, Shape: []int{2},
				Data: []byte{1, 2}}}), "expected values in F8_E4M3"},
		{change(`["decode.safetensors"]`, `[recording("decode.safetensors", at = {"heads": 1})]`), nil, ""},
		{change(`["decode.safetensors"]`, `[recording("decode.safetensors", at = {"n": 4})]`), nil,
			"axis n is 4, but 3 in the shapes of the arrays"},
		{change(`["decode.safetensors"]`, `[recording("decode.safetensors", at = {"m": 4})]`), nil,
			"m is not an axis: base has rows, n, heads"},
		{change(`["decode.safetensors"]`, `[recording("decode.safetensors", name = "a/b")]`), nil,
			`name = "a/b": want letters`},
		{change(`["decode.safetensors"]`, `["decode.safetensors"] * 2`), nil,
			"two families of inputs are called decode"},
		{change(`["decode.safetensors"]`, `["../decode.safetensors"]`), nil, "outside of the directory"},
		{change(`["decode.safetensors"]`, `["/decode.safetensors"]`), nil, "outside of the directory"},
		{change(`["decode.safetensors"]`, `["none.npz"]`), nil, "none.npz: file does not exist"},
		{change(`["decode.safetensors"]`, `["f.star"]`), nil, "no .npy, .npz or .safetensors file"},
		{change(`["decode.safetensors"]`, `[1]`), nil, "recordings: got int"},
		{change(`["decode.safetensors"]`, `[recording({"x": "decode.safetensors"}, name = "d")]`), nil,
			`it has no array "s"`},
		{change(`["decode.safetensors"]`, `[recording({"z": "decode.safetensors"}, name = "d")]`), nil,
			`say which of its arrays, as in "z": ("decode.safetensors", "eps"): there are eps`},
		{change(`["decode.safetensors"]`, `[recording({"x": ("decode.safetensors", "x")}, name = "d")]`), nil,
			`it has no array "s"`},
		{change("recordings", `vary = {"n": [2]}, recordings`), nil, "need an oracle"},
		{change(`, recordings = ["decode.safetensors"]`, ""), nil, "want an oracle, or recordings"},
		{`x = data("decode.safetensors")`, nil,
			`f.star:1:9: decode.safetensors: say which of its arrays, as in data("decode.safetensors", "eps"): ` +
				`there are eps`},
		{`x = data("decode.safetensors", "x", type = f16)`, nil, "elements of F32 have 4 bytes, and of F16 2"},
		{`x = data("decode.safetensors", "s")`, nil, "say the type"},
		{`x = data("decode.safetensors", "s", type = "f12")`, nil, `type f12: want a type such as bf16`},
		{change(`recordings = ["decode.safetensors"]`, `oracle = lambda: data("decode.safetensors", "x")`), nil, ""},
		{change("input(", `input("z", f32, fill = 1), input(`), nil, "want a name, a type and the extents"},
		{change(`"n"), inout`, `"n", fill = 1), inout`), nil, "got int, want a fill such as normal, or a tensor"},
	} {
		arrays := test.arrays
		if arrays == nil {
			arrays = recordedArrays()
		}
		all := files(test.text, map[string][]tensorfile.Named{"decode.safetensors": arrays})
		_, err := new(Limits).Read(all, "f.star")
		if (err == nil) != (test.want == "") ||
			err != nil && (!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s\n%v, want %q", test.text, err, test.want)
		}
	}
}
