// Objects that do something when their scope ends.
#include <metal_stdlib>
using namespace metal;

// It leaves its number behind the others.
struct Trace {
    thread int &log;
    int n;
    Trace(thread int &l, int k) : log(l), n(k) {}
    ~Trace() { log = log * 10 + n; }
};

// want int 0 21
kernel void last_first(device int *out [[buffer(0)]])
{
    int log = 0;
    {
        Trace a(log, 1), b(log, 2);
        out[0] = log;
    }
    out[1] = log;
}

static int early(thread int &log, int x)
{
    Trace a(log, 1);
    if (x > 5)
        return x;
    Trace b(log, 2);
    x *= 2;
    return x + log;
}

// want int 9 1 6 21
kernel void before_a_return_behind_its_value(device int *out [[buffer(0)]])
{
    int log = 0;
    out[0] = early(log, 9);
    out[1] = log;
    log = 0;
    out[2] = early(log, 3);
    out[3] = log;
}

// want int 343 12
kernel void turns_of_a_loop(device int *out [[buffer(0)]])
{
    int log = 0;
    for (int i = 0; i < 5; i++) {
        if (i == 1)
            continue;
        Trace a(log, 3 + i / 2);
        if (i == 0)
            continue;
        if (i == 3)
            break;
        Trace b(log, 3);
        b.n = 4;
        a.n = 3;
        log = 3;
        if (i == 2)
            break;
    }
    out[0] = log;
    log = 0;
    for (Trace t(log, 2); log < 1; log++) {}
    out[1] = log;
}

// want int 21 3 21
kernel void branches_and_cases(device int *out [[buffer(0)]])
{
    int log = 0;
    if (Trace t(log, 1); t.n == 1) {
        Trace u(log, 2);
    }
    out[0] = log;
    log = 0;
    switch (log) {
    case 0: {
        Trace t(log, 3);
        break;
    }
    default: log = 9;
    }
    out[1] = log;
    log = 0;
    switch (int k = 1; k) {
    default:
        Trace t(log, 1);
        Trace u(log, 2);
        break;
    }
    out[2] = log;
}

struct Pair {
    Trace first, second;
    Pair(thread int &l) : first(l, 1), second(l, 2) {}
    ~Pair() { first.log = 9; }
};
struct Base {
    thread int &log;
    Base(thread int &l) : log(l) {}
    ~Base() { log = log * 10 + 5; }
};
struct Derived : Base {
    Trace member;
    Derived(thread int &l) : Base(l), member(l, 6) {}
    ~Derived();
};
Derived::~Derived() { log = 7; }

// want int 921 765 321
kernel void members_bases_elements(device int *out [[buffer(0)]])
{
    int log = 0;
    { Pair p(log); }
    out[0] = log;
    { Derived d(log); }
    out[1] = log;
    log = 0;
    { Trace a[3] = { { log, 1 }, { log, 2 }, { log, 3 } }; }
    out[2] = log;
}

template <typename T> struct Guard {
    T f;
    Guard(T g) : f(g) {}
    ~Guard() { f(); }
};
struct Add {
    thread int *p;
    void operator()() const { *p += 40; }
};
static Trace made(thread int &l) { return Trace(l, 4); }

// want int 42 4 7
kernel void templates_and_results(device int *out [[buffer(0)]])
{
    int x = 2;
    { Guard<Add> g(Add{&x}); }
    out[0] = x;
    x = 0;
    { Trace t = made(x); }
    out[1] = x;
    x = 1;
    int y = ({ Trace t(x, 9); x + 6; });
    out[2] = y;
}

struct Trivial { int n; ~Trivial() {} };
struct Defaulted { int n; ~Defaulted() = default; };
static int byValue(Trivial t) { return t.n; }
static Defaulted named(int n) { Defaulted d; d.n = n; return d; }

// want int 3 4
kernel void nothing_to_do(device int *out [[buffer(0)]])
{
    out[0] = byValue(Trivial{3});
    out[1] = named(4).n;
}
