#include <metal_stdlib>
using namespace metal;

float pick(float x) { if (x > 0) { return 1; } else { return -1; } }
int nested(int n) { for (int i = 0; i < n; i++) { while (true) { if (i == 2) return i; break; } } return -1; }
void none() { return; }
float forever(float x) { while (true) { x += 1; if (x > 10) return x; } }
kernel void returns(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    if (i >= 4) return;
    none();
    out[i] = pick(out[i]) + nested(i) + forever(1);
}
