// Integers: promotion, conversion, shifts, division, limits.
#include <metal_stdlib>
using namespace metal;

// want int -56 200 44 -1
kernel void narrow_types_wrap(device int *out [[buffer(0)]]) { char c = 200; uchar u = 200; uchar v = 300; char d = 255; out[0] = c; out[1] = u; out[2] = v; out[3] = d; }
// want int 300 400 -2
kernel void promoted_to_int(device int *out [[buffer(0)]]) { uchar a = 200, b = 100; out[0] = a + b; out[1] = a << 1; out[2] = ~char(1); }
// want int 44 144
kernel void stored_back_narrow(device int *out [[buffer(0)]]) { uchar a = 200; a += 100; out[0] = a; uchar b = 200; b <<= 1; out[1] = b; }
// want int 1 0 1
kernel void mixed_signs_compare_unsigned(device int *out [[buffer(0)]]) { int a = -1; uint b = 1; out[0] = a > b; out[1] = a < 1; out[2] = uchar(255) > char(-1); out[1] = a > 1; }
// want int -3 -1 -3 1
kernel void division_truncates(device int *out [[buffer(0)]]) { int a = -7, b = 2; out[0] = a / b; out[1] = a % b; out[2] = 7 / -b; out[3] = 7 % -b; }
// want uint 4294967295 4294967294 0
kernel void unsigned_wraps(device uint *out [[buffer(0)]]) { uint a = 0; out[0] = a - 1; out[1] = ~1u; out[2] = 4294967295u + 1u; }
// want int -4 1073741820 -1
kernel void right_shifts(device int *out [[buffer(0)]]) { int a = -16; out[0] = a >> 2; out[1] = int(uint(a) >> 2); out[2] = -1 >> 31; }
// want long 4294967296 -2147483648 2147483648
kernel void wide_literals(device long *out [[buffer(0)]]) { out[0] = 1L << 32; out[1] = int(0x80000000); out[2] = 0x80000000; }
// want ulong 18446744073709551615 4294967295
kernel void unsigned_long(device ulong *out [[buffer(0)]]) { out[0] = ulong(-1); out[1] = ulong(uint(-1)); }
// want int 10 8 255 5
kernel void bases_of_literals(device int *out [[buffer(0)]]) { out[0] = 0b1010; out[1] = 010; out[2] = 0xFF; out[3] = 1'0 / 2; }
// want int 97 10 0 65
kernel void character_literals(device int *out [[buffer(0)]]) { out[0] = 'a'; out[1] = '\n'; out[2] = '\0'; out[3] = '\x41'; }
// want int 3 -3 3 0
kernel void floats_truncate(device int *out [[buffer(0)]]) { out[0] = 3.99f; out[1] = int(-3.99f); out[2] = half(3.5h); out[3] = int(0.999f); }
// want int 1 1 0
kernel void bools(device int *out [[buffer(0)]]) { bool a = 5; bool b = -0.5f; bool c = 0; out[0] = a; out[1] = b; out[2] = c; }
// want int 2 3 1
kernel void bool_arithmetic(device int *out [[buffer(0)]]) { bool t = true; out[0] = t + t; out[1] = (t << 1) + t; out[2] = t * t; }
// want int 5 6 6 5
kernel void increments(device int *out [[buffer(0)]]) { int a = 5; out[0] = a++; out[1] = a; out[2] = a--; out[3] = a; }
// want int 12 -13 6 10
kernel void bit_operators(device int *out [[buffer(0)]]) { int a = 12, b = 10; out[0] = a & (b | 4); out[1] = ~a; out[2] = a ^ b; out[3] = (a | b) & ~4; }
// want int 7 1 0
kernel void precedence(device int *out [[buffer(0)]]) { out[0] = 1 + 2 * 3; out[1] = 1 << 2 < 5; out[2] = 1 & 2 == 2; out[2] = 4 & 2 + 1; }
// want int -2147483648 2147483647 -128 65535
kernel void limits(device int *out [[buffer(0)]]) { out[0] = INT_MIN; out[1] = numeric_limits<int>::max(); out[2] = numeric_limits<char>::lowest(); out[3] = USHRT_MAX; }
// want int 3 29 4 2
kernel void counting_bits(device int *out [[buffer(0)]]) { out[0] = popcount(0b1011); out[1] = clz(7); out[2] = ctz(48); out[3] = clz(uchar(63)); }
// want int 30 5 -128
kernel void saturating(device int *out [[buffer(0)]]) { out[0] = addsat(uchar(10), uchar(20)); out[1] = abs(-5); out[2] = subsat(char(-100), char(100)); }
// want uint 2147483648 3 1
kernel void rotating(device uint *out [[buffer(0)]]) { out[0] = rotate(1u, 31u); out[1] = extract_bits(0b11100u, 3, 2); out[2] = reverse_bits(0x80000000u); }
// want int 1 2 0
kernel void high_words(device int *out [[buffer(0)]]) { out[0] = mulhi(0x40000000, 4); out[1] = int(mulhi(0x80000000u, 4u)); out[2] = mulhi(3, 4); }
// want int 6 17 -1
kernel void mad_and_averages(device int *out [[buffer(0)]]) { out[0] = hadd(5, 8); out[1] = mad24(3, 4, 5); out[2] = hadd(-1, -1); }
// want ushort 65535 1 32768
kernel void shorts(device ushort *out [[buffer(0)]]) { out[0] = -1; out[1] = 65537; out[2] = ushort(1) << 15; }
// want int 8 2 1
kernel void sizes(device int *out [[buffer(0)]]) { out[0] = sizeof(1L); out[1] = sizeof(short(1)); out[2] = sizeof(true); }
// want int 4 4 4
kernel void sizes_after_promotion(device int *out [[buffer(0)]]) { char c = 1; out[0] = sizeof(c + c); out[1] = sizeof(-c); out[2] = sizeof('a' + 0); }
// want int 10 3
kernel void comma(device int *out [[buffer(0)]]) { int a = (1, 10); int b = 0; for (int i = 0, k = 3; i < k; i++, b++) {} out[0] = a; out[1] = b; }
