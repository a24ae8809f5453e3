#include <metal_stdlib>
using namespace metal;

#ifndef TILE
#define TILE 4
#endif

// Rows with a stride, some elements in; indices with gaps; a struct with padding.
struct View {
    uint  rows, n, stride, first;
    ulong pad;
    float gain;
};

kernel void view_scale(
    device const half* x [[buffer(0)]],
    device float*      y [[buffer(3)]],
    constant View&     view [[buffer(7)]],
    uint2 at [[thread_position_in_grid]])
{
    y[at.y * view.n + at.x] = float(x[view.first + at.y * view.stride + at.x]) * view.gain;
}

// Scalars in a buffer.
kernel void add_offset(
    device const int*  x [[buffer(0)]],
    device long*       y [[buffer(1)]],
    device const uint* params [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < params[0]) {
        y[i] = long(x[i]) + params[1];
    }
}

// May be launched with y over x.
kernel void halve(
    device const float* x [[buffer(0)]],
    device float*       y [[buffer(1)]],
    constant uint&      n [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (i < n) {
        y[i] = x[i] * 0.5f;
    }
}

// A constant of the function and a macro.
constant bool has_bias [[function_constant(0)]];

kernel void tile_sums(
    device const float* x [[buffer(0)]],
    device const float* bias [[buffer(1), function_constant(has_bias)]],
    device float*       y [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    float sum = has_bias ? bias[i] : 0.0f;
    for (uint j = 0; j < TILE; j++) {
        sum += x[i * TILE + j];
    }
    y[i] = sum;
}

// The places of true flags, in any order, and how many there are.
kernel void collect(
    device const bool*   flags [[buffer(0)]],
    device uint*         places [[buffer(1)]],
    device atomic_uint*  count [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    if (flags[i]) {
        places[atomic_fetch_add_explicit(count, 1u, memory_order_relaxed)] = i;
    }
}

// One token at a time: launched in sequence.
kernel void decay(
    device const float* x [[buffer(0)]],
    device float*       state [[buffer(1)]],
    device float*       y [[buffer(2)]],
    constant uint&      t [[buffer(3)]],
    constant uint&      n [[buffer(4)]],
    threadgroup float*  held [[threadgroup(0)]],
    uint i [[thread_position_in_threadgroup]])
{
    held[i] = state[i] * 0.5f + x[t * n + i];
    state[i] = held[i];
    y[t * n + i] = held[i];
}

// Numbers by a table of the program.
constant float LEVELS[4] = {-1.5f, -0.5f, 0.5f, 1.5f};

kernel void look_up(
    device const uchar* packed [[buffer(0)]],
    device const half*  scale [[buffer(1)]],
    device float*       y [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    y[i] = LEVELS[packed[i / 4] >> (i % 4 * 2) & 3] * float(scale[i / 32]);
}

// Points of four numbers by a codebook.
constant uint POINTS[3] = {0x04030201, 0x10080402, 0x01060903};

kernel void spread_points(device const uchar* codes [[buffer(0)]], device float* y [[buffer(1)]],
    uint i [[thread_position_in_grid]])
{
    y[i] = POINTS[codes[i / 4]] >> 8 * (i % 4) & 255;
}

// Eight bits of float.
kernel void from_f8(device const uchar* x [[buffer(0)]], device float* y [[buffer(1)]],
    uint i [[thread_position_in_grid]])
{
    uint exponent = x[i] >> 3 & 15, fraction = x[i] & 7;
    float size = exponent == 0 ? ldexp(float(fraction), -9) : ldexp(float(fraction + 8), int(exponent) - 10);
    if ((x[i] & 127) == 127) {
        size = NAN;
    }
    y[i] = x[i] & 128 ? -size : size;
}

// Entry points of one template.
template <typename T>
kernel void negate_as(device const T* x [[buffer(0)]], device T* y [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    y[i] = -x[i];
}
template [[host_name("negate_f32")]] kernel void negate_as<float>(device const float*, device float*, uint);
template [[host_name("negate_f16")]] kernel void negate_as<half>(device const half*, device half*, uint);
template [[host_name("negate_i8")]] kernel void negate_as<char>(device const char*, device char*, uint);

// Rows of a cache, found through a table of blocks.
kernel void paged_rows(
    device const float* cache [[buffer(0)]],
    device const uint*  blocks [[buffer(1)]],
    device float*       y [[buffer(2)]],
    constant uint&      n [[buffer(3)]],
    uint2 at [[thread_position_in_grid]])
{
    y[at.y * n + at.x] = cache[(blocks[at.y / 4] * 4 + at.y % 4) * n + at.x];
}

// A cube root by one step of Newton: good to a percent, and said so.
kernel void coarse_root(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
    uint i [[thread_position_in_grid]])
{
    float r = as_type<float>(as_type<uint>(x[i]) / 3 + 709921077u);
    y[i] = (2.0f * r + x[i] / (r * r)) / 3.0f;
}

struct Cache { uint tokens, heads, width, slots; };

// Keys of tokens go into their slots of a cache; a negative slot is a token to drop.
kernel void store_keys(device const float4* keys [[buffer(0)]], device const int* slot [[buffer(1)]],
    device bfloat4* cache [[buffer(2)]], constant Cache& of [[buffer(3)]], uint3 at [[thread_position_in_grid]])
{
    uint columns = of.width / 4;
    if (at.x >= columns || slot[at.z] < 0) {
        return;
    }
    cache[(at.y * of.slots + slot[at.z]) * columns + at.x] = bfloat4(keys[(at.z * of.heads + at.y) * columns + at.x]);
}
