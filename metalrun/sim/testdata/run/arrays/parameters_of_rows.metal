// Parameters that are arrays of arrays, by pointer and by reference.
// want 0 int 6 15 21
#include <metal_stdlib>
using namespace metal;

static int row(const thread int m[][3], int r) { return m[r][0] + m[r][1] + m[r][2]; }
static int all(const thread int (&m)[2][3])
{
    int s = 0;
    for (int r = 0; r < 2; r++) {
        s += row(m, r);
    }
    return s;
}
kernel void f(device int* a [[buffer(0)]])
{
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    a[0] = row(m, 0);
    a[1] = row(m, 1);
    a[2] = all(m);
}
