// alignas raises the alignment of a struct and with it the stride of an array.
// bind 1 float 1 0 0 0 2 0 0 0
// want 0 float 16 16 2
#include <metal_stdlib>
using namespace metal;

struct alignas(16) Cell {
    float x;
};
kernel void f(device float* a [[buffer(0)]], device const Cell* c [[buffer(1)]])
{
    a[0] = sizeof(Cell);
    a[1] = alignof(Cell);
    a[2] = c[1].x;
}
