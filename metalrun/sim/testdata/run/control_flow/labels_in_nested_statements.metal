// A label leads into the loop or the branch that it stands in: conditions on the way are not asked.
// Statements before the first label have none that leads there, but what they declare is in scope.
// dispatch threads=7 per=7
// want 0 int 10 -1 -1 -1 -1 -1 -1 10 20 -1 -1 -1 -1 -1 10 20 30 -1 -1 -1 -1 10 20 30 40 -1 -1 -1 10 20 30 40 50 -1 -1 10 20 30 40 50 60 -1 10 20 30 40 50 60 70
// want 1 int 305 41 5 70 -70 7 305
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* out [[buffer(0)]], device int* sum [[buffer(1)]], uint id [[thread_position_in_grid]])
{
    const int n = int(id) + 1;
    device int* to = out + id * 7;
    int i = 0, turns = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { to[i] = 10 * (i + 1); i++;
    case 3:      to[i] = 10 * (i + 1); i++;
    case 2:      to[i] = 10 * (i + 1); i++;
    case 1:      to[i] = 10 * (i + 1); i++;
            } while (--turns > 0);
    }
    for (; i < 7; i++) to[i] = -1;

    int r = 0;
    switch (n) {
        int k;
        r = 1000; // never
    case 2:
        k = 20;
        if (r == 1000) {
            r = 500;
        } else {
            r += k;
            while (r < 5) {
    case 3:
                r += 5;
                if (n == 3) break;
            }
            if (n == 3) break;
            r += 1 + k;
        }
        break;
        for (r = 7; r < 9; r++) {
    case 6:
            if (n != 6) continue;
            r += 7;
            break;
        }
        break;
        if (r) {
    case 4:
            r += 70;
        } else
    case 5:
            r -= 70;
        break;
        {
    default:
            r += 305;
        }
    }
    sum[id] = r;
}
