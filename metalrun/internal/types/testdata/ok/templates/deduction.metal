#include <metal_stdlib>
using namespace metal;

template <typename T> struct Box { T v; };
template <typename T> T open(Box<T> b) { return b.v; }
template <typename T, int N> int length(vec<T, N>) { return N; }
template <typename T> T load(const device T* p, int i) { return p[i]; }
template <typename T> T load(const threadgroup T* p, int i) { return p[i]; }
template <typename T> T at(const thread T& x) { return x; }
template <typename T, int C, int R> int area(matrix<T, C, R>) { return C * R; }
template <typename Op, typename T> T run(Op op, T x) { return op(x); }
struct Neg { float operator()(float x) const { return -x; } };
kernel void deduction(device float* out [[buffer(0)]], device const half* h [[buffer(1)]])
{
    Box<int> b = {3};
    threadgroup float t[2];
    out[0] = open(b) + length(float3(1)) + load(h, 1) + load(t, 0) + load(out, 2);
    out[1] = at(2.5f) + at(b.v) + area(float2x3(1)) + run(Neg(), 2.0f);
}
