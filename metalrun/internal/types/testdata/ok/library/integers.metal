#include <metal_stdlib>
using namespace metal;

kernel void integers(device int* n [[buffer(0)]], device uint* u [[buffer(1)]], device uchar* c [[buffer(2)]], device ulong* w [[buffer(3)]], device int4* v [[buffer(4)]])
{
    n[0] = abs(n[1]) + min(n[2], 3) + max(n[3], n[4]) + clamp(n[5], 0, 7);
    u[0] = popcount(u[1]) + clz(u[2]) + ctz(u[3]) + reverse_bits(u[4]) + rotate(u[5], 3u);
    u[1] = extract_bits(u[2], 4, 8) + insert_bits(u[3], u[4], 1, 2) + absdiff(n[1], n[2]);
    n[1] = mulhi(n[2], n[3]) + mul24(n[4], n[5]) + mad24(n[1], n[2], n[3]) + addsat(n[4], n[5]);
    c[0] = popcount(c[1]) + min(c[2], c[3]);
    w[0] = mulhi(w[1], w[2]) + popcount(w[3]);
    v[0] = min(v[1], v[2]) + select(v[3], v[4], v[1] > 0) + abs(v[2]);
    u[2] = hadd(u[0], u[1]) + rhadd(u[2], u[3]) + subsat(u[4], u[5]) + madsat(u[1], u[2], u[3]);
}
