#include <metal_stdlib>
using namespace metal;

template <typename T> T lowest(device const T* p) { T m = numeric_limits<T>::lowest(); for (int i = 0; i < 4; i++) m = max(m, p[i]); return m; }
static_assert(numeric_limits<int>::max() == INT_MAX && numeric_limits<uchar>::max() == 255, "max");
static_assert(numeric_limits<short>::min() == -32768 && numeric_limits<float>::digits == 24, "min");
constant float inf = numeric_limits<float>::infinity();
kernel void limits(device float* f [[buffer(0)]], device int* n [[buffer(1)]], device half* h [[buffer(2)]])
{
    f[0] = lowest(f) + inf + -metal::numeric_limits<float>::infinity();
    n[0] = lowest(n);
    h[0] = numeric_limits<half>::max() + numeric_limits<half>::epsilon();
    f[1] = numeric_limits<float>::quiet_NaN();
    bfloat b = numeric_limits<bfloat>::max();
    f[2] = b;
}
