// break leaves the switch, continue the iteration of the loop.
// want 0 int 111 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]])
{
    int sum = 0, kept = 0;
    for (int i = 0; i < 4; i++) {
        switch (i) {
        case 0:
            sum += 1;
            break;
        case 1:
        case 2:
            sum += i == 1 ? 10 : 100;
            continue;
        default:
            continue;
        }
        kept++;
    }
    a[0] = sum;
    a[1] = kept;
}
