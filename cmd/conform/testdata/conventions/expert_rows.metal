#include <metal_stdlib>
using namespace metal;

// Rows of one expert are listed in threadgroup memory first; results go to a token and its place among the chosen.
struct ExpertRows { int n_tokens, n_used, in_dim, out_dim; };
kernel void expert_rows(device const float *x [[buffer(0)]], device const float *w [[buffer(1)]], device const int *chosen [[buffer(2)]], device float *y [[buffer(3)]],
                        constant ExpertRows &p [[buffer(4)]], uint2 group [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
    threadgroup ushort2 list[1024];
    threadgroup int length;
    const int expert = group.y;
    if (t == 0) {
        int n = 0;
        for (int token = 0; token < p.n_tokens; token++)
            for (int u = 0; u < p.n_used; u++)
                if (chosen[token * p.n_used + u] == expert && n < 1024) list[n++] = ushort2(u, token);
        length = n;
    }
    if (FAULT != 1) threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int i = 0; i < length; i++) {
        const int row = list[i].y * p.n_used + list[i].x;
        for (int o = group.x * 32 + t; o < min(int(group.x) * 32 + 32, p.out_dim); o += size.x) {
            float sum = 0;
            for (int k = 0; k < p.in_dim; k++) sum += x[list[i].y * p.in_dim + k] * w[(expert * p.out_dim + o) * p.in_dim + k];
            y[(FAULT == 2 ? i : row) * p.out_dim + o] = sum;
        }
    }
}
