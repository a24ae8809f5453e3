// Expressions: overload resolution, evaluation, conversions and library calls in small.
#include <metal_stdlib>
using namespace metal;

int which(int) { return 1; } int which(uint) { return 2; } int which(float) { return 3; } int which(half) { return 4; } int which(bool) { return 5; }
// want int 1 2 3 4 5
kernel void exact_matches(device int *out [[buffer(0)]]) { out[0] = which(1); out[1] = which(1u); out[2] = which(1.0f); out[3] = which(1.0h); out[4] = which(true); }
// want int 1 1 1
kernel void promotions_win(device int *out [[buffer(0)]]) { out[0] = which(char(1)); out[1] = which('a'); out[2] = which(ushort(1)); }
int of(float) { return 1; } int of(float2) { return 2; } int of(float4) { return 4; }
// want int 1 2 4 1
kernel void by_width(device int *out [[buffer(0)]]) { out[0] = of(1.0f); out[1] = of(float2(1)); out[2] = of(float4(1)); out[3] = of(float4(1).x); }
// want int 4 8 12
kernel void sizes_of_expressions(device int *out [[buffer(0)]]) { float2 v = 1; out[0] = sizeof(v.x); out[1] = sizeof(v * 2); out[2] = sizeof(int[3]); }
// want int 5 2 2
kernel void casts(device int *out [[buffer(0)]]) { float f = 5.7f; out[0] = (int)f; out[1] = static_cast<int>(2.2h); out[2] = int(uchar(258)); }
// want float 2.5 2
kernel void division_by_type(device float *out [[buffer(0)]]) { out[0] = 5 / 2.0f; out[1] = 5 / 2; }
// want int 1 0 1 1
kernel void boolean_results(device int *out [[buffer(0)]]) { out[0] = !0; out[1] = !5; out[2] = (3 > 2) == true; out[3] = (5 & 4) != 0; }
// want int 7 3
kernel void assignments_are_values(device int *out [[buffer(0)]]) { int a, b; a = b = 7; out[0] = a; out[1] = (b -= 4); }
// want int 4 11
kernel void member_pointers_of_results(device int *out [[buffer(0)]]) { struct P { int a; P plus(int n) const { return {a + n}; } }; out[0] = P{1}.plus(3).a; out[1] = P{1}.plus(4).plus(6).a; }
// want int 3 4 5
kernel void brace_initialisers(device int *out [[buffer(0)]]) { int a{3}; int b = {4}; auto c = int{5}; out[0] = a; out[1] = b; out[2] = c; }
// want uint 1 255 65535
kernel void unsigned_conversions(device uint *out [[buffer(0)]]) { out[0] = uint(true); out[1] = uchar(-1); out[2] = ushort(-1); }
// want int -1 -1 255
kernel void sign_extension(device int *out [[buffer(0)]]) { char c = -1; uchar u = c; out[0] = c; out[1] = short(c); out[2] = u; }
// want float 3 4 5
kernel void minima_of_three(device float *out [[buffer(0)]]) { out[0] = min3(5.0f, 3.0f, 4.0f); out[1] = median3(5.0f, 3.0f, 4.0f); out[2] = max3(5.0f, 3.0f, 4.0f); }
// want int 2 -2 3
kernel void integer_clamps(device int *out [[buffer(0)]]) { out[0] = clamp(9, 0, 2); out[1] = max(-2, -3); out[2] = min(3, 4); }
// want int 3 7 0
kernel void absolute_differences(device int *out [[buffer(0)]]) { out[0] = absdiff(2, 5); out[1] = absdiff(5, -2); out[2] = absdiff(1u, 1u); }
// want float 6 20
kernel void sums_over_ranges(device float *out [[buffer(0)]]) { float a[4] = {1, 2, 3, 14}; float s = 0; for (int i = 0; i < 3; ++i) s += a[i]; out[0] = s; out[1] = s + a[3]; }
// want int 1 2 6 24
kernel void products_in_a_row(device int *out [[buffer(0)]]) { int p = 1; for (int i = 1; i <= 4; i++) { p *= i; out[i - 1] = p; } }
// want uint 3735928559 48879 57005
kernel void halves_of_words(device uint *out [[buffer(0)]]) { uint x = 0xDEADBEEF; out[0] = x; out[1] = x & 0xFFFF; out[2] = x >> 16; }
// want int 4 1
kernel void conditional_with_commas(device int *out [[buffer(0)]]) { int n = 0; int r = (n++, n++, n) == 2 ? (n += 2, n) : 0; out[0] = r; out[1] = n == 4; }
// want int 6 0
kernel void function_results_in_conditions(device int *out [[buffer(0)]]) { out[0] = which(2.0f) == 3 ? 6 : 7; out[1] = which(1) - 1; }
// want half 2 0.5
kernel void half_functions(device half *out [[buffer(0)]]) { out[0] = max(half(1), 2.0h); out[1] = clamp(0.5h, 0.0h, 1.0h); }
// want long 6000000000 -1
kernel void long_arithmetic(device long *out [[buffer(0)]]) { out[0] = 3000000000L * 2; out[1] = long(-1); }
// want int 0 1
kernel void comparisons_of_mixed_floats(device int *out [[buffer(0)]]) { out[0] = 0.1h == 0.1f; out[1] = 0.5h == 0.5f; }
// want int 1 4 9
kernel void locals_in_loops(device int *out [[buffer(0)]]) { for (int i = 0; i < 3; i++) { const int n = i + 1; int square = n * n; out[i] = square; } }
// want float 1 0 -1
kernel void signs(device float *out [[buffer(0)]]) { out[0] = sign(2.0f); out[1] = sign(0.0f); out[2] = sign(-0.5f); }
// want int 8 16 3
kernel void nested_calls(device int *out [[buffer(0)]]) { out[0] = max(min(8, 9), 3); out[1] = abs(-min(16, 20)); out[2] = popcount(uint(max(7, 4))); }
// want int 2 1 0
kernel void counting_down(device int *out [[buffer(0)]]) { int i = 3; while (i-- > 0) out[2 - i] = i; }
// want uchar 1 2 3 4
kernel void bytes_of_vectors(device uchar *out [[buffer(0)]]) { uchar4 v = uchar4(1, 2, 3, 4); *(device uchar4 *)out = v; }
// want ushort 258 772
kernel void words_of_bytes(device ushort *out [[buffer(0)]]) { ushort2 v = as_type<ushort2>(uchar4(2, 1, 4, 3)); out[0] = v.x; out[1] = v.y; }
// want float 0.5 0.25
kernel void normalised(device float *out [[buffer(0)]]) { out[0] = 1.0f / 2; float x = 1; x /= 4; out[1] = x; }
// want int 15 240
kernel void masks(device int *out [[buffer(0)]]) { int m = (1 << 4) - 1; out[0] = m; out[1] = m << 4; }
// want int 5 10
kernel void overloads_by_constness(device int *out [[buffer(0)]]) { struct C { int n; int get() thread { return n * 2; } int get() const thread { return n; } }; C a = {5}; const C b = {5}; out[0] = b.get(); out[1] = a.get(); }
// want int 12 13
kernel void default_and_overload(device int *out [[buffer(0)]]) { struct F { static int f(int a, int b = 2) { return a * 10 + b; } }; out[0] = F::f(1); out[1] = F::f(1, 3); }
// want float 2 3
kernel void half_of_a_vector(device float *out [[buffer(0)]]) { float4 v = float4(float2(1, 2), float2(3, 4)); float2 m = v.yz; out[0] = m.x; out[1] = m.y; }
