// Data at program scope is constant and shared by all threads.
// dispatch threads=4 per=2
// want 0 int 2 3 5 7
#include <metal_stdlib>
using namespace metal;

constant int primes[4] = {2, 3, 5, 7};
kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    a[i] = primes[i];
}
