#include <metal_stdlib>
using namespace metal;

namespace math { 
    constant float unit = 1;
    float inc(float x) { return x + unit; }
    namespace deep { float dec(float x) { return x - unit; } struct S { int v; }; }
    using namespace deep;
}
namespace alias_user { using math::inc; float two(float x) { return inc(inc(x)); } }
namespace { float hidden(float x) { return -x; } }
float inc(float x) { return x + 100; }
namespace kernels {
kernel void run(device float* out [[buffer(0)]])
{
    out[0] = math::inc(1) + ::inc(2) + math::deep::dec(3) + alias_user::two(4);
    out[1] = math::dec(5) + hidden(1);
    math::S s = {3};
    out[2] = s.v;
    using namespace math;
    out[3] = dec(2);
    using math::deep::dec;
    out[4] = metal::sin(1.0f) + metal::precise::exp(2.0f) + precise::sqrt(2.0f) + fast::cos(1.0f);
}
}
