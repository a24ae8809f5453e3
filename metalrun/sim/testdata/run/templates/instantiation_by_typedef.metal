// Instantiations through a typedef of one function's type.
// kernel double_int triple_int
// bind 0 int 1 2
// want 0 int 6 12
#include <metal_stdlib>
using namespace metal;

template <typename T, int N>
kernel void times(device T* a [[buffer(0)]])
{
    a[0] *= N;
    a[1] *= N;
}
typedef decltype(times<int, 2>) times_t;
template [[host_name("double_int")]] kernel times_t times<int, 2>;
template [[host_name("triple_int")]] kernel times_t times<int, 3>;
