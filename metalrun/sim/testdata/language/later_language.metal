// C++17, which Metal 4.0 is based on.
#include <metal_stdlib>
using namespace metal;
// version 400

template <typename T> int kind(T x) { if constexpr (is_integral_v<T>) return x & 1; else return int(x * 2); }
// want int 1 5
kernel void if_constexpr(device int *out [[buffer(0)]]) { out[0] = kind(7); out[1] = kind(2.5f); }
template <typename... T> int folded(T... x) { return (x + ... + 0); }
template <typename... T> bool every(T... x) { return (x && ...); }
// want int 10 0 1 0
kernel void folds(device int *out [[buffer(0)]]) { out[0] = folded(1, 2, 3, 4); out[1] = folded(); out[2] = every(true, 1 < 2); out[3] = every(true, false); }
struct P { int a; float b; };
// want int 3 4 7
kernel void structured_bindings(device int *out [[buffer(0)]]) { P p = {3, 4.5f}; auto [a, b] = p; out[0] = a; out[1] = int(b); int q[2] = {5, 2}; auto [c, d] = q; out[2] = c + d; }
// want int 4 0
kernel void initialisers_in_conditions(device int *out [[buffer(0)]]) { if (int n = 4; n > 3) out[0] = n; else out[0] = 0; switch (int k = 1; k) { case 1: out[1] = 0; } }
template <auto V> struct Auto { static constexpr constant auto value = V; };
// want int 5 1
kernel void auto_parameters(device int *out [[buffer(0)]]) { out[0] = Auto<5>::value; out[1] = Auto<true>::value; }
template <typename T> struct Guess { T v; Guess(T x) : v(x) {} };
// want int 4 2
kernel void class_deduction(device int *out [[buffer(0)]]) { Guess g(7.0f); Guess h(short(2)); out[0] = sizeof(g.v); out[1] = h.v; }
namespace x::y::z { constexpr constant int deep = 11; }
// want int 11
kernel void nested_namespaces(device int *out [[buffer(0)]]) { out[0] = x::y::z::deep; }
struct S { static constexpr constant int n = 3; [[nodiscard]] int f() const { return n; } };
// want int 3
kernel void attributes(device int *out [[buffer(0)]]) { [[maybe_unused]] int unused = 1; out[0] = S().f(); }
constexpr auto plus(int k) { return [k](int x) { return x + k; }; }
// want int 8
kernel void constexpr_lambdas(device int *out [[buffer(0)]]) { constexpr int r = [](int x) { return x * 2; }(4); out[0] = r; }
