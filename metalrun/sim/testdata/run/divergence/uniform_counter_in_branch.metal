// A loop whose counter is the same in all threads that run it, in a branch that not all take.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 0 6 0 6
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int sum = 0;
    if (i & 1) {
        for (int j = 1; j <= 3; j++) {
            sum += j;
        }
    }
    a[i] = sum;
}
