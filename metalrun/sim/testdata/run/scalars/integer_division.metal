// Division truncates toward zero and the remainder has the dividend's sign.
// dispatch threads=4 per=4
// bind 0 int 7 -7 7 -7
// bind 1 int 2 2 -2 -2
// bind 2 int 0 x8
// want 2 int 3 -3 -3 3 1 -1 1 -1
#include <metal_stdlib>
using namespace metal;

kernel void divide(device const int* a [[buffer(0)]], device const int* b [[buffer(1)]], device int* out [[buffer(2)]],
                   uint i [[thread_position_in_grid]])
{
    out[i] = a[i] / b[i];
    out[i + 4] = a[i] % b[i];
}
