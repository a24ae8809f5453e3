#include <metal_stdlib>
using namespace metal;

kernel void meet(device float* out [[buffer(0)]], device long* l [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    int a = -1;
    uint b = 1;
    ulong c = 7;
    long d = a + b;
    l[0] = d + b;
    l[1] = c + a;
    l[2] = 2147483648;
    l[3] = 0xffffffff;
    out[0] = a * 1.5h;
    out[1] = 2.0h + 1.0f;
    out[2] = b / 2;
    out[3] = 'a' + 1;
    out[4] = 3 / 2 * 2.0;
    out[5] = i % 3u;
}
