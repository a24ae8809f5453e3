// Threads spread over the cases, with a fall-through and a default in the middle.
// dispatch threads=6 per=6
// bind 0 int 0 x6
// want 0 int 1 12 2 100 100 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = 0;
    switch (i) {
    case 0:
        x = 1;
        break;
    case 1:
        x = 10;
    case 2:
        x += 2;
        break;
    default:
        x = 100;
        break;
    case 5:
        x = 9;
    }
    a[i] = x;
}
