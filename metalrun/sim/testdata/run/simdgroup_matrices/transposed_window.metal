// A transposed load out of a larger matrix: element (r, c) is that of row c + 2 and column r + 3.
// dispatch threads=32 per=32
// bind 1 float 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119
// want 0 float 27 39 51 63 75 87 99 111 28 40 52 64 76 88 100 112 29 41 53 65 77 89 101 113 30 42 54 66 78 90 102 114 31 43 55 67 79 91 103 115 32 44 56 68 80 92 104 116 33 45 57 69 81 93 105 117 34 46 58 70 82 94 106 118
#include <metal_stdlib>
using namespace metal;

kernel void f(device float* a [[buffer(0)]], device const float* x [[buffer(1)]])
{
    simdgroup_float8x8 m;
    simdgroup_load(m, x + 2 * 12 + 3, 12, 0, true);
    simdgroup_store(m, a);
}
