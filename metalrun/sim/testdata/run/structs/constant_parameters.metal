// A struct of parameters bound by value, read through a constant reference.
// dispatch threads=4 per=4
// bind 1 float 1 2 3 4
// inline 2 uint 2 0x40400000
// want 0 float 0 0 9 12
#include <metal_stdlib>
using namespace metal;

struct Params {
    uint first;
    float scale;
};
kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]], constant Params& p [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    a[i] = i < p.first ? 0 : x[i] * p.scale;
}
