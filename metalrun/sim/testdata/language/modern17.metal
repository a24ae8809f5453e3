// version 400
// What C++17 adds: packs and folds in every form, if constexpr, class template argument deduction, structured bindings.
#include <metal_stdlib>
using namespace metal;

template <typename... T> int count(T...) { return sizeof...(T); }
template <typename... T> int sum(T... t) { return (0 + ... + t); }
template <typename... T> int left_difference(T... t) { return (... - t); }
template <typename... T> int right_difference(T... t) { return (t - ...); }
template <typename... T> int from_hundred(T... t) { return (100 - ... - t); }
template <typename... T> bool all_positive(T... t) { return (... && (t > 0)); }
template <typename... T> bool any_zero(T... t) { return ((t == 0) || ...); }
template <typename... T> int bytes() { return (0 + ... + int(sizeof(T))); }
template <typename... T> int last(T... t) { return (t, ...); }
template <int... N> int product() { return (1 * ... * N); }
template <int... N> int largest() { int m = 0; ((m = N > m ? N : m), ...); return m; }
template <typename F, typename... T> int call(F f, T... t) { return f(t...); }
template <typename T, typename... R> int head(T t, R...) { return t; }
template <typename T, typename... R> int tail_sum(T, R... r) { return sum(r...); }

// want int 0 3 1
kernel void counted(device int *out [[buffer(0)]]) { out[0] = count(); out[1] = count(1, 2.0f, 'c'); out[2] = count(count(1, 2)); }
// want int 0 6 -4
kernel void sums(device int *out [[buffer(0)]]) { out[0] = sum(); out[1] = sum(1, 2, 3); out[2] = sum(-4); }
// want int 4 8 85
kernel void differences(device int *out [[buffer(0)]]) { out[0] = left_difference(10, 4, 2); out[1] = right_difference(10, 4, 2); out[2] = from_hundred(10, 5); }
// want int 1 0 1 1 0
kernel void logic(device int *out [[buffer(0)]]) { out[0] = all_positive(1, 2); out[1] = all_positive(1, -2); out[2] = all_positive(); out[3] = any_zero(1, 0); out[4] = any_zero(); }
// want int 7 9 1 24 9
kernel void folds(device int *out [[buffer(0)]]) { out[0] = bytes<int, short, char>(); out[1] = last(7, 8, 9); out[2] = product<>(); out[3] = product<2, 3, 4>(); out[4] = largest<4, 9, 2>(); }
// want int 5 9
kernel void heads_and_tails(device int *out [[buffer(0)]]) { out[0] = head(5, 6, 7); out[1] = tail_sum(1, 2, 3, 4); }
// want int 6 24
kernel void handed_on(device int *out [[buffer(0)]]) { out[0] = call([](int a, int b, int c) { return a + b + c; }, 1, 2, 3); out[1] = call([](auto... v) { return (v * ...); }, 2, 3, 4); }

template <typename T> int describe(T x) {
    if constexpr (sizeof(T) == 1) return 100 + x;
    else if constexpr (sizeof(T) == 4) return 400 + int(x);
    else return x.width();
}
struct Shape { long w; int width() { return 12; } };
template <int N> int power(int x) { if constexpr (N == 0) return 1; else return x * power<N - 1>(x); }
template <typename T> auto unwrapped(T x) { if constexpr (is_same_v<T, float>) return int(x * 10); else return x; }

// want int 103 405 12
kernel void discarded_branches(device int *out [[buffer(0)]]) { out[0] = describe(char(3)); out[1] = describe(5.5f); out[2] = describe(Shape()); }
// want int 1 243 -8
kernel void recursion_at_compile_time(device int *out [[buffer(0)]]) { out[0] = power<0>(9); out[1] = power<5>(3); out[2] = power<3>(-2); }
// want int 25 7
kernel void results_of_several_types(device int *out [[buffer(0)]]) { out[0] = unwrapped(2.5f); out[1] = unwrapped(7); }

template <typename T, int N> struct Fixed { T v[N]; };
template <typename T, typename... U> Fixed(T, U...) -> Fixed<T, 1 + sizeof...(U)>;
template <typename T> struct Wrap { T v; Wrap(T x) : v(x) {} };
template <typename A, typename B> struct Couple { A a; B b; Couple(A x, B y) : a(x), b(y) {} };
struct Unit {};
template <typename T> struct Maybe { T v; bool set; Maybe(T x, bool s) : v(x), set(s) {} Maybe(thread const Unit *) : v(0), set(false) {} };
Maybe(thread const Unit *) -> Maybe<int>;

