// Floating-point types: literals, conversions, half and bfloat.
#include <metal_stdlib>
using namespace metal;

// want float 0.1 0.5 16 1e10
kernel void literals(device float *out [[buffer(0)]]) { out[0] = .1f; out[1] = 5e-1; out[2] = 0x1p4f; out[3] = 1e10f; }
// want half 0.5 2048 2048 65504
kernel void half_rounds_to_even(device half *out [[buffer(0)]]) { out[0] = 0.5h; out[1] = half(2049.0f); out[2] = half(2047.9f); out[3] = half(65519.0f); }
// want bfloat 1 256 258 1.0078125
kernel void bfloat_rounds(device bfloat *out [[buffer(0)]]) { out[0] = bfloat(1.001f); out[1] = bfloat(257.0f); out[2] = bfloat(259.0f - 0.5f); out[3] = bfloat(1.0078125f); }
// want float 16777216 16777216 16777218
kernel void integers_round(device float *out [[buffer(0)]]) { out[0] = 16777216; out[1] = 16777217; out[2] = 16777218; }
// want int 2 4 4 2
kernel void types_of_results(device int *out [[buffer(0)]]) { out[0] = sizeof(1.0h + 1.0h); out[1] = sizeof(1.0h + 1.0f); out[2] = sizeof(1.0f * 2); out[3] = sizeof(1.0h * 2); }
// want int 1 0 1 0
kernel void signed_zeros(device int *out [[buffer(0)]]) { float z = 0.0f, m = -0.0f; out[0] = z == m; out[1] = signbit(z); out[2] = signbit(m); out[3] = z < m; }
// want uint 2143289344 1065353216 49152 16256
kernel void bits(device uint *out [[buffer(0)]]) { out[0] = as_type<uint>(NAN) & 0x7fffffff; out[1] = as_type<uint>(1.0f); out[2] = as_type<ushort>(half(-2.0h)); out[3] = as_type<ushort>(bfloat(1.0f)); }
// want float 1 -2 -1 2
kernel void rounding_functions(device float *out [[buffer(0)]]) { out[0] = floor(1.9f); out[1] = floor(-1.1f); out[2] = ceil(-1.9f); out[3] = rint(2.5f); }
// want float 3 -3 1.5 0.25
kernel void round_and_fract(device float *out [[buffer(0)]]) { out[0] = round(2.5f); out[1] = round(-2.5f); out[2] = fmod(7.5f, 2.0f); out[3] = fract(-1.75f); }
// want float 1 -1 0.5 3
kernel void clamps(device float *out [[buffer(0)]]) { out[0] = saturate(4.0f); out[1] = clamp(-3.0f, -1.0f, 1.0f); out[2] = mix(0.0f, 2.0f, 0.25f); out[3] = max(1.0f, 3.0f); }
// want float 1 0 0.5
kernel void steps(device float *out [[buffer(0)]]) { out[0] = step(1.0f, 1.0f); out[1] = step(1.0f, 0.5f); out[2] = smoothstep(0.0f, 2.0f, 1.0f); }
// want float 8 0.25 6 -1
kernel void powers(device float *out [[buffer(0)]]) { out[0] = exp2(3.0f); out[1] = exp2(-2.0f); out[2] = log2(64.0f); out[3] = sign(-7.0f); }
// want float 5 0.5 4
kernel void roots(device float *out [[buffer(0)]]) { out[0] = sqrt(25.0f); out[1] = rsqrt(4.0f); out[2] = fabs(-4.0f); }
// want float 10 7 2
kernel void fused(device float *out [[buffer(0)]]) { out[0] = fma(2.0f, 3.0f, 4.0f); out[1] = ldexp(0.875f, 3); out[2] = copysign(2.0f, 1.0f); }
// want int 1 1 0 1
kernel void classes(device int *out [[buffer(0)]]) { out[0] = isinf(INFINITY); out[1] = isnan(NAN); out[2] = isfinite(INFINITY); out[3] = isnormal(1.0f); }
// want half 3 1.5 -1
kernel void half_arithmetic(device half *out [[buffer(0)]]) { half a = 1.5h; out[0] = a + a; out[1] = 3.0h / 2; out[2] = 1 - 2.0h; }
// want float 1 2 3
kernel void half_to_float_exactly(device float *out [[buffer(0)]]) { half h = 1.0h; float f = h; out[0] = f; out[1] = h + 1.0f; out[2] = float(half(3)); }
// want int 1 1 0
kernel void comparisons(device int *out [[buffer(0)]]) { float a = 0.1f; half h = 0.5h; out[0] = a < h; out[1] = h == 0.5f; out[2] = NAN == NAN; }
// want float 3.5 3.5 2
kernel void conditional_types(device float *out [[buffer(0)]]) { bool b = true; out[0] = b ? 3.5f : 2; out[1] = b ? 3.5h : 2.0f; out[2] = !b ? 3.5f : 2; }
// want float -2 2 1
kernel void unary(device float *out [[buffer(0)]]) { float a = 2; out[0] = -a; out[1] = +a; out[2] = !(a == 0); }
// want float 3 1 4
kernel void compound(device float *out [[buffer(0)]]) { float a = 1; a += 2; out[0] = a; a /= 3; out[1] = a; int n = 3; n *= 1.5f; out[2] = n; }
// want float 3 2 0.75
kernel void frexp_and_modf(device float *out [[buffer(0)]]) { int e; float m = frexp(3.0f, e); float i; float f = modf(3.75f, i); out[0] = i; out[1] = e; out[2] = f; out[2] = m; }
