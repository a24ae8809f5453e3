// A neighbour is read while it may be written, and its value is then not used.
// dispatch threads=64 per=64
// bind 0 int 5 x65
// want 0 int 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 5
// find 12:10 undefined race write and read; 11:22
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]])
{
    int there = max(x[i + 1], 0);
    x[i] = i < 64 ? int(i) : there;
}
