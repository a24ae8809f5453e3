// Blocks of a scale (half) and four quants (char), 6 bytes each, found by index.
// dispatch threads=2 per=2
// bind 1 uchar 0 0x40 1 2 3 255 0 0x38 10 20 30 40
// want 0 float 10 50
#include <metal_stdlib>
using namespace metal;

struct Block {
    half d;
    char q[4];
};
static_assert(sizeof(Block) == 6, "Block");
kernel void f(device float* a [[buffer(0)]], device const void* raw [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    device const Block* b = (device const Block*)raw + i;
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += b->q[k];
    }
    a[i] = b->d * sum;
}