// want int 3 8 4
kernel void deduced_by_guides(device int *out [[buffer(0)]]) { Fixed f{2, 4, 8}; out[0] = sizeof(f.v) / sizeof(f.v[0]); out[1] = f.v[2]; out[2] = sizeof(f.v[0]); }
// want int 2 5 6 2
kernel void deduced_by_constructors(device int *out [[buffer(0)]]) { Wrap w(short(5)); out[0] = sizeof(w.v); out[1] = w.v; Couple c(6, 'b'); out[2] = c.a; out[3] = c.b - 96; }
// want int 0 1 9
kernel void guided_to_an_instance(device int *out [[buffer(0)]]) { Unit u; Maybe none(&u); Maybe some(9, true); out[0] = none.set; out[1] = some.set; out[2] = some.v; }

struct Point { int x; float y; char z; };
// want int 1 2 3 11 5
kernel void bindings(device int *out [[buffer(0)]]) { Point p = {1, 2.5f, 3}; auto [a, b, c] = p; out[0] = a; out[1] = int(b); out[2] = c; auto &[d, e, f] = p; d += 10; f = 5; out[3] = p.x; out[4] = p.z; }
// want int 4 6 60
kernel void bindings_of_arrays(device int *out [[buffer(0)]]) { int v[3] = {4, 5, 6}; auto [a, b, c] = v; out[0] = a; out[1] = c; auto &[d, e, f] = v; f = 60; out[2] = v[2] + b - e; }
// want int 3 7
kernel void condition_with_initialiser(device int *out [[buffer(0)]]) { if (int n = 3; n > 2) out[0] = n; else out[0] = -n; switch (int k = 5; k + 2) { case 7: out[1] = k + 2; break; default: out[1] = 0; } }

constexpr int fib(int n) { int a = 0, b = 1; for (int i = 0; i < n; i++) { int t = a + b; a = b; b = t; } return a; }
constexpr int digits(int n) { int d = 0; do { d++; n /= 10; } while (n); return d; }
struct Table { int v[6]; };
constexpr Table squares() { Table t = {}; for (int i = 0; i < 6; i++) t.v[i] = i * i; return t; }
constant constexpr Table table = squares();
constexpr int find(int x) { for (int i = 0; i < 6; i++) if (table.v[i] == x) return i; return -1; }
template <int N> struct Tag { static constant constexpr int value = N; };
namespace deep::inner::most { constant constexpr int answer = 42; }

// want int 0 55 8
kernel void loops_at_compile_time(device int *out [[buffer(0)]]) { constexpr int a = fib(0), b = fib(10); out[0] = a; out[1] = b; out[2] = Tag<fib(6)>::value; }
// want int 1 3 10
kernel void constexpr_do_while(device int *out [[buffer(0)]]) { out[0] = Tag<digits(0)>::value; out[1] = Tag<digits(123)>::value; out[2] = Tag<digits(2147483647)>::value; }
// want int 25 4 -1 9
kernel void tables(device int *out [[buffer(0)]]) { out[0] = table.v[5]; out[1] = Tag<find(16)>::value; out[2] = Tag<find(17)>::value; int i = 3; out[3] = table.v[i]; }
// want int 42
kernel void nested_namespace_in_one(device int *out [[buffer(0)]]) { out[0] = deep::inner::most::answer; }

// want int 12 3 30
kernel void captures(device int *out [[buffer(0)]]) { int a = 5, b = 7; auto f = [a, &b]() { b++; return a + b; }; a = 100; b = 6; out[0] = f(); auto g = [n = 3]() mutable { return n++; }; out[1] = g(); auto h = [=](int x) { return x * 3 + 0 * a; }; out[2] = h(10); }
// want int 4 5 9
kernel void state_of_a_lambda(device int *out [[buffer(0)]]) { int n = 3; auto next = [n]() mutable { return ++n; }; out[0] = next(); out[1] = next(); auto copy = next; out[2] = copy() + n; }
// want int 3 10 55
kernel void lambdas_of_lambdas(device int *out [[buffer(0)]]) { auto add = [](int a) { return [a](int b) { return a + b; }; }; out[0] = add(1)(2); auto five = add(5); out[1] = five(5); int s = 0; auto each = [&](auto f) { for (int i = 1; i <= 10; i++) f(i); }; each([&s](int i) { s += i; }); out[2] = s; }
// want int 2 4 8
kernel void generic_lambdas(device int *out [[buffer(0)]]) { auto size = [](auto x) { return int(sizeof(x)); }; out[0] = size(1.0h); out[1] = size(1); out[2] = size(1L); }
struct Owner { int v; auto adder() { return [this](int x) { v += x; return v; }; } auto copied() { return [*this](int x) { return v + x; }; } };
// want int 11 11 21 16
kernel void captured_objects(device int *out [[buffer(0)]]) { Owner o = {10}; out[0] = o.adder()(1); out[1] = o.v; auto c = o.copied(); o.v = 0; out[2] = c(10); out[3] = c(5); }
