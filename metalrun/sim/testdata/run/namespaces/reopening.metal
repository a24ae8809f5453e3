// A namespace may be continued; later parts see earlier ones.
// want 0 int 14
#include <metal_stdlib>
using namespace metal;

namespace parts {
static int first() { return 4; }
}
static int between() { return 10; }
namespace parts {
static int second() { return first() + between(); }
}
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = parts::second();
}
