// A namespace alias is another name of the same namespace.
// want 0 int 6 6
#include <metal_stdlib>
using namespace metal;

namespace a_rather_long_name {
namespace deep {
static int twice(int x) { return 2 * x; }
}
}
namespace d = a_rather_long_name::deep;
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = d::twice(3);
    a[1] = a_rather_long_name::deep::twice(3);
}
