// The host finds a kernel under its path, or under its host_name.
// kernel outer::inner::add plain
// bind 0 int 1
// want 0 int 12
#include <metal_stdlib>
using namespace metal;

namespace outer {
namespace inner {
kernel void add(device int* a [[buffer(0)]])
{
    a[0] += 5;
}
[[host_name("plain")]] kernel void twice(device int* a [[buffer(0)]])
{
    a[0] *= 2;
}
}
}
