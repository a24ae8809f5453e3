package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// expandText preprocesses text and returns its tokens, one space apart.
func expandText(t *testing.T, text string, cfg Config, files map[string]string) string {
	t.Helper()
	all := map[string]string{"dir/main.metal": text}
	for name, f := range files {
		all[name] = f
	}
	toks, errs := Preprocess("dir/main.metal", all, cfg)
	if errs != nil {
		return "error: " + errs.Error()
	}
	var words []string
	for i := range toks {
		if toks[i].Kind == Pragma {
			words = append(words, "#pragma "+toks[i].Text+";")
		} else {
			words = append(words, toks[i].Text)
		}
	}
	return strings.Join(words, " ")
}

func TestPreprocess(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a /* b */ c // d\ne", "a c e"},
		{"a\\\nb \\\r\nc \"x\\\ny\"", `ab c "xy"`},
		{"a /* b\n */ #define x\n", "a # define x"}, // a directive begins its line
		{"#define x 1\n#define y x\ny x\n#undef x\ny", "1 1 x"},
		{"#define EMPTY\nEMPTY a EMPTY", "a"},
		{"  #  define x 1 // c\nx", "1"},
		{"#\n# /* null */\nx", "x"},

		// Function-like macros.
		{"#define f(x) x+x\nf(1) f (2) f\n(3) f", "1 + 1 2 + 2 3 + 3 f"},
		{"#define f() 1\nf() f( )", "1 1"},
		{"#define f(x) [x]\nf() f((a,b)) f(f(1))", "[ ] [ ( a , b ) ] [ [ 1 ] ]"},
		{"#define f(x, y) x y\nf(,) f(1,) f((,),2)", "1 ( , ) 2"},
		{"#define g f\n#define f(x) x\ng(1)", "1"},
		{"#define f (x) x\nf", "( x ) x"},
		{"#define f(x, ...) x: __VA_ARGS__\nf(1) f(1, 2) f(1, 2, (3, 4))", "1 : 1 : 2 1 : 2 , ( 3 , 4 )"},
		{"#define f(...) g(__VA_ARGS__, ##__VA_ARGS__)\nf() f(1) f(1, 2)", "g ( ) g ( 1 , 1 ) g ( 1 , 2 , 1 , 2 )"},
		{"#define f(x, ...) g(x, ##__VA_ARGS__)\nf(1) f(1, 2)", "g ( 1 ) g ( 1 , 2 )"},
		{"#define f(args...) g(args)\nf(1, 2)", "g ( 1 , 2 )"},

		{"#define f(a, ...) g(a __VA_OPT__(,) __VA_ARGS__)\nf(1) f(1, 2) f(1,)", "g ( 1 ) g ( 1 , 2 ) g ( 1 )"},
		{"#define e\n#define f(...) g(__VA_OPT__(x, (y)) __VA_ARGS__)\nf(e) f(1)", "g ( ) g ( x , ( y ) 1 )"},
		{"#define f(x, ...) x ## __VA_OPT__(b c) | __VA_OPT__(p q) ## x | __VA_OPT__()\nf(a) f(a, 1) f(,1)",
			"a | a | ab c | p qa | b c | p q |"},
		{"#define f(x, ...) #x __VA_OPT__(#x #__VA_ARGS__)\nf(p) f(p, q r)", `"p" "p" "p" "q r"`},

		// A dollar in a name.
		{"#define $a$1 x\n$a$1 a$", "x a$"},

		// Raw strings, and those of UTF-8.
		{`R"(a"\n)" u8R"x()" y)x" u8"z" R "s" u8`, `"a\"\\n" ")\" y" "z" R "s" u8`},
		{"R\"(1\n2)\"\n__LINE__", `"1\n2" 3`},

		// Operators # and ##.
		{`#define s(x) #x` + "\n" + `s(a  +  b) s() s("a\n") s('"') s( a/**/b
c )`, `"a + b" "" "\"a\\n\"" "'\"'" "a b c"`},
		{"#define s(x) #x\n#define t(x) s(x)\n#define v 1\ns(v) t(v)", `"v" "1"`},
		{"#define c(x, y) x ## y\nc(a, b) c(1, .5) c(, b) c(a,) c(,) c(x, 1)y", "ab 1.5 b a x1 y"},
		{"#define c(x, y) x##_##y##_3\nc(a, b) c(,)", "a_b_3 __3"},
		{"#define c(x, y) x ## y\n#define ab 7\nc(a, b)", "7"},
		{"#define c(x) x ## _t t_ ## x\n#define v 1\nc(v)", "v_t t_v"},
		{"#define h(x) L ## #x\nh(a)",
			"error: dir/main.metal:2:1: macro \"h\" pastes \"L\" and \"\"a\"\", which is not one token"},
		{"#define o(x) x ## = 1\no(+) o(<<)", "+= 1 <<= 1"},
		{"#define hash # ## #\nhash", "##"},

		// Rescanning: no macro expands within its own expansion.
		{"#define x x\nx", "x"},
		{"#define a b\n#define b a\na b", "a b"},
		{"#define f(x) f(x) + 1\nf(f(2))", "f ( f ( 2 ) + 1 ) + 1"},
		{"#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"}, // as in C's own example of what is unspecified
		{"#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42"},
		{"#define z z[0]\n#define f(a) f(z * (a))\nf(z)", "f ( z [ 0 ] * ( z [ 0 ] ) )"},
		{"#define m(a) a(w)\n#define w 0,1\n#define g f\n#define f(a) f(2 * (a))\nm(g)", "f ( 2 * ( 0 , 1 ) )"},

		// Conditionals.
		{"#if 1\na\n#else\nb\n#endif\n#if 0\nc\n#elif 1\nd\n#elif 1\ne\n#else\nf\n#endif", "a d"},
		{"#if 0\n#if 1\na\n#else\nb\n#endif\n'\n#else\nc\n#endif", "c"},
		{"#define x\n#ifdef x\na\n#endif\n#ifndef x\nb\n#endif\n#if defined x && defined(x) && !defined y\nc\n#endif",
			"a c"},
		{"#define both (defined(x) && !defined y)\n#define x\n#if both\na\n#endif", "a"},
		{"#if UNKNOWN || false || !true\na\n#else\nb\n#endif", "b"},
		{"#if 2 + 3 * 4 == 14 && (2 + 3) * 4 == 20 && 7 / 2 == 3 && -7 % 3 == -1 && 1 << 4 == 16 && ~0 == -1 && (5 & " +
			"6 | 1 ^ 8) == 13\na\n#endif", "a"},
		{"#if -1 > 0u && -1 < 0 && 0xffffffffffffffff > 0 && 1 ? 2 : 0\na\n#endif", "a"},
		{"#if 'a' == 97 && '\\n' == 10 && '\\xff' < 0 && 0x10 == 16 && 010 == 8 && 0b11 == 3 && 1'000 == 1000\n" +
			"a\n#endif", "a"},
		{"#if 7u / 2 == 3 && 7u % 4 == 3 && 7 % 4 == 3 && (6 ^ 3) == 5 && (6 | 1) == 7 && 2 <= 2 && 3 >= 2 && 3 > 2 " +
			"&& 2 < 3 && 3 - 5 < 0 && -16 >> 2 == -4 && 16u >> 2 == 4 && +1 == 1 && ~0u > 0 && 1 != 2\na\n#endif", "a"},
		{"#if (0 ? 1 / 0 : 2) == 2 && not 0 and 1\na\n#endif", "a"},
		{"#define f(x) x + 1\n#if f(1) == 2\na\n#endif", "a"},
		{"#if __has_include(\"inc.h\") && __has_include(<metal_stdlib>) && !__has_include(\"no.h\") && " +
			"!__has_include(<no>)\na\n#endif\n#ifdef __has_include\nb\n#endif", "a b"},
		{"#if __has_attribute(always_inline) && !__has_builtin(foo) && !__has_feature(foo)\na\n#endif", "a"},
		{"#warning anything\na", "a"},

		// Predefined macros.
		{"__LINE__\n__LINE__ \\\n__LINE__", "1 2 3"},
		{"#define line __LINE__\n\nline", "3"},
		{"__FILE__ __COUNTER__ __COUNTER__ __METAL_MACOS__", `"dir/main.metal" 0 1 1`},
		{"__METAL_VERSION__ __METAL__ __cplusplus", "320 1 201402L"},
		{"#line 100\n__LINE__ __FILE__\n__LINE__\n#line 7 \"other\"\n__LINE__ __FILE__\n#line 20\n__LINE__ __FILE__",
			`100 "dir/main.metal" 101 7 "other" 20 "other"`},
		{"# 5 \"gnu.metal\" 1\n__LINE__ __FILE__", `5 "gnu.metal"`},

		// Includes.
		{`#include "inc.h"` + "\ninc_macro", "dir_inc 1"},
		{`#include "sub/deep.h"`, "deep dir_inc"},
		{`#include "dir/absolute.h"`, "absolute"},
		{`#include "once.h"` + "\n" + `#include "once.h"` + "\n#import \"inc.h\"\n#import \"inc.h\"", "once dir_inc"},
		{"#define file \"inc.h\"\n#include file\n", "dir_inc"},
		{"#include <metal_stdlib>\n#include \"metal_math\"\n#include <metal_atomic>\nCHAR_BIT INFINITY assert(x)",
			"8 INFINITY ( ( void ) 0 )"},
		{"#define header <metal_stdlib>\n#include header\n__HAVE_BFLOAT__", "1"},

		// Pragmas.
		{"#pragma METAL fp contract (off)\n#pragma  STDC  FP_CONTRACT   ON\n#pragma clang fp contract(fast)",
			"#pragma METAL fp contract(off); #pragma STDC FP_CONTRACT ON; #pragma clang fp contract(fast);"},
		{"#pragma METAL internals : enable\n#pragma unknown \"x\"\n#pragma\n#pragma clang loop vectorize(enable)\n" +
			"#pragma GCC poison x\n#pragma STDC FENV_ACCESS OFF\na", "#pragma METAL internals : enable; a"},
		{"#define N 4\n#pragma unroll\n#pragma unroll N\n#pragma unroll ( N * 2 )\n" +
			"#pragma clang loop unroll (full)  unroll_count( N )",
			"#pragma unroll; #pragma unroll 4; #pragma unroll(4 * 2); #pragma clang loop unroll(full) " +
				"unroll_count(4);"},
		{"#define u(n) _Pragma(\"unroll\") for\n#define s(x) _Pragma(#x)\nu(1) s(unroll 4) for _Pragma(\"nothing\") x",
			"#pragma unroll; for #pragma unroll 4; for x"},

		// Tokens.
		{"a->b ... <<= >>= ::x .5 1.e5 0x1p-3 1e+5f x.y a+++b",
			"a -> b ... <<= >>= :: x .5 1.e5 0x1p-3 1e+5f x . y a ++ + b"},
		{"not_a and b or not c xor_eq d", "not_a && b || ! c ^= d"},
		{"\ufeffa", "a"},
	} {
		files := map[string]string{
			"dir/inc.h": "dir_inc\n#define inc_macro 1\n", "inc.h": "wrong",
			"dir/sub/deep.h": "deep\n#include \"../inc.h\"\n", "dir/absolute.h": "absolute",
			"dir/once.h": "#pragma once\nonce",
		}
		if diff := cmp.Diff(c.want, expandText(t, c.text, Config{}, files)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		cfg        Config
		text, want string
	}{
		{Config{Version: 210}, "__METAL_VERSION__ __METAL__ __cplusplus", "210 __METAL__ 201402L"},
		{Config{Version: 400}, "__METAL_VERSION__ __METAL__ __cplusplus", "400 1 201703L"},
		{Config{Version: 300}, "#include <metal_stdlib>\n__HAVE_BFLOAT__", "__HAVE_BFLOAT__"},
		{Config{Macros: map[string]string{"A": "", "B": "b c", "C": "A"}}, "A B C", "1 b c 1"},
		{Config{Macros: map[string]string{"A": "1"}}, "#undef A\n#define A 2\nA", "2"},
		{Config{Macros: map[string]string{"f(x)": "1"}}, "", `error: macro f(x):1:1: cannot define "f(x)" as a macro`},
		{Config{Macros: map[string]string{"__LINE__": "1"}}, "",
			`error: macro __LINE__:1:1: cannot define "__LINE__" as a macro`},
	} {
		if diff := cmp.Diff(c.want, expandText(t, c.text, c.cfg, nil)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.cfg, diff)
		}
	}
}

