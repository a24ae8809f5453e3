// The same for bfloats: 255 + 2 is a tie that falls to 256; 1/3 rises to 0x3eab.
// dispatch threads=4 per=4
// bind 1 bfloat 1 255 256 3
// bind 2 bfloat 3 2 3 128
// want 0 bfloat 4 256 260 131
// want 3 bfloat 3 510 768 384
// want 4 bfloat bits:3eab 127.5 bits:42ab bits:3cc0
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const bfloat* x [[buffer(1)]], device const bfloat* y [[buffer(2)]], device bfloat* b [[buffer(3)]], device bfloat* c [[buffer(4)]], uint i [[thread_position_in_grid]])
{
    a[i] = x[i] + y[i];
    b[i] = x[i] * y[i];
    c[i] = x[i] / y[i];
}
