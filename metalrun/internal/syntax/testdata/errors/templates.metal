// Templates and classes.
template <typename T> struct X { T a; using type = T; static constexpr constant int value = 1; };
template <typename T> struct Y {
    X /* ERROR "missing-typename: got .X<T>::type., want .typename. before a type that depends on template parameters" */ <T>::type a;
    typename X<T>::type b;
    int c = X<T>::value;
    typename T /* ERROR "expected-name: got .T. after typename, want a qualified name" */ d;
    T /* ERROR "unknown-type: unknown type name .T::type." */ ::type e;
};
template <typename T> void f() {
    X /* ERROR "missing-typename: got .X<T>::type." */ <T>::type a = 1;
    typename X<T>::type b = typename X<T>::type(1);
}
X<int>::type g;
---
template /* ERROR "bad-specifier: got a typedef after template parameters" */ <typename T> typedef int h;
---
template <typename T> int a, /* ERROR "expected-token: got .,., want one declaration after template parameters" */ b;
template <typename T> struct P {} /* text */ p /* ERROR "expected-token: got .p., want .;. after a template" */ ;
template <typename T> enum /* ERROR "bad-specifier: got an enumeration after template parameters" */ E { A };
template <typename T int /* ERROR "expected-token: expected .>., got .int." */> void g();
template <typename T, 1 /* ERROR "expected-type: got .1., want a type" */> void g();
---
template <int /* ERROR "bad-specifier: got attributes on a template parameter" */ n [[x]]> void g();
template <typename T> struct X { T a; };
struct X /* ERROR "bad-specifier: got template arguments on .X., want them on a specialisation of a class template" */ <int> {};
X<int x /* ERROR "expected-token: got .x., want .,. or .>. in template arguments of .X." */ > a;
X<int, > b;
X<1 + /* comment */ > /* ERROR "expected-expression: expected expression, got .>." */ c;
template kernel; /* ERROR "expected-type: got .;., want a type" */
---
struct A { struct B; };
struct A /* ERROR "unsupported: the definition of .A::B. outside its class or namespace is not supported" */ ::B {};
---
template <typename T> struct B { B(int); };
struct D { D() : 1 /* ERROR "expected-name: got .1., want a member's name" */ {} int x; };
struct E { E() : x /* text */ y /* ERROR "expected-token: got .y., want .\(. or .\{." */ {} int x; };
struct F : Unknown /* ERROR "unknown-type: unknown type name .Unknown." */ {};
struct G { public /* text */ int /* ERROR "expected-token: expected .:., got .int." */ x; };
template <typename T> constexpr constant bool v = true;
---
struct A { template <typename T> T get() { return T(1); } template <int N> int at() { return N; } };
template <typename T> struct B { T v; template <typename U> U as() { return U(v); } int own() { return as<int>() + this->as<int>(); }
    int other(B<T> o) { return o.as<int>() + v.get /* ERROR "missing-template: use 'template' keyword to treat 'get' as a dependent template name" */ <float>(); } };
template <typename T> int f(T a) { return a.get /* ERROR "missing-template" */ <int>() + a.template get<int>(); }
template <typename T> int g(thread T *a) { return a->a[0].get /* ERROR "missing-template" */ <int>(); }
template <typename T> int h(B<T> b) { A a; return b.as /* ERROR "missing-template" */ <int>() + a.get<int>() + a.at<2>(); }
template <typename T> int i(T a) { return a.at /* ERROR "missing-template" */ <3>(); }
template <typename T> int j(T a) { return a->unknown /* ERROR "missing-template" */ <int>(); }
template <typename T> int k() { return T::get /* ERROR "missing-template" */ <int>() + T::template get<int>(); }
template <typename T> int l(T a) { auto b = a; return b.get /* ERROR "missing-template" */ <int>(); }
template <typename T> bool m(T a, int n) { return a.size < n && n > 2 || a.size < sizeof(int); }
template <typename T> int n(T a) { B<int> b; return b.as<int>() + pick(a).get /* ERROR "missing-template" */ <int>(); }
