// A value computed in the loop's last turn differs between threads that leave at different turns.
// dispatch threads=4 per=4
// bind 0 int 0 x4
// want 0 int 0 10 20 30
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    int last = -1;
    for (int j = 0;; j++) {
        int now = j * 10;
        if (j >= int(i)) {
            last = now;
            break;
        }
    }
    a[i] = last;
}
