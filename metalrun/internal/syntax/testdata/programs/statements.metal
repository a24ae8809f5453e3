// Every statement, with pragmas and nesting.
#pragma METAL fp contract(off)
#include <metal_stdlib>
using namespace metal;
#pragma METAL fp math_mode(safe)
#pragma STDC FP_CONTRACT ON
#pragma clang fp contract(fast)
#pragma mark - ignored
#pragma clang diagnostic ignored "-Wunused"
#define UNROLL _Pragma("clang loop unroll(full)")
#define COUNT 4
#define FOR_UNROLL(x) _Pragma("unroll") for (x)
static_assert(sizeof(float) == 4, "size of " "float");
static_assert(true);
;
int choose(int x) {
    #pragma METAL fp contract(fast)
    switch (x) {
    case 0:
    case 1 + 1: {
        return 1;
    }
    case 'c':
        x++;
        [[fallthrough]];
    default:
        break;
    }
    switch (x & 3) {}
    if (x) int y = 1;
    if (x) return 2;
    else if (x > 3)
        return 3;
    else {
        return 4;
    }
    if (x)
        if (x > 1) return 5;
        else return 6;
    if (x) {
        if (x > 1) return 7;
    } else
        return 8;
    if constexpr (sizeof(int) == 4) x = 1; else x = 2;
    if (int y = x + 1) x = y;
    if (int y = x; y > 2) x = y;
    if (x = 3; x > 2) ;
    if (; x) x = 0;
    return {x};
}
kernel void loops(device float *out [[buffer(0)]]) {
    int i, n = 4;
    float values[4] = {};
    for (;;) break;
    for (i = 0; i < n; i++) continue;
    for (int j = 0, k = 1; j < n; ++j, k *= 2) out[j] = k;
    for (device float *p = out, *q = p + 4; p < q; ++p) *p = 0;
    #pragma unroll
    for (short j = 0; j < 4; ++j) {
        #pragma unroll(COUNT)
        for (short k = 0; k < 4; ++k) values[j] += k;
    }
    #pragma clang loop unroll(full)
    #pragma unroll 8
    for (int j = 0; j < n; ++j) ;
    UNROLL
    for (int j = 0; j < n; ++j) ;
    FOR_UNROLL (int j = 0; j < n; ++j) {}
    #pragma clang loop unroll_count(COUNT)
    while (n > 0) n--;
    #pragma nounroll
    do n++; while (n < 4);
    #pragma GCC unroll 4
    do {
        if (n > 3) continue;
        break;
    } while (true);
    #pragma clang loop vectorize(enable)
    while (n) { --n; }
    for (auto v : values) out[0] += v;
    #pragma unroll
    for (thread float &v : values) v = 0;
    for (float v : {1.0f, 2.0f}) out[0] += v;
    {
        #pragma METAL fp math_mode(fast)
        #pragma STDC FP_CONTRACT OFF
        float x = 1;
        { ; }
        out[0] = x;
    }
    using U = uint;
    using metal::float4;
    using namespace metal;
    static_assert(sizeof(U) == 4, "");
    struct Pair { int a, b; };
    Pair pair = {1, 2};
    union { float f; uint u; };
    return;
}
