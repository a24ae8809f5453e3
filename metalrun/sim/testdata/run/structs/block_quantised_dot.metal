// Blocks of 4 nibbles with a half scale and a byte offset: (q - 8) * d dotted with ones.
// dispatch threads=2 per=2
// bind 1 uchar 0 0x3c 0x98 0xba 0 0x40 0x80 0x0f
// want 0 float 6 -18
#include <metal_stdlib>
using namespace metal;

struct block_q4 {
    half d;
    uint8_t qs[2];
};
static_assert(sizeof(block_q4) == sizeof(half) + 2, "block_q4");
kernel void f(device float* a [[buffer(0)]], device const void* src [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    device const block_q4* x = (device const block_q4*)src;
    device const uint16_t* q = (device const uint16_t*)&x[i].qs[0];
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += int((q[0] >> (4 * k)) & 0xF) - 8;
    }
    a[i] = (float)x[i].d * sum;
}
