package syntax

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A predefinition is a macro that Apple's compiler defines before the first line.
type predefinition struct {
	name, body string
	from       int  // the first language version that has it; 0 means all
	until      int  // the first that lacks it again; 0 means none
	fast       bool // only in fast math
}

// cpp17 is the first language version that is based on C++17; earlier ones are based on C++14.
const cpp17 = 400

// predefinitions are the macros of clang for air64-apple-macosx, which is little-endian with 64-bit pointers. The list
// leaves out macros that no program for a GPU asks for (__OBJC__, types of 128 bits, double), and those whose value
// nobody has published. A program may define them otherwise, as clang lets it.
//
// Sources: InitPreprocessor.cpp of clang for what clang says of itself and of its types; OSTargets.cpp for Apple's
// systems; section 1.6 of the specification for __METAL_…; published output of "metal -E -dM" for __AIR…
var predefinitions = []predefinition{
	// Clang, by the version string of Xcode 16: "Apple metal version 32023.155 (metalfe-32023.155)".
	{name: "__clang__", body: "1"},
	{name: "__clang_major__", body: "32023"},
	{name: "__clang_minor__", body: "155"},
	{name: "__clang_patchlevel__", body: "0"},
	{name: "__clang_version__", body: `"32023.155 (metalfe-32023.155)"`},
	{name: "__VERSION__", body: `"Apple metal version 32023.155 (metalfe-32023.155)"`},
	{name: "__llvm__", body: "1"},
	// What clang claims of GCC, always 4.2.1.
	{name: "__GNUC__", body: "4"},
	{name: "__GNUC_MINOR__", body: "2"},
	{name: "__GNUC_PATCHLEVEL__", body: "1"},
	{name: "__GNUG__", body: "4"},
	{name: "__GXX_ABI_VERSION", body: "1002"},
	{name: "__GNUC_STDC_INLINE__", body: "1"},
	{name: "__GXX_WEAK__", body: "1"},
	{name: "__GXX_EXPERIMENTAL_CXX0X__", body: "1"},
	{name: "__DEPRECATED", body: "1"},
	{name: "__NO_MATH_ERRNO__", body: "1"},
	{name: "__OPTIMIZE__", body: "1"},
	{name: "__STDC__", body: "1"},
	{name: "__STDC_HOSTED__", body: "0"},
	{name: "_LP64", body: "1"},
	{name: "__LP64__", body: "1"},

	// Apple's systems.
	{name: "__APPLE__", body: "1"},
	{name: "__APPLE_CC__", body: "6000"},
	{name: "__MACH__", body: "1"},
	{name: "__DYNAMIC__", body: "1"},
	{name: "__CONSTANT_CFSTRINGS__", body: "1"},
	{name: "__USER_LABEL_PREFIX__", body: "_"},
	{name: "__apple_build_version__", body: "32023155"},

	// Metal and its intermediate representation.
	{name: "__METAL__", body: "1", from: 300},
	{name: "__METAL_MACOS__", body: "1"},
	{name: "__AIR64__", body: "1"},
	{name: "__FAST_MATH__", body: "1", fast: true},

	// Order of bytes.
	{name: "__LITTLE_ENDIAN__", body: "1"},
	{name: "__ORDER_LITTLE_ENDIAN__", body: "1234"},
	{name: "__ORDER_BIG_ENDIAN__", body: "4321"},
	{name: "__ORDER_PDP_ENDIAN__", body: "3412"},
	{name: "__BYTE_ORDER__", body: "__ORDER_LITTLE_ENDIAN__"},

	// Integers. int has 32 bits, long and pointers 64.
	{name: "__CHAR_BIT__", body: "8"},
	{name: "__SCHAR_MAX__", body: "127"},
	{name: "__BOOL_WIDTH__", body: "8"},
	{name: "__LLONG_WIDTH__", body: "64"},
	{name: "__SIZEOF_LONG_LONG__", body: "8"},
	{name: "__BIGGEST_ALIGNMENT__", body: "8"},
	{name: "__SHRT_MAX__", body: "32767"},
	{name: "__INT_MAX__", body: "2147483647"},
	{name: "__LONG_MAX__", body: "9223372036854775807L"},
	{name: "__SIZE_MAX__", body: "18446744073709551615UL"},
	{name: "__PTRDIFF_MAX__", body: "9223372036854775807L"},
	{name: "__INTPTR_MAX__", body: "9223372036854775807L"},
	{name: "__UINTPTR_MAX__", body: "18446744073709551615UL"},
	{name: "__INT8_MAX__", body: "127"},
	{name: "__INT16_MAX__", body: "32767"},
	{name: "__INT32_MAX__", body: "2147483647"},
	{name: "__UINT8_MAX__", body: "255"},
	{name: "__UINT16_MAX__", body: "65535"},
	{name: "__UINT32_MAX__", body: "4294967295U"},
	{name: "__SIZEOF_SHORT__", body: "2"},
	{name: "__SIZEOF_INT__", body: "4"},
	{name: "__SIZEOF_FLOAT__", body: "4"},
	{name: "__SIZEOF_LONG__", body: "8"},
	{name: "__SIZEOF_POINTER__", body: "8"},
	{name: "__SIZEOF_SIZE_T__", body: "8"},
	{name: "__SIZEOF_PTRDIFF_T__", body: "8"},
	{name: "__POINTER_WIDTH__", body: "64"},
	{name: "__INT_WIDTH__", body: "32"},
	{name: "__LONG_WIDTH__", body: "64"},
	{name: "__SHRT_WIDTH__", body: "16"},
	{name: "__SIZE_WIDTH__", body: "64"},
	{name: "__SIZE_TYPE__", body: "unsigned long"},
	{name: "__PTRDIFF_TYPE__", body: "long"},
	{name: "__INTPTR_TYPE__", body: "long"},
	{name: "__UINTPTR_TYPE__", body: "unsigned long"},
	{name: "__INT8_TYPE__", body: "signed char"},
	{name: "__INT16_TYPE__", body: "short"},
	{name: "__INT32_TYPE__", body: "int"},
	{name: "__UINT8_TYPE__", body: "unsigned char"},
	{name: "__UINT16_TYPE__", body: "unsigned short"},
	{name: "__UINT32_TYPE__", body: "unsigned int"},

	// float is binary32.
	{name: "__FLT_RADIX__", body: "2"},
	{name: "__FLT_EVAL_METHOD__", body: "0"},
	{name: "__FLT_DIG__", body: "6"},
	{name: "__FLT_DECIMAL_DIG__", body: "9"},
	{name: "__FLT_MANT_DIG__", body: "24"},
	{name: "__FLT_MAX_EXP__", body: "128"},
	{name: "__FLT_MAX_10_EXP__", body: "38"},
	{name: "__FLT_MIN_EXP__", body: "(-125)"},
	{name: "__FLT_MIN_10_EXP__", body: "(-37)"},
	{name: "__FLT_MAX__", body: "3.40282347e+38F"},
	{name: "__FLT_NORM_MAX__", body: "3.40282347e+38F"},
	{name: "__FLT_MIN__", body: "1.17549435e-38F"},
	{name: "__FLT_EPSILON__", body: "1.19209290e-7F"},
	{name: "__FLT_DENORM_MIN__", body: "1.40129846e-45F"},
	{name: "__FLT_HAS_DENORM__", body: "1"},
	{name: "__FLT_HAS_INFINITY__", body: "1"},
	{name: "__FLT_HAS_QUIET_NAN__", body: "1"},
}

