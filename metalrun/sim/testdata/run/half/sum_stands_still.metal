// A sum of ones stops at 2048, where adding 1 is a tie to even.
// want 0 half 2048
#include <metal_stdlib>
using namespace metal;

kernel void f(device half* a [[buffer(0)]])
{
    half sum = 0;
    for (int i = 0; i < 3000; i++) {
        sum += 1.0h;
    }
    a[0] = sum;
}
