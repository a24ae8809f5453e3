// An index past a private array.
// dispatch threads=6 per=6
// bind 0 int 0 x6
// fault 11:17 out of range of thread "local"
#include <metal_stdlib>
using namespace metal;

kernel void square(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int local[4] = {0, 1, 4, 9};
    a[i] = local[i];
}
