#include <metal_stdlib>
using namespace metal;

void fill(thread float* p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
float total(thread const float (&a)[4]) { float s = 0; for (float x : a) s += x; return s; }
float row(device const float (*m)[4], int r) { return m[r][1]; }
kernel void arrays(device float* out [[buffer(0)]], device float (*grid)[4] [[buffer(1)]])
{
    float a[4];
    fill(a, 4);
    out[0] = total(a);
    float m[2][3] = {{1, 2, 3}, {4, 5}};
    out[1] = m[1][2] + m[0][1];
    thread float* r = m[1];
    r[0] = 3;
    out[2] = *m[1];
    float z[8] = {};
    out[3] = z[7];
    int lens[] = {1, 2, 3};
    out[4] = sizeof(lens) / sizeof(lens[0]);
    out[5] = row(grid, 1);
    grid[1][2] = 4;
    for (thread auto& x : a) x *= 2;
    half2 hs[2] = {half2(1, 2), 3.0h};
    out[6] = hs[1].y;
    float cube[2][2][2] = {1, 2, 3, 4, 5, 6, 7, 8};
    out[7] = cube[1][0][1];
}
