#include <metal_stdlib>
using namespace metal;

kernel void loops(device int* out [[buffer(0)]], constant int& n [[buffer(1)]])
{
    int s = 0;
    for (int i = 0, j = 10; i < n; i++, j--) { if (i == 3) continue; if (j == 2) break; s += j; }
    while (s > 100) s /= 2;
    do { s++; } while (s < 10);
    for (;;) { if (s++ > 20) break; }
    int i = 0;
    for (; i < 4;) i++;
    for (uint k = 8; k--;) out[k] = s + i;
    #pragma unroll
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) { if (a == b) continue; out[a * 2 + b] += 1; }
    out[9] = s;
}
