// An enumeration in a struct in memory: ushort kind, padding, float.
// bind 1 uint 1 0x40a00000 0 0x40a00000
// want 0 float -5 5
#include <metal_stdlib>
using namespace metal;

enum Sign : ushort { Plus, Minus };
struct Number {
    Sign sign;
    float magnitude;
};
kernel void f(device float* a [[buffer(0)]], device const Number* n [[buffer(1)]])
{
    for (int k = 0; k < 2; k++) {
        a[k] = n[k].sign == Minus ? -n[k].magnitude : n[k].magnitude;
    }
}
