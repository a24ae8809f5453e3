// A 64-bit number travels as two words.
// dispatch threads=32 per=32
// want 0 ulong 133143986207 128849018910 124554051613 120259084316 115964117019 111669149722 107374182425 103079215128 98784247831 94489280534 90194313237 85899345940 81604378643 77309411346 73014444049 68719476752 64424509455 60129542158 55834574861 51539607564 47244640267 42949672970 38654705673 34359738376 30064771079 25769803782 21474836485 17179869188 12884901891 8589934594 4294967297 0
#include <metal_stdlib>
using namespace metal;

static ulong exchange(ulong x, ushort from)
{
    uint2 w = as_type<uint2>(x);
    return as_type<ulong>(simd_shuffle(w, from));
}
kernel void f(device ulong* a [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    ulong x = ulong(lane) << 32 | lane;
    a[lane] = exchange(x, 31 - lane);
}
