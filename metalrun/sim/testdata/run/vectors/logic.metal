// ! && || on vectors of bool.
// want 0 int 1 0 0 1 1 0 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    bool3 p = bool3(true, true, false), q = bool3(true, false, false);
    bool3 both = p && q, either = p || q, none = !p;
    for (int i = 0; i < 3; i++) {
        a[i] = both[i];
        a[3 + i] = either[i];
        a[6 + i] = none[i];
    }
}