// sizedIntegers are macros of the integer types of <stdint.h>: their types, limits, widths and suffixes.
func sizedIntegers() (list []predefinition) {
	add := func(name, body string) { list = append(list, predefinition{name: name, body: body}) }
	for _, t := range []struct {
		width, typ, limit, suffix, unsigned, unsignedLimit, unsignedSuffix string
	}{
		{"8", "signed char", "127", "", "unsigned char", "255", ""},
		{"16", "short", "32767", "", "unsigned short", "65535", ""},
		{"32", "int", "2147483647", "", "unsigned int", "4294967295U", "U"},
		{"64", "long int", "9223372036854775807L", "L", "long unsigned int", "18446744073709551615UL", "UL"},
	} {
		for _, least := range []string{"_LEAST", "_FAST", ""} {
			name := "INT" + least + t.width
			if least != "" || t.width == "64" { // the others are in predefinitions
				add("__"+name+"_TYPE__", t.typ)
				add("__"+name+"_MAX__", t.limit)
				add("__U"+name+"_TYPE__", t.unsigned)
				add("__U"+name+"_MAX__", t.unsignedLimit)
			}
			if least != "" {
				add("__"+name+"_WIDTH__", t.width)
			}
		}
		if t.suffix != "" {
			add("__INT"+t.width+"_C_SUFFIX__", t.suffix)
		}
		if t.unsignedSuffix != "" {
			add("__UINT"+t.width+"_C_SUFFIX__", t.unsignedSuffix)
		}
	}
	return append(list, []predefinition{
		{name: "__INTMAX_TYPE__", body: "long int"},
		{name: "__INTMAX_MAX__", body: "9223372036854775807L"},
		{name: "__INTMAX_WIDTH__", body: "64"},
		{name: "__INTMAX_C_SUFFIX__", body: "L"},
		{name: "__UINTMAX_TYPE__", body: "long unsigned int"},
		{name: "__UINTMAX_MAX__", body: "18446744073709551615UL"},
		{name: "__UINTMAX_WIDTH__", body: "64"},
		{name: "__UINTMAX_C_SUFFIX__", body: "UL"},
		{name: "__INTPTR_WIDTH__", body: "64"},
		{name: "__UINTPTR_WIDTH__", body: "64"},
		{name: "__PTRDIFF_WIDTH__", body: "64"},
		{name: "__CHAR16_TYPE__", body: "unsigned short"},
		{name: "__CHAR32_TYPE__", body: "unsigned int"},
	}...)
}

