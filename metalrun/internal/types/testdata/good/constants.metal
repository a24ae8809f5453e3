// Constant expressions: each static_assert is a hand-computed value.
#include <metal_stdlib>
using namespace metal;

// Integers.
static_assert(7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1, "division truncates");
static_assert(0xffffffff == 4294967295u && 0xffffffffu + 1u == 0u, "unsigned wraps");
static_assert(1 << 31 == -2147483647 - 1 && (1u << 33) == 2u, "shift counts are taken modulo the width");
static_assert((-8 >> 1) == -4 && (0x80000000u >> 31) == 1u, "signed shifts are arithmetic");
static_assert((char)200 == -56 && (uchar)300 == 44 && (short)40000 == -25536, "narrowing wraps");
static_assert((uchar)255 + (uchar)1 == 256, "narrow operands promote");
static_assert((5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6 && ~5 == -6, "bits");
static_assert(-1 > 0u, "comparison of int and uint is unsigned");
static_assert(-1L < 0u, "uint converts to long");
static_assert(sizeof(float3) == 16 && sizeof(packed_float3) == 12 && alignof(half3) == 8, "sizes");
static_assert(1000000 * 1000000L == 1000000000000, "long product");
static_assert((1 ? 2 : 3) == 2 && (false || true) && !(true && false), "choice");
static_assert(true || 1 / 0 == 0, "the right side of || is not evaluated");
static_assert(UINT_MAX == 0xffffffffu && INT_MIN == -2147483647 - 1, "limits");

// Floats round once in their own format.
static_assert(as_type<uint>(1.0f / 3.0f) == 0x3eaaaaabu, "float division");
static_assert(as_type<uint>(0.1f + 0.2f) == 0x3e99999au, "float addition");
static_assert(as_type<uint>(16777216.0f + 1.0f) == 0x4b800000u, "ties to even");
static_assert(as_type<ushort>(half(1.0h / 3.0h)) == 0x3555, "half division");
static_assert(as_type<ushort>(half(2048.0h + 1.0h)) == 0x6800, "half addition");
static_assert(as_type<ushort>(bfloat(1.0f / 3.0f)) == 0x3eab, "bfloat rounding");
static_assert(as_type<ushort>(half(65520.0f)) == 0x7c00 && as_type<ushort>(half(65519.0f)) == 0x7bff, "half overflow");
static_assert(as_type<ushort>(half(5.9604645e-8f)) == 1 && as_type<ushort>(half(2.9802322e-8f)) == 0, "half underflow");
static_assert(float(16777217) == 16777216.0f && float(16777219u) == 16777220.0f, "int to float");
static_assert(as_type<uint>(float(0x8000008000000001ul)) == 0x5f000001u, "ulong to float rounds once");
static_assert(int(2.9f) == 2 && int(-2.9f) == -2 && uchar(255.9f) == 255, "float to int truncates");
static_assert(bool(0.5f) && !bool(-0.0f), "float to bool");
static_assert(as_type<int>(-0.0f) == -2147483647 - 1 && -0.0f == 0.0f, "negative zero");
static_assert(!(NAN == NAN) && NAN != NAN && !(NAN < 1.0f) && INFINITY > FLT_MAX, "NaN and infinity");

// Vectors and matrices.
static_assert(all(int3(1, 2, 3) + int3(1) == int3(2, 3, 4)), "vector sum");
static_assert(all(char4(100) + char4(100) == char4(-56)), "vectors of char wrap");
static_assert(float4(1, 2, 3, 4).wzyx.x == 4.0f && float4(1, 2, 3, 4).zw.y == 4.0f, "swizzle");
static_assert(any(float2(1, NAN) != float2(1)) && all(float2(1, 2) < float2(2, 3)), "comparison");
static_assert(float4(float2(1, 2), 3, 4).y == 2.0f && int3(7).z == 7, "construction");
static_assert(float2x2(2.0f)[0][0] == 2.0f && float2x2(2.0f)[0][1] == 0.0f && float2x2(2.0f)[1][1] == 2.0f, "diagonal");
static_assert((float2x3(1, 2, 3, 4, 5, 6) * float2(1, 10)).z == 63.0f, "matrix by column");
static_assert((float2(1, 10) * float3x2(1, 2, 3, 4, 5, 6)).y == 43.0f, "row by matrix");
static_assert((float2x2(1, 2, 3, 4) * float2x2(5, 6, 7, 8))[1][0] == 31.0f, "matrix product");
static_assert((float2x2(1, 2, 3, 4) * 2.0f)[1][1] == 8.0f, "matrix by scalar");
static_assert(as_type<uint2>(0x0000000200000001ul).y == 2u, "as_type splits");
static_assert(float3(packed_float3(1, 2, 3)).z == 3.0f, "packed vectors");

// Functions, loops, objects.
constexpr int factorial(int n) {
    int r = 1;
    for (int i = 2; i <= n; i++) {
        r *= i;
    }
    return r;
}
static_assert(factorial(10) == 3628800, "loop");

constexpr int collatz(int n) {
    int steps = 0;
    while (true) {
        if (n == 1) {
            break;
        }
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        ++steps;
        if (steps > 1000) {
            return -1;
        }
    }
    return steps;
}
static_assert(collatz(27) == 111, "while, break");

constexpr int digits(uint n) {
    int d = 0;
    do {
        n /= 10;
        d++;
    } while (n > 0);
    return d;
}
static_assert(digits(0) == 1 && digits(4294967295u) == 10, "do");

constexpr int pick(int x) {
    switch (x) {
    case 1:
        return 10;
    case 2:
    case 3:
        x += 100;
        break;
    default:
        x = -1;
    }
    return x;
}
static_assert(pick(1) == 10 && pick(2) == 102 && pick(3) == 103 && pick(9) == -1, "switch");

constexpr int odd_sum(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0) {
            continue;
        }
        s += i;
    }
    return s;
}
static_assert(odd_sum(10) == 25, "continue");

