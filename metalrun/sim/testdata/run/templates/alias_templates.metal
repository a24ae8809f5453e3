// Alias templates name families of types.
// want 0 int 3 12
#include <metal_stdlib>
using namespace metal;

template <typename T> using Triple = vec<T, 3>;
template <typename T, int N> struct Row {
    T v[N];
};
template <int N> using Ints = Row<int, N>;
kernel void f(device int* a [[buffer(0)]])
{
    Triple<int> t = Triple<int>(1, 2, 3);
    a[0] = t.z;
    a[1] = sizeof(Ints<3>);
}
