// One struct may point into three spaces.
// bind 1 int 1 2
// inline 2 int 10 20
// want 0 int 111 222
#include <metal_stdlib>
using namespace metal;

struct Sources {
    device const int* d;
    constant int* c;
    thread int* t;
    int sum(uint i) const { return d[i] + c[i] + t[i]; }
};
kernel void f(device int* a [[buffer(0)]], device const int* d [[buffer(1)]], constant int* c [[buffer(2)]])
{
    int local[2] = {100, 200};
    Sources s = {d, c, local};
    a[0] = s.sum(0);
    a[1] = s.sum(1);
}
