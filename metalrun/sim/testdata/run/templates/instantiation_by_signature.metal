// Explicit instantiations by full signature, each with a name for the host.
// kernel scale_float scale_half
// bind 0 float 1 2
// bind 1 half 3 4
// want 0 float 2 4
// want 1 half 9 12
// inline 2 float 2
// inline 3 half 3
#include <metal_stdlib>
using namespace metal;

template <typename T>
kernel void scale(device T* floats [[buffer(0)]], device T* halves [[buffer(1)]], constant T& by [[buffer(2)]], constant T& also [[buffer(3)]])
{
    device T* x = sizeof(T) == 4 ? floats : halves;
    T s = sizeof(T) == 4 ? by : also;
    for (int i = 0; i < 2; i++) {
        x[i] *= s;
    }
}
template [[host_name("scale_float")]] kernel void scale<float>(device float*, device float*, constant float&, constant float&);
template [[host_name("scale_half")]] kernel void scale<half>(device half*, device half*, constant half&, constant half&);
