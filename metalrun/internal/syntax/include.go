package syntax

import (
	_ "embed"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
)

// include obeys #include "file" and #include <header>.
func (pp *preprocessor) include(f *source, directive *Token, args []Token) {
	if len(args) > 0 && args[0].Kind == Ident {
		args = pp.expand(args, nil, expansion{})
	}
	if len(args) == 0 {
		pp.errorf(directive.Pos, codeDirective, "#%s names no file", directive.Text)
		return
	}
	name, quoted, n := headerName(args)
	if n == 0 {
		pp.errorf(args[0].Pos, codeDirective, `got %s, want "file" or <header>`, &args[0])
		return
	}
	pp.noMore("#"+directive.Text, args[n:])
	key, text, found := pp.find(f, name, quoted)
	if !found {
		pp.errorf(args[0].Pos, codeInclude, "'%s' file not found: %s", name, pp.lookedUp(f, quoted))
		return
	}
	if pp.once[key] {
		return
	}
	builtin := key[0] == '<'
	if _, again := pp.provenance.included[key]; !again && !builtin && key != f.name {
		pp.provenance.included[key] = directive.Pos
	}
	if builtin {
		pp.headers = append(pp.headers, name)
	}
	if builtin || directive.Text == "import" {
		pp.once[key] = true
	}
	if pp.depth == pp.cfg.Budget.Limits.Of(Includes) {
		pp.exceeded(args[0].Pos, Includes, "includes nest deeper than %d")
	}
	if !builtin {
		pp.takeInclude(args[0].Pos, len(text))
	}
	pp.depth++
	pp.file(key, text, builtin)
	pp.depth--
}

// lookedUp says where an include of f was looked for.
func (pp *preprocessor) lookedUp(f *source, quoted bool) string {
	dirs, what := pp.cfg.Dirs, "it is no header of Metal"
	if quoted {
		dirs = append([]string{path.Dir(f.name), "."}, dirs...)
	} else if len(dirs) > 0 {
		what += ", and "
	}
	var names []string
	for _, dir := range dirs {
		if dir = path.Clean(dir); !slices.Contains(names, dir) {
			names = append(names, dir)
		}
	}
	if len(names) == 0 {
		return what + "; -I adds a directory to look in"
	}
	if quoted {
		what = ""
	}
	return what + "it is not in " + strings.Join(names, ", ") + "; -I adds a directory to look in"
}

// takeInclude counts the bytes of a file that is included. Its tokens are made once, but directives and macros in it
// are obeyed each time.
func (pp *preprocessor) takeInclude(pos Pos, bytes int) {
	b := pp.cfg.Budget
	if b.included += bytes; b.included > b.Limits.Of(Included) {
		pp.exceeded(pos, Included, "what is included comes to more than %d bytes")
	}
	if b.Include == nil {
		return
	}
	if err := b.Include(bytes); err != nil {
		pp.errorf(pos, codeLimit, "%v", err)
		panic(fatal{})
	}
}

// headerName reads "file" or <header> at the head of toks; n is how many
// tokens it takes, 0 if there is none.
func headerName(toks []Token) (name string, quoted bool, n int) {
	if len(toks) == 0 {
		return "", false, 0
	}
	if t := &toks[0]; t.Kind == String {
		return t.Text[1 : len(t.Text)-1], true, 1
	}
	if !toks[0].is("<") {
		return "", false, 0
	}
	for i := range toks {
		if i > 0 && toks[i].is(">") {
			return strings.TrimLeft(spell(toks[1:i]), " "), false, i + 1
		}
	}
	return "", false, 0
}

// find looks a file up: in quotes next to the including file and as given, then in the directories of the
// configuration, then among the built-in headers. The key of a built-in header is in angle brackets.
func (pp *preprocessor) find(f *source, name string, quoted bool) (key, text string, ok bool) {
	if name != "" {
		paths := IncludePaths(f.name, name, pp.cfg.Dirs)
		if !quoted {
			paths = paths[len(paths)-len(pp.cfg.Dirs):]
		}
		for _, key := range paths {
			if text, ok := pp.files[key]; ok {
				return key, text, true
			}
		}
	}
	text, ok = builtinHeader(name)
	return "<" + name + ">", text, ok
}

