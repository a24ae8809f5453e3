// Variables are written by way of pointers and references to const that casts make others of. The buffer is read again, too.
// bind 0 int 0 0 0 0 0 0
// bind 1 int 40
// want 0 int 7 9 11 8 6 45
// want 1 int 45
#include <metal_stdlib>
using namespace metal;

inline void poke(const thread int* p, int v) { *(thread int*)p = v; }
inline void by_reference(const thread int& r, int v) { const_cast<thread int&>(r) = v; }
inline void further(const thread int& r) { by_reference(r, 6); }

kernel void f(device int* out [[buffer(0)]], device const int* in [[buffer(1)]])
{
    int x = 1, y = 2, w = 5;
    int z[2] = {3, 4};
    poke(&x, 7);
    by_reference(y, 9);
    const thread int* q = z;
    *(thread int*)q = 11;
    poke(z + 1, 8);
    further(w);
    int before = in[0];
    ((device int*)in)[0] = before + 5;
    out[0] = x;
    out[1] = y;
    out[2] = z[0];
    out[3] = z[1];
    out[4] = w;
    out[5] = in[0];
}
