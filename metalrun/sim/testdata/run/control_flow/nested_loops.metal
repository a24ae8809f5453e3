// break and continue concern the inner loop only: the pairs j < i < 4 without j = 1 are 10, 20, 30 and 32.
// want 0 int 4 11 4
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int pairs = 0, sum = 0, rows = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            if (j >= i) {
                break;
            }
            if (j == 1) {
                continue;
            }
            pairs++;
            sum += i + j;
        }
        rows++;
    }
    a[0] = pairs;
    a[1] = sum;
    a[2] = rows;
}
