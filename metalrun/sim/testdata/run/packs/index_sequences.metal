// make_index_sequence counts; the numbers are deduced from the object.
// want 0 int 14 4
#include <metal_stdlib>
using namespace metal;

template <size_t... Is> int squares(index_sequence<Is...>) { return (int(Is * Is) + ...); }
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = squares(make_index_sequence<4>());
    a[1] = int(make_index_sequence<4>::size());
}
