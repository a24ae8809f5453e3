// One scalar fills the diagonal.
// want 0 float 2 0 0 2 2 0 0 2 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]])
{
    float2x2 m = float2x2(2);
    float3x2 n = float3x2(2);
    for (int c = 0; c < 2; c++) {
        for (int r = 0; r < 2; r++) {
            a[2 * c + r] = m[c][r];
        }
    }
    a[4] = n[0][0];
    a[5] = n[0][1];
    a[6] = n[1][0];
    a[7] = n[1][1];
    a[8] = n[2][0] + n[2][1];
}