// exists is the question of __has_include.
func (pp *preprocessor) exists(f *source, name string, quoted bool) bool {
	_, _, ok := pp.find(f, name, quoted)
	return ok
}

// Named are the files that a text includes or asks for, and whether it leaves the name of one to macros.
func Named(file, text string) (names []string, computed bool) {
	toks := scan(file, text, math.MaxInt32, func(*Error) {})
	for i := range toks {
		rest := toks[i+1:]
		switch {
		case toks[i].Kind == Ident && toks[i].Text == "__has_include":
			if len(rest) == 0 || !rest[0].is("(") {
				computed = computed || len(rest) == 0 || !rest[0].is(")") // that of defined
				continue
			}
			rest = rest[1:]
		case i == 0 || !isDirective(&toks[i-1]) || toks[i].Text != "include" && toks[i].Text != "import":
			continue
		}
		name, _, n := headerName(rest)
		if n == 0 {
			computed = true
		} else {
			names = append(names, name)
		}
	}
	return names, computed
}

// IncludePaths are the paths that an include of name in file from may mean. The last
// ones, one for each directory, are those that a name in angle brackets may mean too.
func IncludePaths(from, name string, dirs []string) []string {
	paths := []string{path.Join(path.Dir(from), name), path.Clean(name), name}
	for _, dir := range dirs {
		paths = append(paths, path.Join(dir, name))
	}
	return paths
}

// builtinHeader is the text of one of Metal's own headers. What they declare
// is known to the later passes; only macros are in the text.
func builtinHeader(name string) (text string, ok bool) {
	switch name {
	case "metal_stdlib":
		return configMacros + mathMacros + assertMacro, true
	case "metal_math", "metal_limits", "metal_numeric":
		return configMacros + mathMacros, true
	case "metal_assert":
		return configMacros + assertMacro, true
	case "metal_array", "metal_atomic", "metal_common", "metal_compute", "metal_config", "metal_extended_vector",
		"metal_geometric", "metal_graphics", "metal_imageblocks", "metal_integer", "metal_logging", "metal_matrix",
		"metal_pack", "metal_packing", "metal_quadgroup", "metal_relational", "metal_simdgroup",
		"metal_simdgroup_matrix",
		"metal_texture", "metal_tuple", "metal_type_traits", "metal_types", "metal_uniform", "metal_utility",
		"metal_initializer_list",
		"metal_integral_constant", "metal_visible_function_table", "metal_function_table", "metal_raytracing",
		"metal_mesh",
		"metal_tessellation", "metal_command_buffer", "metal_interpolate":
		return configMacros, true
	case "metal_tensor", "MetalPerformancePrimitives/MetalPerformancePrimitives.h",
		"MetalPerformancePrimitives/MPPTensorOpsMatMul2d.h",
		"MetalPerformancePrimitives/MPPTensorOpsTypes.h":
		return configMacros + tensorHeader, true
	case "simd/simd.h", "simd/base.h", "simd/common.h", "simd/conversion.h", "simd/geometry.h", "simd/logic.h",
		"simd/math.h",
		"simd/matrix.h", "simd/matrix_types.h", "simd/packed.h", "simd/quaternion.h", "simd/types.h", "simd/vector.h",
		"simd/vector_make.h", "simd/vector_types.h":
		return simdTypes(), true
	}
	return "", false
}

