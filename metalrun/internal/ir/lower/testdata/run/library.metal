#include <metal_stdlib>
using namespace metal;

//= 2 -1 3 1 0 0.5 1.5 0.25 7 3
kernel void common_functions(device float *out) {
    out[0] = clamp(5.0f, -1.0f, 2.0f);
    out[1] = sign(-3.0f);
    out[2] = max(1.0f, 3.0f);
    out[3] = saturate(4.0f);
    out[4] = step(2.0f, 1.0f);
    out[5] = smoothstep(0.0f, 2.0f, 1.0f);
    out[6] = mix(1.0f, 2.0f, 0.5f);
    out[7] = fract(2.25f);
    out[8] = fma(2.0f, 3.0f, 1.0f);
    out[9] = median3(9.0f, 3.0f, 1.0f);
}

//= 5 1 0.6 -3 6 -3 1 -1
kernel void geometry(device float *out) {
    out[0] = length(float2(3, 4));
    out[1] = distance(float3(1, 2, 3), float3(1, 2, 4));
    out[2] = normalize(float2(3, 4)).x;
    float3 c = cross(float3(1, 2, 3), float3(4, 5, 6));
    out[3] = c.x; out[4] = c.y; out[5] = c.z;
    out[6] = reflect(float2(1, -1), float2(0, 1)).y;
    out[7] = faceforward(float2(1, 0), float2(1, 0), float2(1, 0)).x;
}

//= 3 24 8 1 2147483647 -2147483648 255 0 8 3 -8 2 60
kernel void integer_functions(device int *out) {
    out[0] = abs(-3);
    out[1] = clz(255);
    out[2] = ctz(256);
    out[3] = popcount(1 << 30);
    out[4] = addsat(2147483647, 1);
    out[5] = subsat(-2147483647 - 1, 1);
    out[6] = absdiff(char(127), char(-128));
    out[7] = mulhi(5, 7);
    out[8] = clz(uchar(0));
    out[9] = extract_bits(0x35u, 4, 4);
    out[10] = extract_bits(-113, 4, 4);
    out[11] = median3(1, 2, 3);
    out[12] = insert_bits(0x0c, 0x03, 4, 4);
}

//= 0.75 3 0.5 2.5 -4 1
kernel void parts(device float *out) {
    int e;
    out[0] = frexp(6.0f, e);
    out[1] = e;
    float whole;
    out[2] = modf(2.5f, whole);
    out[3] = whole + 0.5f;
    out[4] = ldexp(-1.0f, 2);
    float c;
    float s = sincos(0.0f, c);
    out[5] = c + s;
}

//= 2 0.5 8 2 -1 3 -2 2
kernel void elementary(device float *out) {
    out[0] = sqrt(4.0f);
    out[1] = rsqrt(4.0f);
    out[2] = exp2(3.0f);
    out[3] = log2(4.0f);
    out[4] = floor(-0.5f);
    out[5] = rint(2.5f) + 1;
    out[6] = trunc(-2.75f);
    out[7] = round(1.5f);
}
