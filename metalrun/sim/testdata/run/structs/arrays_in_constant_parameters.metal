// A constant struct with arrays, indexed by thread.
// dispatch threads=3 per=3
// inline 1 uint 3 10 20 30 0x3f800000 0x40000000 0x40400000
// want 0 float 10 40 90
#include <metal_stdlib>
using namespace metal;

struct Params {
    uint n;
    uint offset[3];
    float scale[3];
};
kernel void f(device float* a [[buffer(0)]], constant Params& p [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    if (i < p.n) {
        a[i] = p.offset[i] * p.scale[i];
    }
}
