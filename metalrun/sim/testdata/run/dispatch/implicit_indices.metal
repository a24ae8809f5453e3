// Arguments without [[buffer(n)]] take the free indices in order of declaration.
// dispatch threads=2 per=2
// bind 0 int 1 2
// bind 1 int 0 x2
// inline 2 int 30
// inline 3 int 400
// want 1 int 431 432
#include <metal_stdlib>
using namespace metal;

kernel void f(device const int* in, device int* out [[buffer(1)]], constant int& tens, constant int& hundreds,
              uint i [[thread_position_in_grid]])
{
    out[i] = in[i] + tens + hundreds;
}
