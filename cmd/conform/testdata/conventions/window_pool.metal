#include <metal_stdlib>
using namespace metal;

// Windows of an image with strides and margins; channels are an axis of the grid.
struct Pool { int in_h, in_w, out_h, out_w, k_h, k_w, s_h, s_w, pad_h, pad_w, channels; };
kernel void window_pool(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant Pool &p [[buffer(2)]], uint3 gid [[thread_position_in_grid]]) {
    const int ox = gid.x, oy = gid.y, c = gid.z;
    if (ox >= p.out_w || oy >= p.out_h || c >= p.channels) return;
    float largest = -MAXFLOAT;
    for (int i = 0; i < p.k_h; i++)
        for (int j = 0; j < p.k_w; j++) {
            const int iy = oy * p.s_h - p.pad_h + i, ix = ox * p.s_w - p.pad_w + j;
            if (iy >= 0 && iy < p.in_h && ix >= 0 && ix < p.in_w) largest = max(largest, x[(c * p.in_h + iy) * p.in_w + ix]);
        }
    y[(c * p.out_h + (FAULT == 2 ? oy / 2 : oy)) * p.out_w + ox] = largest;
}
