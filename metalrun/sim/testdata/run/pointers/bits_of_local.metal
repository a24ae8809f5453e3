// The bytes of a variable of the thread through a cast of its address.
// want 0 uint 0x40490fdb 0x49 0x41490fdb
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    float x = M_PI_F;
    thread uint* bits = (thread uint*)&x;
    a[0] = *bits;
    a[1] = ((thread uchar*)&x)[2];
    *bits += 0x01000000;
    a[2] = as_type<uint>(x);
}
