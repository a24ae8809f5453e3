// Integers are rounded to 8 significant bits; back they are truncated.
// bind 1 int 300 257 259 -257
// want 0 bfloat 300 256 260 -256
// want 2 int 2 -2
#include <metal_stdlib>
using namespace metal;

kernel void f(device bfloat* a [[buffer(0)]], device const int* x [[buffer(1)]], device int* b [[buffer(2)]])
{
    for (int i = 0; i < 4; i++) {
        a[i] = bfloat(x[i]);
    }
    bfloat y = 2.75bf;
    b[0] = int(y);
    b[1] = int(-y);
}
