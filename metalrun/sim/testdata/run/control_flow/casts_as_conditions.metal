// T(x) alone in a condition is a conversion, not a declaration.
// dispatch threads=3 per=3
// bind 1 float 0 2.5 -1
// want 0 int 0 12 -9
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const float* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    int n = 0;
    if (bool(x[i])) {
        n = 10;
    }
    switch (int(x[i])) {
    case 2:
        n += 2;
        break;
    case -1:
        n -= 20;
    }
    int k = n;
    while (bool(k)) {
        k /= 10;
        n += k < 0;
    }
    a[i] = n + (n == -10);
}
