// A sum of ones stops at 256, a float accumulator does not.
// want 0 float 256 300
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    bfloat sum = 0.0bf;
    float wide = 0;
    for (int i = 0; i < 300; i++) {
        sum += 1.0bf;
        wide += 1.0bf;
    }
    a[0] = sum;
    a[1] = wide;
}
