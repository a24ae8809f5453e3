// Members of an anonymous union are members of the struct around it.
// bind 1 uint 1 0x40000000 2 7
// want 0 float 2 7
#include <metal_stdlib>
using namespace metal;

struct Value {
    uint kind;
    union {
        float f;
        uint u;
    };
};
kernel void f(device float* a [[buffer(0)]], device const Value* v [[buffer(1)]])
{
    for (int k = 0; k < 2; k++) {
        a[k] = v[k].kind == 1 ? v[k].f : v[k].u;
    }
}
