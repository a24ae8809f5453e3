#include <metal_stdlib>
using namespace metal;

template <typename T> T twice(T x) { return x + x; }
template <typename T, typename U> T convert(U x) { return T(x); }
template <typename T> T sum(device const T* p, uint n) { T s = 0; for (uint i = 0; i < n; i++) s += p[i]; return s; }
template <int N> float power(float x) { float r = 1; for (int i = 0; i < N; i++) r *= x; return r; }
template <typename T, int N> T total(const thread T (&a)[N]) { T s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
template <typename T> void assign(device T& to, T from) { to = from; }
kernel void functions(device float* out [[buffer(0)]], device const int* in [[buffer(1)]], device half* h [[buffer(2)]])
{
    out[0] = twice(1.5f) + twice(2);
    out[1] = convert<float>(3) + convert<half, float>(4);
    out[2] = sum(in, 3) + sum<int>(in, 2);
    out[3] = power<3>(2);
    int a[4] = {1, 2, 3, 4};
    out[4] = total(a);
    assign(h[0], 2.0h);
    out[5] = twice<float>(3);
}
