// Branches inside branches; the variable keeps the value of threads that are elsewhere.
// dispatch threads=8 per=8
// bind 0 int 0 x8
// want 0 int 0 1 102 103 4 5 1006 1007
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = int(i);
    if (i & 2) {
        if (i & 4) {
            x += 1000;
        } else {
            x += 100;
        }
    }
    a[i] = x;
}
