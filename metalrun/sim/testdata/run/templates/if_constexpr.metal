// The arm that is not taken is not instantiated: int has no member x.
// want 0 int 5 1 7
#include <metal_stdlib>
using namespace metal;

template <typename T, bool Vector> static int first(T v)
{
    if constexpr (Vector) {
        return v.x;
    } else {
        return v;
    }
}
template <int N> static int sum()
{
    if constexpr (N == 0) {
        return 1;
    } else {
        return N + sum<N - 1>();
    }
}
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = first<int, false>(5);
    a[1] = first<int2, true>(int2(1, 2));
    a[2] = sum<3>();
}
