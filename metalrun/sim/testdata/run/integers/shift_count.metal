// Shift counts are taken modulo the width of the promoted left operand.
// bind 1 uint 33 32 65
// want 0 ulong 2 1 2 2 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]], device const uint* n [[buffer(1)]])
{
    int one = 1;
    ulong wide = 1;
    uchar narrow = 1;
    a[0] = one << n[0];
    a[1] = one << n[1];
    a[2] = wide << n[2];
    a[3] = narrow << n[0];
    a[4] = 2u >> n[0];
}
