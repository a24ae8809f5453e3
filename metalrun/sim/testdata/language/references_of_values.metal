// Overloads on references to objects that have a name and to values that have none.
#include <metal_stdlib>
using namespace metal;

static int bound(const thread int &) { return 1; }
static int bound(thread int &) { return 2; }
static int bound(thread int &&x) { return 30 + x; }

// want int 2 1 34 35
kernel void values_and_objects(device int *out [[buffer(0)]])
{
    int i = 3;
    const int c = 2;
    out[0] = bound(i);
    out[1] = bound(c);
    out[2] = bound(4);
    out[3] = bound(i + 2);
}

struct Taken {
    int v;
    Taken(int n) : v(n) {}
    Taken(const thread Taken &o) : v(o.v + 10) {}
    Taken(thread Taken &&o) : v(o.v + 100) {}
};
static int take(Taken t) { return t.v; }

// want int 11 5 101
kernel void copied_or_moved(device int *out [[buffer(0)]])
{
    Taken t(1);
    out[0] = take(t);
    out[1] = take(Taken(5));
    out[2] = take(static_cast<thread Taken &&>(t));
}

struct Holder {
    int v = 7;
    thread int &&value() { return move(v); }
};

// want int 33 2 101 37
kernel void moved(device int *out [[buffer(0)]])
{
    int i = 3;
    Taken t(1);
    Holder h;
    thread int &&r = move(i);
    out[0] = bound(move(i));
    out[1] = bound(r);
    out[2] = take(move(t));
    out[3] = bound(h.value());
}
