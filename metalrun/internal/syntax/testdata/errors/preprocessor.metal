#error /* ERROR "error-directive: #error stop here" */ stop  here
#ifdef NOT_DEFINED
#error not here
#unknown directive is nothing here
don't care
#endif
#frobnicate /* ERROR "bad-directive: unknown directive #frobnicate" */
#include "nothing.h" /* ERROR "include-not-found: .nothing.h. file not found" */
#include < /* ERROR "include-not-found: .iostream. file not found" */ iostream>
#include < /* ERROR "include-not-found: .metal_nonsense. file not found" */ metal_nonsense>
#include /* ERROR "bad-directive: #include names no file" */
#include 12 /* ERROR "bad-directive: got .12., want .file. or <header>" */
#define /* ERROR "bad-directive: #define has no macro name" */
#define 1 /* ERROR "bad-directive: got .1., want a macro name" */ x
#undef x y /* ERROR "got .y. after #undef, want the end of the line" */
#line nothing /* ERROR "bad-directive: got .nothing., want a line number" */
#line 0 /* ERROR "want a line number" */
#line 5 file /* ERROR "want a file name in quotes" */
---
#define F(x ; /* ERROR "bad-macro: got .;., want .,. or .\). in a parameter list" */ y) x
---
#define F( /* ERROR "bad-macro: parameter list of macro .F. has no" */ x
#define G(x, x /* ERROR "bad-macro: parameter .x. of macro .G. cannot be used twice" */ ) x
#define H(x, 1 /* ERROR "bad-macro: got .1., want a parameter name" */ ) x
#define I(..., x /* ERROR "want .*after .\.\.\." */ ) x
#define J ## /* ERROR "bad-macro: .##. may not stand at either end of macro .J." */ x
#define K(x) # /* ERROR "bad-macro: .#. is not followed by a parameter of macro .K." */ y
#define L __VA_ARGS__ /* ERROR "bad-macro: __VA_ARGS__ may not appear in macro .L." */
#define N(x) __VA_OPT__ /* ERROR "bad-macro: __VA_OPT__ may not appear in macro .N." */ (x)
#define O(...) __VA_OPT__ /* ERROR "bad-macro: __VA_OPT__ has no tokens in parentheses in macro .O." */ x
#define P(...) __VA_OPT__ /* ERROR "bad-macro: .##. may not stand at either end of __VA_OPT__" */ (## x)
#define Q(...) __VA_OPT__(x __VA_OPT__ /* ERROR "bad-macro: __VA_OPT__ may not stand within another" */ (y))
#define M+ /* ERROR "bad-macro: got .\+. after the macro's name, want a space" */ 1
#define __LINE__ /* ERROR "bad-macro: macro .__LINE__. is built in and cannot be redefined" */ 1
#define defined /* ERROR "cannot be redefined" */ 1
#undef __METAL_VERSION__ /* ERROR "built in and cannot be removed" */
---
#define TWO(x, y) x y
#define PASTE(x, y) x ## y
int a = TWO /* ERROR "bad-macro: too few arguments provided to function-like macro invocation: TWO takes 2, not 1" */ (1);
int b = TWO /* ERROR "bad-macro: too many arguments provided to function-like macro invocation: TWO takes 2, not 3" */ (1, 2, 3);
int c = PASTE /* ERROR "bad-macro: macro .PASTE. pastes .\+. and .-., which is not one token" */ (+, -);
int d = PASTE /* ERROR "pastes ./. and ./., which is not one token" */ (/, /);
int e = TWO /* ERROR "unterminated: call of macro .TWO. has no" */ (1, 2;
#define OTHER
---
#if /* ERROR "bad-condition: #if has no condition" */
#endif
#if 1 + /* ERROR "bad-condition: got .end of line., want a value" */
#endif
#if (1 /* ERROR "bad-condition: got .end of line., want .*\)" */
#endif
#if 1 2 /* ERROR "bad-condition: got .2., want an operator or the end of the condition" */
#endif
#if 1 / /* ERROR "bad-condition: division by zero" */ 0
#endif
#if 0 && 1 / 0 || 1 ? 0 : 1 % 0 /* the faults of operands that do not count are none */
#endif
#if 1.5 /* ERROR "bad-condition: floating number 1.5 in a condition" */
#endif
#if "a" /* ERROR "bad-condition: got .*, want a value" */
#endif
#if defined ( 1 /* ERROR "bad-condition: got .1., want a macro name" */ )
#endif
#if __has_include(1 /* ERROR "want .file. or <header>" */ )
#endif
#ifdef /* ERROR "bad-directive: #ifdef has no macro name" */
#endif
#ifndef x y /* ERROR "after #ifndef, want the end of the line" */
#endif
---
# /* ERROR "conditional: #endif without #if" */ endif
# /* ERROR "conditional: #else without #if" */ else
# /* ERROR "conditional: #elif without #if" */ elif 1
#if 1
#else
# /* ERROR "conditional: #else after #else" */ else
# /* ERROR "conditional: #elif after #else" */ elif 1
#endif
# /* ERROR "unterminated: unterminated conditional directive" */ if 1
#if 0
#endif
---
#pragma METAL /* ERROR "bad-pragma: got #pragma METAL fp contract\(maybe\), want METAL fp" */ fp contract(maybe)
#pragma METAL /* ERROR "bad-pragma" */ fp
#pragma METAL /* ERROR "bad-pragma" */ nonsense
#pragma STDC /* ERROR "bad-pragma: .*want STDC FP_CONTRACT ON.OFF.DEFAULT" */ FP_CONTRACT MAYBE
#pragma clang /* ERROR "bad-pragma: .*want clang fp contract" */ fp reassociate(perhaps)
#pragma unroll /* ERROR "bad-pragma: .*want unroll, unroll\(N\)" */ (
#pragma nounroll /* ERROR "bad-pragma" */ 4
#pragma clang /* ERROR "bad-pragma" */ loop unroll
#pragma GCC /* ERROR "bad-pragma" */ unroll
_Pragma /* ERROR "bad-pragma: _Pragma wants one string in parentheses" */ x
_Pragma /* ERROR "bad-pragma: got #pragma METAL x" */ ("METAL x")
---
#include __FILE__ /* ERROR "limit: includes nest deeper than 64" */
---
#error /* ERROR "error-directive: #error one" */ one
int f() { return ( ; /* ERROR "expected-expression" */ }
#if 3 + /* ERROR "condition: " */
#endif
int g() { return ( ; /* ERROR "expected-expression" */ }
