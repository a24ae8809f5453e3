#include <metal_stdlib>
using namespace metal;

struct alignas(16) A { float x; };
struct B { char c; alignas(8) int n; };
struct C { A a[2]; char tail; };
static_assert(sizeof(A) == 16 && alignof(A) == 16, "A");
static_assert(sizeof(B) == 16 && alignof(B) == 8, "B");
static_assert(sizeof(C) == 48, "C");
struct Empty {};
static_assert(sizeof(Empty) == 1, "Empty");
kernel void alignment(device C* c [[buffer(0)]]) { c[0].a[1].x = sizeof(B); }
