// A loop that never ends.
// dispatch threads=1 per=1
// bind 0 int 1
// semantics impatient
// fault 12:5 step budget
#include <metal_stdlib>
using namespace metal;

kernel void spin(device int* a [[buffer(0)]])
{
    int x = a[0];
    while (x > 0) {
        x ^= 2;
    }
    a[0] = x;
}
