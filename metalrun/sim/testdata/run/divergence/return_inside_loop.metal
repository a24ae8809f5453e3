// Threads leave the kernel from inside a loop; the others finish it.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 7 7 7 53
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int sum = 50;
    for (int j = 0; j < 3; j++) {
        if (j == int(i)) {
            a[i] = 7;
            return;
        }
        sum++;
    }
    a[i] = sum;
}
