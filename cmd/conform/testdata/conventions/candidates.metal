#include <metal_stdlib>
using namespace metal;

// A queue of candidates: an index is drawn by an atomic, and one element follows each draw.
kernel void candidates(device const float *logits [[buffer(0)]], device uint *list [[buffer(1)]], device atomic_uint *count [[buffer(2)]], constant float &threshold [[buffer(3)]],
                       constant uint &vocab_size [[buffer(4)]], constant uint &capacity [[buffer(5)]], uint i [[thread_position_in_grid]]) {
    if (i >= vocab_size || logits[i] < threshold) return;
    const uint at = FAULT == 2 ? atomic_load_explicit(count, memory_order_relaxed) : atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    if (at < capacity) list[at] = i;
}
