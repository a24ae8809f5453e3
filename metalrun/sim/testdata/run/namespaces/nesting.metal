// Inner namespaces see the names of outer ones and may hide them.
// want 0 int 11 20 21
#include <metal_stdlib>
using namespace metal;

namespace outer {
constant int base = 10;
constant int hidden = 1;
namespace inner {
constant int hidden = 2;
static int sum() { return base + outer::hidden; }
static int product() { return base * hidden; }
}
static int both() { return inner::product() + hidden; }
}
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = outer::inner::sum();
    a[1] = outer::inner::product();
    a[2] = outer::both();
}
