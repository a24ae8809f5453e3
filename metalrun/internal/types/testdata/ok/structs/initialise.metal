#include <metal_stdlib>
using namespace metal;

struct P { int x; float y; };
struct Q { P p; int a[2]; float4 v; };
struct D { int n = 3; float f = 0.5f; int rest; };
kernel void initialise(device Q* out [[buffer(0)]], device D* d [[buffer(1)]])
{
    Q a = {{1, 2.0f}, {3, 4}, float4(5)};
    Q b = {1, 2.0f, 3, 4, float4(5)};
    Q c = {};
    Q e{};
    Q f = {.p = {.x = 1}, .v = 2};
    P p = P{1, 2};
    P q{3};
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = e;
    out[4] = f;
    out[5].p = p;
    out[6].p = q;
    D x;
    D y = {1};
    D z{};
    d[0] = x;
    d[1] = y;
    d[2] = z;
    Q g;
    g.p.x = 1;
    out[7].p = {7, 8};
    P arr[] = {{1, 2}, {3, 4}};
    out[8].p = arr[1];
    P flat[2] = {1, 2, 3, 4};
    out[9].p = flat[1];
    const auto copy = a;
    out[10] = copy;
}
