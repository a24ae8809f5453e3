package types

import (
	"strings"
	"testing"
)

// undeducedCases are calls of a function template f that has no instance for them.
var undeducedCases = []struct{ text, want string }{
	{"template <typename T, int N> T f(T x) { return x * N; } float g() { return f(1.0f); }",
		"couldn't infer template argument 'N'"},
	{"template <typename T> T f() { return T(1); } float g() { return f(); }", "couldn't infer template argument 'T'"},
	{"template <typename T> T f(T x, T y) { return x; } float g() { return f(1.0f, 1); }",
		"its template arguments cannot be deduced from (float, int)"},
	{"template <typename T> T f(T x) { return x; } float g() { return f<4>(1.0f); }",
		"its template parameters do not take <4>"},
	{"template <typename T> typename T::type f(T x) { return x; } float g() { return f(1.0f); }",
		"substitution failure [with T = float]: type 'float' cannot be used prior to '::' because it has no members"},
	{"template <typename T, int N = 3> enable_if_t<is_integral_v<T>, T> f(T x) { return x; } float g() { return " +
		"f(1.0f); }",
		"substitution failure [with T = float, N = 3]: no type named 'enable_if::type'"},
	{"struct S {}; template <typename T, typename U = decltype(declval<T>().x)> int f(T x) { return 1; } int g() { " +
		"return f(S()); }",
		"substitution failure [with T = S]: no member named 'x' in 'S'"},
}

func TestUndeduced(t *testing.T) {
	for _, c := range undeducedCases {
		_, errs := check("d.metal", "#include <metal_stdlib>\nusing namespace metal;\n"+c.text+"\n", 310)
		if len(errs) != 1 || len(errs[0].Notes) != 1 {
			t.Errorf("%s: got %v, want one error with one note", c.text, errs)
			continue
		}
		if got := strings.TrimPrefix(errs[0].Notes[0].Msg, "candidate function template ignored: "); got != c.want {
			t.Errorf("%s: note\n\tgot  %s\n\twant %s", c.text, got, c.want)
		}
	}
}
