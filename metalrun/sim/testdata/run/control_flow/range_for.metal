// The elements of an array in order; break and continue as in other loops.
// want 0 int 8
#include <metal_stdlib>
using namespace metal;

constant int table[] = {1, 2, 3, 4, 5, 6};
kernel void f(device int* a [[buffer(0)]])
{
    int sum = 0;
    for (int x : table) {
        if (x == 2) {
            continue;
        }
        if (x == 5) {
            break;
        }
        sum += x;
    }
    a[0] = sum;
}
