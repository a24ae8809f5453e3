#include <metal_stdlib>
using namespace metal;

float root(float x) {
    if (x < 0) return 0;
    return sqrt(x);
}

kernel void accumulate(device const float *x, device float *y, constant uint &n) {
    float sum = 0, best = -INFINITY;
    for (uint i = 0; i < n; i++) {
        float v = x[i];
        sum += v * v;
        best = v > best ? v : best;
    }
    y[0] = root(sum) + best * sum;
}

kernel void choices(device int *y, device const int *x, uint2 at [[thread_position_in_grid]]) {
    int a = at.x;
    if (a > 0 && x[a] > 3) y[0] = 1;
    y[1] = a > 0 ? x[a] : 0;
    switch (a) {
    case 1: y[2] = 1;
    case 2: y[2] = 2; break;
    default: y[2] = 3;
    }
    do { a -= 2; if (a == 5) continue; y[3] = a; } while (a > 0);
}

void swap(thread float &a, thread float &b) { float t = a; a = b; b = t; }

kernel void swapped(device float2 *y) {
    float2 v = y[0];
    float a = v.x, b = v.y;
    swap(a, b);
    v.yx = v;
    y[0] = v + float2(a, b);
}
