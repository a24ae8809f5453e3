// Writing one member of a union in memory changes the bytes that all of them see.
// bind 0 uint 0 0xffffffff
// want 0 uint 0x40003c00 0xffff4200
#include <metal_stdlib>
using namespace metal;

union Pack {
    uint u;
    half2 h;
    half first;
};
kernel void f(device Pack* a [[buffer(0)]])
{
    a[0].h = half2(1, 2);
    a[1].first = 3;
}
