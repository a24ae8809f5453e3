// packed_vec<T, n> is another name of the same type.
// want 0 uchar 1 2 3 4 5 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device packed_uchar3* a [[buffer(0)]])
{
    packed_vec<uchar, 3> p = packed_uchar3(1, 2, 3);
    a[0] = p;
    a[1] = p + packed_vec<uchar, 3>(3);
}