constexpr void bump(thread int &x) { x += 5; }
constexpr int by_reference() {
    int x = 1;
    bump(x);
    thread int &r = x;
    r *= 2;
    return x;
}
static_assert(by_reference() == 12, "references");

constexpr int by_pointer() {
    int a[4] = {1, 2, 3};
    thread int *p = a;
    p[3] = 40;
    ++p;
    *p += 10;
    return a[0] + a[1] + a[2] + *(p + 2) + int(p - a);
}
static_assert(by_pointer() == 57, "pointers into arrays");

struct Pair {
    int x;
    float y;
};
constexpr Pair swap_pair(Pair p) {
    Pair q = {int(p.y), float(p.x)};
    return q;
}
static_assert(swap_pair({3, 4.0f}).x == 4 && swap_pair({3, 4.0f}).y == 3.0f, "structs");

constexpr float4 mixed() {
    float4 v = float4(0);
    v.xy = float2(1, 2);
    v.zw += v.yx;
    v[3] *= 8;
    return v;
}
static_assert(all(mixed() == float4(1, 2, 2, 8)), "swizzle assignment");

constexpr int counted() {
    uchar c = 250;
    int i = 0;
    c += 10;
    i += c++;
    i += ++c;
    return i;
}
static_assert(counted() == 10, "compound assignment wraps in the type of the object");

// Program-scope data.
constant int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
static_assert(table[1][2] == 6, "constant arrays");
constant Pair pairs[] = {{1, 2.0f}, {3, 4.0f}};
static_assert(pairs[1].y == 4.0f && sizeof(pairs) == 16, "constant structs");
constant constexpr int width = 4;
constant int sized[width * 2] = {};
static_assert(sizeof(sized) == 32 && sized[7] == 0, "array length");

// The library on constants.
static_assert(max(3, 7) == 7 && min(-1, 1) == -1 && clamp(9, 0, 5) == 5 && abs(-4) == 4, "integers");
static_assert(max3(1, 9, 4) == 9 && min3(4u, 2u, 3u) == 2u, "three arguments");
static_assert(clz(1u) == 31u && ctz(8) == 3 && popcount(0xffu) == 8u && clz((uchar)1) == 7, "bit counts");
static_assert(reverse_bits(1u) == 0x80000000u && rotate(0x80000001u, 1u) == 3u && mulhi(0x80000000u, 4u) == 2u, "bit moves");
static_assert(as_type<uint>(sqrt(2.0f)) == 0x3fb504f3u && as_type<uint>(exp(1.0f)) == 0x402df854u, "elementary functions");
static_assert(as_type<ushort>(half(sqrt(2.0h))) == 0x3da8, "half functions");
static_assert(floor(-1.5f) == -2.0f && rint(2.5f) == 2.0f && round(2.5f) == 3.0f && sign(-3.0f) == -1.0f, "rounding");
static_assert(max(NAN, 1.0f) == 1.0f && isnan(NAN) && isinf(INFINITY) && signbit(-0.0f), "special values");
static_assert(all(max(float3(1, 5, 3), 2.0f) == float3(2, 5, 3)) && select(1, 2, true) == 2, "by component");
static_assert(fma(16777217.0f, 1.0f, 1.0f) == 16777216.0f && saturate(2.0f) == 1.0f, "arithmetic");
