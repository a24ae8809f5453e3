// Objects without a name that do something when they end: behind their full expression, or
// with the reference that keeps them.
#include <metal_stdlib>
using namespace metal;

// It leaves its number behind the others.
struct Trace {
    thread int *log;
    int n;
    ~Trace() { *log = *log * 10 + n; }
    int get() const { return n; }
    explicit operator bool() const { return n > 1; }
};
static Trace made(thread int &log, int n) { return Trace{&log, n}; }

// want int 10 1 5
kernel void behind_a_full_expression(device int *out [[buffer(0)]])
{
    int log = 0;
    out[0] = made(log, 1).get() * 10 + log;
    out[1] = log;
    log = 0;
    Trace{&log, 5};
    out[2] = log;
}

static int changed(Trace t)
{
    t.n += 3;
    return *t.log;
}
static int both(Trace a, const thread Trace &b) { return a.n * 10 + b.n; }

// want int 0 4 12 421
kernel void arguments(device int *out [[buffer(0)]])
{
    int log = 0;
    out[0] = changed(Trace{&log, 1});
    out[1] = log;
    Trace t{&log, 1};
    out[2] = both(t, made(log, 2));
    out[3] = log; // the copy and what the reference is bound to, the last one first
}

// want int 1 72 5 7
kernel void only_if_evaluated(device int *out [[buffer(0)]])
{
    int log = 0;
    bool b = made(log, 2).n == 2 && (made(log, 7).n == 7 || made(log, 9).n == 9);
    out[0] = b;
    out[1] = log;
    log = 0;
    out[2] = b ? made(log, 5).n : made(log, 6).n;
    Trace chosen = b ? made(log, 7) : made(log, 8);
    log = 0;
    out[3] = chosen.n;
}

struct Outer {
    Trace part;
    int rest[2];
};
static Outer outer(thread int &log) { return Outer{{&log, 7}, {1, 2}}; }

// want int 6 6 2 7 7 2 21
kernel void kept_by_a_reference(device int *out [[buffer(0)]])
{
    int log = 0;
    {
        const thread Trace &t = made(log, 6);
        out[0] = t.n + log;
    }
    out[1] = log;
    log = 0;
    {
        auto &&two = outer(log).rest[1];
        out[2] = two + log;
    }
    out[3] = log;
    log = 0;
    {
        auto [part, rest] = outer(log);
        out[4] = part.n + log;
    }
    log = 0;
    if (auto &&t = made(log, 2))
        out[5] = t.n + log;
    log = log * 10 + 1;
    out[6] = log;
}

// want int 221 2 5 1 12 531
kernel void conditions_and_loops(device int *out [[buffer(0)]])
{
    int log = 0;
    while (made(log, log < 2 ? 2 : log < 22 ? 2 : 1).n > 1) {}
    out[0] = log;
    log = 0;
    if (made(log, 2))
        out[1] = log;
    log = 0;
    for (int i = 0; i < 1; i++, made(log, 5)) {}
    out[2] = log;
    log = 0;
    switch (made(log, 1).n) {
    case 1: out[3] = log;
    }
    log = 0;
    Trace pair[2] = { { &log, 1 }, { &log, 2 } };
    for (auto t : pair)
        if (t.n == 2)
            break;
    out[4] = log;
    log = 0;
    do {
        log = 5;
    } while (made(log, 3).n == log);
    out[5] = log * 10 + pair[0].n;
}

static Trace same(thread int &log, bool early)
{
    Trace t{&log, 1};
    if (early) {
        t.n = 5;
        return t;
    }
    t.n = 6;
    return t;
}
static Trace oneOf(thread int &log, bool first)
{
    Trace t{&log, 1}, u{&log, 2};
    if (first)
        return t;
    return u;
}
static Trace handedOn(Trace t) { return t; }

// want int 0 6 21 4 1
kernel void returned_by_name(device int *out [[buffer(0)]])
{
    int log = 0;
    {
        Trace t = same(log, false);
        out[0] = log; // t was the object of the function itself
        out[1] = t.n;
    }
    log = 0;
    Trace u = oneOf(log, true);
    out[2] = log; // neither was, as each is returned somewhere
    log = 0;
    Trace v = handedOn(made(log, 4));
    out[3] = log;
    out[4] = u.n;
}

struct Member {
    Trace t;
    int n;
    Member(thread int &log) : t(made(log, 5)), n(made(log, 8).n) {}
};

// want int 8 85 7 72
kernel void members_and_statements_in_expressions(device int *out [[buffer(0)]])
{
    int log = 0;
    {
        Member m(log);
        out[0] = log;
    }
    out[1] = log;
    log = 0;
    int n = ({ made(log, 7); int v = made(log, 2).n; v * 0 + log / 10; });
    out[2] = n;
    out[3] = log;
}

struct Two {
    int a, b;
};

// want int 12 34 37
kernel void bindings_of_a_range(device int *out [[buffer(0)]])
{
    Two list[2] = { { 1, 2 }, { 3, 4 } };
    int i = 0;
    for (auto [a, b] : list)
        out[i++] = a * 10 + b;
    for (auto &[a, b] : list)
        b += a;
    out[i] = list[1].a * 10 + list[1].b;
}
