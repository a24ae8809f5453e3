// Integers of every width: wrapping, shifts, division, comparison and conversion. The values are by the rules of C++ and
// two's complement: each is the exact result reduced modulo 2 to the width.
#include <metal_stdlib>
using namespace metal;

// want long -124 107 -118 -7
kernel void char_wraps(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(char(a + b)); out[1] = long(char(a * b)); out[2] = long(char(b - a)); out[3] = long(char(-b)); }
// want long 17 6 3 3
kernel void char_divides(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(char(a / b)); out[1] = long(char(a % b)); out[2] = long(char(b / char(2))); out[3] = long(char(b % char(4))); }
// want long 64 3 28 3
kernel void char_shifts(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(char(char(1) << 6)); out[1] = long(char(a >> 5)); out[2] = long(char(b << 2)); out[3] = long(char(b >> 1)); }
// want long 5 127 122 -8
kernel void char_bits(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(char(a & b)); out[1] = long(char(a | b)); out[2] = long(char(a ^ b)); out[3] = long(char(~b)); }
// want long 0 1 1 1
kernel void char_compares(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void char_extremes(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(numeric_limits<char>::max() == char(127)); out[1] = long(numeric_limits<char>::min() == char(-128)); out[2] = long(popcount(char(7))); out[3] = long(min(a, b)); }
// want long 125 127 127 125
kernel void char_steps(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long -3 -1 -4 7
kernel void char_negatives(device long *out [[buffer(0)]]) { char a = char(125), b = char(7); out[0] = long(char(-b) / char(2)); out[1] = long(char(-b) % char(2)); out[2] = long(char(-b) >> 1); out[3] = long(abs(char(-b))); }
// want long 4 235 10 249
kernel void uchar_wraps(device long *out [[buffer(0)]]) { uchar a = uchar(253), b = uchar(7); out[0] = long(uchar(a + b)); out[1] = long(uchar(a * b)); out[2] = long(uchar(b - a)); out[3] = long(uchar(-b)); }
// want long 36 1 3 3
kernel void uchar_divides(device long *out [[buffer(0)]]) { uchar a = uchar(253), b = uchar(7); out[0] = long(uchar(a / b)); out[1] = long(uchar(a % b)); out[2] = long(uchar(b / uchar(2))); out[3] = long(uchar(b % uchar(4))); }
// want long 64 7 28 3
kernel void uchar_shifts(device long *out [[buffer(0)]]) { uchar a = uchar(253), b = uchar(7); out[0] = long(uchar(uchar(1) << 6)); out[1] = long(uchar(a >> 5)); out[2] = long(uchar(b << 2)); out[3] = long(uchar(b >> 1)); }
// want long 5 255 250 248
kernel void uchar_bits(device long *out [[buffer(0)]]) { uchar a = uchar(253), b = uchar(7); out[0] = long(uchar(a & b)); out[1] = long(uchar(a | b)); out[2] = long(uchar(a ^ b)); out[3] = long(uchar(~b)); }
// want long 0 1 1 1
kernel void uchar_compares(device long *out [[buffer(0)]]) { uchar a = uchar(253), b = uchar(7); out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void uchar_extremes(device long *out [[buffer(0)]]) { uchar a = uchar(253), b = uchar(7); out[0] = long(numeric_limits<uchar>::max() == uchar(255)); out[1] = long(numeric_limits<uchar>::min() == uchar(0)); out[2] = long(popcount(uchar(7))); out[3] = long(min(a, b)); }
// want long 253 255 255 253
kernel void uchar_steps(device long *out [[buffer(0)]]) { uchar a = uchar(253), b = uchar(7); out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long -32764 32747 -32758 -7
kernel void short_wraps(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(short(a + b)); out[1] = long(short(a * b)); out[2] = long(short(b - a)); out[3] = long(short(-b)); }
// want long 4680 5 3 3
kernel void short_divides(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(short(a / b)); out[1] = long(short(a % b)); out[2] = long(short(b / short(2))); out[3] = long(short(b % short(4))); }
// want long 16384 3 28 3
kernel void short_shifts(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(short(short(1) << 14)); out[1] = long(short(a >> 13)); out[2] = long(short(b << 2)); out[3] = long(short(b >> 1)); }
// want long 5 32767 32762 -8
kernel void short_bits(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(short(a & b)); out[1] = long(short(a | b)); out[2] = long(short(a ^ b)); out[3] = long(short(~b)); }
// want long 0 1 1 1
kernel void short_compares(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void short_extremes(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(numeric_limits<short>::max() == short(32767)); out[1] = long(numeric_limits<short>::min() == short(-32768)); out[2] = long(popcount(short(7))); out[3] = long(min(a, b)); }
// want long 32765 32767 32767 32765
kernel void short_steps(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long -3 -1 -4 7
kernel void short_negatives(device long *out [[buffer(0)]]) { short a = short(32765), b = short(7); out[0] = long(short(-b) / short(2)); out[1] = long(short(-b) % short(2)); out[2] = long(short(-b) >> 1); out[3] = long(abs(short(-b))); }
// want long 4 65515 10 65529
kernel void ushort_wraps(device long *out [[buffer(0)]]) { ushort a = ushort(65533), b = ushort(7); out[0] = long(ushort(a + b)); out[1] = long(ushort(a * b)); out[2] = long(ushort(b - a)); out[3] = long(ushort(-b)); }
// want long 9361 6 3 3
kernel void ushort_divides(device long *out [[buffer(0)]]) { ushort a = ushort(65533), b = ushort(7); out[0] = long(ushort(a / b)); out[1] = long(ushort(a % b)); out[2] = long(ushort(b / ushort(2))); out[3] = long(ushort(b % ushort(4))); }
// want long 16384 7 28 3
kernel void ushort_shifts(device long *out [[buffer(0)]]) { ushort a = ushort(65533), b = ushort(7); out[0] = long(ushort(ushort(1) << 14)); out[1] = long(ushort(a >> 13)); out[2] = long(ushort(b << 2)); out[3] = long(ushort(b >> 1)); }
// want long 5 65535 65530 65528
kernel void ushort_bits(device long *out [[buffer(0)]]) { ushort a = ushort(65533), b = ushort(7); out[0] = long(ushort(a & b)); out[1] = long(ushort(a | b)); out[2] = long(ushort(a ^ b)); out[3] = long(ushort(~b)); }
// want long 0 1 1 1
kernel void ushort_compares(device long *out [[buffer(0)]]) { ushort a = ushort(65533), b = ushort(7); out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void ushort_extremes(device long *out [[buffer(0)]]) { ushort a = ushort(65533), b = ushort(7); out[0] = long(numeric_limits<ushort>::max() == ushort(65535)); out[1] = long(numeric_limits<ushort>::min() == ushort(0)); out[2] = long(popcount(ushort(7))); out[3] = long(min(a, b)); }
// want long 65533 65535 65535 65533
kernel void ushort_steps(device long *out [[buffer(0)]]) { ushort a = ushort(65533), b = ushort(7); out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long 306783377 6 3 3
kernel void int_divides(device long *out [[buffer(0)]]) { int a = 2147483645, b = 7; out[0] = long(int(a / b)); out[1] = long(int(a % b)); out[2] = long(int(b / int(2))); out[3] = long(int(b % int(4))); }
// want long 1073741824 3 28 3
kernel void int_shifts(device long *out [[buffer(0)]]) { int a = 2147483645, b = 7; out[0] = long(int(int(1) << 30)); out[1] = long(int(a >> 29)); out[2] = long(int(b << 2)); out[3] = long(int(b >> 1)); }
// want long 5 2147483647 2147483642 -8
kernel void int_bits(device long *out [[buffer(0)]]) { int a = 2147483645, b = 7; out[0] = long(int(a & b)); out[1] = long(int(a | b)); out[2] = long(int(a ^ b)); out[3] = long(int(~b)); }
// want long 0 1 1 1
kernel void int_compares(device long *out [[buffer(0)]]) { int a = 2147483645, b = 7; out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void int_extremes(device long *out [[buffer(0)]]) { int a = 2147483645, b = 7; out[0] = long(numeric_limits<int>::max() == 2147483647); out[1] = long(numeric_limits<int>::min() == (-2147483647 - 1)); out[2] = long(popcount(int(7))); out[3] = long(min(a, b)); }
// want long 2147483645 2147483647 2147483647 2147483645
kernel void int_steps(device long *out [[buffer(0)]]) { int a = 2147483645, b = 7; out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long -3 -1 -4 7
kernel void int_negatives(device long *out [[buffer(0)]]) { int a = 2147483645, b = 7; out[0] = long(int(-b) / int(2)); out[1] = long(int(-b) % int(2)); out[2] = long(int(-b) >> 1); out[3] = long(abs(int(-b))); }
// want long 4 4294967275 10 4294967289
kernel void uint_wraps(device long *out [[buffer(0)]]) { uint a = 4294967293u, b = 7u; out[0] = long(uint(a + b)); out[1] = long(uint(a * b)); out[2] = long(uint(b - a)); out[3] = long(uint(-b)); }
// want long 613566756 1 3 3
kernel void uint_divides(device long *out [[buffer(0)]]) { uint a = 4294967293u, b = 7u; out[0] = long(uint(a / b)); out[1] = long(uint(a % b)); out[2] = long(uint(b / uint(2))); out[3] = long(uint(b % uint(4))); }
// want long 1073741824 7 28 3
kernel void uint_shifts(device long *out [[buffer(0)]]) { uint a = 4294967293u, b = 7u; out[0] = long(uint(uint(1) << 30)); out[1] = long(uint(a >> 29)); out[2] = long(uint(b << 2)); out[3] = long(uint(b >> 1)); }
// want long 5 4294967295 4294967290 4294967288
kernel void uint_bits(device long *out [[buffer(0)]]) { uint a = 4294967293u, b = 7u; out[0] = long(uint(a & b)); out[1] = long(uint(a | b)); out[2] = long(uint(a ^ b)); out[3] = long(uint(~b)); }
// want long 0 1 1 1
kernel void uint_compares(device long *out [[buffer(0)]]) { uint a = 4294967293u, b = 7u; out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void uint_extremes(device long *out [[buffer(0)]]) { uint a = 4294967293u, b = 7u; out[0] = long(numeric_limits<uint>::max() == 4294967295u); out[1] = long(numeric_limits<uint>::min() == 0u); out[2] = long(popcount(uint(7))); out[3] = long(min(a, b)); }
// want long 4294967293 4294967295 4294967295 4294967293
kernel void uint_steps(device long *out [[buffer(0)]]) { uint a = 4294967293u, b = 7u; out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long 1317624576693539400 5 3 3
kernel void long_divides(device long *out [[buffer(0)]]) { long a = 9223372036854775805L, b = 7L; out[0] = long(long(a / b)); out[1] = long(long(a % b)); out[2] = long(long(b / long(2))); out[3] = long(long(b % long(4))); }
// want long 4611686018427387904 3 28 3
kernel void long_shifts(device long *out [[buffer(0)]]) { long a = 9223372036854775805L, b = 7L; out[0] = long(long(long(1) << 62)); out[1] = long(long(a >> 61)); out[2] = long(long(b << 2)); out[3] = long(long(b >> 1)); }
// want long 5 9223372036854775807 9223372036854775802 -8
kernel void long_bits(device long *out [[buffer(0)]]) { long a = 9223372036854775805L, b = 7L; out[0] = long(long(a & b)); out[1] = long(long(a | b)); out[2] = long(long(a ^ b)); out[3] = long(long(~b)); }
// want long 0 1 1 1
kernel void long_compares(device long *out [[buffer(0)]]) { long a = 9223372036854775805L, b = 7L; out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void long_extremes(device long *out [[buffer(0)]]) { long a = 9223372036854775805L, b = 7L; out[0] = long(numeric_limits<long>::max() == 9223372036854775807L); out[1] = long(numeric_limits<long>::min() == (-9223372036854775807L - 1L)); out[2] = long(popcount(long(7))); out[3] = long(min(a, b)); }
// want long 9223372036854775805 9223372036854775807 9223372036854775807 9223372036854775805
kernel void long_steps(device long *out [[buffer(0)]]) { long a = 9223372036854775805L, b = 7L; out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long -3 -1 -4 7
kernel void long_negatives(device long *out [[buffer(0)]]) { long a = 9223372036854775805L, b = 7L; out[0] = long(long(-b) / long(2)); out[1] = long(long(-b) % long(2)); out[2] = long(long(-b) >> 1); out[3] = long(abs(long(-b))); }
// want long 4 -21 10 -7
kernel void ulong_wraps(device long *out [[buffer(0)]]) { ulong a = 18446744073709551613uL, b = 7uL; out[0] = long(ulong(a + b)); out[1] = long(ulong(a * b)); out[2] = long(ulong(b - a)); out[3] = long(ulong(-b)); }
// want long 2635249153387078801 6 3 3
kernel void ulong_divides(device long *out [[buffer(0)]]) { ulong a = 18446744073709551613uL, b = 7uL; out[0] = long(ulong(a / b)); out[1] = long(ulong(a % b)); out[2] = long(ulong(b / ulong(2))); out[3] = long(ulong(b % ulong(4))); }
// want long 4611686018427387904 7 28 3
kernel void ulong_shifts(device long *out [[buffer(0)]]) { ulong a = 18446744073709551613uL, b = 7uL; out[0] = long(ulong(ulong(1) << 62)); out[1] = long(ulong(a >> 61)); out[2] = long(ulong(b << 2)); out[3] = long(ulong(b >> 1)); }
// want long 5 -1 -6 -8
kernel void ulong_bits(device long *out [[buffer(0)]]) { ulong a = 18446744073709551613uL, b = 7uL; out[0] = long(ulong(a & b)); out[1] = long(ulong(a | b)); out[2] = long(ulong(a ^ b)); out[3] = long(ulong(~b)); }
// want long 0 1 1 1
kernel void ulong_compares(device long *out [[buffer(0)]]) { ulong a = 18446744073709551613uL, b = 7uL; out[0] = long(a < b); out[1] = long(a >= b); out[2] = long(b == b); out[3] = long(a != b); }
// want long 1 1 3 7
kernel void ulong_extremes(device long *out [[buffer(0)]]) { ulong a = 18446744073709551613uL, b = 7uL; out[0] = long(numeric_limits<ulong>::max() == 18446744073709551615uL); out[1] = long(numeric_limits<ulong>::min() == 0uL); out[2] = long(popcount(ulong(7))); out[3] = long(min(a, b)); }
// want long -3 -1 -1 -3
kernel void ulong_steps(device long *out [[buffer(0)]]) { ulong a = 18446744073709551613uL, b = 7uL; out[0] = long(a++); out[1] = long(++a); out[2] = long(a--); out[3] = long(--a); }
// want long 1 247 248 4
kernel void char_with_uchar(device long *out [[buffer(0)]]) { char a = char(-3); uchar b = uchar(250); out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -503 -500 4
kernel void char_with_short(device long *out [[buffer(0)]]) { char a = char(-3); short b = short(-500); out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 64997 65000 4
kernel void char_with_ushort(device long *out [[buffer(0)]]) { char a = char(-3); ushort b = ushort(65000); out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -90003 -90000 4
kernel void char_with_int(device long *out [[buffer(0)]]) { char a = char(-3); int b = -90000; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 4099999997 4100000000 4
kernel void char_with_uint(device long *out [[buffer(0)]]) { char a = char(-3); uint b = 4100000000u; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -7000000003 -7000000000 8
kernel void char_with_long(device long *out [[buffer(0)]]) { char a = char(-3); long b = -7000000000L; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -346744073709551619 -346744073709551616 8
kernel void char_with_ulong(device long *out [[buffer(0)]]) { char a = char(-3); ulong b = 18100000000000000000uL; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -300 8 4
kernel void uchar_with_short(device long *out [[buffer(0)]]) { uchar a = uchar(200); short b = short(-500); out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 65200 200 4
kernel void uchar_with_ushort(device long *out [[buffer(0)]]) { uchar a = uchar(200); ushort b = ushort(65000); out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -89800 64 4
kernel void uchar_with_int(device long *out [[buffer(0)]]) { uchar a = uchar(200); int b = -90000; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 4100000200 0 4
kernel void uchar_with_uint(device long *out [[buffer(0)]]) { uchar a = uchar(200); uint b = 4100000000u; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -6999999800 0 8
kernel void uchar_with_long(device long *out [[buffer(0)]]) { uchar a = uchar(200); long b = -7000000000L; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 -346744073709551416 0 8
kernel void uchar_with_ulong(device long *out [[buffer(0)]]) { uchar a = uchar(200); ulong b = 18100000000000000000uL; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 64700 64704 4
kernel void short_with_ushort(device long *out [[buffer(0)]]) { short a = short(-300); ushort b = ushort(65000); out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -90300 -90032 4
kernel void short_with_int(device long *out [[buffer(0)]]) { short a = short(-300); int b = -90000; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 4099999700 4099999744 4
kernel void short_with_uint(device long *out [[buffer(0)]]) { short a = short(-300); uint b = 4100000000u; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -7000000300 -7000000000 8
kernel void short_with_long(device long *out [[buffer(0)]]) { short a = short(-300); long b = -7000000000L; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -346744073709551916 -346744073709551616 8
kernel void short_with_ulong(device long *out [[buffer(0)]]) { short a = short(-300); ulong b = 18100000000000000000uL; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -30000 41056 4
kernel void ushort_with_int(device long *out [[buffer(0)]]) { ushort a = ushort(60000); int b = -90000; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 4100060000 2048 4
kernel void ushort_with_uint(device long *out [[buffer(0)]]) { ushort a = ushort(60000); uint b = 4100000000u; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -6999940000 27136 8
kernel void ushort_with_long(device long *out [[buffer(0)]]) { ushort a = ushort(60000); long b = -7000000000L; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 -346744073709491616 0 8
kernel void ushort_with_ulong(device long *out [[buffer(0)]]) { ushort a = ushort(60000); ulong b = 18100000000000000000uL; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 4099930000 4099934208 4
kernel void int_with_uint(device long *out [[buffer(0)]]) { int a = -70000; uint b = 4100000000u; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -7000070000 -7000004096 8
kernel void int_with_long(device long *out [[buffer(0)]]) { int a = -70000; long b = -7000000000L; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -346744073709621616 -346744073709551616 8
kernel void int_with_ulong(device long *out [[buffer(0)]]) { int a = -70000; ulong b = 18100000000000000000uL; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -3000000000 1312827392 8
kernel void uint_with_long(device long *out [[buffer(0)]]) { uint a = 4000000000u; long b = -7000000000L; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 1 -346744069709551616 570556416 8
kernel void uint_with_ulong(device long *out [[buffer(0)]]) { uint a = 4000000000u; ulong b = 18100000000000000000uL; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
// want long 0 -346744078709551616 -346744074279976960 8
kernel void long_with_ulong(device long *out [[buffer(0)]]) { long a = -5000000000L; ulong b = 18100000000000000000uL; out[0] = a < b; out[1] = long(a + b); out[2] = long(a & b); out[3] = sizeof(a + b); }
