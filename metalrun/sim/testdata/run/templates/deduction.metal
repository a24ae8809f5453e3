// Type, length and number of columns deduced from arguments.
// bind 1 half 0
// want 0 int 3 6 4 2
#include <metal_stdlib>
using namespace metal;

template <typename T, int N> static int components(vec<T, N>) { return N; }
template <typename T, int N> static T total(const thread T (&v)[N])
{
    T s = 0;
    for (int i = 0; i < N; i++) {
        s += v[i];
    }
    return s;
}
template <typename T, int N> static int columns(matrix<T, N, 2>) { return N; }
template <typename T> static int bytes(device const T*) { return sizeof(T); }
kernel void f(device int* a [[buffer(0)]], device const half* h [[buffer(1)]])
{
    int v[3] = {1, 2, 3};
    a[0] = components(float3(1));
    a[1] = total(v);
    a[2] = columns(float4x2(1));
    a[3] = bytes(h);
}
