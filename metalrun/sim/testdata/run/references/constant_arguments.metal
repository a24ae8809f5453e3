// Scalars and structs bound as constant references.
// dispatch threads=3 per=3
// inline 1 float 0.5
// inline 2 int 10 20
// want 0 float 10 15.5 21
#include <metal_stdlib>
using namespace metal;

struct Range {
    int low, high;
};
kernel void f(device float* a [[buffer(0)]], constant float& step [[buffer(1)]], constant Range& r [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    a[i] = r.low + i * (step + 5);
}