func TestUnterminated(t *testing.T) {
	for text, want := range map[string]string{
		"a /* b": "dir/main.metal:1:3: comment is not terminated",
		"a \"b":  "dir/main.metal:1:3: string is not terminated",
		"a R\"x(b)\"": "dir/main.metal:1:3: raw string is not terminated, or its mark is not one of at most 16 " +
			"characters without parentheses, backslashes and spaces",
		"a 'b":       "dir/main.metal:1:3: character constant is not terminated",
		"a \xff":     "dir/main.metal:1:3: text is not valid UTF-8",
		"a \x01":     "dir/main.metal:1:3: illegal character U+0001",
		"#if 0\n'\n": "dir/main.metal:1:1: unterminated conditional directive",
		"#include \"b\"": "dir/main.metal:1:10: 'b' file not found: " +
			"it is not in dir, .; -I adds a directory to look in",
	} {
		if got := expandText(t, text, Config{}, nil); got != "error: "+want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if _, errs := Preprocess("none", nil, Config{}); len(errs) != 1 || errs[0].Code != codeInclude {
		t.Errorf("got %v, want one error for a file that is not there", errs)
	}
}

// TestLimits feeds what grows without bound elsewhere.
func TestLimits(t *testing.T) {
	billion := "#define a0 x x x x x x x x\n"
	for i := range 9 {
		billion += fmt.Sprintf("#define a%d %s\n", i+1, strings.Repeat(fmt.Sprintf("a%d ", i), 8))
	}
	deep := strings.Repeat("(", 20000) + strings.Repeat(")", 20000)
	for name, text := range map[string]string{
		"expansion":   billion + "a9",
		"include":     "#include \"main.metal\"\n",
		"arguments":   "#define f(x) x x\n" + strings.Repeat("f(", 1000) + strings.Repeat(")", 1000),
		"condition":   "#if " + deep + "\n#endif",
		"conditional": strings.Repeat("#if 1\n", 1000),
		"parentheses": "int x = " + deep + ";",
		"blocks":      "void f() " + strings.Repeat("{", 20000) + strings.Repeat("}", 20000),
		"templates":   "int x = " + strings.Repeat("vec<", 20000) + "int" + strings.Repeat(">", 20000) + "(0);",
		"pointers":    "int " + strings.Repeat("*", 20000) + "p;",
		"declarator":  "int " + strings.Repeat("(", 20000) + "p" + strings.Repeat(")", 20000) + ";",
		"arrays":      "int a" + strings.Repeat("[1]", 20000) + ";",
		"sum":         "int x = " + strings.Repeat("1+", 20000) + "1;",
		"unary":       "int x = " + strings.Repeat("- ", 20000) + "1;",
		"else":        "void f() {" + strings.Repeat("if (1) ; else ", 20000) + ";}",
		"namespaces":  "namespace " + strings.Repeat("a::", 20000) + "b {}",
		"casts":       "int x = " + strings.Repeat("(int)", 20000) + "1;",
		"lists":       "int x[] = " + strings.Repeat("{", 20000) + strings.Repeat("}", 20000) + ";",
	} {
		if testing.Short() && name == "expansion" { // up to the whole budget
			continue
		}
		_, errs := Parse("main.metal", map[string]string{"main.metal": text}, Config{})
		if len(errs) == 0 || errs[0].Code != codeLimit {
			t.Errorf("%s: got %.200v, want an error of code %s", name, fmt.Sprint(errs), codeLimit)
		}
	}
}
