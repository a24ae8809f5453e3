// Calls as arguments of calls, with early returns in each.
// dispatch threads=4 per=4
// want 0 int 0 1 1 4
#include <metal_stdlib>
using namespace metal;

static int clip(int x, int most)
{
    if (x > most) {
        return most;
    }
    return x;
}
static int square(int x)
{
    if (x == 0) {
        return 0;
    }
    return x * x;
}
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = clip(square(clip(i, 2)), i == 2 ? 1 : 9);
}
