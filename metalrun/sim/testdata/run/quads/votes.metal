// Bits of the quad's own lanes; all and any of each quad.
// dispatch threads=8 per=8
// want 0 uint 0xe 0xe 0xe 0xe 0xf 0xf 0xf 0xf
// want 1 int 2 2 2 2 3 3 3 3
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], device int* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    a[i] = uint(ulong(quad_ballot(i > 0))) & 15;
    b[i] = quad_all(i > 0) + 2 * quad_any(i > 0);
}
