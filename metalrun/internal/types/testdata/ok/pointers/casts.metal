#include <metal_stdlib>
using namespace metal;

struct block_q8 { half d; char qs[32]; };
static_assert(sizeof(block_q8) == 34, "block");
kernel void casts(device const uchar* raw [[buffer(0)]], device float* out [[buffer(1)]])
{
    device const block_q8* b = (device const block_q8*)raw;
    out[0] = b[1].d * b[1].qs[3];
    device const uint* w = reinterpret_cast<device const uint*>(raw + 4);
    out[1] = w[0];
    device float4* v = (device float4*)out;
    v[1] = float4(1);
    device void* any = out;
    device float* f = (device float*)any;
    device float* g = static_cast<device float*>(any);
    f[5] = g[4];
    device half2& h = (device half2&)out[6];
    h = half2(1, 2);
    device const half2& k = reinterpret_cast<device const half2&>(out[7]);
    out[8] = k.x;
    ulong address = (ulong)out;
    out[9] = address & 1;
    float x = 1;
    uint bits = *(thread uint*)&x;
    out[10] = bits;
    device const ushort* q = (device const ushort*)&b->qs[2];
    out[11] = q[0];
}
