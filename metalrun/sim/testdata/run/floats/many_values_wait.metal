// More values wait for their readers than may: they are computed before.
// dispatch threads=2 per=2
// bind 0 float 1 2
// bind 1 float 0 0
// want 1 float 44850 89700
#include <metal_stdlib>
using namespace metal;

#define TENS(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define HUNDRED(M, n) TENS(M, n##0) TENS(M, n##1) TENS(M, n##2) TENS(M, n##3) TENS(M, n##4) TENS(M, n##5) TENS(M, n##6) TENS(M, n##7) TENS(M, n##8) TENS(M, n##9)
#define ALL(M) HUNDRED(M, 1) HUNDRED(M, 2) HUNDRED(M, 3)
#define SET(n) float v##n = x * (n - 100);
#define ADD(n) sum += v##n;

kernel void many_wait(device const float* in [[buffer(0)]], device float* out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float x = in[i], sum = 0;
    ALL(SET)
    ALL(ADD)
    out[i] = sum;
}
