// A block's variable hides the outer one and ends with the block.
// want 0 int 1 2 3 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int x = 1;
    a[0] = x;
    {
        int x = 2;
        a[1] = x;
        for (int x = 3; x < 4; x++) {
            a[2] = x;
        }
    }
    a[3] = x;
}
