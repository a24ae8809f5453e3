// Lambdas.
#include <metal_stdlib>
using namespace metal;
// version 400

// want int 5 7
kernel void captures(device int *out [[buffer(0)]]) { int a = 2; auto by_value = [a](int x) { return a + x; }; a = 4; auto by_reference = [&a](int x) { return a + x; }; out[0] = by_value(3); out[1] = by_reference(3); }
// want int 1 2
kernel void mutable_copies(device int *out [[buffer(0)]]) { int n = 0; auto next = [n]() mutable { return ++n; }; out[0] = next(); out[1] = next() + n; }
template <typename F> int fold(thread const int *p, int n, int s, F f) { for (int i = 0; i < n; i++) s = f(s, p[i]); return s; }
// want int 10 24
kernel void as_arguments(device int *out [[buffer(0)]]) { int a[] = {1, 2, 3, 4}; out[0] = fold(a, 4, 0, [](int x, int y) { return x + y; }); out[1] = fold(a, 4, 1, [](int x, int y) { return x * y; }); }
// want float 2.5 4
kernel void generic(device float *out [[buffer(0)]]) { auto twice = [](auto x) { return x + x; }; out[0] = twice(1.25f); out[1] = twice(2); }
// want int 9 3
kernel void initialised_captures(device int *out [[buffer(0)]]) { int a = 3; auto f = [b = a * 2, &r = a](int x) { r = x; return b + x; }; out[0] = f(3); out[1] = a; }
// want int 6
kernel void nested(device int *out [[buffer(0)]]) { int a = 1; auto f = [&] { int b = 2; auto g = [=](int c) { return a + b + c; }; return g(3); }; out[0] = f(); }
struct Has { int k; int apply(int x) const thread { auto f = [this](int y) { return y * k; }; return f(x); } };
// want int 12
kernel void captured_this(device int *out [[buffer(0)]]) { Has h = {4}; out[0] = h.apply(3); }
// want int 3
kernel void called_at_once(device int *out [[buffer(0)]]) { out[0] = [](int a, int b) -> int { return a + b; }(1, 2); }
