// The language version, the platform, and the current line, which #line changes.
// version 320
// want 0 int 320 1 11 100
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    a[0] = __METAL_VERSION__;
    a[1] = __METAL_MACOS__ && __METAL__;
    a[2] = __LINE__;
#line 100
    a[3] = __LINE__;
}
