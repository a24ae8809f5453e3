#include <metal_stdlib>
using namespace metal;

kernel void arithmetic(device int* out [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    device int* p = out + ulong(i) * n;
    p += 2;
    p -= 1;
    ++p;
    p--;
    *p = 5;
    p[3] = *(p + 1);
    2 [p] = 4;
    device int* e = out + n;
    long d = e - p;
    out[0] = d;
    while (p < e) *p++ = 0;
    if (p == e && p != nullptr && !(p > e)) out[1] = 1;
    device int* z = nullptr;
    z = 0;
    if (!z) out[2] = p ? 1 : 0;
    out[3] = &out[4] - &out[1];
}
