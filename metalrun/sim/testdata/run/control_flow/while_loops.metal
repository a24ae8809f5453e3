// Collatz steps of 1, 2, 3, 6, 7: 0, 1, 7, 8, 16.
// dispatch threads=5 per=5
// bind 1 uint 1 2 3 6 7
// want 0 int 0 1 7 8 16
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const uint* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    uint n = x[i];
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    a[i] = steps;
}
