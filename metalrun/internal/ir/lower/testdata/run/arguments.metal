#include <metal_stdlib>
using namespace metal;

struct Params { int n; float scale; int2 size; uchar flags[4]; };

//in 1 7 0x40200000 3 4 0x04030201
//= 7 2 3 4 3 10
kernel void by_reference(device int *out, constant Params &p) {
    out[0] = p.n;
    out[1] = int(p.scale);
    out[2] = p.size.x;
    out[3] = p.size.y;
    out[4] = p.flags[2];
    int sum = 0;
    for (int i = 0; i < 4; i++) sum += p.flags[i];
    out[5] = sum;
}

//in 1 5
//in 2 1 2 3 4
//= 6 5 4 13
kernel void pointers(device int *out, constant int &n [[buffer(1)]], device const int4 *v [[buffer(2)]]) {
    device const int *p = (device const int *)v;
    int sum = n;
    p += 1;
    out[0] = n + p[-1];
    out[1] = p[1] + p[0];
    out[2] = *(p + 2);
    for (int i = 0; i < 3; i++, p++) sum += i > 1 ? p[0] : 2;
    out[3] = sum;
}

//threads 4
//= 0 11 22 33
kernel void positions(device int *out, ushort3 at [[thread_position_in_grid]], ushort3 n [[threads_per_threadgroup]]) {
    at.y = at.x * 10;
    for (int i = 0; i < 2; i++) out[at.x] = at[0] + at[i] * (n.x == 4);
}

//threads 2
//in 1 10 20
//= 12 22
kernel void structs(device int *out, device const int *in [[buffer(1)]], uint i [[thread_index_in_threadgroup]]) {
    struct Node { device const int *p; int add; };
    Node nodes[2] = {{in, 2}, {in + 1, 2}};
    Node n = nodes[i];
    out[i] = *n.p + n.add;
}
