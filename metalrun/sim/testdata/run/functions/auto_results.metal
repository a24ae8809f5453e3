// The type of a result may be deduced or written behind.
// want 0 float 2.5 3 4
#include <metal_stdlib>
using namespace metal;

static auto halved(int x) { return x / 2.0f; }
static auto rounded(float x) -> int { return x; }
kernel void f(device float* a [[buffer(0)]])
{
    a[0] = halved(5);
    a[1] = rounded(3.7f);
    a[2] = sizeof(halved(1));
}
