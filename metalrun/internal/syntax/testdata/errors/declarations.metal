// Declarations that are none.
float 1 /* ERROR "expected-name: expected unqualified-id, got .1.: want a name to declare" */ ;
template <typename T> float ; /* ERROR "expected-name: got .;., want a name to declare" */
1 /* ERROR "expected-type: got .1., want a type" */ x;
unknown /* ERROR "unknown-type: unknown type name .unknown." */ x;
ns /* ERROR "unknown-type: unknown type name .ns::unknown." */ ::unknown y;
device const unknown /* ERROR "unknown-type: unknown type name .unknown." */ *p;
int a /* ERROR-AFTER "expected-token: expected .;., got .b." */ b ;
int c = 1 /* ERROR-AFTER "expected-token: expected .;., got .d." */ d ;
int e = ; /* ERROR "expected-expression: expected expression, got .;." */
---
int g[3 ; /* ERROR "expected-token: expected .\]., got .;." */
---
float /* ERROR "bad-specifier: the words \[float short\] make no type together" */ short h;
char /* ERROR "make no type together" */ int i;
int /* ERROR "make no type together" */ int i2;
unsigned /* ERROR "make no type together" */ signed j;
device constant /* ERROR "bad-specifier: got a second address space constant after device" */ float *l;
static static /* ERROR "bad-specifier: got a second static" */ int m;
coherent(threadgroup /* ERROR "expected-token: got .threadgroup., want .device. or .system." */ ) device int *n;
typedef /* ERROR "bad-specifier: got a specifier that no typedef may have" */ static int o;
void p(static /* ERROR "bad-specifier: got a specifier that no parameter may have" */ int x);
void q(struct /* ERROR "bad-specifier: got the definition of a type in a parameter" */ Q { int x; } q);
struct /* ERROR "bad-specifier: got the definition of a type in the result" */ R { int x; } r();
kernel /* ERROR "bad-specifier: got a specifier that no variable may have" */ int r;
struct /* ERROR "bad-specifier: anonymous structs and classes must be class members" */ { int x; };
kernel int; /* ERROR "expected-name: got .;., want a name to declare" */
int s() {}
, /* ERROR "expected-type: got .,., want a type" */ t;
---
int u, v /* ERROR "expected-token: got the body of a function after another declarator" */ () { }
int w(), w2, w3 /* ERROR "got the body of a function after another declarator" */ (int) { };
int x = 1 { /* ERROR "expected-token: got .\{., want .;. after a variable" */ }
auto y() -> int { return 1; }
int z() -> /* ERROR "bad-specifier: got a trailing result type, want .auto. before the function's name" */ int { return 1; }
int aa(int) = nothing /* ERROR "expected-token: got .nothing., want .default. or .delete." */ ;
void bb(int x, ) /* ERROR "expected-type: got .\)., want a type" */ ;
int operator; /* ERROR "expected-token: got .;., want an operator" */
---
int ~ /* ERROR "expected-name: got .~X., want the name of a variable" */ X;
using X /* ERROR "expected-name: got .X., want a qualified name" */ ;
using namespace 1 /* ERROR "expected-name: got .1., want a name" */ ;
using Y = 1 /* ERROR "expected-type: got .1., want a type" */ ;
namespace 1 /* ERROR "expected-name: got .1., want the name of a namespace" */ { }
static_assert(true, 1 /* ERROR "expected-token: got .1., want a message in quotes" */ );
enum class { /* ERROR "expected-name: got .\{., want a name after enum class" */ A };
enum E { 1 /* ERROR "expected-name: got .1., want the name of an enumerator" */ };
enum F { A B /* ERROR "expected-token: expected .\}., got .B." */ };
struct S { int x /* ERROR-AFTER "expected-token: expected .;., got .\}." */ } ;
struct T { int x; void f() { x = ; /* ERROR "expected-expression" */ } int y = ; /* ERROR "expected-expression" */ int z; };
T t;
kernel int [[x]]; /* ERROR "expected-name: got .;., want a name to declare" */
void attr(int x [[1 /* ERROR "expected-name: got .1., want the name of an attribute" */ ]]);
---
// The first is C++'s most vexing parse; what the others declare is plain.
int g(int x);
void f(float a) {
    int b( /* ERROR "bad-specifier: this declares a function; write .=. for a variable with an initial value" */ int(a));
    int c(int(a) + 1), d((int(a))), e(int(a), 1);
    int h(int(1));
}
---
void f(float a) {
    if (int /* ERROR "bad-specifier: got a declaration as condition, want one variable with an initial value" */ i) {}
    int g() { /* ERROR "bad-specifier: function definition is not allowed here" */ }
    a = 1;
}
---
namespace n { int x;  /* ERROR-EOF "expected-token: expected .\}., got end of file" */
---
void f() { if (1) { /* ERROR-EOF "expected-token: expected .\}., got end of file" */
---
void f( /* ERROR-EOF "got end of file" */
---
void f() /* ERROR-AFTER "expected-token: expected .;., got .\}." */ }
