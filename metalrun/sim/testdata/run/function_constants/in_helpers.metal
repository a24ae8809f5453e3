// Functions and templates see function constants.
// constant 3 int 4
// want 0 int 8 12
#include <metal_stdlib>
using namespace metal;

constant int n [[function_constant(3)]];
static int twice() { return 2 * n; }
template <int K> static int times() { return K * n; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = twice();
    a[1] = times<3>();
}
