// A reduction of the program's own, in a function template on any type.
// dispatch threads=32 per=32
// want 0 float 124
// want 1 int 31
#include <metal_stdlib>
using namespace metal;

template <typename T, typename Op> static T reduce(T x, Op op)
{
    for (ushort d = 16; d > 0; d >>= 1) {
        x = op(x, simd_shuffle_xor(x, d));
    }
    return x;
}
struct Sum {
    float operator()(float x, float y) const { return x + y; }
};
struct Max {
    int operator()(int x, int y) const { return max(x, y); }
};
kernel void f(device float* a [[buffer(0)]], device int* b [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]])
{
    float s = reduce(lane * 0.25f, Sum());
    int m = reduce(int(lane), Max());
    if (lane == 0) {
        a[0] = s;
        b[0] = m;
    }
}
