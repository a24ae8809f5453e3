package kernels

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"io/fs"

	"metalconform/metalrun"
	"metalconform/shaders"
)

// TestOneToken checks that a multi-token product of a single token has the
// bits of its single-token partner.
func TestOneToken(t *testing.T) {
	runner := metalrun.NewSimulator(metalrun.Semantics{})
	t.Cleanup(func() { runner.Close() })
	text, err := fs.ReadFile(shaders.FS, "quant.metal")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := runner.Compile(metalrun.SourceText("quant.metal", string(text)), metalrun.CompileOptions{LanguageVersion: metalrun.DefaultVersion})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(lib.Release)
	for _, s := range [][3]uint32{{1, 64, 64}, {9, 320, 64}, {23, 296, 8}, {8, 4096, 64}} {
		out, in, group := s[0], s[1], s[2]
		t.Run(fmt.Sprintf("out_dim=%d/in_dim=%d/group_size=%d", out, in, group), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(out), uint64(in)))
			weights := [][]byte{words(r, out*in/8), bfloats(r, out*in/group), bfloats(r, out*in/group), floats(r, in)}
			sizes := [][]byte{scalar(out), scalar(in), scalar(group)}
			tiles := (out + 7) / 8
			single := product(t, lib, "dequant_matvec_4bit_v3", int(tiles), int(out), weights, sizes)
			several := product(t, lib, "dequant_matvec_4bit_v3_n_tokens", int(tiles), int(out), weights,
				append(sizes, scalar(1), scalar(tiles)))
			for i := range int(out) {
				if a, b := single[4*i:4*i+4], several[4*i:4*i+4]; !bytes.Equal(a, b) {
					t.Errorf("row %d: one token of dequant_matvec_4bit_v3_n_tokens has the bits %x, dequant_matvec_4bit_v3 %x",
						i, binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(a))
				}
			}
		})
	}
}

// product runs a matrix-vector product with its output after the inputs and
// before the scalars.
func product(t *testing.T, lib metalrun.Library, name string, groups, rows int, inputs, scalars [][]byte) []byte {
	t.Helper()
	kernel, err := lib.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 4*rows)
	var bindings []metalrun.Binding
	bind := func(data []byte, inline bool) {
		bindings = append(bindings, metalrun.Binding{Index: len(bindings), Data: data, Length: len(data), Inline: inline})
	}
	for _, b := range inputs {
		bind(b, false)
	}
	bind(out, false)
	for _, b := range scalars {
		bind(b, true)
	}
	_, err = kernel.Run(metalrun.Dispatch{
		Bindings:              bindings,
		Threadgroups:          metalrun.Size{X: groups, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 256, Y: 1, Z: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func scalar(x uint32) []byte { return binary.LittleEndian.AppendUint32(nil, x) }

func words(r *rand.Rand, n uint32) []byte {
	var b []byte
	for range n {
		b = binary.LittleEndian.AppendUint32(b, r.Uint32())
	}
	return b
}

func floats(r *rand.Rand, n uint32) []byte {
	var b []byte
	for range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(r.NormFloat64())))
	}
	return b
}

// bfloats are the upper halves of floats: numbers of the format, if not evenly
// rounded ones.
func bfloats(r *rand.Rand, n uint32) []byte {
	var b []byte
	for range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(math.Float32bits(float32(r.NormFloat64()))>>16))
	}
	return b
}
