// Functions of the library on scalars and vectors of integers and floats, atomics, and what a thread does alone.
#include <metal_stdlib>
using namespace metal;

// want int 3 0 7 5
kernel void bounds(device int *out [[buffer(0)]]) { out[0] = clamp(5, 1, 3); out[1] = clamp(-4, 0, 9); out[2] = max(3, 7); out[3] = max3(1, 5, 2); }
// want int 1 2 3 4
kernel void three_of_them(device int *out [[buffer(0)]]) { out[0] = min3(3, 1, 2); out[1] = median3(3, 1, 2); out[2] = max3(3, 1, 2); out[3] = min(uint(4), uint(9)); }
// want int 5 128 -128 7
kernel void absolute(device int *out [[buffer(0)]]) { out[0] = abs(-5); out[1] = uchar(abs(char(-128))); out[2] = char(uchar(128)); out[3] = int(absdiff(10u, 3u)); }
// want int 31 0 4 8
kernel void counting_bits(device int *out [[buffer(0)]]) { out[0] = clz(1); out[1] = ctz(1); out[2] = popcount(0xf0); out[3] = clz(uchar(0)); }
// want uint 2147483648 15 1
kernel void reversing_bits(device uint *out [[buffer(0)]]) { out[0] = reverse_bits(1u); out[1] = extract_bits(0xf0u, 4, 4); out[2] = reverse_bits(0x80000000u); }
// want uint 3 2147483649 16
kernel void rotating(device uint *out [[buffer(0)]]) { out[0] = rotate(0x80000001u, 1u); out[1] = rotate(3u, 31u); out[2] = rotate(1u, 4u); }
// want int 0 -1 127 255
kernel void high_halves_and_saturation(device int *out [[buffer(0)]]) { out[0] = mulhi(3, 4); out[1] = mulhi(-3, 4); out[2] = addsat(char(100), char(100)); out[3] = addsat(uchar(200), uchar(100)); }
// want int 0 -128 3 2
kernel void saturated_differences(device int *out [[buffer(0)]]) { out[0] = subsat(uchar(3), uchar(5)); out[1] = subsat(char(-100), char(100)); out[2] = rhadd(2, 3); out[3] = hadd(2, 3); }
// want int 17 -2 10
kernel void multiply_add(device int *out [[buffer(0)]]) { out[0] = mad24(3, 5, 2); out[1] = mul24(-1, 2); out[2] = madhi(1 << 20, 1 << 14, 6); }
// want float 3 -3 2 -2
kernel void rounding_down_and_up(device float *out [[buffer(0)]]) { out[0] = ceil(2.5f); out[1] = floor(-2.5f); out[2] = floor(2.5f); out[3] = ceil(-2.5f); }
// want float 2 4 -2 3 -3
kernel void rounding_to_nearest(device float *out [[buffer(0)]]) { out[0] = rint(2.5f); out[1] = rint(3.5f); out[2] = rint(-1.5f); out[3] = round(2.5f); out[4] = round(-2.5f); }
// want float 2 -2 0.75 0.25
kernel void truncating(device float *out [[buffer(0)]]) { out[0] = trunc(2.75f); out[1] = trunc(-2.75f); out[2] = fract(2.75f); out[3] = fract(-2.75f); }
// want float 1 -1 -3 0
kernel void signs(device float *out [[buffer(0)]]) { out[0] = sign(5.0f); out[1] = sign(-0.5f); out[2] = copysign(3.0f, -0.0f); out[3] = sign(0.0f); }
// want float 2.5 0 1 1
kernel void mixing(device float *out [[buffer(0)]]) { out[0] = mix(1.0f, 4.0f, 0.5f); out[1] = step(2.0f, 1.0f); out[2] = step(2.0f, 2.0f); out[3] = saturate(1.5f); }
// want float 0 0.5 1 0.84375
kernel void smooth(device float *out [[buffer(0)]]) { out[0] = smoothstep(0.0f, 1.0f, -1.0f); out[1] = smoothstep(0.0f, 1.0f, 0.5f); out[2] = smoothstep(0.0f, 1.0f, 2.0f); out[3] = smoothstep(0.0f, 4.0f, 3.0f); }
// want float 7 -1.5 1.5 5
kernel void fused_and_remainders(device float *out [[buffer(0)]]) { out[0] = fma(2.0f, 3.0f, 1.0f); out[1] = fmod(-5.5f, 2.0f); out[2] = fmod(5.5f, 2.0f); out[3] = fdim(7.0f, 2.0f); }
// want float 3 8 0.5 16
kernel void roots_and_powers(device float *out [[buffer(0)]]) { out[0] = sqrt(9.0f); out[1] = ldexp(1.0f, 3); out[2] = ldexp(4.0f, -3); out[3] = ldexp(0.5f, 5); }
// want int 1 0 1 1
kernel void classes_of_floats(device int *out [[buffer(0)]]) { out[0] = isnan(NAN); out[1] = isnan(INFINITY); out[2] = isinf(-INFINITY); out[3] = isfinite(FLT_MAX); }
// want int 1 0 1 0
kernel void signs_of_zero(device int *out [[buffer(0)]]) { out[0] = signbit(-0.0f); out[1] = signbit(0.0f); out[2] = -0.0f == 0.0f; out[3] = NAN == NAN; }
// want float 1 2 3
kernel void not_a_number_in_extremes(device float *out [[buffer(0)]]) { out[0] = fmin(NAN, 1.0f); out[1] = fmax(2.0f, NAN); out[2] = fmax(2.0f, 3.0f); }
// want int 5 7 8 12
kernel void atomic_sums(device atomic_int *out [[buffer(0)]]) { atomic_store_explicit(&out[0], 5, memory_order_relaxed); int old = atomic_fetch_add_explicit(&out[0], 2, memory_order_relaxed); atomic_store_explicit(&out[1], old + 2, memory_order_relaxed); atomic_fetch_sub_explicit(&out[0], 2, memory_order_relaxed); atomic_store_explicit(&out[2], 8, memory_order_relaxed); atomic_store_explicit(&out[3], atomic_load_explicit(&out[2], memory_order_relaxed) + 4, memory_order_relaxed); }
// want int 9 3 6 5
kernel void atomic_extremes_and_bits(device atomic_int *out [[buffer(0)]]) { for (int i = 0; i < 4; i++) atomic_store_explicit(&out[i], 3, memory_order_relaxed); atomic_fetch_max_explicit(&out[0], 9, memory_order_relaxed); atomic_fetch_min_explicit(&out[1], 9, memory_order_relaxed); atomic_fetch_xor_explicit(&out[2], 5, memory_order_relaxed); atomic_fetch_and_explicit(&out[3], 13, memory_order_relaxed); atomic_fetch_or_explicit(&out[3], 4, memory_order_relaxed); }
// want int 4 7 3
kernel void atomic_exchange(device atomic_int *out [[buffer(0)]]) { atomic_store_explicit(&out[0], 7, memory_order_relaxed); int old = atomic_exchange_explicit(&out[0], 4, memory_order_relaxed); atomic_store_explicit(&out[1], old, memory_order_relaxed); atomic_store_explicit(&out[2], old - 4, memory_order_relaxed); }
// want int 1 2 3
kernel void numbers_of_a_lone_thread(device int *out [[buffer(0)]], uint i [[thread_position_in_grid]], uint n [[threads_per_grid]]) { out[i] = 1; out[n] = simd_sum(2); out[i + 2] = simd_max(3); }
// want int 6 15 4
kernel void library_arrays(device int *out [[buffer(0)]]) { array<int, 3> a = {1, 2, 3}; int s = 0; for (uint i = 0; i < a.size(); i++) s += a[i]; out[0] = s; a[1] = 11; out[1] = a[0] + a[1] + a[2]; out[2] = sizeof(a) / 3; }
// want int 1 0 1 1 0
kernel void traits(device int *out [[buffer(0)]]) { out[0] = is_same_v<int, int32_t>; out[1] = is_same_v<uint, int>; out[2] = is_integral_v<char>; out[3] = is_floating_point_v<half>; out[4] = is_signed_v<ushort>; }
// want int 1 4 2 1
kernel void more_traits(device int *out [[buffer(0)]]) { out[0] = is_same_v<remove_const_t<const int>, int>; out[1] = sizeof(conditional_t<true, int, char>); out[2] = sizeof(conditional_t<false, int, short>); out[3] = is_same_v<make_unsigned_t<int>, uint>; }
