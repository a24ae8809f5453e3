#include <metal_stdlib>
using namespace metal;

kernel void ranges(device int* out [[buffer(0)]])
{
    int a[3] = {1, 2, 3};
    int s = 0;
    for (int x : a) s += x;
    for (auto x : a) { if (x == 2) continue; s += x; }
    for (thread int& x : a) x *= 2;
    for (const auto x : a) out[x] = s;
    float2 v[2] = {float2(1), float2(2)};
    for (float2 p : v) out[0] += p.x;
}
