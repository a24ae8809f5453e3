#include <metal_stdlib>
using namespace metal;

kernel void scale(device float* x [[buffer(0)]],
                  constant float& factor [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
    float* p = x + i;
    y[i] = *p * factor;
}
