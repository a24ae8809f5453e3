// Constant expressions, static assertions, using declarations, namespaces and the preprocessor.
#include <metal_stdlib>
using namespace metal;

constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static_assert(fib(10) == 55, "fib");
// want int 55 8
kernel void constexpr_recursion(device int *out [[buffer(0)]]) { constexpr int n = fib(6); int a[n]; out[0] = fib(10); out[1] = sizeof(a) / sizeof(a[0]); }
constexpr int loop_sum(int n) { int s = 0; for (int i = 1; i <= n; ++i) { if (i % 2) continue; s += i; } return s; }
// want int 30
kernel void constexpr_loops(device int *out [[buffer(0)]]) { static_assert(loop_sum(10) == 30, ""); out[0] = loop_sum(10); }
struct Poly { int a, b; constexpr int at(int x) const { return a * x + b; } };
constexpr constant Poly poly = {3, 4};
// want int 10 19
kernel void constexpr_objects(device int *out [[buffer(0)]]) { constexpr Poly p = {3, 4}; static_assert(p.at(2) == 10, ""); out[0] = p.at(2); out[1] = poly.a * 5 + poly.b; }
constexpr constant int squares[5] = {0, 1, 4, 9, 16};
template <int N> struct Value { static constexpr constant int v = N; };
// want int 9 3
kernel void constant_arrays_as_arguments(device int *out [[buffer(0)]]) { out[0] = Value<squares[3]>::v; constexpr int i = squares[2] - 1; out[1] = i; }
// want int 6 1 0
kernel void folded_conditions(device int *out [[buffer(0)]]) { out[0] = sizeof(int) == 4 ? 6 : 1 / 1; constexpr bool b = 3 > 2 && !(1 > 2); out[1] = b; constexpr int z = 0 && (1 / 1); out[2] = z; }
namespace a { int f() { return 1; } namespace b { int f() { return 2; } int g() { return f() + a::f(); } } }
namespace ab = a::b;
// want int 1 2 3 2
kernel void namespaces(device int *out [[buffer(0)]]) { out[0] = a::f(); out[1] = a::b::f(); out[2] = ab::g(); using a::b::f; out[3] = f(); }
namespace a { int more() { return f() * 10; } }
// want int 10
kernel void reopened(device int *out [[buffer(0)]]) { out[0] = a::more(); }
namespace { int hidden() { return 4; } }
namespace v { inline namespace one { int of() { return 6; } } }
// want int 4 6 6
kernel void unnamed_and_inline(device int *out [[buffer(0)]]) { out[0] = hidden(); out[1] = v::of(); out[2] = v::one::of(); }
constant int scale = 2;
namespace shadow { constant int scale = 3; int inside() { return scale * ::scale; } }
// want int 6 2
kernel void global_qualifier(device int *out [[buffer(0)]]) { out[0] = shadow::inside(); out[1] = ::scale; }
#define SQUARE(x) ((x) * (x))
#define JOIN(a, b) a##b
#define TEXT(x) #x
#define COUNT(...) (sizeof((int[]){0, ##__VA_ARGS__}) / sizeof(int) - 1)
#define LIST(x) x(1) x(2) x(3)
#define ADD(n) + n
// want int 25 12 6 4
kernel void macros(device int *out [[buffer(0)]]) { int JOIN(va, lue) = 12; out[0] = SQUARE(2 + 3); out[1] = value; out[2] = 0 LIST(ADD); out[3] = sizeof(TEXT(abc)); }
#define ONE 1
#define EXPAND(x) TEXT(x)
// want int 4 2
kernel void strings_of_arguments(device int *out [[buffer(0)]]) { out[0] = sizeof(TEXT(ONE)); out[1] = sizeof(EXPAND(ONE)); }
#if defined(ONE) && (ONE + 1 == 2) && !defined(NEVER)
#define CHOICE 5
#elif ONE
#define CHOICE 6
#else
#error not here
#endif
#undef ONE
#ifdef ONE
#define GONE 0
#else
#define GONE 1
#endif
// want int 5 1
kernel void conditional_groups(device int *out [[buffer(0)]]) { out[0] = CHOICE; out[1] = GONE; }
#define f(x) (x + f)
// want int 8
kernel void no_recursion(device int *out [[buffer(0)]]) { int f = 3; out[0] = f(5); }
#undef f
#define EMPTY
#define CALL(m, ...) m(__VA_ARGS__)
#define SUM2(a, b) (a + b)
// want int 7 3
kernel void arguments_of_arguments(device int *out [[buffer(0)]]) { out[0] = CALL(SUM2, 3, 4); out[1] = SUM2(EMPTY 1, (2, 2)); }
// want int 1 310 1
kernel void predefined(device int *out [[buffer(0)]]) { out[0] = __METAL__; out[1] = __METAL_VERSION__; out[2] = __LITTLE_ENDIAN__; }
using real = float; typedef int Integer; using Row = int[3];
// want int 4 12 1
kernel void aliases(device int *out [[buffer(0)]]) { out[0] = sizeof(real); out[1] = sizeof(Row); Row r = {1, 2, 3}; Integer i = r[0]; out[2] = i; }
enum : ushort { wide = 65535 }; enum { first = 1, second = first << 2, third };
// want int 65535 5 2
kernel void unnamed_enums(device int *out [[buffer(0)]]) { out[0] = wide; out[1] = third; out[2] = sizeof(wide); }
constexpr uint hash_of(constant char *s, uint h) { return *s ? hash_of(s + 1, h * 31 + *s) : h; }
// want uint 97 3105
kernel void constexpr_strings(device uint *out [[buffer(0)]]) { out[0] = hash_of("a", 0); out[1] = hash_of("ab", 0); }
auto deduced(int x) { return x * 0.5f; }
template <typename T> decltype(auto) same(thread T &x) { return (x); }
// want float 1.5 9
kernel void deduced_results(device float *out [[buffer(0)]]) { out[0] = deduced(3); float a = 1; same(a) = 9; out[1] = a; }
// want int 3 2 4
kernel void auto_variables(device int *out [[buffer(0)]]) { auto a = 3; const auto b = 2u; auto c = a * 1.5f; out[0] = a; out[1] = b; out[2] = int(c); decltype(a) d = 4; out[2] = d; }
int with_default(int a, int b = 2, int c = 3) { return a * 100 + b * 10 + c; }
// want int 123 153 167
kernel void default_arguments(device int *out [[buffer(0)]]) { out[0] = with_default(1); out[1] = with_default(1, 5); out[2] = with_default(1, 6, 7); }
