// More calls in each other than there are frames for end the launch at the call.
// bind 0 int 300
// fault 5:49 this is more than 256 calls in each other, which -compile-limit recursion=N can raise
#include <metal_stdlib>
static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
kernel void deeper(device int *out [[buffer(0)]]) { out[0] = sum(out[0]); }
