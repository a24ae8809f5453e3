#include <metal_stdlib>
using namespace metal;

kernel void longs(device ulong2* w [[buffer(0)]], device long3* l [[buffer(1)]], device ushort4* s [[buffer(2)]])
{
    w[0] = ulong2(1, 2) << 33;
    w[1] = w[0] * w[0] + 5ul;
    l[0] = long3(-1) >> 2;
    s[0] = s[1] + ushort(3);
    s[1] = s[0] & 0xff;
    w[0].y = w[0].x ^ w[1].y;
    l[1] = -l[0];
    static_assert(sizeof(long3) == 32, "long3");
}
