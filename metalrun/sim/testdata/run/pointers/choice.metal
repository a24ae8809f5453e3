// A pointer chosen at run time, by thread.
// dispatch threads=4 per=4
// bind 1 int 1 2 3 4
// bind 2 int 10 20 30 40
// want 0 int 1 20 3 40
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], device const int* y [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    device const int* p = i % 2 ? y : x;
    a[i] = p[i];
}
