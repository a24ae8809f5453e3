// continue skips odd numbers, break ends each thread's loop at its own limit.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 0 2 6 12
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int sum = 0;
    for (int j = 0; j < 100; j++) {
        if (j % 2 == 1) {
            continue;
        }
        if (j > int(2 * i)) {
            break;
        }
        sum += j;
    }
    a[i] = sum;
}
