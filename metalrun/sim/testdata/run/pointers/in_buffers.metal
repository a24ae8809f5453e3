// A buffer can hold pointers into device and constant memory: a list of two nodes, whose numbers are 1 and 2.
// bind 0 ulong 0 x10
// bind 2 float 5 6
// want 1 float 3 7 1 6
#include <metal_stdlib>
using namespace metal;

struct Node { float number; device Node *next; device float *out[2]; constant float *table; };

kernel void k(device Node *nodes [[buffer(0)]], device float *out [[buffer(1)]], constant float *table [[buffer(2)]])
{
    nodes[0] = {1, nodes + 1, {out, out}, table};
    nodes[1] = {2, nullptr, {out, out + 1}, table + 1};
    float sum = 0;
    for (device Node *n = nodes; n; n = n->next)
        sum += n->number;
    out[0] = sum;
    *nodes[0].next->out[1] = 7;
    out[2] = nodes[0].next == &nodes[1];
    out[3] = *nodes[1].table;
}
