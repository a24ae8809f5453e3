// A struct passed by value, with a float3 that takes 16 bytes.
// dispatch threads=1 per=1
// bind 0 float 0 x4
// inline 1 float 1 2 3 -1 4 -1 -1 -1
// want 0 float 1 2 3 4
#include <metal_stdlib>
using namespace metal;

struct Params {
    float3 v;
    float s;
};

kernel void f(device float* a [[buffer(0)]], constant Params& p [[buffer(1)]])
{
    a[0] = p.v.x;
    a[1] = p.v.y;
    a[2] = p.v.z;
    a[3] = p.s;
}
