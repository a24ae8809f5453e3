// return from nested loops, by thread.
// dispatch threads=4 per=4
// want 0 int 0 11 22 -1
#include <metal_stdlib>
using namespace metal;

static int find(int n)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (i * j == n * n && i == n) {
                return 10 * i + j;
            }
        }
    }
    return -1;
}
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = find(i);
}
