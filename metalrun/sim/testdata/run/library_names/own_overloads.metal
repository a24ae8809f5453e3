// A program may add overloads to namespace metal, and to fast and precise in it: they stand beside the library's.
// want 0 float 42 2 43 44 3
#include <metal_stdlib>
using namespace metal;

struct Odd { float x; };
namespace metal {
float sqrt(Odd o) { return o.x; }
namespace fast { float sqrt(Odd o) { return o.x + 1; } }
namespace precise { float sqrt(Odd o) { return o.x + 2; } }
}
kernel void f(device float* a [[buffer(0)]])
{
    Odd o = {42};
    a[0] = sqrt(o);
    a[1] = metal::sqrt(4.0f);
    a[2] = fast::sqrt(o);
    a[3] = metal::precise::sqrt(o);
    a[4] = metal::precise::sqrt(9.0f);
}
