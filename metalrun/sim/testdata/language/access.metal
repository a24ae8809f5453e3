// Access control, friends, mutable members, copy constructors.
#include <metal_stdlib>
using namespace metal;

class Counter {
    int count;
    friend class Peek;
    friend int read(const thread Counter &c) { return c.count; }
    friend int twice(const thread Counter &c);
    template <typename T> friend T readAs(const thread Counter &c);
public:
    Counter(int n) : count(n) {}
    static Counter of(int n) { return Counter(n, true); }
    struct Inner { int look(const thread Counter &c) { return c.count + 100; } };
protected:
    int step() { return ++count; }
    static int origin() { return 40; }
private:
    Counter(int n, bool) : count(2 * n) {}
};
class Peek {
public:
    int at(const thread Counter &c) { return c.count; }
};
int twice(const thread Counter &c) { return 2 * c.count; }
template <typename T> T readAs(const thread Counter &c) { return T(c.count) / 2; }

// want int 7 14 7
kernel void friends(device int *out [[buffer(0)]]) {
    Counter c(7);
    Peek p;
    out[0] = read(c);
    out[1] = twice(c);
    out[2] = p.at(c);
}

// want float 3.5
kernel void befriended_template(device float *out [[buffer(0)]]) {
    Counter c(7);
    out[0] = readAs<float>(c);
}

// want int 10 110
kernel void private_constructor_in_a_factory(device int *out [[buffer(0)]]) {
    Counter c = Counter::of(5);
    Counter::Inner i;
    out[0] = read(c);
    out[1] = i.look(c);
}

class Steps : public Counter {
public:
    Steps() : Counter(1) {}
    int two() { return step() + this->step() + Counter::step() + origin() + Counter::origin(); }
};

// want int 89
kernel void protected_members_of_a_base(device int *out [[buffer(0)]]) {
    Steps s;
    out[0] = s.two(); // 2 + 3 + 4 + 40 + 40
}

struct Base {
    int a;
    int b;
    int sum() const { return a + b; }
    int sum(int more) const { return a + b + more; }
};
class Hidden : Base {
public:
    Hidden(int x, int y) { a = x; b = y; }
    using Base::sum;
    using Base::b;
    int both() const { return sum() + sum(1); }
};
struct Open : private Base {
    Open() : Base{3, 4} {}
    operator int() const { return a * b; }
};
struct Middle : protected Base {
    Middle() { a = 5; b = 6; }
};
struct Last : Middle {
    int product() const { return a * b; }
};

// want int 3 13 2 7 12 30
kernel void inheritance_that_is_not_public(device int *out [[buffer(0)]]) {
    Hidden h(1, 2);
    out[0] = h.sum();
    out[1] = h.sum(10);
    out[2] = h.b;
    out[3] = h.both();
    out[4] = Open();
    out[5] = Last().product();
}

template <typename T> class Box {
    T value;
    template <typename U> friend class Box;
public:
    Box(T v) : value(v) {}
    template <typename U> Box(const thread Box<U> &b) : value(T(b.value)) {}
    T get() const { return value; }
};

// want int 3
kernel void instances_as_friends(device int *out [[buffer(0)]]) {
    Box<float> f(3.75f);
    Box<int> i(f);
    out[0] = i.get();
}

class Outer {
    class Part { public: int n; };
    Part part;
public:
    Outer() { part.n = 9; }
    Part get() const { return part; }
};

// want int 9
kernel void a_private_type_that_is_not_named(device int *out [[buffer(0)]]) {
    Outer o;
    auto p = o.get();
    out[0] = p.n;
}

struct Cache {
    mutable int reads;
    int value;
    int get() const { reads++; return value; }
};

// want int 5 5 2 7
kernel void mutable_members(device int *out [[buffer(0)]]) {
    const Cache c = {0, 5};
    out[0] = c.get();
    out[1] = c.get();
    out[2] = c.reads;
    c.reads = 7;
    out[3] = c.reads;
}

struct Tracked {
    int copies;
    Tracked() : copies(0) {}
    Tracked(const thread Tracked &o) : copies(o.copies + 1) {}
};
struct Pair {
    Tracked first;
    int n;
    Tracked rest[2];
};
int passed(Tracked t) { return t.copies; }
int referred(const thread Tracked &t) { return t.copies; }
Tracked made() { Tracked t; return t; }
Tracked handed(Tracked t) { return t; }

// want int 0 1 2 1 0 1 0 2
kernel void copy_constructors(device int *out [[buffer(0)]]) {
    Tracked a;
    Tracked b = a;
    Tracked c(b);
    out[0] = a.copies;
    out[1] = b.copies;
    out[2] = c.copies;
    out[3] = passed(a);
    out[4] = referred(a);
    auto d = a;
    out[5] = d.copies;
    out[6] = made().copies;
    out[7] = handed(a).copies; // into the parameter, and out of it
}

// want int 1 4 1 1
kernel void copies_of_members(device int *out [[buffer(0)]]) {
    Pair p;
    p.n = 4;
    Pair q = p;
    out[0] = q.first.copies;
    out[1] = q.n;
    out[2] = q.rest[0].copies;
    out[3] = q.rest[1].copies;
}

// want int 5
kernel void assignment_is_no_copy(device int *out [[buffer(0)]]) {
    Tracked a, b;
    a.copies = 5;
    b = a;
    out[0] = b.copies;
}
