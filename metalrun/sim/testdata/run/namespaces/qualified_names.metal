// The same name in two namespaces and outside of both.
// want 0 int 1 2 3
#include <metal_stdlib>
using namespace metal;

namespace one {
static int value() { return 1; }
}
namespace two {
static int value() { return 2; }
}
static int value() { return 3; }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = one::value();
    a[1] = two::value();
    a[2] = ::value();
}
