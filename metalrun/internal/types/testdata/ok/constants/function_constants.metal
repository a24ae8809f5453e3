#include <metal_stdlib>
using namespace metal;

constant int size [[function_constant(0)]];
constant bool use_bias [[function_constant(1)]];
constant float scale [[function_constant(2)]];
constant bool has_scale = is_function_constant_defined(scale);
constant float factor = has_scale ? scale : 1.0f;
constant int doubled = size * 2;
kernel void specialised(device float* out [[buffer(0)]], device const float* bias [[buffer(1), function_constant(use_bias)]])
{
    out[0] = size + doubled;
    if (use_bias) out[1] = bias[0];
    out[2] = factor;
    if (is_function_constant_defined(size)) out[3] = 1;
}
