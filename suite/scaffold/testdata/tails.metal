// Structs that end in an array of any length, as generators of MSL write them.
#include <metal_stdlib>
using namespace metal;

struct Data { float data[1]; };
struct Counted { uint count; uint first; uint data[1]; };
struct Scaled { uint count; float scale; float data[1]; };
struct Params { uint n; };

kernel void doubled(const device Data& x [[buffer(0)]], device Data& y [[buffer(1)]], constant Params& p [[buffer(2)]], uint3 i [[thread_position_in_grid]]) {
    if (i.x < p.n) y.data[i.x] = 2.0f * x.data[i.x];
}

kernel void counted(const device Counted& x [[buffer(0)]], device Counted& y [[buffer(1)]], constant Params& p [[buffer(2)]], uint3 i [[thread_position_in_grid]]) {
    if (i.x < p.n) y.data[i.x] = x.data[i.x] + x.first;
}

kernel void scaled(const device Scaled& x [[buffer(0)]], device Scaled& y [[buffer(1)]], constant Params& p [[buffer(2)]], uint3 i [[thread_position_in_grid]]) {
    if (i.x < p.n) y.data[i.x] = x.scale * x.data[i.x];
}
