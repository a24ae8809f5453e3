#include <metal_stdlib>
using namespace metal;

template <typename T, bool Bias, int N>
T apply(T x, T b)
{
    if constexpr (Bias) { x += b; } else { x -= 1; }
    if constexpr (N > 2) return x * N;
    else if constexpr (N == 2) return x;
    else return x.nonexistent();
}
kernel void choose(device float* out [[buffer(0)]])
{
    out[0] = apply<float, true, 3>(1, 2) + apply<float, false, 2>(1, 2);
    constexpr bool on = sizeof(int) == 4;
    if constexpr (on) out[1] = 1;
    else out[1] = 2;
}
