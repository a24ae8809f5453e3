// Defaults of template parameters may use the ones before.
// want 0 int 2 4 8 30
#include <metal_stdlib>
using namespace metal;

template <typename T, typename U = T> static int bytes() { return sizeof(U); }
template <typename T, int N = sizeof(T) * 2> static int twice() { return N; }
template <int M, int N = M * M, int K = N + M> static int sum() { return M + N + K; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = bytes<half>();
    a[1] = bytes<half, float>();
    a[2] = twice<float>();
    a[3] = sum<3>() + sum<1, 2>();
}