// simdTypes are the types that <simd/simd.h> declares for the programs that host and device
// share: vector_float4, simd_float4 and simd::float4 are float4, matrix_float4x4 and
// simd_float4x4 are float4x4.
var simdTypes = sync.OnceValue(func() string {
	var global, inner strings.Builder
	for _, scalar := range strings.Fields("char uchar short ushort int uint long ulong half float") {
		fmt.Fprintf(&global, "typedef %s simd_%[1]s1;", scalar)
		for n := '2'; n <= '4'; n++ {
			fmt.Fprintf(&global,
				"typedef metal::%[1]s%[2]c vector_%[1]s%[2]c, simd_%[1]s%[2]c; typedef metal::packed_%[1]s%[2]c "+
					"simd_packed_%[1]s%[2]c;", scalar, n)
			fmt.Fprintf(&inner, "using metal::%s%c;", scalar, n)
		}
	}
	for _, scalar := range []string{"half", "float"} {
		for cols := '2'; cols <= '4'; cols++ {
			for rows := '2'; rows <= '4'; rows++ {
				fmt.Fprintf(&global, "typedef metal::%[1]s%[2]cx%[3]c matrix_%[1]s%[2]cx%[3]c, simd_%[1]s%[2]cx%[3]c;",
					scalar, cols, rows)
				fmt.Fprintf(&inner, "using metal::%s%cx%c;", scalar, cols, rows)
			}
		}
	}
	return "namespace simd {" + inner.String() + "}\n" + global.String()
})

// tensorHeader declares tensors and what multiplies them, in MSL.
//
//go:embed tensor.metal
var tensorHeader string

const configMacros = `
#define METAL_FUNC inline __attribute__((always_inline))
#define METAL_INTERNAL inline __attribute__((always_inline))
#if __METAL_VERSION__ >= 310
#define __HAVE_BFLOAT__ 1
#endif
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 0xffffffffffffffffUL
`

const assertMacro = `
#define assert(condition) ((void) 0)
`

// mathMacros holds the constants of the specification's tables of limits and
// mathematical constants. Infinities and NaN have no literal: their macros
// name themselves.
const mathMacros = `
#define INFINITY INFINITY
#define NAN NAN
#define HUGE_VALF HUGE_VALF
#define HUGE_VALH HUGE_VALH
#define MAXFLOAT 0x1.fffffep127f
#define MAXHALF 0x1.ffcp15h
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP 38
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MIN_EXP (-125)
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP 4
#define HALF_MAX_EXP 16
#define HALF_MIN_10_EXP (-4)
#define HALF_MIN_EXP (-13)
#define HALF_RADIX 2
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define M_E_F 2.71828182845904523536028747135266250f
#define M_LOG2E_F 1.44269504088896340735992468100189214f
#define M_LOG10E_F 0.434294481903251827651128918916605082f
#define M_LN2_F 0.693147180559945309417232121458176568f
#define M_LN10_F 2.30258509299404568401799145468436421f
#define M_PI_F 3.14159265358979323846264338327950288f
#define M_PI_2_F 1.57079632679489661923132169163975144f
#define M_PI_4_F 0.785398163397448309615660845819875721f
#define M_1_PI_F 0.318309886183790671537767526745028724f
#define M_2_PI_F 0.636619772367581343075535053490057448f
#define M_2_SQRTPI_F 1.12837916709551257389615890312154517f
#define M_SQRT2_F 1.41421356237309504880168872420969808f
#define M_SQRT1_2_F 0.707106781186547524400844362104849039f
#define M_E_H 2.71828182845904523536028747135266250h
#define M_LOG2E_H 1.44269504088896340735992468100189214h
#define M_LOG10E_H 0.434294481903251827651128918916605082h
#define M_LN2_H 0.693147180559945309417232121458176568h
#define M_LN10_H 2.30258509299404568401799145468436421h
#define M_PI_H 3.14159265358979323846264338327950288h
#define M_PI_2_H 1.57079632679489661923132169163975144h
#define M_PI_4_H 0.785398163397448309615660845819875721h
#define M_1_PI_H 0.318309886183790671537767526745028724h
#define M_2_PI_H 0.636619772367581343075535053490057448h
#define M_2_SQRTPI_H 1.12837916709551257389615890312154517h
#define M_SQRT2_H 1.41421356237309504880168872420969808h
#define M_SQRT1_2_H 0.707106781186547524400844362104849039h
`
