// An integer parameter counts a loop and gives a length.
// want 0 int 8 1 10 5
#include <metal_stdlib>
using namespace metal;

template <int N> static int power(int x)
{
    int r = 1;
    for (int i = 0; i < N; i++) {
        r *= x;
    }
    return r;
}
template <typename T, uint N> static T sum()
{
    T v[N];
    for (uint i = 0; i < N; i++) {
        v[i] = T(i);
    }
    T s = 0;
    for (T x : v) {
        s += x;
    }
    return s;
}
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = power<3>(2);
    a[1] = power<0>(2);
    a[2] = sum<int, 5>();
    a[3] = power<1>(5);
}
