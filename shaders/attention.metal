// Attention and what surrounds it.
//
// H query or value heads share Hg key heads, and H is a multiple of Hg. There
// are two ways to say which key head serves head h, and they agree only when
// Hg is 1 or H:
//
//     block   h / (H / Hg)    neighbours share: 0 0 0 1 1 1
//     tiled   h % Hg          heads take turns: 0 1 0 1 0 1

#include <metal_stdlib>
using namespace metal;

// Dimensions of a head broadcast.
struct RepeatParams {
    uint seq;  // tokens
    uint hg;   // heads of the source
    uint h;    // heads of the result, a multiple of hg
    uint k;    // channels of one head
};

// Repeats key heads for value heads, tiled:
//
//     dst[t, h, c] = src[t, h % hg, c]
//
// Grid: k x h x seq threads, dispatched as threads, so that the last
// threadgroup of a row is as small as it has to be and no thread lies outside.
// Threadgroup: min(256, k) x 1 x 1.
// Threadgroup memory: none.
// Writes: the thread at (c, h, t) writes dst[t, h, c] and nothing else.
kernel void repeat_tiled_f32(
    device const float*    src    [[buffer(0)]],  // [seq, hg, k]
    device float*          dst    [[buffer(1)]],  // [seq, h, k]
    constant RepeatParams& params [[buffer(2)]],
    uint3 position [[thread_position_in_grid]])
{
    const uint c = position.x;
    const uint h = position.y;
    const uint t = position.z;

    // 64 bits: seq * h * k may pass 2^32 elements.
    const ulong from = (ulong(t) * params.hg + h % params.hg) * params.k + c;
    const ulong to = (ulong(t) * params.h + h) * params.k + c;
    dst[to] = src[from];
}
