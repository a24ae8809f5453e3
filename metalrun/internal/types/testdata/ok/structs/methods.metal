#include <metal_stdlib>
using namespace metal;

struct Counter {
    int n;
    int get() const { return n; }
    int get() const device { return n + 1; }
    int get() constant { return n + 2; }
    void add(int k) { n += k; }
    thread Counter& inc() { n++; return *this; }
    static int twice(int x) { return x * 2; }
    int scaled(int k = 2) const { return get() * k; }
};
kernel void methods(device Counter* d [[buffer(0)]], constant Counter& c [[buffer(1)]], device int* out [[buffer(2)]])
{
    Counter l = c;
    l.add(3);
    l.inc().inc().add(1);
    out[0] = l.get();
    out[1] = d->get();
    out[2] = c.get();
    out[3] = Counter::twice(4) + l.scaled() + l.scaled(5);
    out[4] = l.twice(1);
    thread Counter* p = &l;
    p->add(1);
    out[5] = Counter{3}.get();
}
