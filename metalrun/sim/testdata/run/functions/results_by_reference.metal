// Quotient and remainder through references, and the result.
// want 0 int 3 2 1
#include <metal_stdlib>
using namespace metal;

static bool divide(int n, int d, thread int& q, thread int& r)
{
    if (d == 0) {
        return false;
    }
    q = n / d;
    r = n - q * d;
    return true;
}
kernel void f(device int* a [[buffer(0)]])
{
    int q = 0, r = 0;
    bool ok = divide(17, 5, q, r);
    ok = ok && !divide(1, 0, q, r);
    a[0] = q;
    a[1] = r;
    a[2] = ok;
}
