#include <metal_stdlib>
using namespace metal;

class C {
    int field;
    int method() const { return 1; }
    typedef int Type;
    enum Kind { one };
    static int shared() { return 1; }
    static constant constexpr int constant_ = 2;
    class Nested { public: int n; };
    C(float x) : field(x) {}
    C operator+(int x) const { return *this; }
    C operator-() const { return *this; }
    operator float() const { return 1; }
    thread C &operator=(thread const C &) { return *this; }
    int overloaded(int) { return 1; }
public:
    C() : field(0) {}
    int overloaded(float) { return 1; }
};
int a1(C c) { return c.field; } // ERROR 24 access "'field' is a private member of 'C'"
int a2(C c) { return c.method(); } // ERROR 24 access "'method' is a private member of 'C'"
C::Type a3() { return 1; } // ERROR 4 access "'Type' is a private member of 'C'"
int a4() { return C::one; } // ERROR 22 access "'one' is a private member of 'C'"
int a5() { return C::shared(); } // ERROR 19 access "'shared' is a private member of 'C'"
int a6() { return C::constant_; } // ERROR 22 access "'constant_' is a private member of 'C'"
int a7() { C::Nested n; return n.n; } // ERROR 15 access "'Nested' is a private member of 'C'"
int a8() { C c(1.0f); return 1; } // ERROR 14 access "calling a private constructor of class 'C'"
int a9(C c) { c + 1; return 1; } // ERROR 17 access "'operator.' is a private member of 'C'"
int a10(C c) { -c; return 1; } // ERROR 16 access "'operator-' is a private member of 'C'"
int a11(C c) { float f = c; return f; } // ERROR 26 access "'operator float' is a private member of 'C'"
int a12(C c, C d) { c = d; return 1; } // ERROR 23 access "'operator=' is a private member of 'C'"
int a13(C c) { return c.overloaded(1); } // ERROR 25 access "'overloaded' is a private member of 'C'"
int a14(C c) { return c.overloaded(1.0f); }
int a15(thread C *c) { return c->field; } // ERROR 34 access "'field' is a private member of 'C'"
template <typename T> int a16(T c) { return c.field; } // ERROR 47 access "'field' is a private member of 'C'"
int a17(C c) { return a16(c); }

struct B {
    int open;
protected:
    B(int x) : open(x) {}
    B() : open(0) {}
    int half_open;
    static int s() { return 1; }
};
struct D : B {
    D() : B(1) {}
    int b1() { return half_open; }
    int b2(thread D &d) { return d.half_open; }
    int b3(thread B &b) { return b.half_open; } // ERROR 36 access "'half_open' is a protected member of 'B'"
    int b4() { return B::s() + s() + B::half_open; }
    int b5() { B b(1); return b.open; } // ERROR 18 access "calling a protected constructor of class 'B'"
};
struct P : private B {
    int c1() { return open; }
};
struct Q : P {
    int c2() { return open; } // ERROR 23 access "'open' is a private member of 'B'"
};
int c3(thread P &p) { return p.open; } // ERROR 32 access "'open' is a private member of 'B'"
int c4(const thread B &b) { return b.open; }
int c5(thread P &p) { return c4(p); } // ERROR 33 access "cannot cast 'P' to its private base class 'B'"
thread B *c6(thread P *p) { return p; } // ERROR 36 access "cannot cast 'P' to its private base class 'B'"
int c7() { return B::s(); } // ERROR 19 access "'s' is a protected member of 'B'"

class Z { int x; int y; };
int d1() { Z z = {1, 2}; return 1; } // ERROR 14 construct "Z has no constructor"
int d2(Z z) { auto [x, y] = z; return 1; } // ERROR 15 access "cannot decompose private member 'x' of 'Z'"
struct Y { friend int hidden(int x) { return x; } };
int d3() { return hidden(1); } // ERROR 19 undeclared "use of undeclared identifier 'hidden'"
class NoCopy { NoCopy(const thread NoCopy &) {} public: NoCopy() {} };
struct Never { Never() {} Never(const thread Never &) = delete; };
int e1() { NoCopy n; NoCopy m = n; return 1; } // ERROR 33 access "calling a private constructor of class 'NoCopy'"
int e2() { Never n; Never m = n; return 1; } // ERROR 31 deleted "deleted"
struct M { mutable int x; int y; void f() const { x = 1; y = 1; } }; // ERROR 60 write-const "const"
