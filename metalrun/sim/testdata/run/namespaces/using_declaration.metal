// using brings one name; a declaration inside of a block ends with it.
// want 0 int 5 7
#include <metal_stdlib>
using namespace metal;

namespace five {
static int get() { return 5; }
}
namespace seven {
static int get() { return 7; }
}
kernel void f(device int* a [[buffer(0)]])
{
    {
        using five::get;
        a[0] = get();
    }
    {
        using seven::get;
        a[1] = get();
    }
}