// featureMacros are the feature-test macros of C++14 and, where the value differs, of C++17, which Metal 4.0 begins
// with. Those of exceptions, of run-time type information and of static initialisation are missing: Metal has none.
var featureMacros = []struct {
	name, cpp14, cpp17 string // "" is a macro that the version lacks
}{
	{"__cpp_aggregate_bases", "", "201603L"},
	{"__cpp_aggregate_nsdmi", "201304L", ""},
	{"__cpp_alias_templates", "200704L", ""},
	{"__cpp_attributes", "200809L", ""},
	{"__cpp_binary_literals", "201304L", ""},
	{"__cpp_capture_star_this", "", "201603L"},
	{"__cpp_constexpr", "201304L", "201603L"},
	{"__cpp_decltype", "200707L", ""},
	{"__cpp_decltype_auto", "201304L", ""},
	{"__cpp_deduction_guides", "", "201703L"},
	{"__cpp_delegating_constructors", "200604L", ""},
	{"__cpp_digit_separators", "201309L", ""},
	{"__cpp_enumerator_attributes", "", "201411L"},
	{"__cpp_fold_expressions", "", "201603L"},
	{"__cpp_generic_lambdas", "201304L", ""},
	{"__cpp_guaranteed_copy_elision", "", "201606L"},
	{"__cpp_hex_float", "", "201603L"},
	{"__cpp_if_constexpr", "", "201606L"},
	{"__cpp_inheriting_constructors", "201511L", ""},
	{"__cpp_init_captures", "201304L", ""},
	{"__cpp_initializer_lists", "200806L", ""},
	{"__cpp_inline_variables", "", "201606L"},
	{"__cpp_lambdas", "200907L", ""},
	{"__cpp_namespace_attributes", "", "201411L"},
	{"__cpp_nested_namespace_definitions", "", "201411L"},
	{"__cpp_nontype_template_args", "", "201411L"},
	{"__cpp_nontype_template_parameter_auto", "", "201606L"},
	{"__cpp_nsdmi", "200809L", ""},
	{"__cpp_range_based_for", "200907", "201603L"},
	{"__cpp_raw_strings", "200710L", ""},
	{"__cpp_ref_qualifiers", "200710L", ""},
	{"__cpp_return_type_deduction", "201304L", ""},
	{"__cpp_rvalue_references", "200610L", ""},
	{"__cpp_static_assert", "200410", "201411L"},
	{"__cpp_structured_bindings", "", "201606L"},
	{"__cpp_unicode_characters", "200704L", ""},
	{"__cpp_unicode_literals", "200710L", ""},
	{"__cpp_user_defined_literals", "200809L", ""},
	{"__cpp_variable_templates", "201304L", ""},
	{"__cpp_variadic_templates", "200704L", ""},
	{"__cpp_variadic_using", "", "201611L"},
}

// atomicMacros are orders and scopes of atomic operations, which clang numbers for every target.
var atomicMacros = []predefinition{
	{name: "__ATOMIC_RELAXED", body: "0"},
	{name: "__ATOMIC_CONSUME", body: "1"},
	{name: "__ATOMIC_ACQUIRE", body: "2"},
	{name: "__ATOMIC_RELEASE", body: "3"},
	{name: "__ATOMIC_ACQ_REL", body: "4"},
	{name: "__ATOMIC_SEQ_CST", body: "5"},
	{name: "__OPENCL_MEMORY_SCOPE_WORK_ITEM", body: "0"},
	{name: "__OPENCL_MEMORY_SCOPE_WORK_GROUP", body: "1"},
	{name: "__OPENCL_MEMORY_SCOPE_DEVICE", body: "2"},
	{name: "__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES", body: "3"},
	{name: "__OPENCL_MEMORY_SCOPE_SUB_GROUP", body: "4"},
}

