// Addresses of constant data as constant initialisers.
#include <metal_stdlib>
using namespace metal;
constant half table[4] = {0.0h, 1.0h, 2.0h, 3.0h};
constant int primes[5] = {2, 3, 5, 7, 11};
constant int squares[3] = {1, 4, 9};
constant int lone = 17;
struct Curve { constant int *points; int count; };
constant Curve curves[2] = {{primes, 5}, {squares, 3}};
constant int *constant lists[2] = {squares + 1, &primes[3]};
constant int *constant first = primes;
const constant int *constant second = &lone;

// want half 3 2
kernel void local_constexpr(device half *out [[buffer(0)]]) { constexpr constant half *T = table; out[0] = T[3]; constexpr constant half *U = table + 1; out[1] = U[1]; }
// want int 7 5
kernel void constant_expressions_through_it(device int *out [[buffer(0)]]) { constexpr constant int *p = primes + 1; constexpr int n = p[2]; int a[p[1]]; out[0] = n; out[1] = sizeof(a) / sizeof(int); }
// want int 5 3 9 2
kernel void program_scope_structs(device int *out [[buffer(0)]]) { int s = 0; for (int i = 0; i < 2; i++) { out[i] = curves[i].count; s += curves[i].points[2 - i]; } out[2] = s; out[3] = curves[0].points[0]; }
// want int 4 9 7 11
kernel void arrays_of_pointers(device int *out [[buffer(0)]]) { for (int i = 0; i < 2; i++) for (int k = 0; k < 2; k++) out[2 * i + k] = lists[i][k]; }
// want int 2 11 17
kernel void pointers_at_program_scope(device int *out [[buffer(0)]]) { out[0] = *first; out[1] = first[4]; out[2] = *second; }
// want int 11 4
kernel void local_array_of_pointers(device int *out [[buffer(0)]]) { constexpr constant int *both[2] = {primes, squares}; int s[2] = {4, 1}; for (int i = 0; i < 2; i++) out[i] = both[i][s[i]]; }
// want int 3 7
kernel void in_a_struct(device int *out [[buffer(0)]]) { constexpr Curve c = {primes + 1, 3}; static_assert(c.count == 3, "known"); out[0] = c.points[0]; out[1] = c.points[2]; }
template <int N> struct Table { static constant constexpr int of = primes[N]; };
// want int 5 3
kernel void template_arguments(device int *out [[buffer(0)]]) { constexpr constant int *p = primes; out[0] = Table<2>::of; out[1] = Table<p[0] - 1>::of; }
constexpr int sum(constant int *p, int n) { return n == 0 ? 0 : p[n - 1] + sum(p, n - 1); }
// want int 28 14
kernel void constexpr_functions(device int *out [[buffer(0)]]) { constexpr int all = sum(primes, 5); static_assert(all == 28, ""); out[0] = all; constexpr constant int *q = squares; out[1] = sum(q, 3); }
// want int 1 0
kernel void comparisons(device int *out [[buffer(0)]]) { constexpr constant int *p = primes; out[0] = p == primes; out[1] = p == primes + 1; }
