// Each thread changes one member of its own element; the other members stay.
// dispatch threads=3 per=3
// bind 0 int 1 2 3 4 5 6
// want 0 int 1 20 3 40 5 60
#include <metal_stdlib>
using namespace metal;

struct Pair {
    int key, value;
};
kernel void f(device Pair* p [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    p[i].value *= 10;
}
