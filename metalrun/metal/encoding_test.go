package metal

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// The encodings are those of Apple's compiler on both architectures and of GCC.
func TestEncodings(t *testing.T) {
	type (
		pointer = unsafe.Pointer
		size    struct{ Width, Height uint }
	)
	for _, test := range []struct {
		function any
		encoding string
		want     string // "" if it fits
	}{
		{(func(id) id)(nil), "@16@0:8", ""},
		{(func(id))(nil), "Vv16@0:8", ""},
		{(func(id) uint)(nil), "Q16@0:8", ""},
		{(func(id) bool)(nil), "B16@0:8", ""},
		{(func(id) bool)(nil), "c16@0:8", ""},
		{(func(id) bool)(nil), "Q16@0:8", "read as bool"},
		{(func(id) float64)(nil), "d16@0:8", ""},
		{(func(id) float64)(nil), "f16@0:8", "read as float64"},
		{(func(id) string)(nil), "r*16@0:8", ""},
		{(func(id) pointer)(nil), "^v16@0:8", ""},
		{(func(id) uint)(nil), "v16@0:8", "read as uint"},
		{(func(id))(nil), "@16@0:8", "the result is ignored"},
		{(func(id, pointer, uint, uint) id)(nil), "@40@0:8r^v16Q24Q32", ""},
		{(func(id, pointer, uint) id)(nil), "@40@0:8r^v16Q24Q32", "2 arguments are sent, the method takes 3"},
		{(func(id, uint, pointer, uint) id)(nil), "@40@0:8r^v16Q24Q32",
			"argument 1 is sent as uint, the method takes ^v"},
		{(func(id, id, *id) id)(nil), `@32@0:8@"<MTLFunction>"16^@24`, ""},
		{(func(id, id, *id) id)(nil), "@32@0:8@16o^@24", ""},
		{(func(id, id, *id) id)(nil), "@32@0:8@16^v24", "argument 2"},
		{(func(id, mtlSize, mtlSize))(nil), "v64@0:8{?=QQQ}16{?=QQQ}40", ""},
		{(func(id, mtlSize, mtlSize))(nil), "v64@0:8{MTLSize=QQQ}16{MTLSize=QQQ}40", ""},
		{(func(id, size, mtlSize))(nil), "v64@0:8{?=QQQ}16{?=QQQ}40", "argument 1"},
		{(func(id, mtlSize, mtlSize))(nil), "v64@0:8{?=III}16{?=QQQ}40", "argument 1"},
		{(func(id, mtlSize, mtlSize))(nil), "v64@0:8{?=QQ{?=Q}}16{?=QQQ}40", "argument 1"},
		{(func(id, id))(nil), "v24@0:8@?16", ""},
		{(func(id, selector) bool)(nil), "B24@0:8:16", ""},
		{(func(id, uint) bool)(nil), "B24@0:8:16", "argument 1"},
		{(func(id) id)(nil), "@16", "is not that of a method"},
		{(func(id) id)(nil), "@16@0:8{?=Q", "is not understood"},
		{(func(id) id)(nil), `@16@0:8@"NSString`, "is not understood"},
	} {
		if signs, err := compareEncoding(reflect.TypeOf(test.function), test.encoding); !failsWith(err, test.want) ||
			signs != "" {
			t.Errorf("%T as %s: %v, %q, want %q", test.function, test.encoding, err, signs, test.want)
		}
	}
}

// TestSigns: a sign travels like the other one. It is told, and nothing else is taken for one.
func TestSigns(t *testing.T) {
	for _, test := range []struct {
		function        any
		encoding, signs string
		fails           bool
	}{
		{(func(id) uint)(nil), "q16@0:8", "the result is read as uint, the method returns q (q16@0:8)", false},
		{(func(id, int) bool)(nil), "B24@0:8Q16", "argument 1 is sent as int, the method takes Q (B24@0:8Q16)", false},
		{(func(id, mtlSize))(nil), "v40@0:8{?=qqq}16",
			"argument 1 is sent as mtlSize, the method takes {?=qqq} (v40@0:8{?=qqq}16)", false},
		{(func(id, uint) bool)(nil), "q24@0:8q16", "", true},
		{(func(id, uint) id)(nil), "@24@0:8i16", "", true},
	} {
		signs, err := compareEncoding(reflect.TypeOf(test.function), test.encoding)
		if strings.ReplaceAll(signs, "metal.", "") != test.signs || (err != nil) != test.fails {
			t.Errorf("%T as %s: %q, %v, want %q", test.function, test.encoding, signs, err, test.signs)
		}
	}
}
