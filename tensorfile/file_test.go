package tensorfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestNumPy reads what NumPy wrote: testdata/numpy/make.py says what is in the files.
func TestNumPy(t *testing.T) {
	floats, whole, negative := []float64{-1.5, 0, 2, 3, 64, -0.25}, []float64{0, 1, 2, 3, 100, 5},
		[]float64{0, -1, -2, -3, -100, -5}
	var counted []float64
	for i := range 24 {
		counted = append(counted, float64(i))
	}
	type want struct {
		file, array string
		of          Type
		shape       []int
		values      []float64
	}
	wants := []want{
		{"bool.npy", "", Bool, []int{2, 3}, []float64{0, 0, 1, 1, 1, 1}},
		{"u1.npy", "", U8, []int{2, 3}, whole}, {"i1.npy", "", I8, []int{2, 3}, negative},
		{"fortran.npy", "", F32, []int{2, 3, 4}, counted},
		{"number.npy", "", F32, []int{}, []float64{2.5}}, {"empty.npy", "", F32, []int{3, 0}, []float64{}},
		{"version1.npy", "", F32, []int{2, 3}, floats}, {"version2.npy", "", F32, []int{2, 3}, floats},
		{"version3.npy", "", F32, []int{2, 3}, floats},
		{"stored.npz", "x", F32, []int{2, 3}, floats}, {"stored.npz", "y", I64, []int{2, 3}, whole},
		{"deflated.npz", "x", F32, []int{2, 3}, floats},
		{"deflated.npz", "many", F64, []int{100, 100}, make([]float64, 10000)},
	}
	for _, order := range []string{"little", "big"} {
		for kind, of := range map[string]Type{"f2": F16, "f4": F32, "f8": F64} {
			wants = append(wants, want{order + "_" + kind + ".npy", "", of, []int{2, 3}, floats})
		}
		for kind, of := range map[string]Type{"i2": I16, "i4": I32, "i8": I64} {
			wants = append(wants, want{order + "_" + kind + ".npy", "", of, []int{2, 3}, negative})
		}
		for kind, of := range map[string]Type{"u2": U16, "u4": U32, "u8": U64} {
			wants = append(wants, want{order + "_" + kind + ".npy", "", of, []int{2, 3}, whole})
		}
	}
	for _, want := range wants {
		err := Open(os.DirFS("testdata/numpy"), want.file, func(f *File) error {
			a, err := f.Array(want.array)
			if err != nil {
				return err
			}
			values, err := a.Values()
			if diff := cmp.Diff([]any{want.of, want.shape, want.values}, []any{a.Type, a.Shape, values}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", want.file, diff)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	// Of bfloat16 NumPy says no more than its size.
	err := Open(os.DirFS("testdata/numpy"), "bfloat16.npy", func(f *File) error {
		a, err := f.Array("")
		if err != nil {
			return err
		}
		if _, err := a.Values(); err == nil || !strings.Contains(err.Error(), "say the type") {
			t.Errorf("values of raw elements: %v", err)
		}
		if a, err = a.As(BF16); err != nil {
			return err
		}
		values, err := a.Values()
		if diff := cmp.Diff(floats, values); diff != "" {
			t.Errorf("bfloat16 (-want +got):\n%s", diff)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestSmallFormats has bits and what they are by the definitions of the formats.
func TestSmallFormats(t *testing.T) {
	for _, test := range []struct {
		of   Type
		bits uint64
		want float64
	}{
		{E4M3, 0x00, 0}, {E4M3, 0x01, 0x1p-9}, {E4M3, 0x07, 7 * 0x1p-9}, {E4M3, 0x08, 0x1p-6}, {E4M3, 0x38, 1},
		{E4M3, 0xb9, -1.125}, {E4M3, 0x7e, 448}, {E4M3, 0x78, 256}, {E4M3, 0x7f, math.NaN()}, {E4M3, 0xff, math.NaN()},
		{E5M2, 0x01, 0x1p-16}, {E5M2, 0x3c, 1}, {E5M2, 0x7b, 57344}, {E5M2, 0xfc, math.Inf(-1)},
		{E5M2, 0x7d, math.NaN()},
		{E8M0, 0, 0x1p-127}, {E8M0, 127, 1}, {E8M0, 254, 0x1p127}, {E8M0, 255, math.NaN()},
		{F16, 0x0001, 0x1p-24}, {F16, 0x3c00, 1}, {F16, 0x7bff, 65504}, {F16, 0xfc00, math.Inf(-1)},
		{F16, 0x7e00, math.NaN()},
		{BF16, 0x3f80, 1}, {BF16, 0x0001, 0x1p-133}, {BF16, 0x7f80, math.Inf(1)},
		{I8, 0x80, -128}, {I64, 1<<64 - 1, -1}, {Bool, 2, 1},
	} {
		data := binary.LittleEndian.AppendUint64(nil, test.bits)[:test.of.Size()]
		got, err := Array{Type: test.of, Shape: []int{1}, Data: data}.Values()
		if err != nil || !cmp.Equal(got, []float64{test.want}, cmpopts.EquateNaNs()) {
			t.Errorf("%s %#x: %v, %v, want %v", test.of, test.bits, got, err, test.want)
		}
	}
	large := Array{Type: U64, Shape: []int{1}, Data: bytes.Repeat([]byte{0xff}, 8)}
	if _, err := large.Values(); err == nil || !strings.Contains(err.Error(), "18446744073709551615") {
		t.Errorf("an integer that float64 does not hold: %v", err)
	}
}

// Whoever reads may take smaller arrays alone: what is larger is refused before it is unpacked.
func TestMost(t *testing.T) {
	npy := append([]byte(magicNPY+"\x01\x00\x40\x00"),
		fmt.Sprintf("%-64s", "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }")...)
	npy = append(npy, make([]byte, 4000)...)
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	member, err := archive.Create("w.npy")
	if err == nil {
		_, err = member.Write(npy)
	}
	if err := errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"": npy, "w": packed.Bytes(),
		"x": Safetensors(nil, []Named{{"x", Array{F32, []int{1000}, make([]byte, 4000)}}}),
	} {
		f, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Array(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		f.Most = 3999
		if _, err := f.Array(name); err == nil || !strings.Contains(err.Error(), "at most 3999 are read") {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

// A header may be as long as numbers that other formats begin with.
func TestLengths(t *testing.T) {
	for _, length := range []int{0x280, 0x480, 0x8b1f} {
		header := `{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`
		header += strings.Repeat(" ", length-len(header))
		data := append(binary.LittleEndian.AppendUint64(nil, uint64(length)), header+"1"...)
		f, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(f.Names) != 1 {
			t.Errorf("%d bytes: %v", length, err)
		}
	}
}

// The format is that of safetensors, spelled out, and is read again.
func TestSafetensors(t *testing.T) {
	got := Safetensors(map[string]string{"k": "v"},
		[]Named{{"x", Array{F32, []int{1}, []byte{0, 0, 0x80, 0x3f}}}, {"y", Array{U8, nil, []byte{5}}}})
	const header = `{"__metadata__":{"k":"v"},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"U8","shape":[],"data_offsets":[4,5]}}      `
	want := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+"\x00\x00\x80\x3f\x05"...)
	if !bytes.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f, err := Read(bytes.NewReader(got), int64(len(got)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{[]string{"x", "y"}, map[string]string{"k": "v"}}, []any{f.Names, f.Meta}); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	a, err := f.Array("x")
	if err != nil || a.Bits(0) != 0x3f800000 {
		t.Errorf("x: %v, %v", a, err)
	}
	if _, err := f.Array("z"); err == nil || err.Error() != `no array is called "z": there are x, y` {
		t.Error(err)
	}
}

// Names of strangers stand in a message as what they are.
func TestListed(t *testing.T) {
	if got := Listed([]string{"x", "", "a\n::error::b", "\x1b[31m"}); got != `x, "", "a\n::error::b", "\x1b[31m"` {
		t.Error(got)
	}
	if got := Listed(strings.Split(strings.Repeat("x", 1000), "")); got != strings.Repeat("x, ", 20)+"980 more" {
		t.Error(got)
	}
}

// arrays reads all that a file has.
func arrays(data []byte) error {
	f, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, name := range f.Names {
		a, err := f.Array(name)
		if err != nil {
			return err
		}
		if len(a.Data) != a.Len()*a.Type.Size() {
			return fmt.Errorf("%v of %s in %d bytes", a.Shape, a.Type, len(a.Data))
		}
	}
	return nil
}

// npy is a .npy file with a header.
func npy(version byte, header, data string) []byte {
	file := append([]byte(magicNPY), version, 0)
	if version == 1 {
		file = binary.LittleEndian.AppendUint16(file, uint16(len(header)))
	} else {
		file = binary.LittleEndian.AppendUint32(file, uint32(len(header)))
	}
	return append(file, header+data...)
}

// Damaged files, and those that mean something else, are refused with what is wrong.
func TestDamaged(t *testing.T) {
	file := func(header, data string) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+data...)
	}
	const plain = `{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }`
	change := func(old, new string) []byte { return npy(1, strings.Replace(plain, old, new, 1), "12345678") }
	numpy := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata/numpy", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	damaged := numpy("deflated.npz")
	damaged[0x40] ^= 0xff
	for _, test := range []struct {
		want string
		data []byte
	}{
		{"shorter than the size of a header", []byte("1234567")},
		{"a header of 99 bytes in a file of 10", []byte{99, 0, 0, 0, 0, 0, 0, 0, '{', '}'}},
		{"a header of 18446744073709551615 bytes", bytes.Repeat([]byte{0xff}, 16)},
		{"header: ", file(`{"x"`+"\x00"+`}`, "")},
		{"header: something behind", file(`{} {}`, "")},
		{`array "x": twice "dtype"`, file(`{"x":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}}`, "1")},
		{`header: __metadata__: twice "a"`,
			file(`{"__metadata__":{"a":"1","a":"2"},"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, "1")},
		{`header: twice "x"`,
			file(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, "1")},
		{`array "x": dtype "F4" is not known`, file(`{"x":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}}`, "1")},
		{`array "x": bytes 0 to 9 of 4`, file(`{"x":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}}`, "1234")},
		{`array "x": bytes -1 to 1 of 4`, file(`{"x":{"dtype":"U8","shape":[2],"data_offsets":[-1,1]}}`, "1234")},
		{`array "x": bytes 3 to 1 of 4`, file(`{"x":{"dtype":"U8","shape":[0],"data_offsets":[3,1]}}`, "1234")},
		{`array "x": shape [2] of F32 in 4 bytes`,
			file(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, "1234")},
		{`array "x": shape [1] of F32 in 5 bytes`,
			file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,5]}}`, "12345")},
		{`array "x": shape [4294967296 4294967296] of U8 in 4 bytes`,
			file(`{"x":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`, "1234")},
		{`array "x": unknown field "more"`,
			file(`{"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"more":1}}`, "1234")},
		{`array "x": unknown field "DType"`,
			file(`{"x":{"dtype":"U8","DType":"I8","shape":[4],"data_offsets":[0,4]}}`, "1234")},
		{"header: not UTF-8", file("{\"\x98\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", "1")},
		{`an array is called "\x98"`, bytes.ReplaceAll(numpy("stored.npz"), []byte("x.npy"), []byte("\x98.npy"))},
		{"an array begins at byte 2 of the data, want 3",
			file(`{"x":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"y":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}`, "1234")},
		{"an array begins at byte 1 of the data, want 0",
			file(`{"x":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}}`, "1234")},
		{"arrays of 3 bytes in data of 4", file(`{"x":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}`, "1234")},
		{"an array has a name of 1025 bytes",
			file(`{"`+strings.Repeat("x", 1025)+`":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, "1")},
		{`dtype "QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ" is not known`,
			file(`{"x":{"dtype":"`+strings.Repeat("Q", 1e6)+`","shape":[1],"data_offsets":[0,1]}}`, "1")},
		{"a shape of 65 dimensions",
			file(`{"x":{"dtype":"U8","shape":[1`+strings.Repeat(",1", 64)+`],"data_offsets":[0,1]}}`, "1")},
		{"header: more than 32768 arrays: write several files, no flag raises this",
			file("{"+strings.Join(many(40_000), ",")+"}", "")},
		{"a pickle of Python", []byte("\x80\x02}q\x00.")},
		{"compressed by gzip", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00")},

		{"version 4 of the .npy format", npy(4, plain, "12345678")},
		{"it ends in the header", npy(1, plain, "")[:30]},
		{"it ends in the header", npy(1, plain, "")[:9]},
		{"a header of 4294967295 bytes", []byte(magicNPY + "\x02\x00\xff\xff\xff\xff{}")},
		{"shape [2] of F32 in 7 bytes", npy(1, plain, "1234567")},
		{"9 bytes of elements, where [2] of F32 are 8", npy(1, plain, "123456789")},
		{"shape [4611686018427387904 4] of F32 in 8 bytes", change("(2,)", "(4611686018427387904, 4)")},
		{"header \"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }\": want at most 64 lengths",
			change("(2,)", "(-2,)")},
		{"header", change("(2,)", "(99999999999999999999,)")},
		{"header", change("(2,)", "("+strings.Repeat("1, ", 65)+")")},
		{"header", change("(2,)", "(2")},
		{"header", change("False", "false")},
		{"header", change(", 'shape': (2,)", "")},
		{"header", change("'shape'", "'descr'")},
		{"header", change("'shape'", "'form'")},
		{"header", change("}", "} + 1")},
		{`elements of type "<f16"`, change("<f4", "<f16")},
		{`elements of type ">V3"`, change("<f4", ">V3")},
		{`elements of type "=f4"`, change("<f4", "=f4")},
		{`elements of type "|O"`, numpy("object.npy")},
		{"want a string at \"[('a', '<f4'), ('b',\": arrays of records are not read", numpy("record.npy")},
		{`elements of type "<c8"`, numpy("complex.npy")},
		{"flate: corrupt input", damaged},
		{"zip: not a valid zip file", numpy("stored.npz")[:200]},
	} {
		if err := arrays(test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60q: %v, want %q", test.data, err, test.want)
		}
	}
}

// many are entries of arrays without elements.
func many(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"x%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`, i)
	}
	return list
}

// What is read of any bytes adds up, and is read again from what is written.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/numpy/*.np?")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(readTwice)
}

// FuzzSafetensors is FuzzRead of files whose header has the size that they say.
func FuzzSafetensors(f *testing.F) {
	whole := Safetensors(map[string]string{"k": "v"},
		[]Named{{"x", Array{E4M3, []int{2}, []byte{1, 2}}}, {"y", Array{F64, nil, make([]byte, 8)}}})
	size := binary.LittleEndian.Uint64(whole)
	f.Add(string(whole[8:8+size]), whole[8+size:])
	f.Fuzz(func(t *testing.T, header string, data []byte) {
		readTwice(t, slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), data))
	})
}

// FuzzNPY is FuzzRead of .npy files whose header has the size that they say.
func FuzzNPY(f *testing.F) {
	f.Add(byte(1), "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", []byte("12345678"))
	f.Add(byte(2), "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 1, 2), }\n", []byte("12345678"))
	f.Fuzz(func(t *testing.T, version byte, header string, data []byte) {
		size := binary.LittleEndian.AppendUint16(nil, uint16(len(header)))
		if version != 1 {
			size = binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
		}
		readTwice(t, slices.Concat([]byte(magicNPY), []byte{version, 0}, size, []byte(header), data))
	})
}

func readTwice(t *testing.T, data []byte) {
	file, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	var list []Named
	for _, name := range file.Names {
		a, err := file.Array(name)
		if err != nil {
			continue
		}
		if len(a.Data) != a.Len()*a.Type.Size() {
			t.Fatalf("%v of %s in %d bytes", a.Shape, a.Type, len(a.Data))
		}
		_, _ = a.Values()
		list = append(list, Named{name, a})
	}
	written := Safetensors(file.Meta, list)
	again, err := Read(bytes.NewReader(written), int64(len(written)))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		got, err := again.Array(a.Name)
		if err != nil || got.Type != a.Type || !slices.Equal(got.Shape, a.Shape) || !bytes.Equal(got.Data, a.Data) {
			t.Fatalf("%q: %v, %v, want %v", a.Name, got, err, a.Array)
		}
	}
}
