// A loop that ends when an unsigned counter has passed 0.
// want 0 uint 4 10
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    uint turns = 0, sum = 0;
    for (uint i = 5; i-- > 1;) {
        turns++;
        sum += i;
    }
    a[0] = turns;
    a[1] = sum;
}
