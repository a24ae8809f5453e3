#include <metal_stdlib>
using namespace metal;

struct Add { float operator()(float a, float b) const { return a + b; } };
struct Mul { template <typename T> T operator()(T a, T b) { return a * b; } };
template <typename Op>
float fold(device const float* p, uint n, float init, Op op)
{
    for (uint i = 0; i < n; i++) init = op(init, p[i]);
    return init;
}
template <typename Op>
float fold2(device const float* p, uint n)
{
    float r = p[0];
    for (uint i = 1; i < n; i++) r = Op()(r, p[i]);
    return r;
}
kernel void functors(device const float* in [[buffer(0)]], device float* out [[buffer(1)]])
{
    out[0] = fold(in, 4, 0, Add());
    out[1] = fold(in, 4, 1, Mul{});
    out[2] = fold2<Add>(in, 4);
    out[3] = Mul()(2, 3);
}
