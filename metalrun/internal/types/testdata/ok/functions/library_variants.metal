#include <metal_stdlib>
namespace exact = metal::precise;
namespace opened { using namespace metal::precise; float f(float x) { return exp(x); } float widened(half x) { return exp(x); } }
namespace beside { using namespace metal; using namespace fast; half narrow(half x) { return exp(x); } float plain(float x) { return popcount(3u) + metal::exp(x) + precise::exp(x); } }
namespace declared { using metal::precise::exp; using namespace metal; float f(float x) { return exp(x) + fmod(x, 2.0f); } }
namespace inside { float f(float x) { using namespace exact; return exp(x); } float g(float x) { using exact::log; return log(x); } }
namespace both { using metal::exp; using metal::fast::exp; half narrow(half x) { return exp(x); } }
namespace own { float exp(float x) { return x; } float f(float x) { using namespace metal::precise; return exp(x) + log(x); } }
namespace nearest { using namespace metal; float f(float x) { using metal::fast::exp; return exp(x); } }
namespace through { float f(float x) { return opened::exp(x); } }
namespace metal {
namespace precise { float twice(float x) { return 2 * exp(x); } }
float plainly(float x) { return exp(x); }
}
namespace added { float f(float x) { using namespace metal::precise; return twice(x); } }
using namespace metal::precise;
kernel void variants(device float *out [[buffer(0)]], const device half *h [[buffer(1)]])
{
    out[0] = opened::f(1) + opened::widened(h[0]) + beside::narrow(h[1]) + beside::plain(2) + declared::f(3);
    out[1] = inside::f(1) + inside::g(2) + both::narrow(h[2]) + own::f(4) + nearest::f(5) + through::f(6) + added::f(7);
    out[2] = exp(8.0f) + metal::plainly(9);
}
