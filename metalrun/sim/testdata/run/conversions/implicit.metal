// Initialisation, assignment, arguments and return convert without being asked.
// want 0 int 3 -1 4 7
// want 1 float 3
#include <metal_stdlib>
using namespace metal;

static int parameter(int x) { return x; }
static int result(float x) { return x * 2; }
kernel void f(device int* a [[buffer(0)]], device float* b [[buffer(1)]])
{
    int x = 3.99f;
    uint u = -1;
    float y = 7 / 2;
    a[0] = x;
    a[1] = u;
    a[2] = parameter(4.9f);
    a[3] = result(3.6f);
    b[0] = y;
}
