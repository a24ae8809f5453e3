// An argument that a function constant excludes is a null pointer: it may be handed on, as long as nobody looks.
// constant 0 bool false
// bind 1 int 5
// want 1 int 6
#include <metal_stdlib>
using namespace metal;

constant bool masked [[function_constant(0)]];
int pick(device const int* mask, int x) { return masked ? mask[0] : x + 1; }
kernel void f(device const int* mask [[buffer(0), function_constant(masked)]], device int* a [[buffer(1)]])
{
    a[0] = pick(mask, a[0]);
}
