// Members lie at multiples of their alignment: c at 0, i at 4, h at 8, v at 16, t at 32; the size is a multiple of 16.
// bind 1 uchar 0 x48
// want 0 uint 0 4 8 16 32 48 16
#include <metal_stdlib>
using namespace metal;

struct Mixed {
    char c;
    int i;
    half h;
    float3 v;
    uchar t;
};
kernel void f(device uint* a [[buffer(0)]], device const Mixed* m [[buffer(1)]])
{
    device const uchar* base = (device const uchar*)m;
    a[0] = (device const uchar*)&m->c - base;
    a[1] = (device const uchar*)&m->i - base;
    a[2] = (device const uchar*)&m->h - base;
    a[3] = (device const uchar*)&m->v - base;
    a[4] = (device const uchar*)&m->t - base;
    a[5] = sizeof(Mixed);
    a[6] = alignof(Mixed);
}
