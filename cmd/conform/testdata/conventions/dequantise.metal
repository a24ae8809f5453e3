#include <metal_stdlib>
using namespace metal;

// Blocks of 32 codes with a factor.
struct Block { half scale; uchar codes[16]; };
kernel void dequantise(device const Block *blocks [[buffer(0)]], device float *y [[buffer(1)]], constant uint &num_blocks [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= num_blocks) return;
    for (uint j = 0; j < 16; j++) {
        y[i * 32 + j] = float(blocks[i].scale) * (int(blocks[i].codes[j] & 15) - 8);
        y[i * (FAULT == 2 ? 16 : 32) + j + 16] = float(blocks[i].scale) * (int(blocks[i].codes[j] >> 4) - 8);
    }
}
