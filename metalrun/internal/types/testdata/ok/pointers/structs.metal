#include <metal_stdlib>
using namespace metal;

struct Node { int value; int next; };
struct View { device float* data; uint n; };
float read(View v, uint i) { return i < v.n ? v.data[i] : 0.0f; }
kernel void structs(device Node* nodes [[buffer(0)]], device float* data [[buffer(1)]])
{
    View v = {data, 4};
    data[0] = read(v, 2);
    v.data++;
    *v.data = 3;
    device Node* n = nodes;
    n->value = 3;
    (*n).next = n[1].next;
    for (; n->next > 0; n = nodes + n->next) n->value++;
    thread View* p = &v;
    p->data[1] = p->n;
    device int* field = &n->value;
    *field = 8;
    data[3] = read({data, 3}, 1);
}
