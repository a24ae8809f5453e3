// A matrix is loaded by all threads of a simdgroup.
// dispatch threads=32 per=32
// bind 0 float 0 x64
// fault 12:9 simdgroup matrix load or store with 8 of 32 threads active
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    if (i < 8) {
        simdgroup_float8x8 m;
        simdgroup_load(m, a, 8);
        simdgroup_store(m, a, 8);
    }
}
