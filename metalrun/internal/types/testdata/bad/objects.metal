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
