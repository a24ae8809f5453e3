// What is loaded from an argument that is not bound, and then not used, is no access: the pipeline is compiled for the constant.
// dispatch threads=2 per=2
// constant 0 bool false
// bind 1 int 5 6
// want 0 int 5 6
#include <metal_stdlib>
using namespace metal;

struct Scale {
    int factor, summand;
};

struct Transform {
    const int factor, summand;
    int operator()(int x) const { return factor * x + summand; }
};

constant bool scaled [[function_constant(0)]];
kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], constant Scale* scale [[buffer(2), function_constant(scaled)]], uint i [[thread_position_in_grid]])
{
    const Transform transform{scale->factor, scale->summand};
    a[i] = scaled ? transform(x[i]) : x[i];
}
