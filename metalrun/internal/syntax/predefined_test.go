package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPredefined asks for macros of each group, as programs do.
func TestPredefined(t *testing.T) {
	for _, c := range []struct {
		cfg        Config
		text, want string
	}{
		{Config{}, "#if defined(__clang__) && __clang_major__ >= 9 && __GNUC__ == 4\na\n#endif", "a"},
		{Config{}, "#if __APPLE__ && __AIR64__ && __LP64__ && !defined(__APPLE_EMBEDDED__)\na\n#endif", "a"},
		{Config{}, "#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined __LITTLE_ENDIAN__\na\n#endif", "a"},
		{Config{}, "#if __INT_MAX__ == 0x7fffffff && __LONG_MAX__ > __INT_MAX__ && __CHAR_BIT__ == 8\na\n#endif", "a"},
		{Config{}, "__SIZEOF_POINTER__ __SIZE_TYPE__ __UINT32_TYPE__", "8 unsigned long unsigned int"},
		{Config{}, "#if __FLT_RADIX__ == 2 && __FLT_MIN_EXP__ == -125\n__FLT_MAX__\n#endif", "3.40282347e+38F"},
		{Config{}, "__FILE_NAME__", `"main.metal"`},
		{Config{Version: 240}, "__METAL__", "__METAL__"},
		{Config{Version: 300}, "__METAL__", "1"},
		{Config{}, "#ifdef __FAST_MATH__\na\n#endif\n__FINITE_MATH_ONLY__", "0"},
		{Config{Fast: true}, "#ifdef __FAST_MATH__\na\n#endif\n__FINITE_MATH_ONLY__", "a 1"},
		{Config{}, "#if __INT64_MAX__ == __LONG_MAX__ && __UINT_LEAST16_MAX__ == 65535\n__INT64_TYPE__\n#endif",
			"long int"},
		{Config{}, "#if __UINTMAX_WIDTH__ == 64 && __INT_FAST32_WIDTH__ == 32\n__UINT64_C_SUFFIX__\n#endif", "UL"},
		{Config{}, "__ATOMIC_RELAXED __ATOMIC_SEQ_CST __OPENCL_MEMORY_SCOPE_DEVICE", "0 5 2"},
		{Config{Version: 310}, "__cpp_constexpr __cpp_if_constexpr", "201304L __cpp_if_constexpr"},
		{Config{Version: 400}, "__cpp_constexpr __cpp_if_constexpr __cpp_decltype", "201603L 201606L 200707L"},
		// A program and a host may define what the compiler has defined otherwise.
		{Config{}, "#undef __APPLE__\n__APPLE__", "__APPLE__"},
		{Config{}, "#define __clang_major__ 3\n__clang_major__", "3"},
		{Config{Macros: map[string]string{"__APPLE_CC__": "7"}}, "__APPLE_CC__", "7"},
	} {
		if diff := cmp.Diff(c.want, expandText(t, c.text, c.cfg, nil)); diff != "" {
			t.Errorf("%+v, %s (-want +got):\n%s", c.cfg, c.text, diff)
		}
	}
}

// TestPredefinitionsAreMacros checks that each is a name once, with a body that the scanner takes.
func TestPredefinitionsAreMacros(t *testing.T) {
	seen := map[string]bool{}
	for i, d := range allPredefinitions() {
		key := fmt.Sprint(d.name, d.from)
		if seen[key] || !strings.HasPrefix(d.name, "_") || len(predefinedMacros()[i].body) == 0 {
			t.Errorf("%s is %q", d.name, d.body)
		}
		seen[key] = true
	}
}
