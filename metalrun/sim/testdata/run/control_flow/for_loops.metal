// Two counters, a step of three, an empty body, a loop that does not run.
// want 0 int 25 4 10 0
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int sum = 0;
    for (int i = 0, j = 10; i < j; i++, j--) {
        sum += j - i - 1;
    }
    a[0] = sum;
    int turns = 0;
    for (int i = 0; i < 12; i += 3) {
        turns++;
    }
    a[1] = turns;
    int n;
    for (n = 0; n < 10; n++)
        ;
    a[2] = n;
    a[3] = 0;
    for (; false;) {
        a[3] = 1;
    }
}
