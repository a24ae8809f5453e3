// Factors of 24 bits, the low 32 bits of the product.
// want 0 int 16777214 -15 25000000 25000007
// want 1 uint 16773120
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    a[0] = mul24(8388607, 2);
    a[1] = mul24(-3, 5);
    a[2] = mul24(5000, 5000);
    a[3] = mad24(5000, 5000, 7);
    b[0] = mul24(4095u, 4096u);
}
