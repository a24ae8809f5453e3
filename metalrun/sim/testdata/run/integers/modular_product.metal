// (a * b) mod m in 64 bits, by threads: squares modulo 2^31 - 1 of 2^30, 2^31 - 2 and 65536.
// dispatch threads=3 per=3
// bind 1 uint 1073741824 2147483646 65536
// want 0 uint 536870912 1 2
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device const uint* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    constexpr ulong m = (1ul << 31) - 1;
    ulong p = (ulong)x[i] * x[i];
    p = (p & m) + (p >> 31);
    a[i] = p >= m ? p - m : p;
}
