#include <metal_stdlib>
using namespace metal;

// A function of the program may have the name of one of the library: the better match is called.
struct Pair { float a, b; };
Pair min(Pair x, Pair y) { return x.a < y.a ? x : y; }
float lerp3(float a) { return a; }
template <typename T> T saturate_to(T x, T y) { return min(x, y); }
kernel void own_names(device float* out [[buffer(0)]])
{
    Pair p = {1, 2}, q = {3, 4};
    out[0] = min(p, q).b;
    out[1] = min(1.0f, 2.0f);
    out[2] = saturate_to(p, q).a + saturate_to(1.0f, 2.0f);
    out[3] = metal::max(1.0f, 2.0f) + lerp3(1);
}
