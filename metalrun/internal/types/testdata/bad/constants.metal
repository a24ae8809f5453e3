// Constant expressions that have no value (2.6).
#include <metal_stdlib>
using namespace metal;

constexpr int forever(int x) { while (true) { x ^= 1; } return x; }
static_assert(forever(1) == 1, "value"); // ERROR 15 not-constant "steps than 1048576, which -compile-limit constant-steps=N can raise"
constexpr int deep(int x) { return x == 0 ? 0 : deep(x - 1) + 1; }
static_assert(deep(10000) == 10000, "value"); // ERROR 15 not-constant "deeper than 512, which -compile-limit constant-calls=N can raise"
constexpr int unset() { int x; return x; }
static_assert(unset() == 0, "value"); // ERROR 15 not-constant "no value yet"
constexpr int beyond(int i) { int a[3] = {1, 2, 3}; return a[i]; }
static_assert(beyond(2) == 3 && beyond(3) == 0, "value"); // ERROR 33 not-constant "outside of the array"
static_assert(beyond(-1) == 0, "value"); // ERROR 15 not-constant "outside of the array"
constexpr int past(int i) { int a[3] = {1, 2, 3}; thread int *p = a; return *(p + i); }
static_assert(past(2) == 3 && past(3) == 0, "value"); // ERROR 31 not-constant "outside of an object"
constexpr int null() { thread int *p = nullptr; return *p; }
static_assert(null() == 0, "value"); // ERROR 15 not-constant "null pointer"
constexpr long apart() { int a[2] = {1, 2}; int b[2] = {3, 4}; return &a[1] - &b[0]; }
static_assert(apart() == 1, "value"); // ERROR 15 not-constant "different objects"
constexpr int lost(int x) { if (x > 0) { return 1; } }
static_assert(lost(1) == 1 && lost(0) == 0, "value"); // ERROR 31 not-constant "without a value"
static_assert(5 % 0 == 0, "value"); // ERROR 17 not-constant "divides by zero"
static_assert(-2147483647 - 2 < 0, "value"); // ERROR 27 not-constant "range of int"
static_assert((-2147483647 - 1) / -1 > 0, "value"); // ERROR 33 not-constant "range of int"
static_assert(9223372036854775807 + 1 < 0, "value"); // ERROR 35 not-constant "range of long"
static_assert(-(-9223372036854775807 - 1) < 0, "value"); // ERROR 15 not-constant "range of long"
static_assert(3037000500 * 3037000500 > 0, "value"); // ERROR 26 not-constant "range of long"
static_assert(uchar(256.0f) == 0, "value"); // ERROR 21 not-constant "range of uchar"
static_assert(uint(-1.0f) == 0, "value"); // ERROR 20 not-constant "range of uint"
int plain(int x) { return x; }
static_assert(plain(1) == 1, "value"); // ERROR 15 not-constant "not a constexpr function"
static_assert(simd_sum(1) == 1, "value"); // ERROR 15 not-constant "not a constexpr function"
static_assert(clamp(1, 3, 2) == 2, "value"); // ERROR 15 not-constant "no constant value"
constant int table[2] = {1, 2};
static_assert(&table[0] != nullptr && *(&table[0] + 2) == 0, "value"); // ERROR 39 not-constant "outside of an object"
void addresses(int x) { constexpr thread int *p = &x; } // ERROR 52 not-constant "only when the kernel runs"
constexpr int writes() { thread int *p = nullptr; *p = 1; return *p; }
static_assert(writes() == 1, "value"); // ERROR 15 not-constant "null pointer"
void locals(int x) { constexpr int y = 2; const int z = x; static_assert(y == 2, "value"); static_assert(z == 2, "value"); } // ERROR 106 not-constant "only when the kernel runs"
constant float third = 1.0f / 0.0f;
constant int quotient = 1 / 0; // ERROR 27 not-constant "divides by zero"
