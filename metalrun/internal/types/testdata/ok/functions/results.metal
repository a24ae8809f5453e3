#include <metal_stdlib>
using namespace metal;

void early(device int* p, int n) { if (n < 0) return; p[0] = n; }
float2 pair(float a) { return {a, a + 1}; }
auto deduced(int x) { return x * 2.0f; }
auto trailing(float x) -> half { return half(x); }
device float* shifted(device float* p, int n) { return p + n; }
device float& element(device float* p, int n) { return p[n]; }
thread int& bigger(thread int& a, thread int& b) { return a > b ? a : b; }
void forwardVoid(device int* p) { return early(p, 2); }
kernel void results(device int* n [[buffer(0)]], device float* out [[buffer(1)]])
{
    early(n, 3);
    forwardVoid(n);
    out[0] = pair(1).y + deduced(2) + trailing(3);
    *shifted(out, 1) = 4;
    element(out, 2) = 5;
    element(out, 3) += element(out, 2);
    int a = 1, b = 2;
    bigger(a, b) = 7;
    n[1] = b;
}
