// Atomics as members of a struct in device memory, and the generic name atomic<T>.
// dispatch threads=3 per=3
// bind 0 int 10 20 5
// want 0 int 13 20 8
#include <metal_stdlib>
using namespace metal;

struct Counters {
    atomic<int> first;
    int plain;
    atomic<uint> second;
};
kernel void f(device Counters& c [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    atomic_fetch_add_explicit(&c.first, 1, memory_order_relaxed);
    atomic_fetch_max_explicit(&c.second, i + 6, memory_order_relaxed);
}
