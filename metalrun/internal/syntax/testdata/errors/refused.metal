// What Metal has not, or this front end: refused by name.
double /* ERROR "not-a-metal-type: double is not a Metal type" */ a;
---
long /* ERROR "not-a-metal-type: long long is not a Metal type" */ long a;
unsigned /* ERROR "long long is not a Metal type" */ long long int b;
long double /* ERROR "double is not a Metal type" */ c;
wchar_t /* ERROR "wchar_t is not a Metal type" */ d;
__int128 /* ERROR "__int128 is not a Metal type" */ e;
float f(double /* ERROR "double is not a Metal type" */ x);
constant float g = (double /* ERROR "double is not a Metal type" */) 1;
thread_local /* ERROR "not-in-metal: thread_local is not supported in Metal" */ int h;
---
namespace n {}
void j(int x, ... /* ERROR "not-in-metal: variable arguments are not supported in Metal" */ );
asm /* ERROR "asm is not supported in Metal" */ ("nop");
---
void f(thread int &n) {
    goto /* ERROR "not-in-metal: goto is not supported in Metal" */ end;
end /* ERROR "not-in-metal: label .end.: goto and labels are not supported in Metal" */ :
    n = 1;
    thread int *p = new /* ERROR "new is not supported in Metal" */ int;
    delete /* ERROR "delete is not supported in Metal" */ p;
    try /* ERROR "try is not supported in Metal, which has no exceptions" */ { n = 1; }
    throw /* ERROR "throw is not supported" */ 1;
    n = dynamic_cast /* ERROR "dynamic_cast is not supported in Metal" */ <int>(n);
    n = typeid /* ERROR "typeid is not supported in Metal" */ (n);
    asm /* ERROR "asm is not supported in Metal" */ ("nop");
    register /* ERROR "register is not supported in Metal" */ int r;
    n = ({ break /* ERROR "misplaced: 'break' statement not in loop or switch statement" */; n; });
    double /* ERROR "double is not a Metal type" */ d = 1;
    n = double /* ERROR "double is not a Metal type" */ (1);
    n = sizeof(double /* ERROR "double is not a Metal type" */);
    n = p->* /* ERROR "unsupported: pointers to members are not supported" */ n;
}
---
struct S {
    virtual /* ERROR "not-in-metal: virtual is not supported in Metal" */ void f();
    void g() = 0 /* ERROR "not-in-metal: pure virtual functions are not supported in Metal" */ ;
    mutable /* ERROR "specifier: 'mutable' cannot be applied to functions" */ int h();
    mutable /* ERROR "specifier: 'mutable' and 'const' cannot be mixed" */ const int x;
    mutable /* ERROR "specifier: 'mutable' cannot be applied to references" */ thread int &z;
    void *operator new /* ERROR "not-in-metal: operator new is not supported in Metal" */ (size_t n);
    float operator"" x /* ERROR "bad-number: user-defined literal suffixes not starting with '_' are reserved: got x" */ (float x);
    int z = "a" "b" _x /* ERROR "unsupported: a suffix of a string or a character, such as _x, is not supported" */ ;
    int y;
};
struct D : virtual /* ERROR "virtual is not supported in Metal" */ S {};
---
struct S {};
union F : S /* ERROR "specifier: unions cannot have base classes" */ {};
struct G : private virtual /* ERROR "virtual is not supported in Metal" */ S {};
mutable /* ERROR "specifier: 'mutable' can only be applied to member variables" */ int v;
template <typename... Ts> struct H : Ts... {};
template <typename T> struct I { static int x; };
---
typedef int t [[x /* ERROR "unsupported: the attribute .x. of a typedef is not supported" */]];
void f() {
    int x = 1;
    [[buffer /* ERROR "misplaced: 'buffer' attribute cannot be applied to a statement" */(0)]] x = 2;
}
