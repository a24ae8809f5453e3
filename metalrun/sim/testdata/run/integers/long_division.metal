// 64-bit quotients and remainders by numbers that differ between threads.
// dispatch threads=4 per=4
// bind 1 ulong 1000000000000 18446744073709551615 7 0x100000000
// bind 2 ulong 7 4294967296 9 3
// want 0 ulong 142857142857 4294967295 0 1431655765
// want 3 ulong 1 4294967295 7 1
#include <metal_stdlib>
using namespace metal;

kernel void f(device ulong* a [[buffer(0)]], device const ulong* x [[buffer(1)]], device const ulong* y [[buffer(2)]], device ulong* b [[buffer(3)]], uint i [[thread_position_in_grid]])
{
    a[i] = x[i] / y[i];
    b[i] = x[i] % y[i];
}
