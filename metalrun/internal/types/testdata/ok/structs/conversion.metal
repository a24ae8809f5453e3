#include <metal_stdlib>
using namespace metal;

struct Fixed {
    int raw;
    operator float() const { return raw / 256.0f; }
    operator float() const device { return raw / 256.0f; }
};
struct Wide { long v; Wide(long x) : v(x) {} };
long unwrap(Wide w) { return w.v; }
kernel void conversion(device Fixed* in [[buffer(0)]], device float* out [[buffer(1)]])
{
    Fixed f = in[0];
    float x = f;
    out[0] = x + f;
    out[1] = in[1];
    out[2] = f * 2;
    out[3] = unwrap(5);
    out[4] = sqrt(float(f));
    out[5] = f < 3.0f ? f : 1.0f;
}
