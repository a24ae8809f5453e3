#include <metal_stdlib>
using namespace metal;

//= 7 -3 10 0 -2 2 1
kernel void integers(device int *out) {
    int a = 2, b = 5;
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a / b;
    out[4] = -5 / 2;
    out[5] = b % 3;
    out[6] = -5 % 2 + 2;
}

//= 4294967295 2147483648 1 255 65535 4294967295
kernel void unsigned_wraps(device uint *out) {
    uint zero = 0;
    out[0] = zero - 1;
    out[1] = 1u << 31;
    out[2] = 1u << 32 - 32;
    uchar c = 0;
    c -= 1;
    out[3] = c;
    ushort s = 0;
    s--;
    out[4] = s;
    char n = 127;
    n++;
    out[5] = uint(n == -128 ? -1 : 0);
}

//= -2 1 -1 2147483644 5 -6 6 3
kernel void bits(device int *out) {
    int a = -8;
    uint shift = 34;
    out[0] = a >> shift;
    out[1] = 1 << 32u;
    out[2] = a >> 31;
    out[3] = int(uint(a) >> 1);
    out[4] = 7 & 5 | 4;
    out[5] = ~5;
    out[6] = 5 ^ 3;
    short s = 3;
    out[7] = s << 16 >> 16;
}

//= 4294967296 -1 9223372036854775807 4294967295 255 12
kernel void longs(device long *out) {
    uint big = 0xffffffff;
    out[0] = long(big) + 1;
    out[1] = long(int(big));
    out[2] = long(~0ul >> 1);
    out[3] = big;
    char c = -1;
    out[4] = uchar(c);
    long a = 1000000007, b = 12;
    out[5] = a * b % a + b;
}

//= 0.5 3.75 -1.5 2.25 0 1 0.25
kernel void floats(device float *out) {
    float a = 1.5f, b = 2.25f;
    out[0] = (b - a) / a;
    out[1] = a + b;
    out[2] = -a;
    out[3] = a * a;
    out[4] = a > b;
    out[5] = a != b && b >= 2.25f;
    half h = 0.5h;
    out[6] = h * h;
}

//= 3 -3 255 -128 0 2147483647 0 1 1 0
kernel void conversions(device int *out) {
    float x = 3.99f, big = 1e10f, nan = as_type<float>(0x7fc00000);
    out[0] = int(x);
    out[1] = int(-x);
    out[2] = uchar(big);
    out[3] = char(-big);
    out[4] = int(nan);
    out[5] = int(big);
    out[6] = uint(-x);
    out[7] = bool(x);
    out[8] = int(true) + false;
    out[9] = bool(0.0f);
}

//= 44 -212 200 1 1
kernel void narrowing(device int *out) {
    uchar a = 200, b = 100;
    uchar sum = a + b;
    out[0] = sum;
    short s = short(65324);
    out[1] = s;
    out[2] = a;
    out[3] = (a + b) == 300;
    bool t = 5;
    out[4] = t;
}

//= 2049 0.1 65504 0.00390625 1.0009766
kernel void rounding(device float *out) {
    half h = 2048.0h;
    float sum = float(h) + 1.0f;
    out[0] = sum;
    out[1] = float(0.1f);
    out[2] = half(65519.0f);
    bfloat b = bfloat(0.00390625f);
    out[3] = float(b);
    half one = 1.0h, tiny = 0.0009765625h;
    out[4] = one + tiny;
}

//= 1 2 3 5 5 6 7 0
kernel void increments(device int *out) {
    int i = 1;
    out[0] = i++;
    out[1] = i;
    out[2] = ++i;
    i += 2;
    out[3] = i--;
    out[4] = i + 1;
    i *= 2;
    i -= 2;
    out[5] = i;
    i |= 1;
    out[6] = i;
    i <<= 1;
    i %= 7;
    out[7] = i;
}
