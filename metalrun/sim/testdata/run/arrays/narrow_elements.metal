// Arrays of a thread whose elements are narrower than a word, at places that all threads have: threads that are not
// there leave theirs, and a bool is 1 for whoever reads its byte.
// dispatch threads=4 per=4
// want 0 int -3 65533 -120 136 1 3  -3 65533 -120 136 1 9  -3 65533 -120 136 0 3  -3 65533 -120 136 1 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    short s[3] = {7, 7, 7};
    ushort u[3] = {0, 0, 0};
    char c[5] = {0, 0, 0, 0, 0};
    uchar b[5] = {0, 0, 0, 0, 0};
    bool t[3] = {false, i != 2, false};
    half h[3] = {1.0h, 2.0h, 0.0h};
    bfloat g[3] = {1.0bf, 1.0bf, 4.0bf};
    s[1] = -3;
    u[1] = ushort(s[1]);
    c[3] = -120;
    b[3] = uchar(c[3]);
    h[1] = h[0] + h[1];
    if (i % 2 == 1) {
        h[1] = h[1] + half(float(g[2]) + float(g[1]) + 1.0f);
        s[2] = short(h[1]);
    }
    device int* o = out + 6 * i;
    o[0] = s[1];
    o[1] = u[1];
    o[2] = c[3];
    o[3] = b[3];
    o[4] = reinterpret_cast<thread uchar*>(t)[1];
    o[5] = i % 2 == 1 ? s[2] : int(h[1]);
}
