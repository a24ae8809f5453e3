// Tables of enumerators and of bools.
// dispatch threads=3 per=3
// want 0 int 20 1 12
#include <metal_stdlib>
using namespace metal;

enum Kind : uchar { A = 1, B = 2 };
constant Kind kinds[3] = {B, A, A};
constant bool odd[3] = {false, true, true};
constant uint2 extents[] = {{0, 0}, {1, 0}, {2, 12}};
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = odd[i] ? int(kinds[i] * (i == 2 ? extents[i].y : 1)) : kinds[i] * 10;
}
