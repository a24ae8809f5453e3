#include <metal_stdlib>
using namespace metal;

// Functions of clang that no header declares.

// want ushort 13330
kernel void bytes_of_16_bits(device ushort *out [[buffer(0)]])
{
    out[0] = __builtin_bswap16(0x1234); // 0x3412
}

// want uint 2018915346
kernel void bytes_of_32_bits(device uint *out [[buffer(0)]])
{
    static_assert(__builtin_bswap32(1u) == 0x01000000, "a constant");
    out[0] = __builtin_bswap32(0x12345678); // 0x78563412
}

// want ulong 578437695752307201
kernel void bytes_of_64_bits(device ulong *out [[buffer(0)]])
{
    out[0] = __builtin_bswap64(0x0102030405060708); // 0x0807060504030201
}

// want int 1 0 1
kernel void parity(device int *out [[buffer(0)]])
{
    out[0] = __builtin_parity(7u), out[1] = __builtin_parity(0x101u), out[2] = __builtin_parityl(1ul << 40);
}

// want int 0 4 33
kernel void first_bit(device int *out [[buffer(0)]])
{
    out[0] = __builtin_ffs(0), out[1] = __builtin_ffs(24), out[2] = __builtin_ffsl(1l << 32);
}

// want int 31 31 28
kernel void sign_bits(device int *out [[buffer(0)]])
{
    out[0] = __builtin_clrsb(0), out[1] = __builtin_clrsb(-1), out[2] = __builtin_clrsb(5);
}

// want uint 3 2147483649
kernel void rotations(device uint *out [[buffer(0)]])
{
    out[0] = __builtin_rotateleft32(0x80000001u, 1u);  // 11 in binary
    out[1] = __builtin_rotateright32(3u, 1u);
}

// want uchar 129 24
kernel void rotations_of_8_bits(device uchar *out [[buffer(0)]])
{
    out[0] = __builtin_rotateleft8(uchar(0xc0), uchar(1)); // 0x81
    out[1] = __builtin_rotateright8(uchar(0x81), uchar(4)); // 0x18
}

// want uint 2147483648 32
kernel void reversed(device uint *out [[buffer(0)]])
{
    out[0] = __builtin_bitreverse32(1u);
    out[1] = __builtin_bitreverse8(uchar(4));
}

// want int 64 63 40
kernel void long_counts(device int *out [[buffer(0)]])
{
    out[0] = __builtin_popcountll(~0ul), out[1] = __builtin_clzll(1ul), out[2] = __builtin_ctzll(1ul << 40);
}

// want float 1 5 2 6
kernel void shuffle_of_two(device float *out [[buffer(0)]])
{
    float4 a = float4(1, 2, 3, 4), b = float4(5, 6, 7, 8);
    float4 r = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    out[0] = r.x, out[1] = r.y, out[2] = r.z, out[3] = r.w;
}

// want int 3 1
kernel void shuffle_to_fewer(device int *out [[buffer(0)]])
{
    int3 a = int3(1, 2, 3);
    int2 r = __builtin_shufflevector(a, a, 2, 3);
    out[0] = r.x, out[1] = r.y;
}

// want int 4 3 2 1
kernel void shuffle_backwards(device int *out [[buffer(0)]])
{
    short2 a = short2(1, 2), b = short2(3, 4);
    short4 r = __builtin_shufflevector(a, b, 3, 2, 1, 0);
    out[0] = r.x, out[1] = r.y, out[2] = r.z, out[3] = r.w;
}

// want int 1 -2147483648 0 7
kernel void signed_sums(device int *out [[buffer(0)]])
{
    int r, s;
    out[0] = __builtin_add_overflow(2147483647, 1, &r), out[1] = r;
    out[2] = __builtin_add_overflow(3, 4, &s), out[3] = s;
}

// want uint 1 4294967295 0 2
kernel void unsigned_differences(device uint *out [[buffer(0)]])
{
    uint r, s;
    out[0] = __builtin_sub_overflow(1u, 2u, &r), out[1] = r;
    out[2] = __builtin_sub_overflow(5u, 3u, &s), out[3] = s;
}

// want uint 1 0 0 4294836225
kernel void products(device uint *out [[buffer(0)]])
{
    uint r, s;
    out[0] = __builtin_mul_overflow(65536u, 65536u, &r), out[1] = r;
    out[2] = __builtin_mul_overflow(65535u, 65535u, &s), out[3] = s;
}

// want ulong 1 0 1 0
kernel void sums_of_64_bits(device ulong *out [[buffer(0)]])
{
    ulong r;
    long s;
    out[0] = __builtin_add_overflow(~0ul, 1ul, &r), out[1] = r;
    out[2] = __builtin_mul_overflow(1l << 62, 4l, &s), out[3] = ulong(s);
}

// want int 1 -56 0 100
kernel void narrow_results(device int *out [[buffer(0)]])
{
    char r, s;
    out[0] = __builtin_add_overflow(100, 100, &r), out[1] = r;
    out[2] = __builtin_add_overflow(60, 40, &s), out[3] = s;
}

// want float inf nan inf
kernel void special_values(device float *out [[buffer(0)]])
{
    out[0] = __builtin_inff(), out[1] = __builtin_nanf(""), out[2] = __builtin_huge_valf();
}

// want int 1 0 1
kernel void known_at_compile_time(device int *out [[buffer(0)]])
{
    constexpr int n = 3;
    out[0] = __builtin_constant_p(n * 2), out[1] = __builtin_constant_p(out[2]), out[2] = __builtin_constant_p(1.5f);
}

// want int 0 1 1
kernel void kinds_of_numbers(device int *out [[buffer(0)]])
{
    float inf = __builtin_inff();
    out[0] = __builtin_isfinite(inf), out[1] = __builtin_isinf(inf), out[2] = __builtin_isnan(inf - inf);
}

// want float 3 2 1 4
kernel void functions_of_floats(device float *out [[buffer(0)]])
{
    out[0] = __builtin_fmaxf(3, 2), out[1] = __builtin_sqrtf(4), out[2] = __builtin_truncf(1.9f), out[3] = __builtin_ceilf(3.1f);
}

// want int 4 7 1
kernel void element_by_element(device int *out [[buffer(0)]])
{
    int2 m = __builtin_elementwise_max(int2(4, 1), int2(2, 7));
    out[0] = m.x, out[1] = m.y, out[2] = __builtin_elementwise_min(1, 5);
}

// want int 5 9
kernel void absolute_values(device int *out [[buffer(0)]])
{
    out[0] = __builtin_abs(-5), out[1] = int(__builtin_labs(-9l));
}
