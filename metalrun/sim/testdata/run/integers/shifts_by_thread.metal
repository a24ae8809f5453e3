// Shift counts that differ between threads, in 64 bits and in 32.
// dispatch threads=4 per=4
// bind 1 uint 0 31 32 63
// want 0 ulong 1 2147483648 4294967296 9223372036854775808
// want 2 uint 1 2147483648 1 2147483648
// want 3 long -1 -1 -1 -1
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]], device const uint* n [[buffer(1)]], device uint* b [[buffer(2)]], device long* c [[buffer(3)]], uint i [[thread_position_in_grid]])
{
    a[i] = 1ul << n[i];
    b[i] = 1u << n[i];
    c[i] = -1L >> n[i];
}
