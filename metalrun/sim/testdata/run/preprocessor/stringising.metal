// # makes a string of an argument as written, and of its expansion one level down.
// kernel plain_N level_7
// bind 0 int 0
// want 0 int 11
#include <metal_stdlib>
using namespace metal;

#define STRING(x) #x
#define NAME(x) STRING(x)
#define N 7
[[host_name("plain_" STRING(N))]] kernel void first(device int* a [[buffer(0)]])
{
    a[0] += 1;
}
[[host_name("level_" NAME(N))]] kernel void second(device int* a [[buffer(0)]])
{
    a[0] += 10;
}
