// && and || stop at the first operand that decides; ?: evaluates one arm; , goes from left to right.
// want 0 int 1 1 2 3 13
#include <metal_stdlib>
using namespace metal;

static bool count(thread int& n, bool result)
{
    n++;
    return result;
}
kernel void f(device int* a [[buffer(0)]])
{
    int n = 0;
    bool x = count(n, false) && count(n, true);
    a[0] = n + x;
    n = 0;
    x = count(n, true) || count(n, true);
    a[1] = n;
    n = 0;
    x = count(n, true) && count(n, false) || n == 7;
    a[2] = n + x;
    n = 2;
    x ? n = 9 : n++;
    a[3] = n;
    int y = (n = 10, n + 3);
    a[4] = y;
}
