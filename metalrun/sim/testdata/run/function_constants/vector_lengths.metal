// A constant bounds a loop over a private array, by thread.
// dispatch threads=3 per=3
// constant 0 int 3
// want 0 int 3 6 9
#include <metal_stdlib>
using namespace metal;

constant int n [[function_constant(0)]];
constant int most = 8;
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int v[most];
    for (int k = 0; k < n; k++) {
        v[k] = i + 1;
    }
    int s = 0;
    for (int k = 0; k < n; k++) {
        s += v[k];
    }
    a[i] = s;
}
