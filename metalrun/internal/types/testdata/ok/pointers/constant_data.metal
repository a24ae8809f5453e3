#include <metal_stdlib>
using namespace metal;

constant float table[4] = {0.5f, 1, 2, 4};
constant int2 pairs[] = {int2(1, 2), int2(3, 4)};
constant float pi2 = M_PI_F * 2;
constant uint N = 4;
static constant uchar kmask[N] = {1, 2, 4, 8};
struct Entry { int key; float value; };
constant Entry entries[2] = {{1, 0.5f}, {2}};
constant constexpr int M = N * 2;
float lookup(constant float* t, uint i) { return t[i]; }
kernel void constant_data(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    out[0] = table[i & 3] + lookup(table, 2);
    out[1] = pairs[1].y * pi2;
    out[2] = kmask[i % N];
    out[3] = entries[1].value;
    constant Entry* e = &entries[i & 1];
    out[4] = e->key;
    float room[M];
    room[0] = 1;
    out[5] = room[0];
    static constant int inner[2] = {7, 8};
    out[6] = inner[1];
}
