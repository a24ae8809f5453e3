// As many calls in each other as there are frames: the first one and 255 from within.
// bind 0 int 255
// want 0 int 32640
#include <metal_stdlib>
static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
kernel void as_deep(device int *out [[buffer(0)]]) { out[0] = sum(out[0]); }
