// Objects: where their names begin, what can be copied, what a statement's head declares.
#include <metal_stdlib>
using namespace metal;

float o1(float3 v) { float length = length(v); return length; } // ERROR 43 not-function "float"
int o2() { int x = 1; { int x = x + 1; return x; } } // the inner x, which has no value
struct Hits { atomic_int n; };
void o3(device Hits *p) { auto x = p[0]; } // ERROR 37 atomic-access "copied"
void o4(device Hits *p) { p[0] = p[1]; } // ERROR 32 atomic-access "copied"
struct Fixed { const int n; int m; };
void o5(thread Fixed &a, Fixed b) { a = b; } // ERROR 39 write-const "members that are const"
void o6() { for (int i = 0; i < 2; i++) { int i = 3; } } // ERROR 47 redeclared "redefinition of 'i'"
void o7(int n) { if (int k = n) { int k; } } // ERROR 39 redeclared "redefinition of 'k'"
void o8(int n) { if (int k = n) { { int k; } } } // ERROR 41 unused-variable "unused variable 'k' .-Wunused-variable."
struct Late { int x; int y = x + 1; };
int o9() { Late l = {1}; return l.y; }
struct Kept { const int k; int v; void set() const { v = 1; } int given(); }; // ERROR 56 write-const "^cannot assign to non-static data member within const member function 'set'$"
int Kept::gone() { return 1; } // ERROR 11 undeclared "^out-of-line definition of 'gone' does not match any declaration in 'Kept'$"
constant float once = 1;
void kept1() { const int k = 3; k = 4; } // ERROR 35 write-const "^cannot assign to variable 'k' with const-qualified type 'const int'$"
void kept2(constant float &x) { x = 2; } // ERROR 35 write-constant "^cannot assign to variable 'x' with const-qualified type 'const constant float &'$"
void kept3() { once += 2; } // ERROR 21 write-constant "^cannot assign to variable 'once' with const-qualified type 'const constant float'$"
void kept4(thread Kept &s) { s.k = 2; } // ERROR 34 write-const "^cannot assign to non-static data member 'k' with const-qualified type 'const int'$"
void kept5(const thread int (&a)[2]) { a[1]++; } // ERROR 44 write-const "^cannot assign to variable 'a' with const-qualified type 'const thread int .&..2.'$"
template <typename T> int twice_defined(T a) { return 1; }
template <typename U> int twice_defined(U b) { return 2; } // ERROR 27 redefined "^redefinition of 'twice_defined'$"
