#include <metal_stdlib>
using namespace metal;

template <int N> int count() { if constexpr (N == 0) { return 0; } else { return N + count<N - 1>(); } }
template <int N> struct Factorial { static constexpr constant int value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr constant int value = 1; };
static_assert(Factorial<5>::value == 120, "factorial");
template <int N> float unrolled(device const float* p) { return p[N] + unrolled<N - 1>(p); }
template <> float unrolled<0>(device const float* p) { return p[0]; }
kernel void recursion(device float* out [[buffer(0)]])
{
    out[0] = count<4>();
    out[1] = Factorial<3>::value;
    out[2] = unrolled<3>(out);
}
