package air

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

var update = flag.Bool("update", false, "write testdata/fixture.metallib from the modules beside it")

// fixtures are the modules of testdata: each .ll as llvm-as and clang -x ir -emit-llvm -c make bitcode of it.
var fixtures = []string{"axpy", "gather", "tile", "opaque"}

// container is a library of kernels.
func container(modules map[string][]byte, order []string) []byte {
	tag := func(name string, value []byte) []byte {
		return append(binary.LittleEndian.AppendUint16([]byte(name), uint16(len(value))), value...)
	}
	u64 := func(v ...uint64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
		return b
	}
	var table, code []byte
	for _, name := range order {
		entry := bytes.Join([][]byte{tag("NAME", append([]byte(name), 0)), tag("TYPE", []byte{2}),
			tag("MDSZ", u64(uint64(len(modules[name])))), tag("OFFT", u64(0, 0, uint64(len(code)))),
			tag("VERS", []byte{2, 0, 6, 0, 3, 0, 1, 0}), []byte("ENDT")}, nil)
		table = append(binary.LittleEndian.AppendUint32(table, uint32(len(entry)+4)), entry...)
		code = append(code, modules[name]...)
	}
	const header = 88
	at := uint64(header + 4 + len(table))
	file := append([]byte("MTLB"), 1, 0x80, 2, 0, 7, 0, 0, 0x81, 14, 0, 0, 0)
	file = append(file, u64(at+uint64(len(code)), header, uint64(len(table)), at, 0, at, 0, at, uint64(len(code)))...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(order)))
	return append(append(file, table...), code...)
}

// fixture is the library of testdata.
func fixture(t testing.TB) *Library {
	path := filepath.Join("testdata", "fixture.metallib")
	modules := map[string][]byte{}
	for _, name := range fixtures {
		data, err := os.ReadFile(filepath.Join("testdata", name+".bc"))
		if err != nil {
			t.Fatal(err)
		}
		modules[name] = data
	}
	want := container(modules, fixtures)
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(data, want) {
		t.Fatalf("%s is not made of the modules beside it: go test -update writes it (%v)", path, err)
	}
	l, err := Read("fixture.metallib", data)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func none(int) (uint64, bool) { return 0, false }

func TestFixture(t *testing.T) {
	for _, k := range fixture(t).Kernels {
		lowered, err := k.Lower(none)
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		if err := ir.Verify(lowered); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(filepath.Join("testdata", k.Name+".ll"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Count(k.Listing(), "\n  "), instructions(string(text)); got != want {
			t.Errorf("%s: the listing has %d instructions, want %d:\n%s", k.Name, got, want, k.Listing())
		}
	}
}

// instructions counts the lines of functions that are instructions.
func instructions(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "    ") && strings.TrimSpace(line) != "]" {
			n++
		}
	}
	return n
}

func TestSignature(t *testing.T) {
	want := map[string]string{
		"axpy":   "device const float * x|device float * y|constant Params & p|uint id",
		"gather": "device const float4 * in|device int * out|device atomic_uint * total|uint id|ushort lane",
		"tile":   "device const float * a|device const float * b|device float * c",
		"opaque": "device const half * x|device float * y|uint id",
	}
	for _, k := range fixture(t).Kernels {
		f, err := k.Signature()
		if err != nil {
			t.Fatal(err)
		}
		var params []string
		for _, v := range f.Params {
			text := v.Type.String() + " "
			if v.Ref {
				text = v.Space.String() + " " + v.Type.String() + " & "
			}
			params = append(params, text+v.Name)
		}
		if got := strings.Join(params, "|"); got != want[k.Name] {
			t.Errorf("%s(%s), want (%s)", k.Name, got, want[k.Name])
		}
	}
}

// TestRefused has kernels that the IR has no meaning for, by an edit of a name that a module has.
func TestRefused(t *testing.T) {
	for _, test := range []struct{ module, old, replaced, want string }{
		{"gather", "air.simd_sum.u.i32", "air.simd_mad.u.i32", "air.simd_mad.u.i32 is not supported"},
		{"axpy", "air.thread_position_in_grid", "air.thread_position_in_mesh", "thread position in mesh"},
		{"tile", "_init_filled.", "_init_melted.", "not supported"},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", test.module+".bc"))
		if err != nil {
			t.Fatal(err)
		}
		edited := bytes.ReplaceAll(data, []byte(test.old), []byte(test.replaced))
		if bytes.Equal(data, edited) {
			t.Fatalf("%s has no %s", test.module, test.old)
		}
		l, err := Read("x.metallib", container(map[string][]byte{test.module: edited}, []string{test.module}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = l.Kernels[0].Lower(none)
		var why *syntax.Error
		if !errors.As(err, &why) || !strings.Contains(why.Msg, test.want) || why.Pos.Line < 1 {
			t.Errorf("%s: the error is %v, want %s at a line", test.module, err, test.want)
		}
	}
}

// TestDamaged translates modules with bits that are wrong: none makes the front end panic.
func TestDamaged(t *testing.T) {
	l := fixture(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		k := l.Kernels[r.IntN(len(l.Kernels))]
		data := bytes.Clone(k.data)
		for range 1 + r.IntN(3) {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		}
		damaged, err := Read("x.metallib", container(map[string][]byte{k.Name: data}, []string{k.Name}))
		if err != nil {
			t.Fatal(err)
		}
		if lowered, err := damaged.Kernels[0].Lower(none); (lowered == nil) == (err == nil) {
			t.Fatalf("%s: a kernel: %t, error %v", k.Name, lowered != nil, err)
		}
	}
}

// FuzzLower translates modules that are damaged. What is accepted is well formed.
func FuzzLower(f *testing.F) {
	for _, name := range fixtures {
		data, err := os.ReadFile(filepath.Join("testdata", name+".bc"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if name == "" {
			return
		}
		l, err := Read("x.metallib", container(map[string][]byte{name: data}, []string{name}))
		if err != nil {
			return
		}
		for _, k := range l.Kernels {
			if _, err := k.Lower(none); err != nil {
				continue
			}
			if _, err := k.Signature(); err != nil {
				t.Error(err)
			}
		}
	})
}
