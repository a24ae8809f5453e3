// The index of an argument may wait for a function constant's value.
#include <metal_stdlib>
using namespace metal;
constant int at [[function_constant(0)]];
constant bool with [[function_constant(1)]];
kernel void k(device float *out [[buffer(0)]], device float *in [[buffer(at)]], device float *more [[buffer(at - 1), function_constant(with)]])
{
    out[0] = in[0] + (with ? more[0] : 0);
}
