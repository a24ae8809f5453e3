#include <metal_stdlib>
using namespace metal;

kernel void generic_types(device vec<half, 4>* h [[buffer(0)]], device atomic<uint>* a [[buffer(1)]], device float* out [[buffer(2)]])
{
    array<float, 4> list = {1, 2, 3, 4};
    list[2] = 5;
    float s = 0;
    for (uint i = 0; i < list.size(); i++) s += list[i];
    for (float x : list) s += x;
    matrix<float, 2, 2> m = matrix<float, 2, 2>(1);
    out[0] = s + m[0][0] + h[0].x;
    atomic_store_explicit(a, 1u, memory_order_relaxed);
    array<float, 4> copy = list;
    copy[0] = 9;
    out[1] = copy[0] + list[0];
}
