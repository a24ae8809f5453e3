// The body runs before the test: digits of 0, 9, 10, 12345.
// dispatch threads=4 per=4
// bind 1 uint 0 9 10 12345
// want 0 int 1 1 2 5
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const uint* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    uint n = x[i];
    int digits = 0;
    do {
        n /= 10;
        digits++;
    } while (n > 0);
    a[i] = digits;
}
