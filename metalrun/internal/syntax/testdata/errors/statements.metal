// Statements and expressions that are none, several in one function: the
// parser goes on after each.
void f(int x) {
    x = ; /* ERROR "expected-expression: expected expression, got .;." */
    x = 1 +; /* ERROR "expected-expression: expected expression, got .;." */
    x = 1;
}
---
void f(int x) {
    x = (1 + 2; /* ERROR "expected-token: expected .\)., got .;." */
    x = ; // ERROR "expected-expression: expected expression, got .;."
}
---
void f(int x) {
    x = ) /* ERROR "expected-expression: expected expression, got .\)." */ ;
}
---
void f(int x, thread int *p) {
    foo /* ERROR "unknown-type: unknown type name .foo." */ y;
    foo /* ERROR "unknown-type: unknown type name .foo." */ *q = p;
    x = 1 /* ERROR-AFTER "expected-token: expected .;., got .2." */ 2 ;
    x = p[] /* ERROR "expected-expression: expected expression, got .\]." */ ;
}
---
void f(int x, thread int *p) {
    x = p[1 ; /* ERROR "expected-token: expected .\]., got .;." */
}
---
void g(int);
void f(int x, thread int *p) {
    g(1, ) /* ERROR "expected-expression: got .\)., want an argument" */ ;
    g(1 2 /* ERROR "expected-token: got .2., want .,. or .\)." */ );
    x = p->; /* ERROR "expected-name: got .;., want the name of a member" */
    x = x ? 1; /* ERROR "expected-token: expected .:., got .;." */
    int a[] = {1, 2 3 /* ERROR "expected-token: got .3., want .,. or .\}." */ };
    int b[] = {1, 2, 3,};
    else /* ERROR "misplaced: got .else. without .if." */ x = 1;
    case /* ERROR "misplaced: 'case' statement not in switch statement" */ 1: x = 1;
    break /* ERROR "misplaced: .break. statement not in loop or switch statement" */ ;
    continue /* ERROR "misplaced: .continue. statement not in loop statement" */ ;
    for (int i = 0; i < 3; i++) { break; continue; }
    if x /* ERROR "expected-token: expected .\(., got .x." */ ;
    while (x /* fine */) x--;
    while () /* ERROR "expected-expression: expected expression, got .\)." */ x--;
    do x--; while (x) /* ERROR-AFTER "expected-token: expected .;., got .x." */ x = 1;
}
---
void f(int x) {
    for (int i = 0; i < 3 /* ERROR-AFTER "expected-token: expected .;., got .\)." */ ) x++;
    for (x = 0, ; /* ERROR "expected-expression" */ ;) x++;
    switch (x) x /* ERROR "expected-token: expected .\{., got .x." */ = 1;
    switch (x) { case 1: } /* ERROR "expected-statement: got .\}., want a statement after a label" */
    switch (x) { case 1: { case 2: x = 1; } }
    switch (x) { case 1: continue /* ERROR "misplaced: .continue. statement not in loop statement" */ ; }
    switch (x) { case 1 x /* ERROR "expected-token: expected .:., got .x." */ = 1; default: break; }
    template /* ERROR "bad-specifier: got a template inside a function" */ <typename T> T g();
    namespace /* ERROR "misplaced: got a namespace inside a function" */ n {}
    return 1 /* ERROR-AFTER "expected-token: expected .;., got .1." */ 1 ;
    x = alignof(x /* ERROR "expected-type: got .x., want a type in alignof" */ );
    x = int; /* ERROR "expected-token: expected .\(. for function-style cast or type construction" */
    x = struct /* ERROR "expected-expression: expected expression, got .struct." */ S;
    x = static_cast<1 /* ERROR "expected-type: got .1., want a type" */>(x);
    x = static_cast<x /* ERROR "expected-type: got .x., want a type" */>(x);
    x = static_cast<int>x /* ERROR "expected-token: expected .\(., got .x." */ ;
    x = metal /* ERROR "expected-expression: expected expression, got namespace .metal." */ + 1;
    x = foo /* ERROR "unknown-type: unknown type name .foo." */{1};
}
---
#pragma STDC FP_CONTRACT OFF
void f(int x) {
    #pragma METAL fp contract(off)
    for (;;) {
        #pragma METAL fp contract(off)
        x = 2 + _Pragma /* ERROR "expected-expression: expected expression, got #pragma unroll" */ ("unroll") 3;
        _Pragma /* ERROR "pragma-position: got #pragma METAL fp contract\(on\), want it at the start of a block or outside functions" */ ("METAL fp contract(on)") x = 1;
        _Pragma /* ERROR "pragma-position: got #pragma unroll, want a loop after it" */ ("unroll") x = 1;
    }
}
_Pragma /* ERROR "pragma-position: got #pragma unroll, want it before a loop" */ ("unroll") int y;
struct S { _Pragma /* ERROR "pragma-position: got #pragma METAL fp contract\(on\) in a class" */ ("METAL fp contract(on)") int x; };
