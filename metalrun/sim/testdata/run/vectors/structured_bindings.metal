// Names for the components of a vector: of a copy, or of the vector itself. The type of each is that of an element.
// version 400
// want 0 int 1 2 30 7 4 12 5 3
#include <metal_stdlib>
using namespace metal;

int2 make() { return int2(1, 2); }
template <typename T> int sum(T v)
{
    auto [a, b, c] = v;
    return int(a + b + c);
}
kernel void f(device int* out [[buffer(0)]])
{
    auto [x, y] = make();
    out[0] = x;
    out[1] = y;
    int4 v = int4(10, 20, 30, 40);
    thread auto& [r, g, b, a] = v;
    r = 7;
    a += b - 26;
    out[2] = v.z;
    out[3] = v.x;
    const auto [p, q, s] = float3(1.5f, 2.5f, 8);
    out[4] = sizeof(p);
    out[5] = int(p + q + s);
    device auto& [m, n] = *reinterpret_cast<device int2*>(out + 6);
    m = 5;
    n = int(is_same_v<decltype(q), const float>) + 2;
    auto [h, k] = v.xy; // a copy
    h = 0;
}
