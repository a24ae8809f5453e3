// Arguments without indices take the first free ones in order.
// bind 0 int 1
// bind 2 int 30
// inline 1 int 20
// bind 3 int 0
// want 3 int 51
#include <metal_stdlib>
using namespace metal;

kernel void f(device const int* x, constant int& y, device const int* explicit_one [[buffer(2)]], device int* out)
{
    out[0] = x[0] + y + explicit_one[0];
}
