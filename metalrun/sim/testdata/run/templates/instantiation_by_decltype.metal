// Instantiations by decltype of the function, written by a macro.
// kernel add_1 add_20 add_300
// bind 0 int 0
// want 0 int 321
#include <metal_stdlib>
using namespace metal;

template <int N>
[[kernel]] void add(device int* a [[buffer(0)]])
{
    a[0] += N;
}
#define instantiate(n) template [[host_name("add_" #n)]] [[kernel]] decltype(add<n>) add<n>;
instantiate(1)
instantiate(20)
instantiate(300)
