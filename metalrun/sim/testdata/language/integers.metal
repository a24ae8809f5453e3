// Integers of 8 to 64 bits: promotion, wrapping, shifts, division, and the functions on them.
#include <metal_stdlib>
using namespace metal;

// want int 300 44 -106
kernel void bytes(device int *out [[buffer(0)]])
{
    uchar a = 100, b = 200;
    out[0] = a + b;
    out[1] = uchar(a + b);
    char c = char(150);
    out[2] = c;
}

// want long 4294967296 -9223372036854775808 9223372036854775807
kernel void longs(device long *out [[buffer(0)]])
{
    out[0] = 1l << 32;
    out[1] = long(1ul << 63);
    out[2] = ~(1l << 63);
}

// want ulong 18446744073709551615 4294967295 12297829382473034411
kernel void unsigned_longs(device ulong *out [[buffer(0)]])
{
    out[0] = -1ul;
    out[1] = ulong(uint(-1));
    out[2] = 0xaaaaaaaaaaaaaaabul;
}

// want int -3 -1 3 2
kernel void division(device int *out [[buffer(0)]])
{
    int a = -7, b = 2, c = 7;
    out[0] = a / b;
    out[1] = -(c % 2);
    out[2] = c / b;
    out[3] = int(uint(c) % 5u);
}

// want int -2 2147483646 2 1
kernel void shifts(device int *out [[buffer(0)]])
{
    int a = -4;
    out[0] = a >> 1;
    out[1] = int(uint(a) >> 1);
    out[2] = 1 << 33;
    out[3] = 1 >> 32;
}

// want int 1 1 1 0
kernel void comparisons(device int *out [[buffer(0)]])
{
    out[0] = -1 > 1u;
    out[1] = short(-1) < uchar(1);
    out[2] = -1l < long(1u);
    out[3] = ulong(-1l) < 1ul;
}

// want int 5 27 3 8
kernel void counting(device int *out [[buffer(0)]])
{
    out[0] = popcount(0x1fu);
    out[1] = clz(0x1fu);
    out[2] = ctz(8);
    out[3] = popcount(uchar(255));
}

// want uint 0x80000000 0x0f0 0xff00001f 0x12345678
kernel void bits(device uint *out [[buffer(0)]])
{
    out[0] = reverse_bits(1u);
    out[1] = extract_bits(0xf0f0u, 4u, 4u) << 4 | extract_bits(0xf0f0u, 8u, 4u);
    out[2] = insert_bits(0xff00000fu, 1u, 4u, 1u);
    out[3] = rotate(0x56781234u, 16u);
}

// want int 127 -128 255 2147483647
kernel void saturation(device int *out [[buffer(0)]])
{
    out[0] = addsat(char(100), char(100));
    out[1] = subsat(char(-100), char(100));
    out[2] = addsat(uchar(200), uchar(100));
    out[3] = addsat(2147483000, 1000);
}

// want int 3 2 3 4
kernel void averages(device int *out [[buffer(0)]])
{
    out[0] = rhadd(2, 3);
    out[1] = hadd(2, 3);
    out[2] = absdiff(2, 5);
    out[3] = mulhi(0x40000000, 16);
}

// want int 3 9 5 -1 1
kernel void ordering(device int *out [[buffer(0)]])
{
    out[0] = min(3, 9);
    out[1] = max(3, 9);
    out[2] = clamp(7, 1, 5);
    out[3] = min3(4, -1, 2);
    out[4] = median3(0, 1, 2);
}

// want long 10000000000 5 7
kernel void wide_functions(device long *out [[buffer(0)]])
{
    out[0] = max(10000000000l, 5l);
    out[1] = abs(-5l);
    out[2] = clamp(9l, 0l, 7l);
}

// want short -32768 32767 -1
kernel void shorts(device short *out [[buffer(0)]])
{
    short s = 32767;
    s++;
    out[0] = s;
    out[1] = --s;
    out[2] = short(0xffff);
}

// want int 65 1 0 10 255
kernel void literals(device int *out [[buffer(0)]])
{
    out[0] = 'A';
    out[1] = true;
    out[2] = 0b0;
    out[3] = 0b1010;
    out[4] = 0377;
}

// want int 1000000 4
kernel void separators(device int *out [[buffer(0)]])
{
    out[0] = 1'000'000;
    out[1] = sizeof(0x7fff'ffff);
}

// want int 4 8 8 4 8
kernel void literal_types(device int *out [[buffer(0)]])
{
    out[0] = sizeof(2147483647);
    out[1] = sizeof(2147483648);
    out[2] = sizeof(1l);
    out[3] = sizeof(0xffffffff);
    out[4] = sizeof(sizeof(int));
}

// want int 3 0 7 1
kernel void from_floats(device int *out [[buffer(0)]])
{
    out[0] = int(3.99f);
    out[1] = int(NAN);
    out[2] = uchar(7.5h);
    out[3] = bool(0.25f);
}

// want int 0 6 -8
kernel void assignments(device int *out [[buffer(0)]])
{
    int a = 5;
    a &= 2;
    out[0] = a;
    a |= 6;
    out[1] = a;
    a = ~7;
    out[2] = a;
}

// want long -1 4294967295 -2
kernel void widening(device long *out [[buffer(0)]])
{
    int a = -1;
    uint b = 4294967295u;
    short c = -2;
    out[0] = a;
    out[1] = b;
    out[2] = c;
}
