#include <metal_stdlib>
using namespace metal;

int next(thread int& n) { return n++; }
kernel void order(device int* out [[buffer(0)]])
{
    int n = 0;
    int a = (next(n), next(n));
    for (int i = 0, j = 0; i < 2; i++, j += 2) out[i] = j;
    out[2] = a + (n += 1, n);
    out[3] = n > 2 && next(n) ? 1 : (n = 7);
}
