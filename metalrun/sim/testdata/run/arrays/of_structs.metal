// An array of structs, searched from its end.
// want 0 int 2 30 -1
#include <metal_stdlib>
using namespace metal;

struct Entry {
    int key, value;
};
static int find(const thread Entry* table, int n, int key)
{
    for (int i = n - 1; i >= 0; i--) {
        if (table[i].key == key) {
            return i;
        }
    }
    return -1;
}
kernel void f(device int* a [[buffer(0)]])
{
    Entry table[3] = {{1, 10}, {2, 20}, {1, 30}};
    int at = find(table, 3, 1);
    a[0] = at;
    a[1] = table[at].value;
    a[2] = find(table, 3, 7);
}
