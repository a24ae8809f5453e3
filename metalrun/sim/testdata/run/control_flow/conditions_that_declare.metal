// A variable declared in a condition lives in both arms.
// dispatch threads=3 per=3
// want 0 int -1 10 20
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (int x = int(i) * 10) {
        a[i] = x;
    } else {
        a[i] = x - 1;
    }
}
