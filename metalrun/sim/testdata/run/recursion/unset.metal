// A variable that a deeper call has set is not set in the frame around it.
// bind 0 int 1 0
// find 8:5 wrong uninitialised thread "found"
#include <metal_stdlib>
static int find(int n)
{
    // Its own.
    int found;
    if (n == 0)
        found = 7;
    return n > 0 ? find(n - 1) + found : 0;
}
kernel void unset(device int *out [[buffer(0)]]) { out[1] = find(out[0]); }
