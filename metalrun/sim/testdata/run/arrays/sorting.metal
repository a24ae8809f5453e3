// Insertion sort of a private array, each thread its own column.
// dispatch threads=2 per=2
// bind 1 int 3 9 1 -4 2 0
// want 0 int 1 -4 2 0 3 9
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device const int* x [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    int v[3];
    for (uint k = 0; k < 3; k++) {
        int next = x[2 * k + i];
        int at = k;
        while (at > 0 && v[at - 1] > next) {
            v[at] = v[at - 1];
            at--;
        }
        v[at] = next;
    }
    for (uint k = 0; k < 3; k++) {
        a[2 * k + i] = v[k];
    }
}
