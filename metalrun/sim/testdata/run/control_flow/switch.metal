// Cases with and without break, default in the middle, constants computed.
// dispatch threads=6 per=6
// want 0 int 10 21 1 99 99 50
#include <metal_stdlib>
using namespace metal;

constant constexpr int five = 5;
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int x = 0;
    switch (int(i)) {
    case 0:
        x = 10;
        break;
    case 1:
        x = 20;
    case 2:
        x++;
        break;
    default:
        x = 99;
        break;
    case five:
        x = 50;
    }
    a[i] = x;
}