// allPredefinitions are those of every table.
var allPredefinitions = sync.OnceValue(func() []predefinition {
	list := slices.Concat(predefinitions, sizedIntegers(), atomicMacros)
	for _, f := range featureMacros {
		if f.cpp14 != "" {
			list = append(list, predefinition{name: f.name, body: f.cpp14, until: cpp17})
		}
		if later := cmp.Or(f.cpp17, f.cpp14); later != "" {
			list = append(list, predefinition{name: f.name, body: later, from: cpp17})
		}
	}
	return list
})

// fixedMacros are the predefinitions of a language version and mode, by name, with their tokens.
func fixedMacros(version int, fast bool) map[string]*macro {
	all, macros := predefinedMacros(), map[string]*macro{}
	for i, d := range allPredefinitions() {
		if version >= d.from && (d.until == 0 || version < d.until) && (fast || !d.fast) {
			macros[d.name] = all[i]
		}
	}
	return macros
}

// predefinedMacros are the macros of allPredefinitions, one each.
var predefinedMacros = sync.OnceValue(func() (macros []*macro) {
	for _, d := range allPredefinitions() {
		m := &macro{name: d.name, header: true}
		for _, t := range scan(d.name, d.body, len(d.body), func(e *Error) { panic(e) }) {
			t.Line = false
			m.body = append(m.body, bodyToken{Token: t, param: -1})
		}
		macros = append(macros, m)
	}
	return macros
})

// predefined are the macros that exist before the first line: those of the compiler, and those of the configuration.
func predefined(cfg Config, report func(*Error)) map[string]*macro {
	version := cfg.Version
	if version == 0 {
		version = DefaultVersion
	}
	macros := fixedMacros(version, cfg.Fast)
	builtIn(macros, version, cfg.Fast)
	for _, name := range slices.Sorted(maps.Keys(cfg.Macros)) {
		if m := configured(name, cfg.Macros[name], macros[name], report); m != nil {
			macros[name] = m
		}
	}
	return macros
}

// builtIn adds the macros that no program may define otherwise.
func builtIn(macros map[string]*macro, version int, fast bool) {
	cplusplus, finite := "201402L", "0"
	if version >= cpp17 {
		cplusplus = "201703L"
	}
	if fast { // Clang Compiler User's Manual, "-ffast-math"; __FINITE_MATH_ONLY__ is always defined
		finite = "1"
	}
	for name, text := range map[string]string{
		"__METAL_VERSION__":    strconv.Itoa(version),
		"__cplusplus":          cplusplus,
		"__FINITE_MATH_ONLY__": finite,

		// The accuracies that the functions __metal_NAME take.
		"__METAL_PRECISE_MATH__": "0", "__METAL_FAST_MATH__": "1", "__METAL_MAYBE_FAST_MATH__": "2",
	} {
		macros[name] = &macro{name: name, dynamic: func(*preprocessor, *Token) string { return text }}
	}
	macros["__LINE__"] = &macro{dynamic: func(_ *preprocessor, use *Token) string {
		return strconv.Itoa(int(use.Pos.Line))
	}}
	macros["__FILE__"] = &macro{dynamic: func(_ *preprocessor, use *Token) string { return quoteString(use.Pos.File) }}
	macros["__FILE_NAME__"] = &macro{dynamic: func(_ *preprocessor, use *Token) string {
		return quoteString(use.Pos.File[strings.LastIndexByte(use.Pos.File, '/')+1:])
	}}
	macros["__COUNTER__"] = &macro{dynamic: func(pp *preprocessor, _ *Token) string {
		pp.counter++
		return strconv.Itoa(pp.counter - 1)
	}}
}

// configured is a macro of the configuration, nil if it cannot be one. It may replace old unless that is built in.
func configured(name, text string, old *macro, report func(*Error)) *macro {
	if text == "" {
		text = "1"
	}
	pos := Pos{File: "macro " + name, Line: 1, Col: 1}
	key := scan(pos.File, name, len(name), report)
	if len(key) != 1 || key[0].Kind != Ident || old != nil && old.dynamic != nil {
		report(&Error{Pos: pos, Code: codeMacro, Msg: "cannot define " + strconv.Quote(name) + " as a macro"})
		return nil
	}
	m := &macro{name: name}
	for _, t := range scan(pos.File, text, len(text), report) {
		t.Line = false
		m.body = append(m.body, bodyToken{Token: t, param: -1})
	}
	return m
}
