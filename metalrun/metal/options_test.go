package metal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

// The numbers are those of MTLLanguageVersion in Metal's headers.
func TestLanguageVersion(t *testing.T) {
	for version, want := range map[metalrun.Version]uint{
		210: 131073, 211: 131073, 230: 131075, 240: 131076,
		300: 196608, 310: 196609, 0: 196609, 320: 196610, 400: 262144, 410: 262145,
	} {
		if got, err := mtlVersion(version); got != want || err != nil {
			t.Errorf("mtlVersion(%d) = %d, %v, want %d", version, got, err, want)
		}
	}
	for _, bad := range []metalrun.Version{31, -310, 31000} {
		if got, err := mtlVersion(bad); err == nil {
			t.Errorf("mtlVersion(%d) = %d, want an error", bad, got)
		}
	}
}

func TestMathOptions(t *testing.T) {
	tests := []struct {
		opts            metalrun.CompileOptions
		mode, functions int
		fast            bool   // fastMathEnabled
		old             string // error of a system that only has fastMathEnabled
	}{
		{metalrun.CompileOptions{}, 0, 1, false, ""},
		{metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true}, 2, 0, true, ""},
		{metalrun.CompileOptions{FastFunctions: true}, 0, 0, false, "macOS 15"},
		{metalrun.CompileOptions{MathMode: metalrun.MathRelaxed}, 1, 1, false, "macOS 15"},
		{metalrun.CompileOptions{MathMode: metalrun.MathRelaxed, FastFunctions: true}, 1, 0, false, "macOS 15"},
		{metalrun.CompileOptions{MathMode: metalrun.MathFast}, 2, 1, false, "macOS 15"},
	}
	for _, test := range tests {
		mode, functions, err := mtlMath(test.opts)
		if mode != test.mode || functions != test.functions || err != nil {
			t.Errorf("mtlMath(%+v) = %d, %d, %v, want %d, %d", test.opts, mode, functions, err, test.mode,
				test.functions)
		}
		fast, err := mtlFastMath(mode, functions)
		if fast != test.fast || !failsWith(err, test.old) {
			t.Errorf("mtlFastMath of %+v = %v, %v, want %v, %q", test.opts, fast, err, test.fast, test.old)
		}
	}
	if _, _, err := mtlMath(metalrun.CompileOptions{MathMode: 3}); err == nil {
		t.Error("mtlMath accepts a math mode that is none")
	}
}

// failsWith reports whether err says want, or is nil if want is empty.
func failsWith(err error, want string) bool {
	if want == "" || err == nil {
		return err == nil && want == ""
	}
	return strings.Contains(err.Error(), want)
}

// The numbers are those of MTLDataType in Metal's headers.
func TestFunctionConstant(t *testing.T) {
	tests := []struct {
		value    any
		dataType uint
		data     []byte
	}{
		{float32(1), 3, []byte{0, 0, 0x80, 0x3f}},
		{-2, 29, []byte{0xfe, 0xff, 0xff, 0xff}},
		{int32(-2), 29, []byte{0xfe, 0xff, 0xff, 0xff}},
		{uint32(0xf0000001), 33, []byte{1, 0, 0, 0xf0}},
		{int16(-3), 37, []byte{0xfd, 0xff}},
		{uint16(0x1234), 41, []byte{0x34, 0x12}},
		{int8(-1), 45, []byte{0xff}},
		{uint8(200), 49, []byte{200}},
		{true, 53, []byte{1}},
		{false, 53, []byte{0}},
		{int64(-2), 81, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{uint64(1 << 40), 85, []byte{0, 0, 0, 0, 0, 1, 0, 0}},
	}
	for _, test := range tests {
		dataType, data, err := mtlConstant(7, test.value)
		if err != nil || dataType != test.dataType {
			t.Errorf("%T: MTLDataType %d, %v, want %d", test.value, dataType, err, test.dataType)
		}
		if diff := cmp.Diff(test.data, data); diff != "" {
			t.Errorf("%T (-want +got):\n%s", test.value, diff)
		}
	}
	for _, bad := range []any{nil, 1 << 31, 1.5, "x"} {
		if _, _, err := mtlConstant(7, bad); !failsWith(err, "function constant 7: ") {
			t.Errorf("mtlConstant(%v): %v, want an error that names the constant", bad, err)
		}
	}
	for _, index := range []int{-1, 65536} {
		if _, _, err := mtlConstant(index, true); err == nil {
			t.Errorf("mtlConstant accepts index %d", index)
		}
	}
}

func TestThreadgroupLength(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 16, 15: 16, 16: 16, 17: 32, 32767: 32768} {
		if got := mtlThreadgroupLength(n); got != want {
			t.Errorf("mtlThreadgroupLength(%d) = %d, want %d", n, got, want)
		}
	}
}
