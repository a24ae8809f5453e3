package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"metalconform/internal/exit"
	"metalconform/tensorfile"

	"github.com/google/go-cmp/cmp"
)

// TestRecordings judges a kernel by results in files alone: those of its formula in float64, those
// that somebody has stored in f32, and others that are off, by so little that the value's bound
// would not tell.
func TestRecordings(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("k.metal",
		[]byte(`kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
			uint i [[thread_position_in_grid]]) {
    y[i] = x[i] * x[i] + 0.5f;
}`))
	write("k.star",
		[]byte(`kernel(name = "k", args = [input("x", f32, "n"), output("y", f32, "n")], threads = "n",
			threads_per_threadgroup = 32, base = {"n": 1},
    recordings = ["exact.safetensors", "single.safetensors", "beside.safetensors", "half.safetensors", "off.safetensors", "nearly.safetensors"])`))
	const n = 40
	var x []byte
	var exact []float64
	for i := range n {
		v := 1 / float32(i+3)
		x = binary.LittleEndian.AppendUint32(x, math.Float32bits(v))
		exact = append(exact, float64(float64(v)*float64(v))+0.5)
	}
	single := func(y float64) []byte {
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(y)))
	}
	for name, y := range map[string]struct {
		of  tensorfile.Type
		one func(float64) []byte
	}{
		"exact": {tensorfile.F64,
			func(y float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(y)) }},
		"single": {tensorfile.F32, single},
		// an ulp, as from another device
		"beside": {tensorfile.F32, func(y float64) []byte { return single(y + 0x1p-24) }},
		"half":   {tensorfile.BF16, func(y float64) []byte { return single(y * 1.01)[2:] }},
		"off":    {tensorfile.F32, func(y float64) []byte { return single(y * (1 + 1e-6)) }},
		"nearly": {tensorfile.F64, func(y float64) []byte {
			return binary.LittleEndian.AppendUint64(nil, math.Float64bits(y*(1+1e-11)))
		}},
	} {
		var data []byte
		for _, v := range exact {
			data = append(data, y.one(v)...)
		}
		write(name+".safetensors", tensorfile.Safetensors(nil, []tensorfile.Named{
			{Name: "y", Array: tensorfile.Array{Type: y.of, Shape: []int{n}, Data: data}},
			{Name: "x", Array: tensorfile.Array{Type: tensorfile.F32, Shape: []int{n}, Data: x}},
		}))
	}
	var out bytes.Buffer
	status := conform(context.Background(), []string{"run", "-backend", "simulator", "-spec", "k.star", "-shaders", ".",
		"-json"}, &out, &bytes.Buffer{})
	got := map[string]string{}
	for _, m := range regexp.MustCompile(`"case":"k/n=40/input=(\w+)".*?"status":"(\w+)"`).FindAllStringSubmatch(
		out.String(), -1,
	) {
		got[m[1]] = m[2]
	}
	want := map[string]string{"exact": "pass", "single": "pass", "beside": "pass", "half": "fail", "off": "fail",
		"nearly": "fail"}
	if diff := cmp.Diff(want, got); diff != "" || status != exit.Fails {
		t.Errorf("status %d, verdicts (-want +got):\n%s\n%s", status, diff, out.String())
	}

	// What record writes is a recording, and judges the kernel that wrote it.
	out.Reset()
	status = conform(context.Background(), []string{"record", "-backend", "simulator", "-spec", "k.star", "-shaders",
		".", "-o", "again.safetensors", "k/n=40/input=single"}, &out, &out)
	if status != exit.Conforms {
		t.Fatalf("status %d: %s", status, out.String())
	}
	err := tensorfile.Open(os.DirFS("."), "again.safetensors", func(f *tensorfile.File) error {
		if diff := cmp.Diff([]any{[]string{"x", "y.got", "y.want"}, "k/n=40/input=single"},
			[]any{f.Names, f.Meta["case"]}); diff != "" {
			t.Errorf("file (-want +got):\n%s", diff)
		}
		a, err := f.Array("x")
		if err == nil && !bytes.Equal(a.Data, x) {
			t.Error("x is not what the kernel was given")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	star, err := os.ReadFile("k.star")
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join("k.star"),
		regexp.MustCompile(`recordings = .*\]`).ReplaceAll(star, []byte(`recordings = ["again.safetensors"]`)))
	out.Reset()
	if status = conform(context.Background(), []string{"run", "-backend", "simulator", "-spec", "k.star", "-shaders",
		".", "-q"}, &out, &out); status != exit.Conforms {
		t.Errorf("status %d: %s", status, out.String())
	}
	out.Reset()
	if status = conform(context.Background(),
		[]string{"shrink", "-backend", "simulator", "-spec", "k.star", "-shaders", ".", "k/n=40/input=again"}, &out,
		&out); status != exit.Usage || !bytes.Contains(out.Bytes(), []byte("recorded results")) {
		t.Errorf("shrink: status %d: %s", status, out.String())
	}
}
