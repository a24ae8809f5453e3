#include <metal_stdlib>
using namespace metal;

// A causal convolution of each channel, whose window goes on in a state.
struct Conv { int channels, width, tokens, state_stride; };
kernel void conv_state(device const float *x [[buffer(0)]], device const float *w [[buffer(1)]], device float *state [[buffer(2)]], device float *y [[buffer(3)]],
                       constant Conv &p [[buffer(4)]], uint2 gid [[thread_position_in_grid]]) {
    const int c = gid.x, seq = gid.y;
    if (c >= p.channels) return;
    device float *window = state + seq * p.state_stride + (FAULT == 2 ? c / 2 : c) * (p.width - 1);
    for (int t = 0; t < p.tokens; t++) {
        const float now = x[(seq * p.tokens + t) * p.channels + c];
        float sum = now * w[c * p.width + p.width - 1];
        for (int k = 0; k < p.width - 1; k++) sum += window[k] * w[c * p.width + k];
        for (int k = 0; k + 1 < p.width - 1; k++) window[k] = window[k + 1];
        window[p.width - 2] = now;
        y[(seq * p.tokens + t) * p.channels + c] = sum;
    }
}
